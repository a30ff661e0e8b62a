"""From a file to a deck.

`sheets` reads CSV, XLSX and ODS (`workbooks`) into `lines` of text; `headings` finds the line that names the columns,
and `columns` what they mean; `renewal` makes a new deck or renews an old one, cards keeping their ids; `work` is a
sheet that somebody mends until it makes a deck; `making` changes the cards of a deck one by one.
"""
