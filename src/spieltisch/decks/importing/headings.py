"""The line of a sheet that names its columns, in either language: which one it is, and what its words mean."""

import re
from collections.abc import Sequence
from typing import Protocol

LOOKED_AT = 10  # lines, among which the columns are named


class _Line(Protocol):
    @property
    def cells(self) -> Sequence[str]: ...


_WORDS = {
    "id": "id kennung",
    "date": "date datum jahr year wann when jahreszahl zeit zeitpunkt",
    "text": "event ereignis text karte card vorderseite front was what leistung achievement",
    "de": "de deutsch german ereignisde eventde textde ereignisdeutsch eventgerman textdeutsch",
    "en": "en englisch english ereignisen eventen texten ereignisenglisch eventenglish textenglisch",
    "comment": "comment kommentar bemerkung erklärung erläuterung explanation anmerkung",
    "comment_de": "commentde kommentarde kommentardeutsch commentgerman",
    "comment_en": "commenten kommentaren kommentarenglisch commentenglish",
    "source": "source quelle beleg link url fundstelle",
    "series": "series serie reihe",
    "field": "field gebiet fach bereich thema topic subject",
    "region": "region gegend weltgegend",
    "level": "level stufe niveau schwierigkeit difficulty",
    "goal": "goal ziel lernziel kompetenz learninggoal competence",
    "thing": "thing ding sache about worum",
    "fact": "fact fakt",
    "review": "review durchsicht",
    "who": "who wer name frau woman",
    "place": "place ort",
    "country": "country land",
    "checked": "checked geprüft stand",
}
_COLUMN = {word: column for column, words in _WORDS.items() for word in words.split()}
ENGLISH = {"event", "card", "what", "achievement", "comment", "explanation", "date", "year", "when"}
BOTH = {"text", "front"}


def column_of(name: str) -> str:
    """The column that a word in the first line means, "" if it is none that is known."""
    return _COLUMN.get(plain(name), "")


def plain(name: str) -> str:
    """The word without capitals, blanks and signs."""
    return re.sub(r"[\W_]", "", name.casefold())


def heading(lines: Sequence[_Line]) -> int | None:
    """Where among these lines the first one stands that names a column for the date and one for the event; None where
    none of the first does.
    """
    for at, line in enumerate(lines[:LOOKED_AT]):
        columns = {column_of(cell) for cell in line.cells}
        if "date" in columns and columns & {"text", "de", "en"}:
            return at
    return None
