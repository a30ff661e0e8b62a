"""Whispers."""
