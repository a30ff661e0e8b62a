"""Anno Domini: players lay events into one chain through time, until somebody doubts it."""
