"""Fronts whose two languages tell different things, as where one column of a sheet was sorted and the other was not.

Which English words go with a German one is learned from the shipped decks and from the deck itself: words that are on
the same cards. Words that begin alike go together anyway.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from spieltisch.decks.findings import Finding, message
from spieltisch.decks.table import Row
from spieltisch.study.lab.corpus import Corpus, stems
from spieltisch.study.lab.found import found

_ENOUGH = 6  # German words, before it says something that none of them meets its English
_TOGETHER = 0.25  # how often two words have to be together, of all their cards, to go with each other
_SAME = 4  # letters


def differing(rows: Sequence[Row], known: Corpus) -> Iterator[Finding]:
    """The cards of which no German word has its English one."""
    fronts = {(row["de"], row["en"]) for row in (*rows, *known.rows) if row["de"] and row["en"]}
    pairs = [(stems(de), stems(en)) for de, en in sorted(fronts)]
    german = Counter(word for one, _ in pairs for word in one)
    english = Counter(word for _, one in pairs for word in one)
    both = Counter((de, en) for one, other in pairs for de in one for en in other)

    def go_together(de: str, en: str) -> bool:
        if de[:_SAME] == en[:_SAME]:
            return True
        apart = both[de, en] - 1  # on other cards than this one
        return apart > 1 and 2 * apart >= _TOGETHER * (german[de] + english[en] - 2)

    for row in rows:
        de, en = stems(row["de"]), stems(row["en"])
        if len(de) >= _ENOUGH and len(en) >= _ENOUGH and not any(go_together(one, other) for one in de for other in en):
            wrong = message("the German and the English text seem to say different things")
            yield found(row, "languages", wrong, message("Has one column slipped by a row?"))
