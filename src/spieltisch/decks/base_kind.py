"""The base class of deck kinds. To add a kind, give a game a module `deck` with a class `Kind` that extends it.

A kind names the columns of its decks. It says how a sheet is recognised, and how cards are read, checked, counted,
printed and asked about. Nothing else in the program lists the kinds.
"""

import csv
import functools
import importlib
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from spieltisch import extras
from spieltisch.decks.importing import headings
from spieltisch.decks.importing.headings import of_kind, plain
from spieltisch.decks.table import TEXTS, WORDS, Row, Table
from spieltisch.game import HasCards, HasNews, Invalid
from spieltisch.game_folder import UnusableGameError, asked, box_of, class_in, require_values, told
from spieltisch.languages import text

if TYPE_CHECKING:
    from random import Random

    from spieltisch.decks.dates import Span
    from spieltisch.decks.deck import Deck
    from spieltisch.decks.exporting.anki import Note
    from spieltisch.decks.exporting.asked import Asked
    from spieltisch.decks.exporting.objectives import Card
    from spieltisch.decks.exporting.stats import Counts, Stats
    from spieltisch.decks.findings import Finding
    from spieltisch.decks.tasks import Scene, Task
    from spieltisch.decks.text import Text
    from spieltisch.i18n import Translator

D = TypeVar("D")
PLUG = "spieltisch.games"
"""The package whose subpackages may bring a kind. Kinds are found by name, because this module may not import games."""
Found = Iterator[tuple[Any, ...]]
"""Findings about a card: severity, rule, what is wrong; then what would be right, the column and better texts."""


