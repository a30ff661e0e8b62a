"""Adaman: what is found out about it, with compiled rules. Imported by commands and workers, never by the game."""
