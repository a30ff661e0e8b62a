"""What a deck gives: `files` for spreadsheets and programs, `anki`, `stats`, `credits`; `report` puts it in lines."""
