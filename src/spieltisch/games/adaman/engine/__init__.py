"""Compiled: the rules as a kernel, the exact solver with its bounds, and the coach.

Brings numba; what serves tables asks `spieltisch.makers` for it.
"""
