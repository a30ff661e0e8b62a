"""Compiled: the rules as a kernel, and the search of the best bot.

It imports numba. The server never imports it.
"""
