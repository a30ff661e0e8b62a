"""How long data is stored unless the server's options say otherwise."""

KEEP_DAYS = 30
"""Days after their last use until tables, their names and unplayed decks are deleted."""

CLASS_HOURS = 24
"""Hours after the end of a lesson until its names are deleted."""
