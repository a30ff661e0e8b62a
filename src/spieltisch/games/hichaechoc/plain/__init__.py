"""The Grammarian's search in plain Python: stands in for `engine` if numba is missing or still compiling."""
