"""Questions about Anno Domini that are answered by letting bots play."""
