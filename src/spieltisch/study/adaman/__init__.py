"""Adaman with compiled rules: its solver and its figures."""
