"""All that is checked of a deck. `cards.lint` runs it; where each check is:

- id there and well-formed: `cards`; twice: `whole`; telling the order of the dates, or the years: `whole`
- date that cannot be read, a minus, a day, the future, a doubtful era: `cards`; what it may have meant: `suggestions`
- comment that speaks of the other era than the date: `cards`
- year, century, decade, era, number or ruler's number in a text: `spoilers`; the woman's name on the front: `cards`
- too long, language missing or the other one, level, tag, series, source unknown or missing: `cards`
- what all cards lack, title, licence, the same card, nearly the same card (`alike`), equal dates, a lone year: `whole`
- signs that the fonts for printing lack: `printable`
- HTML, entities, invisible characters, misread letters, marks of footnotes, formulas, words that hurt: `phrases`

What is wrong with a file before it is a deck (columns swapped, too many cells, formulas) is found in `importing`.
"""
