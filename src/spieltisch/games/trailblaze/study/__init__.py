"""Studies of Trailblaze. Commands and workers import them, the game never does."""