class DeckKind(Generic[D]):
    """A kind of decks. `D` is the deck as its game takes it. A subclass needs a name, columns and `read`."""

    name: str = ""
    """Its name in programs and forms."""
    columns: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    """Columns that a deck may lack. A deck is written without those that are empty on each card, so `read` has to do
    without them: `read_table(text, columns, optional)`.
    """
    date: str = ""
    """The column of the date; "" if cards have none."""
    key: str = "id"
    """The column that identifies a card."""
    words: Mapping[str, str] = {}
    """Words by which a sheet may name each column, separated by blanks, besides its own name and those in
    `headings.toml` of languages. Kinds with dates list only columns that no other kind has.
    """
    heads: frozenset[str] = frozenset()
    """Columns that identify a sheet or a deck of this kind. Without them it is taken for one of events."""
    labels: Mapping[str, str] = {}
    """Labels, in English, of the columns that no other kind has."""
    counted: Sequence[str] = ()
    """Columns whose values `deck stats` counts, below their labels, if cards have no date."""
    strict: bool = False
    """Whether each card needs a source and the languages of the deck (`Table.needed`). Otherwise a field that every
    card lacks is no fault.
    """
    mixes: bool = False
    """Whether a table may mix several such decks."""
    eras: bool = False
    """Whether a deck may choose the names of the eras in its dates."""
    chosen: bool = False
    """Whether tables can choose such a deck, and people can make one in the browser. Its decks are `Choosable` then."""
    missing: str = "there is no deck {name}"
    """The refusal if there is no such deck of this name."""
    accent: str = "ink"
    """The name of its colour on paper."""
    label: str = ""
    """What its cards are, for people who make a deck, in English; else the title of its game."""
    this: str = ""
    """The label of the button that turns a sheet into this kind, in English; else `label`."""
    blanks: Mapping[str, str] = {}
    """Labels of the links to empty tables with the `example`, in English, by file extension: csv or xlsx."""
    puzzle: str = ""
    """The question of its daily puzzle, in English; "" if it has none. `task` makes the puzzle from the card `day/` +
    day.
    """
    puzzle_deck: str = ""
    """The shipped deck behind its puzzles."""
    widths: Sequence[int] = ()
    """The widths of the columns of its `example` in a spreadsheet. Without them there is no empty table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """The folder of the game that brings it."""

    @functools.cached_property
    def game(self) -> str:
        """The title of its game, as on the box."""
        return box_of(self.folder).title or self.folder.name.title()

    def example(self, lang: str) -> Sequence[Sequence[str]]:
        """Column names and a few cards of a table to fill in, from the language's `examples/<name>.csv`."""
        found = text(lang, f"examples/{self.name}.csv")
        return [] if found is None else [*csv.reader(found[0].splitlines())]

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def required(self) -> frozenset[str]:
        """Columns that every deck needs. No language is one of them."""
        return frozenset(self.columns) - self.optional - WORDS

    def shipped(self) -> Sequence[Path]:
        """The decks that come with the game."""
        return sorted((self.folder / "decks").glob("*.csv"))

    def read(self, text: str, name: str) -> D:
        """Return the deck in this CSV text. Raises Invalid if it cannot be played."""
        raise NotImplementedError

    def mix(self, decks: Sequence[D], series: Sequence[str] | None = None) -> D:
        """Join several decks in this order, or only these of their series."""
        return decks[0]

    def things(self, row: Row, deck: str) -> tuple[str, ...]:
        """What a card is about. A table never gets two cards about the same thing. `deck` is the name of the deck."""
        return ()

    def span(self, card: Any) -> "Span | None":
        """The years of a card; None if it has none."""
        return None

    # -- from sheet to deck ---------------------------------------------------------------------------------------

    def column_of(self, name: str) -> str:
        """The column for this heading, by its name, `words` and the languages; the heading itself if it is unknown."""
        word, known = plain(name), headings.column_of(name)
        exact = next((one for one in self.columns if plain(one) == word), "")
        otherwise = exact or (known if known in self.columns else name.casefold())
        own = (one for one, words in self.words.items() if word in words.split() or word in of_kind(self.name, one))
        return next(own, otherwise)

    def is_headed(self, names: Sequence[str], meant: Collection[str], about: Mapping[str, object]) -> bool:
        """Whether these headings belong to this kind. `meant` are the columns of dated decks that they name, `about`
        what the lines above them say.
        """
        return bool(self.heads) and self.heads <= {self.column_of(name) for name in names}

    def written(self, date: str) -> str:
        """A date in the form that decks of this kind use, from the text in a sheet."""
        return date

    def completed(self, about: dict[str, list[list[str]]]) -> None:
        """Add to a new deck's own data whatever it needs to be played."""

    def lacking(self, rows: Iterable[Row]) -> Sequence[str]:
        """Columns that these cards need, whether or not their sheet has them."""
        return ()

    # -- findings and counts -------------------------------------------------------------------------------------

    def lint(self, table: Table) -> "list[Finding]":
        """Findings about a deck, beyond the refusals of `read`: by default about ids and texts, and what `dated` and
        `front` find; nothing if its cards have no id or no text.
        """
        from spieltisch.decks.lint.cards import lint  # noqa: PLC0415 - it looks up kinds

        texts = "id" in self.columns and not {*TEXTS.values()}.isdisjoint(self.columns)
        return lint(table, self.name) if texts else []

    def dated(self, row: Row) -> Found:
        """Findings about the date of a card."""
        return iter(())

    def front(self, row: Row) -> Found:
        """Findings about the front of a card, beyond those common to all kinds."""
        return iter(())

    def apart(self, row: Row) -> str:
        """A text that distinguishes cards with similar fronts."""
        return ""

    def stats(self, table: Table) -> "Stats":
        """Return counts of a deck: by default, how often each value of the columns `counted` occurs."""
        from spieltisch.decks.exporting.stats import of_columns  # noqa: PLC0415 - it looks up kinds

        return of_columns(table, self.counted)

    def in_time(self, table: Table) -> "Mapping[str, Counts]":
        """Further counts, shown after those by century."""
        return {}

    # -- exports --------------------------------------------------------------------------------------------------

    def note(self, deck: "Deck", row: Row, lang: str) -> "Note":
        """A card for Anki. Raises Invalid if there is nothing to learn."""
        able = [one for one in kinds().values() if type(one).note is not DeckKind.note]
        raise Invalid("only decks for {games} can be learnt with Anki", games=games_of(able))

    def questions(self, deck: "Deck", rows: Sequence[Row], lang: str) -> "Iterator[Asked]":
        """Questions for a Moodle course. Raises Invalid if there is nothing to ask."""
        raise Invalid("there are no cards to ask about")

    def called(self, deck: D) -> Sequence[str]:
        """Names of the cards: their ids, or what identifies them instead."""
        return [card.id for card in getattr(deck, "cards", ())]

    def learned(self, deck: D, only: Collection[str] | None = None) -> "dict[str, Card]":
        """What a class learns from the cards, by their names. `only` limits it to some of them."""
        return {}

    def task(self, deck: D, name: str, card: str, dice: "Random") -> "Task | None":
        """A task about this card of the named deck; None if there is nothing to ask."""
        return None

    def choices(self, deck: D, task: "Task") -> "Sequence[Text]":
        """The choices of a task that is not a chain of cards."""
        return ()

    def scene(self, deck: D, task: "Task", tr: "Translator") -> "Scene | None":
        """What surrounds a task, apart from the cards of a chain. `tr` translates for the game."""
        return None

    def why(self, deck: D, task: "Task", answer: int, tr: "Translator") -> str:
        """Why the best answer is best, shown after the answer; "" if there is nothing to explain."""
        return ""

    def said(self, said: str, lang: str) -> str:
        """A claim about a card (`Decision.said`), in words."""
        return said

    def laid(self, public: HasNews) -> "tuple[object, Sequence[tuple[Text, bool]]] | None":
        """The cards just revealed at a table: a key that stays the same while they lie there, then each front and
        whether it lay wrong. None without any.
        """
        return None

    def sheets(self, deck: "Deck", lang: str, tr: "Translator") -> dict[str, object]:
        """Data for printing: `cards`, each with its `text`, and whatever else the game needs; by default the texts.
        `tr` uses the terms that the reader has learned.
        """
        return {"cards": [{"text": row.told(lang), "part": ""} for row in deck.table.rows]}


