"""Studies of Inventions."""
