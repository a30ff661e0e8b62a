"""Anno Domini: everybody lays events into one chain through time, until somebody doubts it."""
