"""Bazaar: a fifth game, for tests, whose cards have no dates and which brings no rules for people."""
