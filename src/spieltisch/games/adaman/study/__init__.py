"""Adaman: what is found out about it, with compiled rules. Imported by commands and workers, never by the game."""

import spieltisch.study  # noqa: F401 - first, since it shows names of this package
