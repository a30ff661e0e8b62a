"""Bids: a toy with a hidden number, and a phase in which several answer at once."""