def kinds() -> Mapping[str, DeckKind[HasCards]]:
    """All kinds by name. Raises UnusableGameError if two games bring a kind or a shipped deck of the same name."""
    return _kinds(tuple(_plug().__path__))


def games_of(some: Iterable[DeckKind[Any]]) -> str:
    """The titles of the games that bring these kinds, for a sentence."""
    return ", ".join(sorted(one.game for one in some))


def kind_of(name: str) -> DeckKind[HasCards]:
    """The kind of this name. Raises KeyError if there is none."""
    return kinds()[name]


def plainest() -> DeckKind[HasCards]:
    """The kind of a sheet without distinguishing columns: an event and its date are enough."""
    return next(one for one in kinds().values() if one.date and not one.strict)


@functools.cache  # each card asks for its kind
def _plug() -> ModuleType:
    return importlib.import_module(PLUG)


@functools.cache
def _kinds(folders: tuple[str, ...]) -> Mapping[str, DeckKind[HasCards]]:
    found: dict[str, DeckKind[HasCards]] = {}
    decks: dict[str, Path] = {}
    for package in (f"{PLUG}.{one.name}" for one in pkgutil.iter_modules(folders) if one.ispkg):
        if (kind := of_game(package)) is None:
            continue
        if (other := found.setdefault(kind.name, kind)) is not kind:
            raise UnusableGameError(
                "two games have decks of the kind {name}: {one} and {other}",
                name=kind.name, one=kind.folder, other=other.folder,
            )  # fmt: skip
        with told(package):
            shipped = kind.shipped()
        for file in shipped:
            if (first := decks.setdefault(file.stem, file)) is not file:
                raise UnusableGameError(
                    "two games have a deck called {name}: {one} and {other}", name=file.stem, one=file, other=first
                )
    return dict(sorted(found.items()))


@functools.cache
def of_game(package: str) -> DeckKind[HasCards] | None:
    """The kind that this Python package brings; None if it brings none."""
    with told(package):
        module = extras.part_of(package, "deck")
        if module is None:
            return None
        kind = class_in(module, "Kind", DeckKind)(Path(str(module.__file__)).parent)
        if kind.folder.parent != Path(next(iter(_plug().__path__))):  # our tests look at our own
            require_values(kind, DeckKind)
            asked(kind, DeckKind, "is_headed", ("?", ""), (), {})  # any sheet that somebody brings
        return kind
