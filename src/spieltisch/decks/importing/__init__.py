"""From a file to a deck.

`sheets` reads text (CSV, or what `pasted` knows) and workbooks into `lines`. Of a workbook `packages` unpacks the
parts, `xlsx` and `ods` read them into `grids`, with numbers as their `formats` show them. `headings` finds the line
that names the columns, and `columns` what they mean; dates are put together by `partial`. `renewal` makes a new deck
or renews an old one, cards keeping their ids. `work` is a sheet that somebody mends until it makes a deck. `making`
changes the cards of a deck one by one.
"""
