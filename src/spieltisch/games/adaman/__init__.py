"""Adaman: a solitaire of intrigue, played with the Decktet. Rules, records, a player, pages."""
