"""The line of a sheet with the column names, in German or English: finding it, and the meaning of its words.

Besides the columns of decks, parts of a date may have columns of their own: the era, the end of a span (and its era),
the month and the day.
"""

import re
from collections.abc import Sequence
from typing import Protocol

LOOKED_AT = 10  # lines that may name the columns
PARTS = ("era", "end", "end_era", "month", "day")
"""The parts of a date that may have columns of their own, besides the year."""


class _Line(Protocol):
    @property
    def cells(self) -> Sequence[str]: ...


_WORDS = {
    "id": "id kennung | kürzel",
    "date": "date datum jahr year wann when jahreszahl zeit zeitpunkt | dates daten jahre years jahreszahlen time "
    "zeitangabe datierung dating pointintime inception datumjahr jahrdatum dateyear",
    "begin": "von from vom beginn begin beginning anfang start startjahr startyear startdatum startdate beginnjahr "
    "anfangsjahr vonjahr jahrvon datumvon fromyear yearfrom fromdate datefrom yearstart",
    "era": "ära era zeitrechnung vchrnchr nchrvchr vunchr vnchr bcad adbc bcece cebce",
    "end": "bis to until till ende end schluss endjahr endyear enddatum enddate endedatum endejahr bisjahr jahrbis "
    "datumbis toyear yearto todate dateto untilyear yearend",
    "month": "monat month",
    "day": "tag day",
    "text": "event ereignis text karte card vorderseite front was what leistung achievement events ereignisse texte "
    "karten cards geschehen geschehnis | label itemlabel eventlabel bezeichnung titel title beschreibung description",
    "de": "de deutsch german ereignisdeutsch textdeutsch | aufdeutsch deutschertext germantext",
    "en": "en englisch english ereignisenglisch textenglisch | aufenglisch englischertext englishtext",
    "comment": "comment kommentar bemerkung erklärung erläuterung explanation anmerkung | comments kommentare "
    "bemerkungen erklärungen note notes notiz hinweis rückseite hintergrund background details itemdescription",
    "source": "source quelle beleg link url fundstelle | sources quellen belege links nachweis reference item",
    "series": "series serie reihe",
    "field": "field gebiet fach bereich thema topic subject | fields themen kategorie category sachgebiet",
    "region": "region gegend weltgegend | weltregion",
    "level": "level stufe niveau schwierigkeit difficulty | schwierigkeitsgrad",
    "goal": "goal ziel lernziel kompetenz learninggoal competence | goals ziele lernziele learninggoals objective",
    "thing": "thing ding sache about worum | things dinge",
    "fact": "fact fakt",
    "review": "review durchsicht",
    "who": "who wer name frau woman | person",
    "place": "place ort | wo where stadt city",
    "country": "country land | staat",
    "checked": "checked geprüft stand | geprüftam lastchecked checkedon zuletztgeprüft",
    "corrected": "corrected berichtigt | berichtigtam correctedon",
    "again": "again wiedervorlage | nächsteprüfung nextcheck lookagain",
}
"""Names of columns. Words after | count only if no column has one of the others."""
_LANGUAGES = {"de": "de deutsch german", "en": "en englisch english"}
_WEAK = {word for words in _WORDS.values() for word in words.partition("|")[2].split()}
_COLUMN = {word: column for column, words in _WORDS.items() for word in words.replace("|", "").split()}
_COLUMN |= {
    word + behind: column if text == "text" else f"{text}_{column}"
    for text in ("text", "comment")
    for word in _WORDS[text].replace("|", "").split()
    for column, said in _LANGUAGES.items()
    for behind in said.split()
}
ENGLISH = {"event", "events", "card", "cards", "what", "achievement", "comment", "comments", "explanation", "note"}
ENGLISH |= {
    "pointintime",
    "inception",
    "notes",
    "date",
    "dates",
    "year",
    "years",
    "when",
    "time",
    "from",
    "start",
    "label",
    "itemlabel",
}
ENGLISH |= {"eventlabel", "title", "description", "itemdescription", "background"}
_BOTH = {"text", "front", "details"}
_LABEL = "label"
_DESCRIBED = {"beschreibung", "description"}
_YEARS = {"jahr", "year", "jahreszahl", "jahre", "years"}
_TEXTS = ("text", "de", "en")


