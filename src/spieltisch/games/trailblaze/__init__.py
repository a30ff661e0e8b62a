"""Trailblaze: in which period did a woman first reach it? Rules, records, page and players of this game."""
