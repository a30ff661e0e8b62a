"""What a deck gives: `files` for spreadsheets and programs, `anki`, `stats`, `credits`; `told` says it in lines."""
