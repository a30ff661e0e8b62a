"""The coach and the solver in plain Python: stands in for `engine` if numba is missing or still compiling.

A set of cards is one integer with a bit for each card. A vector is one integer with a field for each element (see
`nets`, `bounds`), so one addition adds a hundred numbers.
"""
