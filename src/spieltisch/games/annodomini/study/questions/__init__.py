"""Questions about Anno Domini that bots answer by playing."""
