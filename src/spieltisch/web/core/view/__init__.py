"""Tables as their viewers see them: the only way out for what a game shows.

Only this wing asks a table for views and legal actions, and each for one viewer: a seat, or a spectator. Only `past`
may touch a State, of a game that is over. Never here: a request, a cookie, a change of a table.
"""
