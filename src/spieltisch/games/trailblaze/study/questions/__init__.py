"""Questions about Trailblaze that are answered by letting bots play."""
