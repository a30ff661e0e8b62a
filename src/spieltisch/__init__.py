"""Spieltisch: a table for Anno Domini, Adaman, Trailblaze and hic – haec – hoc.

`game` is the contract, `dice` the chance, `games` one room a game, `decks` their cards, `table` a running
table, `bots` players that are no people, `web` the pages, `record` games as files.
"""

__version__ = "0.1.0"
