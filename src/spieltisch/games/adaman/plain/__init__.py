"""The coach and the solver in plain Python: what `engine` does, where numba is missing or still compiling.

A set of cards is a number, one bit a card; so is a vector, one field an element (see `nets`, `bounds`). So one addition
adds a hundred numbers.
"""