def column_of(name: str) -> str:
    """The column that a name means, "" for an unknown one."""
    return _COLUMN.get(plain(name), "")


def meant(names: Sequence[str]) -> list[str]:
    """The meaning of each column name: a column, a part of the date, or "" for neither.

    A description is a comment if another column has the event. A month needs a year.
    """
    words = [plain(name) for name in names]
    columns = _labelled([_COLUMN.get(word, "") for word in words], words)
    if any(one in _TEXTS and word not in _DESCRIBED for one, word in zip(columns, words, strict=True)):
        columns = ["comment" if word in _DESCRIBED else one for one, word in zip(columns, words, strict=True)]
    if "begin" in columns and "date" in columns:  # someone's lifetime, or the author of an idea
        columns = ["" if one in {"begin", "end"} else one for one in columns]
    columns = ["date" if one == "begin" else one for one in columns]
    if "end" in columns and columns.count("era") == 2:
        columns[len(columns) - 1 - columns[::-1].index("era")] = "end_era"
    if _YEARS.isdisjoint(words):
        columns = ["" if one in {"month", "day"} else one for one in columns]
    return _without_weak(columns, words)


def _labelled(columns: list[str], words: Sequence[str]) -> list[str]:
    """Resolve duplicates in Wikidata's exports: `event` is an address, `eventLabel` its name."""
    for at, word in enumerate(words):
        if word and f"{word}{_LABEL}" in words:
            label = words.index(f"{word}{_LABEL}")
            is_event = columns[at] in {"", "text", "source"}
            columns[label] = "text" if is_event else columns[at]
            columns[at] = "source" if is_event else ""
    return columns


def _is_weak(word: str, words: Sequence[str]) -> bool:
    return word in _WEAK | _DESCRIBED or word.endswith(_LABEL) or f"{word}{_LABEL}" in words


def _without_weak(columns: list[str], words: Sequence[str]) -> list[str]:
    """The columns; of several names for the same one, only the best count."""
    kept: list[str] = []
    texts = {*_TEXTS}
    for at, (one, word) in enumerate(zip(columns, words, strict=True)):
        same = texts if one in texts else {one}
        others = [other for place, other in enumerate(words) if place != at and columns[place] in same and one]
        better = any(not _is_weak(other, words) for other in others)
        weak = one and _is_weak(word, words) and (better or bool(same & {*kept}))
        kept.append("" if weak else one)
    return kept


def plain(name: str) -> str:
    """The word in lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]", "", name.casefold())


def is_in_both(name: str) -> bool:
    """Whether a word is the same in both languages."""
    return plain(name) in _BOTH or plain(name).endswith(_LABEL)


def heading(lines: Sequence[_Line]) -> int | None:
    """The index of the first line that names a date column and an event column; if several such lines follow each
    other, of the last. None if the first lines have none.
    """
    named = [_names(line) for line in lines[: LOOKED_AT + 1]]
    at = next((at for at, one in enumerate(named[:LOOKED_AT]) if one), None)
    while at is not None and at + 1 < len(named) and named[at + 1]:
        at += 1
    return at


def likeliest(lines: Sequence[_Line]) -> int:
    """The likeliest line of column names if none is complete: of the lines that name a date or an event, the one with
    most known words, else the first line.
    """
    known = [{*meant(line.cells)} - {""} for line in lines[:LOOKED_AT]]
    counted = [0 if columns.isdisjoint({"date", *_TEXTS}) else len(columns) for columns in known]
    return counted.index(max(counted))


def _names(line: _Line) -> bool:
    columns = {*meant(line.cells)}
    return "date" in columns and not columns.isdisjoint(_TEXTS)
