"""Inventions: a fifth game, for tests, with a kind of decks and studies of its own."""
