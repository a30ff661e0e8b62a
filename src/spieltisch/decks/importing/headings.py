"""The line of a sheet that names its columns, in either language: which one it is, and what its words mean.

Besides the columns of decks there are parts of a date that stand in columns of their own: the era, the end of a span
(and its era), the month and the day.
"""

import re
from collections.abc import Sequence
from typing import Protocol

LOOKED_AT = 10  # lines, among which the columns are named
PARTS = ("era", "end", "end_era", "month", "day")
"""The parts of a date that may have columns of their own, besides the year."""


class _Line(Protocol):
    @property
    def cells(self) -> Sequence[str]: ...


_WORDS = {
    "id": "id kennung kürzel",
    "date": "date dates datum daten jahr jahre year years wann when jahreszahl jahreszahlen zeit time zeitpunkt "
    "zeitangabe datierung dating pointintime inception von from beginn begin beginning anfang start startjahr "
    "startyear startdatum startdate beginnjahr anfangsjahr vonjahr jahrvon fromyear yearfrom datejahr jahrdatum",
    "era": "ära era zeitrechnung vchrnchr nchrvchr vunchr bcad adbc bcece cebce eraofyear",
    "end": "bis to until till ende end schluss endjahr endyear enddatum enddate endedatum bisjahr jahrbis toyear "
    "yearto untilyear endejahr",
    "month": "monat month",
    "day": "tag day",
    "text": "event events ereignis ereignisse text texte karte karten card cards vorderseite front was what leistung "
    "achievement geschehen geschehnis",
    "de": "de deutsch german aufdeutsch deutschertext germantext",
    "en": "en englisch english aufenglisch englischertext englishtext",
    "comment": "comment comments kommentar kommentare bemerkung bemerkungen erklärung erklärungen erläuterung "
    "explanation anmerkung anmerkungen note notes notiz hinweis rückseite hintergrund background",
    "source": "source sources quelle quellen beleg belege link links url fundstelle nachweis reference item",
    "series": "series serie reihe",
    "field": "field fields gebiet fach bereich thema themen topic subject kategorie category sachgebiet",
    "region": "region gegend weltgegend weltregion",
    "level": "level stufe niveau schwierigkeit schwierigkeitsgrad difficulty",
    "goal": "goal goals ziel ziele lernziel lernziele kompetenz learninggoal learninggoals competence objective",
    "thing": "thing things ding sache about worum",
    "fact": "fact fakt",
    "review": "review durchsicht",
    "who": "who wer name frau woman person",
    "place": "place ort wo where stadt city",
    "country": "country land staat",
    "checked": "checked geprüft geprüftam stand lastchecked checkedon zuletztgeprüft",
    "label": "label itemlabel eventlabel bezeichnung titel title",
    "about it": "beschreibung description itemdescription details",
}
_LANGUAGES = {"de": "de deutsch german", "en": "en englisch english"}
_COLUMN = {word: column for column, words in _WORDS.items() for word in words.split()}
_COLUMN |= {
    word + behind: column if text == "text" else f"{text}_{column}"
    for text in ("text", "comment")
    for word in _WORDS[text].split()
    for column, said in _LANGUAGES.items()
    for behind in said.split()
}
_OTHER_KINDS = {
    "case": "case fall kasus", "number": "number zahl numerus", "gender": "gender genus geschlecht", "form": "form",
    "id": "id kennung", "de": "de deutsch", "en": "en englisch", "kind": "kind art", "value": "value wert",
    "suits": "suits farben", "types": "types typen",
}  # fmt: skip
_OTHER_COLUMN = {word: column for column, words in _OTHER_KINDS.items() for word in words.split()}
ENGLISH = {"event", "events", "card", "cards", "what", "achievement", "comment", "comments", "explanation", "note"}
ENGLISH |= {"notes", "date", "dates", "year", "years", "when", "time", "from", "start", "label", "itemlabel"}
ENGLISH |= {"eventlabel", "title", "description", "itemdescription", "background"}
BOTH = {"text", "front", "details", "label", "itemlabel", "eventlabel"}
_YEARS = {"jahr", "year", "jahreszahl", "jahre", "years"}
_TEXTS = ("text", "de", "en", "label", "about it")


def column_of(name: str) -> str:
    """The column that a word in the first line means, "" if it is none that is known."""
    return _COLUMN.get(plain(name), "")


def other_column_of(name: str) -> str:
    """The column of decks without dates that this word means; the word itself if it is none that is known."""
    return _OTHER_COLUMN.get(plain(name), name.casefold())


def meant(names: Sequence[str]) -> list[str]:
    """For each word of the line that names the columns what it means: a column, a part of the date, or "" for neither.

    What is only described is the event if no column says that it is; a month has to stand beside a year.
    """
    columns = [column_of(name) for name in names]
    if not {"text", "de", "en"} & {*columns}:
        for likely in ("label", "about it"):
            if likely in columns:
                columns[columns.index(likely)] = "text"
                break
    if "about it" in columns and not any(one.startswith("comment") for one in columns):
        columns[columns.index("about it")] = "comment"
    if "end" in columns and columns.count("era") == 2:
        columns[len(columns) - 1 - columns[::-1].index("era")] = "end_era"
    has_year = any(plain(name) in _YEARS for name in names)
    unused = {"label", "about it", *(() if has_year else ("month", "day"))}
    return ["" if one in unused else one for one in columns]


def plain(name: str) -> str:
    """The word without capitals, blanks and signs."""
    return re.sub(r"[\W_]", "", name.casefold())


def heading(lines: Sequence[_Line]) -> int | None:
    """Where among these lines the first one stands that names a column for the date and one for the event, the last one
    if several such lines follow; None where none of the first does.
    """
    named = [_names(line) for line in lines[: LOOKED_AT + 1]]
    at = next((at for at, one in enumerate(named[:LOOKED_AT]) if one), None)
    while at is not None and at + 1 < len(named) and named[at + 1]:
        at += 1
    return at


def likeliest(lines: Sequence[_Line]) -> int:
    """The line that seems to name the columns where none has them all: of those that name the date or the event the one
    with most known words, else the first.
    """
    known = [{column_of(cell) for cell in line.cells} - {""} for line in lines[:LOOKED_AT]]
    counted = [0 if columns.isdisjoint({"date", *_TEXTS}) else len(columns) for columns in known]
    return counted.index(max(counted))


def _names(line: _Line) -> bool:
    columns = {column_of(cell) for cell in line.cells}
    return "date" in columns and not columns.isdisjoint(_TEXTS)
