"""Compiled: the rules as a kernel, and the search of the best bot.

Brings numba; never imported by what serves tables.
"""
