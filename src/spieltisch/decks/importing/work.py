"""A sheet in work: people look it over, correct it in place and leave lines out until it makes a deck.

Nothing is stored before: the whole sheet goes to the browser and back. Lines keep their numbers from the file. A line
only goes if somebody leaves it out, and can be restored.
"""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct, structs

from spieltisch.decks.base_kind import games_of, kind_of, kinds
from spieltisch.decks.check import looked_at
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import Finding, errors, in_all, message
from spieltisch.decks.importing.columns import Intake, taken_in
from spieltisch.decks.importing.lines import COLUMNS, Line, Sheet, Typed, clean
from spieltisch.decks.importing.renewal import Renewal, renewed
from spieltisch.decks.importing.sheets import CELL, ROWS, read_sheet, wrong_values
from spieltisch.decks.table import Table
from spieltisch.decks.text import Text, together
from spieltisch.game import Invalid
from spieltisch.languages import DEFAULT

ASKED = frozenset({"long-span", "new-day", "cut-short", "typed-year", "future", "alone"})
"""Lint rules that need confirmation before a new card is accepted."""
_ABOVE = 100  # lines about the deck, besides its cards
_TIMES = 3  # one suggestion may reveal another


class Work(Struct, frozen=True):
    """The state of a sheet: its lines, the numbers of those left out, confirmed doubts (a line and the rule), cells
    nobody has looked at yet (with a formula; with a day that may be a year), and findings about the file.
    """

    lines: tuple[Line, ...]
    out: tuple[int, ...] = ()
    meant: tuple[tuple[int, str], ...] = ()
    formulas: tuple[tuple[int, str], ...] = ()
    typed: tuple[Typed, ...] = ()
    told: tuple[Text, ...] = ()
    kind: str | None = None  # chosen by somebody; None: guessed from the columns


class Press(Struct, frozen=True):
    """The input of a form: texts typed into cells (by line and index), and the button.

    `begin` is not a button: a file has arrived. `look` checks it again, `all` takes all suggestions, in this language.
    `set` takes one of them, `out` leaves a line out, `back` restores it, `meant` confirms a doubtful line; `out` with
    line 0 leaves out all lines with errors. `take` and `replace` take the cards of a newer table, and `replace` also
    drops those it lacks. `kind` makes it a deck of another kind (`text`).
    """

    button: str = "begin"
    cells: Mapping[tuple[int, int], str] = {}
    line: int = 0
    place: int = 0
    text: str = ""
    lang: str = DEFAULT


class Draft(Struct, frozen=True):
    """A sheet in work, the deck that it would make, the effect on an older deck's cards, and open questions."""

    work: Work
    intake: Intake
    deck: Deck
    fate: Renewal
    asked: tuple[Finding, ...]
    before: Table | None = None

    @property
    def good(self) -> bool:
        """Whether it can be played, and nothing is open."""
        return not errors([*self.deck.found]) and not self.asked

    @property
    def bad(self) -> list[int]:
        """The lines that people have to look at, in order."""
        return sorted({one.line for one in (*errors([*self.deck.found]), *self.asked) if one.line})

    def place(self, column: str) -> int:
        """The index of this column's cell in a line."""
        return self.intake.columns.index(column)

    def suggested(self) -> Iterator[Finding]:
        """Errors with only one remedy: a text, or leaving the line out."""
        for one in errors([*self.deck.found]):
            if one.line and (one.drop or (len(one.better) == 1 and one.column in self.intake.columns)):
                yield one


def made_here() -> list[str]:
    """The kinds of decks that people can make in the browser."""
    return [name for name, one in kinds().items() if one.chosen]


def begun(content: bytes, kind: str | None = None) -> Work:
    """The sheet in a file. Raises Invalid if it is not a table."""
    sheet = read_sheet(content)
    marked = ((one.line, one.wrong.values.get("cell")) for one in sheet.found if one.rule == "formula" and one.line)
    told = tuple(_told(one) for one in sheet.found if one.severity == "note")
    formulas = tuple((line, cell) for line, cell in marked if isinstance(cell, str))
    return Work(sheet.lines, formulas=formulas, typed=sheet.typed, told=told, kind=kind)


