"""The games as environments for learning: PettingZoo, Gymnasium and OpenSpiel, by one adapter each for every game.

`setting` says what is played, and what each seat knows of what lies hidden (`knowledge`). `episode` is one game of it,
chance and all; `encoding` makes arrays of views. Upon them stand `aec.env` (PettingZoo), `solitaire.env` (Gymnasium)
and `spiel.load` (OpenSpiel). `tiny` are games whose whole `tree` can be walked through, `equilibrium` solves them,
`sizes` measures the others.

Never here: the name of a game.
"""
