"""Climb: a toy for one seat, with undo."""
