"""Trailblaze: what is found out about it. Imported by commands and workers, never by the game itself."""
