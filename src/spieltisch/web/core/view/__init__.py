"""Tables as their viewers see them, and the fields of their options. Running games leave the server only here.

These modules ask a table for the view and the legal actions of one viewer: a seat or a spectator. Only `past`, whose
games are over, and the JSON for programs ask as well. Never here: a request, a cookie, a change of a table.
"""
