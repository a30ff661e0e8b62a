"""What a game brings besides its rules: the second contract, five small protocols.

`Game` (in `game`) is the rules. Around them a game's package may have a `Record` (how it is written down), a `Bot` and
its `Beliefs`, a `Page` (how it is shown and told) and an `Analysis` (what can be found out about a deal or a finished
game). Each has a default in `defaults`, which a package's class extends; what it does not say stays as by default.

Types of a game (its views, actions, decks, news) are `Any` here, since one list of packages holds all games; a
package's own class names them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Literal, Protocol

from msgspec import Struct

from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.library import Library
from spieltisch.dice import Dice
from spieltisch.game import Outcome, PendingChance, State, View
from spieltisch.i18n import Translator

# -- values that pass through ----------------------------------------------------------------------------------


class OptionField(Struct, frozen=True, kw_only=True):
    """A field of the lobby: what can be chosen, and what is chosen now.

    `kind` says how it is drawn: a switch (bool), a number (`least` to `most`), a select (one of `choices`), checks
    (several of `choices`; `folded`: opened first) or a note, which is only read. `shown` is the value in words.
    """

    kind: Literal["switch", "number", "select", "checks", "note"]
    name: str
    label: str
    help: str = ""
    value: Any = None
    choices: Sequence[tuple[str, str]] = ()
    least: int | None = None
    most: int | None = None
    folded: bool = False
    shown: str = ""


WayName = Literal["quick", "classic", "children"]


class Way(Struct, frozen=True, kw_only=True):
    """A way to play that the lobby offers at one tap.

    `words` say in English what it means. `options` are those of the rules that are not as by default, as a record
    writes them. `easy`: with the easy cards alone, where a deck has levels.
    """

    words: str
    options: Mapping[str, Any] = {}
    turn_seconds: float | None = None
    easy: bool = False


class Section(Struct, frozen=True):
    """A titled list of lines: what lay hidden at a moment of a finished game."""

    title: str
    lines: Sequence[str]


class Award(Struct, frozen=True):
    """What somebody, or several who are alike in it, are remembered for after a game: its name, and the figures.

    `shared`: it names no card and no year, so others who will play with the same cards may read it.
    """

    title: str
    seats: tuple[int, ...]
    words: str
    shared: bool = False


class Stories(Struct, frozen=True):
    """What is told after a game: at most three awards, and a line for each seat."""

    awards: Sequence[Award]
    lines: Sequence[str]


class Cell(Struct, frozen=True):
    """A field of a table that is looked at together: its text, a figure beneath it, and whether it is right."""

    text: str = ""
    figure: str = ""
    mark: Literal["", "ok", "warn", "bad"] = ""


class Grid(Struct, frozen=True, kw_only=True):
    """A slide that is a table: what stands above its columns, and its rows, each with what stands before it. `latin`:
    the texts of its fields are.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    words: str = ""
    latin: bool = False


class FirstQuestion(Struct, frozen=True):
    """A question to who opens a table of a game for the first time, in English; `no` chooses this value of an option,
    `yes` leaves all as it is.
    """

    asks: str
    yes: str
    no: str
    option: str
    value: str


class FinishedGame(Struct, frozen=True):
    """A game that is over, for looking back: the state after the deal, and all public news since.

    People change seats from game to game. `sat` has for each seat of the game that one looks back from the seat that
    its person had in this one, None where they did not play; empty: all sat as they do there.
    """

    dealt: State[Any, Any, Any]
    news: Sequence[Any]
    sat: Sequence[int | None] = ()

    def seat(self, seat: int) -> int | None:
        """Where who has this seat now sat in this game."""
        return self.sat[seat] if self.sat else seat


Deed = Literal["laid", "doubted", "contested", "passed"]


class Decision(Struct, frozen=True):
    """What a seat claimed about a card in a game that is over, by laying, doubting or contesting it, and whether that
    was right; or (`passed`) that it let an error pass, which is no claim. `at` is the place of the news that told it,
    `card` what the deck calls the card: its id, or the form. `off`: by how much, in years or periods; `said`: the
    reading that was declared.
    """

    at: int
    seat: int
    deed: Deed
    card: str
    right: bool
    off: int | None = None
    said: str = ""


