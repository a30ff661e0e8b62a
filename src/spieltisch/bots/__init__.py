"""What the bots of any game need besides their game: their beliefs.

How a bot chooses is said by its game (`Bot`); it gets a view, never a state. `beliefs` is the one place where something
hidden becomes something that a bot may know. Never here: the state of a running table, the name of a game.
"""
