"""Exports of decks: `files` for spreadsheets and programs, `anki`, `stats`, `credits`; `report` writes
lines of text.
"""
