"""From a file to a deck.

`sheets` reads a file into `lines`: text with `text_tables`, workbooks with `xlsx` and `ods`. For these, `packages`
unpacks the parts, `grids` has the cells, and `number_formats` shows numbers as the spreadsheet does. `headings` finds
the line of column names, `columns` their meaning; `partial` joins dates from several cells. `renewal` makes a new deck
or updates one and keeps the ids of its cards. `work` is a sheet that somebody corrects until it makes a deck. `making`
changes single cards of a deck.
"""
