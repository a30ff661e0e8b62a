"""Inventions: what is found out about it."""
