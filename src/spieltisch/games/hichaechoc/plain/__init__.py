"""The Grammarian's search in plain Python: what `engine` does, where numba is missing or still compiling."""
