"""Compiled: the rules as a kernel, the exact solver with its bounds, and the coach.

It imports numba. The server asks `spieltisch.makers` for it.
"""
