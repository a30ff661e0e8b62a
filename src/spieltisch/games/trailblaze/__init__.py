"""Trailblaze: in which period was a woman the first to do it? Rules, records, page and bots of this game."""