def _told(one: Finding) -> Text:
    parts = [in_all(part) for part in (one.wrong, one.right) if part]
    return together(lambda lang: " → ".join(part[lang] for part in parts), *parts)


def resumed(text: str) -> Work:
    """The sheet from a browser. Raises Invalid if it is not one, or too large."""
    try:
        work = msgspec.json.decode(text, type=Work)
    except msgspec.MsgspecError:
        raise Invalid("This form could not be read.") from None
    small = len(work.lines) <= ROWS + _ABOVE and all(0 < len(line.cells) <= COLUMNS for line in work.lines)
    if work.kind not in (None, *made_here()):
        raise Invalid("This form could not be read.")
    if not small or len({line.number for line in work.lines}) < len(work.lines):
        raise Invalid("This form could not be read.")
    return work


def as_text(work: Work) -> str:
    """The sheet for a browser, which sends it back."""
    return msgspec.json.encode(work).decode()


def from_file(content: bytes, press: Press, name: str, old: Deck | None, title: str) -> Draft:
    """The draft that a file makes of the deck of this name. Raises Invalid if it is not a table, or its columns cannot
    be recognized.
    """
    return worked(begun(content), press, name, old, title)


def from_form(text: str, press: Press, name: str, old: Deck | None, title: str) -> Draft:
    """The draft that a browser's sheet makes of the deck after a press. Raises Invalid as above."""
    return worked(resumed(text), press, name, old, title)


def worked(work: Work, press: Press, name: str, old: Deck | None = None, title: str = "") -> Draft:
    """The draft that a sheet makes of the deck of this name after a press. Raises Invalid if its columns cannot be
    recognized.
    """
    work = _typed(work, press.cells)
    match press.button:
        case "set":
            work = _typed(work, _alone(work, press.line, press.place) | {(press.line, press.place): press.text})
        case "out" if press.line:
            work = _without(work, {press.line})
        case "out":
            bad = errors([*drafted(work, name, old, title).deck.found])
            work = _without(work, {one.line for one in bad if one.line})
        case "kind" if press.text in made_here():
            work = structs.replace(work, kind=press.text)
        case "back":
            work = structs.replace(work, out=tuple(line for line in work.out if line != press.line))
        case "meant":
            asked = ((one.line or 0, str(one.wrong)) for one in drafted(work, name, old, title).asked)
            more = tuple(one for one in asked if one[0] == press.line)
            work = structs.replace(work, meant=(*work.meant, *more))
    done = drafted(work, name, old, title, replace=press.button == "replace")
    if lacking := _lacking(done):
        done = drafted(_widened(done, lacking), name, old, title, replace=press.button == "replace")
    for _ in range(_TIMES if press.button == "all" else 0):
        if better := _mended(done, press.lang):
            done = drafted(better, name, old, title)
    return done


def drafted(work: Work, name: str, old: Deck | None = None, title: str = "", *, replace: bool = False) -> Draft:
    """The draft that this sheet makes of the deck of this name. Raises Invalid if its columns cannot be recognized."""
    lines = tuple(line for line in work.lines if line.number not in work.out)
    sheet = Sheet(lines, (*_found(work, lines), *wrong_values(lines)), work.typed)
    intake = taken_in(sheet, old.kind if old else work.kind, empty=bool(work.out))
    if intake.kind not in made_here():
        raise Invalid("only decks for {games} are made here", games=games_of(map(kind_of, made_here())))
    if old and old.kind != intake.kind:
        raise Invalid("{name} is a deck of another kind", name=name)
    fate = renewed(intake, name, old.table if old else None, title=title, replace=replace)
    deck = looked_at(Deck(name, intake.kind, fate.table), intake)
    asked = tuple(one for one in asked_of(deck, fate) if (one.line, str(one.wrong)) not in work.meant)
    return Draft(work, intake, deck, fate, asked, old.table if old else None)


