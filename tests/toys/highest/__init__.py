"""A fifth game, for tests: keep your card or change it once for the top of the pile; the highest card wins."""
