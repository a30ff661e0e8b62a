"""Studies of Adaman with compiled rules. Commands and workers import them, the game never does."""

import spieltisch.study  # noqa: F401 - first, since it shows names of this package
