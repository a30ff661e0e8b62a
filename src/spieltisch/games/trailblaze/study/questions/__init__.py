"""Questions about Trailblaze that bots answer by playing."""
