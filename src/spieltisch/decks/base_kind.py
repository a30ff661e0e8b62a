"""Kinds of decks, and where they come from: a game that has one brings a module `deck` with a class `Kind`.

A kind says what the columns of its decks are, how a sheet is taken for one, and how its cards are read, checked,
counted, printed and asked about. Nothing else knows which kinds there are.
"""

import functools
import importlib
import pkgutil
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from spieltisch import extras
from spieltisch.decks.importing.headings import plain
from spieltisch.decks.table import Row, Table
from spieltisch.game import HasCards, HasNews, Invalid

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
"""The package whose packages may bring a kind. They are found by their names, since what lies here knows no game."""
Found = Iterator[tuple[Any, ...]]
"""What is found on a card: how bad, the rule, what is wrong, then what would be right, the column and better texts."""


class DeckKind(Generic[D]):
    """A kind of decks; `D` is such a deck as its game takes it. A game's own has to have a name, columns and `read`."""

    name: str = ""
    """What programs and forms call it."""
    columns: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    """The columns that a deck may lack."""
    date: str = ""
    """The column of the date; "" where cards have none."""
    key: str = "id"
    """The column by which a card is called."""
    words: Mapping[str, str] = {}
    """By column what a sheet may call it, blanks between the words: all columns where cards have no dates, else those
    that no other kind has.
    """
    heads: frozenset[str] = frozenset()
    """The columns by which such a sheet is known."""
    labels: Mapping[str, str] = {}
    """What forms call the columns that no other kind has, in English."""
    counted: Sequence[str] = ()
    """The columns whose contents are counted where cards have no date."""
    strict: bool = False
    """Whether each card needs both languages and a source; else what all cards lack is no fault of one."""
    mixes: bool = False
    """Whether a table may play with several such decks at once."""
    eras: bool = False
    """Whether a deck may choose how its dates call the eras."""
    chosen: bool = False
    """Whether tables choose among such decks, and people make them in the browser."""
    missing: str = "there is no deck {name}"
    """What is said where there is no such deck of this name."""
    accent: str = "ink"
    """The name of the colour of its cards on paper."""
    label: str = ""
    """What its cards are, for who makes a deck, in English."""
    this: str = ""
    """On the button that makes a sheet one of this kind, in English."""
    blanks: Mapping[str, str] = {}
    """By the ending of the file, what a link to a table to fill in says, in English."""
    puzzle: str = ""
    """What its puzzle of the day asks, in English; "" where there is none. `task` makes it of the card `day/` + day."""
    puzzle_deck: str = ""
    """The shipped deck that its puzzles come from."""
    example: Mapping[str, Sequence[Sequence[str]]] = {}
    """By language the names of the columns and some cards, for a table to fill in; and how wide its columns are."""
    widths: Sequence[int] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """The folder of the game that brings it."""

    @functools.cached_property
    def game(self) -> str:
        """The title of its game, as on the box."""
        box = self.folder / "box.toml"
        read = tomllib.loads(box.read_text(encoding="utf-8")) if box.is_file() else {}
        return read.get("title") or self.folder.name.title()

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def required(self) -> frozenset[str]:
        """The columns that a deck has to have."""
        return frozenset(self.columns) - self.optional

    def shipped(self) -> Sequence[Path]:
        """The decks that come along."""
        return sorted((self.folder / "decks").glob("*.csv"))

    def read(self, text: str, name: str) -> D:
        """The deck in this CSV text, as its game takes it. Raises Invalid where it cannot be played with."""
        raise NotImplementedError

    def mix(self, decks: Sequence[D], series: Sequence[str] | None = None) -> D:
        """Several decks as one, in this order, or only these series of them."""
        return decks[0]

    def things(self, row: Row, deck: str) -> tuple[str, ...]:
        """What a card is about: no two of one thing come to a table. `deck` is the name of its deck."""
        return ()

    def span(self, card: Any) -> "Span | None":
        """The years of a card of such a deck; None where it has none."""
        return None

    # -- a sheet becomes a deck ----------------------------------------------------------------------------------

    def column_of(self, name: str) -> str:
        """The column that a sheet calls so, of those in `words`; the name itself where none is known."""
        word = plain(name)
        return next((column for column, words in self.words.items() if word in words.split()), name.casefold())

    def is_headed(self, names: Sequence[str], meant: Collection[str], about: Mapping[str, object]) -> bool:
        """Whether a sheet with these names of columns is one of this kind: `meant` are the columns of decks with dates
        that they mean, `about` is what the lines above them tell.
        """
        return bool(self.heads) and self.heads <= {self.column_of(name) for name in names}

    def written(self, date: str) -> str:
        """A date as such a deck has it, from what stands in a sheet."""
        return date

    def completed(self, about: dict[str, list[list[str]]]) -> None:
        """Add to what a new deck tells of itself whatever it cannot be played without."""

    def lacking(self, rows: Iterable[Row]) -> Sequence[str]:
        """The columns that these cards need, whatever their sheet has."""
        return ()

    # -- what is looked for and told -----------------------------------------------------------------------------

    def lint(self, table: Table) -> "list[Finding]":
        """All that is found in a deck, besides what its game says when it reads it."""
        return []

    def dated(self, row: Row) -> Found:
        """What is found in the date of a card."""
        return iter(())

    def front(self, row: Row) -> Found:
        """What is found on the front of a card, besides what holds for all."""
        return iter(())

    def apart(self, row: Row) -> str:
        """What tells cards apart however much their fronts are alike."""
        return ""

    def stats(self, table: Table) -> "Stats":
        """Return what a deck is made of: by default how often each value stands in the columns `counted`."""
        from spieltisch.decks.exporting.stats import of_columns  # noqa: PLC0415 - it looks up kinds

        return of_columns(table, self.counted)

    def in_time(self, table: Table) -> "Mapping[str, Counts]":
        """Counts that follow those by century."""
        return {}

    # -- handing out ---------------------------------------------------------------------------------------------

    def note(self, deck: "Deck", row: Row, lang: str) -> "Note":
        """A card to be learned with Anki. Raises Invalid where there is nothing to be learned."""
        able = [one for one in kinds().values() if type(one).note is not DeckKind.note]
        raise Invalid("only decks for {games} can be learnt with Anki", games=games_of(able))

    def questions(self, deck: "Deck", rows: Sequence[Row], lang: str) -> "Iterator[Asked]":
        """What a course asks about these cards. Raises Invalid where there is nothing to be asked."""
        raise Invalid("there are no cards to ask about")

    def called(self, deck: D) -> Sequence[str]:
        """What the cards of a deck are called, by their ids or what else there is of them."""
        return [card.id for card in getattr(deck, "cards", ())]

    def learned(self, deck: D, only: Collection[str] | None = None) -> "dict[str, Card]":
        """What a class learns with the cards, by their ids or what else they are called by: all, or `only` some."""
        return {}

    def task(self, deck: D, name: str, card: str, dice: "Random") -> "Task | None":
        """A task about this card of the deck of this name; None where there is nothing to be asked."""
        return None

    def choices(self, deck: D, task: "Task") -> "Sequence[Text]":
        """What can be chosen in such a task, where it is no chain of cards."""
        return ()

    def scene(self, deck: D, task: "Task", tr: "Translator") -> "Scene | None":
        """What lies around a task, besides the cards of a chain. `tr` speaks for the game."""
        return None

    def why(self, deck: D, task: "Task", answer: int, tr: "Translator") -> str:
        """Why the best answer to a task is the best, once it is answered; "" where there is nothing to explain."""
        return ""

    def said(self, said: str, lang: str) -> str:
        """What was claimed of a card (`Decision.said`), in words."""
        return said

    def laid(self, public: HasNews) -> "tuple[object, Sequence[tuple[Text, bool]]] | None":
        """Of cards that have just been turned over at a table of the game: what they are known by, the same as long as
        they lie there; and of each its front and whether it lay wrong. None where there are none.
        """
        return None

    def sheets(self, deck: "Deck", lang: str, tr: "Translator") -> dict[str, object]:
        """What is printed: `cards`, each with its `text`, and what else the game needs. `tr` speaks as the reader has
        learned the game's terms.
        """
        raise NotImplementedError