def _lacking(draft: Draft) -> list[str]:
    """Columns that the sheet lacks, although its cards need them."""
    needed = kind_of(draft.intake.kind).lacking(draft.deck.table.rows)
    widest = max(len(line.cells) for line in draft.work.lines)
    fits = widest <= len(draft.intake.columns) <= COLUMNS - len(needed)  # otherwise a cell without a name would get one
    return [one for one in needed if one not in draft.intake.columns] if fits else []


def _widened(draft: Draft, columns: list[str]) -> Work:
    """The sheet with these columns added, to be filled in."""
    at = draft.intake.header.number
    lines = (Line(at, (*one.cells, *columns)) if one.number == at else one for one in draft.work.lines)
    return structs.replace(draft.work, lines=tuple(lines))


def _found(work: Work, lines: tuple[Line, ...]) -> Iterator[Finding]:
    there = {line.number for line in lines}
    for number, cell in work.formulas:
        if number in there:
            right = message("Check whether the cell shows this.")
            yield Finding("error", "formula", message("{cell} is a formula", cell=cell), right, number)
    for line in lines:
        if any(len(cell) > CELL for cell in line.cells):
            wrong = message(
                "a cell has {n} characters, at most {most} are read", n=max(map(len, line.cells)), most=CELL
            )
            yield Finding("error", "cells", wrong, line=line.number)


def asked_of(deck: Deck, fate: Renewal) -> Iterator[Finding]:
    """The questions about new and changed cards: is it meant like this?"""
    same = {*fate.same}
    old = {row.line for row in fate.table.rows if row["id"] in same}
    return (one for one in deck.found if one.rule in ASKED and one.line and one.line not in old)


def _typed(work: Work, cells: Mapping[tuple[int, int], str]) -> Work:
    """The sheet with these texts in its cells. Typing into a line confirms the values of its formulas."""
    seen = {number for number, _ in cells}
    lines = tuple(_line(line, cells) if line.number in seen else line for line in work.lines)
    formulas = tuple(one for one in work.formulas if one[0] not in seen)
    before, after = ({line.number: line.cells for line in each} for each in (work.lines, lines))
    typed = tuple(one for one in work.typed if one.of(before) == one.of(after))
    return structs.replace(work, lines=lines, formulas=formulas, typed=typed)


def _alone(work: Work, line: int, place: int) -> dict[tuple[int, int], str]:
    """The cells to empty so that a date in this place is complete: its other parts."""
    intake = taken_in(Sheet(work.lines), work.kind, empty=True)
    is_date = place < len(intake.columns) and intake.columns[place] == kind_of(intake.kind).date
    return {(line, part): "" for part in intake.parts} if is_date else {}


def _line(line: Line, cells: Mapping[tuple[int, int], str]) -> Line:
    given = {at: clean(text) for (number, at), text in cells.items() if number == line.number and at < COLUMNS}
    width = max([len(line.cells), *(at + 1 for at in given)])
    new = [given.get(at, line.cells[at] if at < len(line.cells) else "") for at in range(width)]
    while len(new) > 1 and not new[-1]:
        new.pop()
    return Line(line.number, tuple(new))


def _without(work: Work, lines: set[int]) -> Work:
    there = {line.number for line in work.lines}
    return structs.replace(work, out=tuple(sorted({*work.out, *(lines & there)})))


def _mended(draft: Draft, lang: str) -> Work | None:
    """The sheet with all suggestions taken; None without any."""
    cells: dict[tuple[int, int], str] = {}
    out = set()
    for one in draft.suggested():
        assert one.line is not None
        if one.drop:
            out.add(one.line)
        else:
            place = (one.line, draft.place(one.column))
            if place not in cells and one.column == kind_of(draft.deck.kind).date:
                cells |= {(one.line, part): "" for part in draft.intake.parts}
            cells.setdefault(place, one.better[0][lang])
    return _without(_typed(draft.work, cells), out) if cells or out else None