class ClassGame(Struct, frozen=True):
    """A game of a lesson that is over or broken off: the name of its table, and what the class decided in it. Bots'
    decisions are not among them, unless only bots came.
    """

    table: str
    game: FinishedGame
    decisions: Sequence[Decision]


class Debrief(Struct, frozen=True, kw_only=True):
    """What a game adds to the look back of a class: tables, and by card for what it was taken, how often, and whether
    that is right. The cards themselves, and how often each was missed, are the report's.
    """

    grids: Sequence[Grid] = ()
    taken: Mapping[str, Sequence[tuple[str, int, bool]]] = {}


class Pieces(Protocol):
    """Draws small templates of a game (`name.html`, shown with what the page's piece of that name says).

    A piece is drawn once for the same arguments and kept for all tables, so it must hang on nothing else.
    """

    def piece(self, name: str, /, *given: Any) -> str:
        """The piece's HTML."""
        ...

    def row(self, name: str, several: Iterable[tuple[Any, ...]], /) -> str:
        """The same piece once for each of several, one after the other."""
        ...


# -- the protocols ---------------------------------------------------------------------------------------------


class Record(Protocol):
    """How a game is written in the record format (`docs/record-format.md`).

    `deck` is always the deck as the state numbers it. Whatever cannot be read is Invalid, with the reason.
    """

    @property
    def keys(self) -> frozenset[str]:
        """The top keys of this game's records besides the common ones."""
        ...

    @property
    def default(self) -> Mapping[str, Any]:
        """The top keys of a table where nothing was chosen."""
        ...

    @property
    def by_row(self) -> bool:
        """Whether records name cards by their row at the table, and so have to tell the order of rows."""
        ...

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Any, Any]:
        """Options and deck from a record's top keys. Without a library decks are the shipped ones."""
        ...

    def dump(self, options: Any, deck: Any) -> dict[str, Any]:
        """The top keys of a record: options that are not the default ones, and the cards."""
        ...

    def top_with(self, deck: str, cards: int) -> dict[str, Any]:
        """The top keys of a table with the deck of this name, which has so many cards."""
        ...

    def read_outcome(self, deck: Any, state: Any, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:
        """The chance outcome of a log entry."""
        ...

    def write_outcome(self, deck: Any, state: Any, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:
        """The log entry of a chance outcome."""
        ...

    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> Sequence[Any]:
        """The actions that one log entry tells: one, or several where an entry holds several decisions."""
        ...

    def write_action(self, deck: Any, state: Any, seat: int, action: Any, log: list[dict[str, Any]]) -> None:
        """Append the log entry of an action, or join it to the one before."""
        ...

    def write_state(self, deck: Any, state: Any) -> dict[str, Any]:
        """What `replay --json` says of a state."""
        ...

    def parse(self, deck: Any, view: View[Any, Any], text: str) -> Any:
        """The legal action that a short line of text means, such as "place e12 at 3"; the inverse of `notation`. Reads
        cards by number ("#12"), too. Invalid, saying what could stand there, for a line that means none.
        """
        ...

    def notation(self, deck: Any, view: View[Any, Any], action: Any) -> str:
        """An action as a short line of text, with cards by their ids, as `parse` reads it."""
        ...


class Bot(Protocol):
    """How the bots of a game choose. They are given a view, never a state."""

    @property
    def levels(self) -> Mapping[str, str]:
        """The levels, the weakest first, with their English names; empty where all bots play alike."""
        ...

    @property
    def slow_levels(self) -> Sequence[str]:
        """Levels that always think in a process of their own."""
        ...

    @property
    def gives_hints(self) -> bool:
        """Whether people may ask what the bot would do (games for one person)."""
        ...

    def choose(self, view: View[Any, Any], legal: Sequence[Any], dice: Dice, beliefs: Any = None) -> Any:
        """One of `legal`, which is not empty."""
        ...

    def explain(self, view: View[Any, Any], action: Any, beliefs: Any) -> Any:
        """What stood behind a choice, for the review of a finished game; None where there is nothing to tell."""
        ...


class Beliefs(Protocol):
    """What a bot may know besides its view: made once from the hidden part of the state."""

    def form(self, hidden: Any, dice: Dice, level: str) -> Any:
        """The beliefs of a bot of this level; None where bots need nothing but their view."""
        ...

    def secrets(self, hidden: Any, /) -> tuple[int, ...]:
        """What could be known of the hidden part before the deal: a number for each thing, such as a card's year;
        empty where there is nothing to be known.
        """
        ...

    def told(self, secrets: tuple[int, ...], which: int, sigma: float, chance: float) -> int:
        """One of the secrets as somebody has it in mind who is off by about `sigma`; `chance` in (0, 1) says how."""
        ...

    def guessed(self, told: int, sigma: float, chance: float) -> int | None:
        """A secret that somebody may have been told so; None: it may be any."""
        ...

    def trusting(self, secrets: Sequence[int | None]) -> Any:
        """The beliefs, for `imagine`, of somebody who takes these for the secrets; of None they know nothing."""
        ...

    def compared(self, deck: Any, hidden: Any, beliefs: Any, /) -> Iterable[tuple[str, Any, Any, float | None]]:
        """Of each card what it is called, what is true of it, what these beliefs take it for, give or take how much."""
        ...


class Page(Protocol):
    """How a game is shown to one viewer and told in words. It gets views; states only of finished games."""

    @property
    def phrases(self) -> Sequence[str]:
        """Twelve things to say at the table."""
        ...

    @property
    def highlights(self) -> tuple[type, ...]:
        """The kinds of news that mark a step of a replay."""
        ...

    @property
    def labels(self) -> Mapping[str, str]:
        """Names of options (`name`), their explanations (`name?`) and values (`name:value`), in English."""
        ...

    @property
    def content(self) -> Mapping[str, Callable[[str], Sequence[tuple[str, str]]]]:
        """Options that choose content and are none of the rules': by name, the choices in a language."""
        ...

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms whose names and order readers may choose, with their Latin names; empty where there are none."""
        ...

    @property
    def keys(self) -> Sequence[str]:
        """Which single keys do something in this game, for the list of them: `hand`, `targets`, `places`, `doubt`,
        `contest`.
        """
        ...

    @property
    def hint_steps(self) -> int:
        """In how many steps a hint is told, each telling more; the first of several tells nothing of the action."""
        ...

    @property
    def first_question(self) -> "FirstQuestion | None":
        """What is asked once of who opens a table of this game for the first time; None for nothing."""
        ...

    @property
    def review_title(self) -> str:
        """What the look back at a finished game is called, in English; "" where there is none."""
        ...

    @property
    def again(self) -> Mapping[str, Sequence[str]]:
        """Options that whoever opened the table may change from game to game, with their values."""
        ...

    @property
    def first_seat_begins(self) -> bool:
        """Whether the first seat begins the game, as far as is known before the deal."""
        ...

    @property
    def ways(self) -> Mapping[WayName, Way]:
        """The ways to play that are offered at one tap; empty: options are chosen one by one."""
        ...

    @property
    def has_missed(self) -> bool:
        """Whether `missed` finds something to be learned by heart."""
        ...

    @property
    def has_stories(self) -> bool:
        """Whether `stories` tells something of a finished game."""
        ...

    @property
    def pieces(self) -> Mapping[str, Callable[..., dict[str, Any]]]:
        """What the small templates of this game show: `(translator, *given)` to a context. See `Pieces`."""
        ...

    def prepare(self, view: View[Any, Any], legal: Sequence[Any], tr: Translator, pieces: Pieces) -> Mapping[str, Any]:
        """The context of `table.html` besides the common one. `counts` and `notes` go to the strip of seats."""
        ...

    def screen(self, view: View[Any, Any], shown: dict[str, Any], tr: Translator) -> Mapping[str, Any]:
        """More for `screen.html`, the screen for all; `shown` is what `prepare` returned. It is a spectator's view."""
        ...

    def reveal_seconds(self, public: Any, /) -> float:
        """How long pages take to show the last step row by row, 0.0 where it reveals nothing: clocks begin after it."""
        ...

    def tell(self, news: Any, public: Any, tr: Translator) -> str:
        """What happened, in a sentence; "" where nothing is to be said. `public` is the public part it belongs to."""
        ...

    def tell_step(self, news: Sequence[Any], public: Any, tr: Translator) -> Sequence[str]:
        """The sentences for all the news of one step, in the order in which they are told."""

    def describe(self, view: View[Any, Any], action: Any, tr: Translator) -> str:
        """An action in words, as a button or a list says it."""
        ...

    def options(self, top: Mapping[str, Any], seats: int, tr: Translator) -> Sequence[OptionField] | None:
        """The fields of the lobby; None: as the annotations of the rules' `Options` say."""
        ...

    def choose(self, top: Mapping[str, Any], form: Mapping[str, list[str]]) -> dict[str, Any] | None:
        """The top keys with what the form says; None: as `Options` say. LookupError or ValueError for no choice."""
        ...

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, Any] | None:
        """The action (in builtins) of a form whose fields are not those of the action; None: they are."""
        ...

    def hinted(self, view: View[Any, Any], legal: Sequence[Any], action: Any, step: int, tr: Translator) -> str:
        """What a step of a hint tells in words; "" where it is only shown."""
        ...

    def standing(self, public: Any, tr: Translator) -> str:
        """How far somebody is, for those who race on the same deal."""
        ...

    def hidden(self, state: State[Any, Any, Any], tr: Translator) -> Sequence[Section]:
        """What lay hidden at a moment of a finished game."""
        ...

    def review(
        self, games: Sequence[FinishedGame], seats: int, thoughts: Sequence[Any], tr: Translator
    ) -> dict[str, Any]:
        """The context of `review.html`; the newest game first. `thoughts` are the analysis's, else the bots'."""
        ...

    def stories(self, game: FinishedGame, seats: int, tr: Translator) -> Stories:
        """What is told after a game: awards that are true by what everybody was told, and a line for each seat."""
        ...

    def missed(self, state: State[Any, Any, Any], news: Sequence[Any], seat: int, tr: Translator) -> Sequence[Note]:
        """What a seat missed in a finished game, as notes to be learned."""
        ...

    def debrief(self, games: Sequence[ClassGame], tr: Translator) -> Debrief:
        """What a class looks at together when all of its games are over or broken off: how they stood side by side, for
        what cards were taken. Nobody is named.
        """
        ...

    def decisions(self, game: FinishedGame) -> Sequence[Decision]:
        """What all seats claimed about cards in a game that is over or broken off, in the order in which they did;
        empty where nothing has to be known.
        """
        ...

    def retold(self, text: str, usual: Translator, tr: Translator) -> str:
        """A text of the rules or the lesson in the reader's terms; it stands there in those of `usual`."""
        ...


class Analysis(Protocol):
    """What can be found out about deals and finished games. Slow: asked in a process of its own, never for a state of
    a running game.
    """

    @property
    def available(self) -> bool:
        """Whether there is anything to ask."""
        ...

    def daily(self, day: date) -> int:
        """The number of the deal of this day; 0 if it has none."""
        ...

    def day(self, number: int) -> date | None:
        """The day whose deal has this number; None if it is no deal of the day."""
        ...

    def proven(self, number: int) -> bool:
        """Whether the deal of this number, with the default options, is known to be winnable."""
        ...

    def advise(self, view: View[Any, Any]) -> Any:
        """The action to take, by what this view knows alone: for hints. None where there is no better advice than the
        bot's.
        """
        ...

    def label(self, dealt: State[Any, Any, Any], outcomes: Sequence[Outcome]) -> bool | None:
        """Whether this deal can be won; None: not decided in time. `outcomes` are those of the deal."""
        ...

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[State[Any, Any, Any]], actions: Sequence[Any]
    ) -> Sequence[Any]:
        """What can be said of every move of a finished game, for `Page.review`. `outcomes` are those of the deal;
        `states` has the state before each action, and the last one.
        """
        ...