def kinds() -> Mapping[str, DeckKind[HasCards]]:
    """All kinds by their names."""
    return _kinds(tuple(importlib.import_module(PLUG).__path__))


def games_of(some: Iterable[DeckKind[Any]]) -> str:
    """The titles of the games that bring these kinds, for a sentence."""
    return ", ".join(sorted(one.game for one in some))


def kind_of(name: str) -> DeckKind[HasCards]:
    """The kind of this name. KeyError if there is none."""
    return kinds()[name]


def plainest() -> DeckKind[HasCards]:
    """The kind of a sheet that nothing tells from others: an event and its date are enough."""
    return next(one for one in kinds().values() if one.date and not one.strict)


@functools.cache
def _kinds(folders: tuple[str, ...]) -> Mapping[str, DeckKind[HasCards]]:
    found = (of_game(f"{PLUG}.{one.name}") for one in pkgutil.iter_modules(folders) if one.ispkg)
    return {one.name: one for one in sorted(filter(None, found), key=lambda one: one.name)}


@functools.cache
def of_game(package: str) -> DeckKind[HasCards] | None:
    """The kind that the game in the Python package of this name brings; None if it brings none."""
    module = extras.part_of(package, "deck")
    return None if module is None else module.Kind(Path(str(module.__file__)).parent)
