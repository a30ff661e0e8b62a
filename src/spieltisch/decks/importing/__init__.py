"""From a file to a deck.

`sheets` reads CSV, XLSX and ODS (`workbooks`) into lines of text; `columns` tells which column means what; `renewal`
makes a new deck or renews an old one, cards keeping their ids; `making` does it step by
step, with corrections in place.
"""
