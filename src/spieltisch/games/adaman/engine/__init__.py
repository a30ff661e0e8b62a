"""Compiled: the rules as a kernel, the exact solver with its bounds, and the coach.

Brings numba; never imported by what serves tables.
"""
