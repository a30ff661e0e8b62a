"""Studies of Anno Domini. Commands and workers import them, the game never does."""
