"""Questions about Inventions."""
