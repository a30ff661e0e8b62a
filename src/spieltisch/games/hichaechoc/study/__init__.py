"""Studies of hic – haec – hoc. Commands and workers import them, the game never does."""
