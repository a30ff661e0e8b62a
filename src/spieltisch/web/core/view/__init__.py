"""Tables as their viewers see them, and the fields of their options: the only way out for a running game.

It asks a table for views and legal actions, each for one viewer: a seat, or a spectator. Besides it only `past`, whose
games are over, and the JSON for programs do. Never here: a request, a cookie, a change of a table.
"""
