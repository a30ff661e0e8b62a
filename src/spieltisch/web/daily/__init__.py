"""The daily of each game: its page, the days before, and opening its table."""
