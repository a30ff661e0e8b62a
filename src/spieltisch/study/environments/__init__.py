"""The games as environments for learning: one adapter each for PettingZoo, Gymnasium and OpenSpiel.

`setting` describes what is played and what each seat knows of hidden things (`knowledge`). `episode` is one game with
all its chance; `encoding` turns views into arrays. On these stand `aec.env` (PettingZoo), `solitaire.env` (Gymnasium)
and `spiel.load` (OpenSpiel). `tiny` has games whose whole `tree` can be enumerated. `equilibrium` solves them, `sizes`
measures the others.

No module here but `tiny` names a game.
"""
