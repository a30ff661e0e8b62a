"""Matches: a fifth game, for tests, with everything that a game's folder can bring."""
