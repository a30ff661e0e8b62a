"""Players that are no people: random, and search for any game; handed a Game, they know none by name.

A bot is a function `choose(view, legal, dice, knows) -> action`: it sees what its seat sees. Never here: a
State of a running table, anything of `table`'s insides, the name of a game. `knowledge` is the one place
where something hidden becomes something a bot may know.
"""
