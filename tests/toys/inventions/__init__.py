"""Inventions: a fifth game, for tests, that brings a kind of decks and what is found out about it."""
