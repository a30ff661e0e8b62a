"""Studies of the games: solvers, simulations and their figures. Imported by commands and workers,
never by the server.
"""
