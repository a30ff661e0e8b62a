"""What a game brings besides its rules: six classes to extend, what they give, and the package that holds them all.

`Game` (in `game`) is the rules. Around them a game's folder may have a `Record` (how it is written down), a `Bot` and
its `Beliefs`, a `Page` (how it is shown and told), an `Analysis` (what can be found out about a deal or a finished
game) and a `Daily`. A game's own class extends the one of that name here, and says only what is different.

In brackets a class may name the game's types, as in `Bot[Public, Own, Action, None]`; a type checker then looks at
them. Without them nothing is checked, and all works the same.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import NormalDist
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

from spieltisch import daily, notation
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.kinds import DeckKind
from spieltisch.decks.library import Library, Released
from spieltisch.game import (
    A,
    D,
    Dice,
    Game,
    H,
    H_co,
    HasCards,
    HasNews,
    Invalid,
    O,
    O_co,
    Outcome,
    P,
    P_co,
    PendingChance,
    Shuffle,
    State,
    View,
    X,
    read,
)
from spieltisch.i18n import N_, Terms, Translator, catalog_in_terms, package_catalog
from spieltisch.notation import kind, text_of
from spieltisch.options import read_options

B = TypeVar("B")  # what bots believe
K = TypeVar("K")  # what `imagine` may be told of the hidden part
N = TypeVar("N", bound=Struct)  # the union of news
N_co = TypeVar("N_co", bound=Struct, covariant=True)  # the same, where they are only told
V = TypeVar("V", bound="PuzzleView")  # what anybody may see of a puzzle
W = TypeVar("W")  # what bots or the analysis think of a move

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
    value: object = None
    choices: Sequence[tuple[str, str]] = ()
    least: int | None = None
    most: int | None = None
    folded: bool = False
    shown: str = ""

    @property
    def several(self) -> Sequence[str]:
        """What is chosen where several choices can be."""
        return self.value if isinstance(self.value, list | tuple) else ()


WayName = Literal["quick", "classic", "children"]


class Way(Struct, frozen=True, kw_only=True):
    """A way to play that the lobby offers at one tap.

    `words` say in English what it means. `options` are those of the rules that are not as by default, as a record
    writes them. `easy`: with the easy cards alone, where a deck has levels.
    """

    words: str
    options: Mapping[str, object] = {}
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


class FinishedGame(Struct, Generic[P_co, O_co, H_co, N_co], frozen=True):
    """A game that is over, for looking back: the state after the deal, and all public news since.

    People change seats from game to game. `sat` has for each seat of the game that one looks back from the seat that
    its person had in this one, None where they did not play; empty: all sat as they do there.
    """

    dealt: State[P_co, O_co, H_co]
    news: Sequence[N_co]
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


class ClassGame(Struct, Generic[P_co, O_co, H_co, N_co], frozen=True):
    """A game of a lesson that is over or broken off: the name of its table, and what the class decided in it. Bots'
    decisions are not among them, unless only bots came.
    """

    table: str
    game: FinishedGame[P_co, O_co, H_co, N_co]
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

    def piece(self, name: str, /, *given: object) -> str:
        """The piece's HTML."""
        ...

    def row(self, name: str, several: Iterable[tuple[object, ...]], /) -> str:
        """The same piece once for each of several, one after the other."""
        ...


# -- the classes ----------------------------------------------------------------------------------------------


class Record(Generic[X, D, P, O, H, A]):
    """How a game is written in the record format (`docs/record-format.md`).

    `deck` is always the deck as the state numbers it. Whatever cannot be read is Invalid, with the reason.

    By default cards are numbers and actions their Structs, and the rules' `DECK` is the only deck.
    """

    keys: frozenset[str] = frozenset({"rows"})
    """The top keys of this game's records besides the common ones."""
    default: Mapping[str, object] = {"options": {}}
    """The top keys of a table where nothing was chosen."""
    by_row: bool = True
    """Whether records name cards by their row at the table, and so have to tell the order of rows."""

    def __init__(self, rules: Game[X, D, P, O, H, A, K], deck: D | None = None) -> None:
        self.rules = rules
        self.deck = deck

    def load(self, top: Mapping[str, object], seats: int, library: Library | None = None) -> tuple[X, D]:
        """Options and deck from a record's top keys. Without a library decks are the shipped ones."""
        if "deck" in top:
            raise Invalid("{game} has one deck only", game=self.rules.name)
        if self.deck is None:
            raise NotImplementedError(f"{self.rules.name} has no DECK: its Record needs a method load")
        return read_options(top["options"], self.rules.Options), self.deck

    def dump(self, options: X, deck: D) -> dict[str, object]:
        """The top keys of a record: options that are not the default ones, and the cards."""
        default = msgspec.to_builtins(self.rules.Options())
        return {"options": {k: v for k, v in msgspec.to_builtins(options).items() if v != default[k]}}

    def top(self, options: Mapping[str, object]) -> dict[str, object]:
        """The top keys of a table where nothing but these options was chosen."""
        return {**self.default, "options": {**read(self.default["options"], dict[str, object]), **options}}

    def top_with(self, deck: str, cards: int) -> dict[str, object]:
        """The top keys of a table with the deck of this name, which has so many cards."""
        return {**self.default, "deck": deck}

    def read_outcome(
        self, deck: D, state: State[P, O, H], chance: PendingChance, entry: Mapping[str, object]
    ) -> Outcome:
        """The chance outcome of a log entry."""
        if isinstance(chance, Shuffle):
            return read(entry["outcome"], tuple[int, ...])
        return read(entry["outcome"], int)

    def write_outcome(
        self, deck: D, state: State[P, O, H], chance: PendingChance, outcome: Outcome
    ) -> dict[str, object]:
        """The log entry of a chance outcome."""
        return {
            "chance": "shuffle" if isinstance(chance, Shuffle) else "pick",
            "outcome": outcome if isinstance(outcome, int) else list(outcome),
        }

    def read_action(self, deck: D, state: State[P, O, H], seat: int, raw: object) -> Sequence[A]:
        """The actions that one log entry tells: one, or several where an entry holds several decisions."""
        return (read(raw, self.rules.Action),)

    def write_action(self, deck: D, state: State[P, O, H], seat: int, action: A, log: list[dict[str, object]]) -> None:
        """Append the log entry of an action, or join it to the one before."""
        log.append({"seat": seat, "action": msgspec.to_builtins(action)})

    def write_state(self, deck: D, state: State[P, O, H]) -> dict[str, object]:
        """What `replay --json` says of a state."""
        return msgspec.to_builtins(state)

    def parse(self, deck: D, view: View[P, O], text: str) -> A:
        """The legal action that a short line of text means, such as "place e12 at 3"; the inverse of `notation`. Reads
        cards by number ("#12"), too. Invalid, saying what could stand there, for a line that means none.
        """
        offered = {self.notation(deck, view, action): action for action in self.rules.legal(view)}
        return offered[notation.meant(notation.named(text, lambda number: self.card(deck, number)), list(offered))]

    def notation(self, deck: D, view: View[P, O], action: A) -> str:
        """An action as a short line of text, with cards by their ids, as `parse` reads it."""
        return notation.named(notation.line(action), lambda number: self.card(deck, number))

    def card(self, deck: D, number: int) -> str:
        """What a card is called in a line of text; by default its number, as in `str` of an action: "#12"."""
        return f"#{number}"


class Bot(Generic[P, O, A, B, W]):
    """How the bots of a game choose. They are given a view, never a state.

    By default any legal action, each equally often.
    """

    levels: Mapping[str, str] = {}
    """The levels, the weakest first, with their English names; empty where all bots play alike."""
    slow_levels: Sequence[str] = ()
    """Levels that always think in a process of their own."""
    gives_hints: bool = False
    """Whether people may ask what the bot would do (games for one person)."""

    def choose(self, view: View[P, O], legal: Sequence[A], dice: Dice, beliefs: B | None = None) -> A:
        """One of `legal`, which is not empty."""
        return dice.choice(legal)

    def explain(self, view: View[P, O], action: A, beliefs: B | None) -> W | None:
        """What stood behind a choice, for the review of a finished game; None where there is nothing to tell."""
        return None


class Beliefs(Generic[D, H, B, K]):
    """What a bot may know besides its view: made once from the hidden part of the state.

    By default nothing. Secrets, where a game has some, are years: one is off by a normal law.
    """

    def form(self, hidden: H, dice: Dice, level: str) -> B | None:
        """The beliefs of a bot of this level; None where bots need nothing but their view."""
        return None

    def secrets(self, hidden: H, /) -> tuple[int, ...]:
        """What could be known of the hidden part before the deal: a number for each thing, such as a card's year;
        empty where there is nothing to be known.
        """
        return ()

    def told(self, secrets: tuple[int, ...], which: int, sigma: float, chance: float) -> int:
        """One of the secrets as somebody has it in mind who is off by about `sigma`; `chance` in (0, 1) says how."""
        return secrets[which] + _off(sigma, chance)

    def guessed(self, told: int, sigma: float, chance: float) -> int | None:
        """A secret that somebody may have been told so; None: it may be any."""
        return told - _off(sigma, chance)

    def trusting(self, secrets: Sequence[int | None]) -> K | None:
        """The beliefs, for `imagine`, of somebody who takes these for the secrets; of None they know nothing."""
        return None

    def compared(self, deck: D, hidden: H, beliefs: B, /) -> Iterable[tuple[str, object, object, float | None]]:
        """Of each card what it is called, what is true of it, what these beliefs take it for, give or take how much."""
        return ()


@functools.lru_cache(1 << 12)
def _off(sigma: float, chance: float) -> int:
    return round(sigma * NormalDist().inv_cdf(chance))


class Page(Generic[P, O, H, A, N, W]):
    """How a game is shown to one viewer and told in words. It gets views; states only of finished games.

    By default the fields of the view in plain words and a button for every action; no news is told, and no look back.
    """

    phrases: Sequence[str] = (
        N_("Hello!"),
        N_("One moment, please."),
        N_("I am thinking."),
        N_("Nice move!"),
        N_("I did not expect that."),
        N_("Are you sure?"),
        N_("Hm …"),
        N_("Ouch!"),
        N_("Lucky!"),
        N_("Well done!"),
        N_("Once more?"),
        N_("Thanks for the game!"),
    )
    """Twelve things to say at the table."""
    highlights: tuple[type, ...] = ()
    """The kinds of news that mark a step of a replay."""
    labels: Mapping[str, str] = {}
    """Names of options (`name`), their explanations (`name?`) and values (`name:value`), in English."""
    content: Mapping[str, Callable[[str], Sequence[tuple[str, str]]]] = {}
    """Options that choose content and are none of the rules': by name, the choices in a language."""
    terms: Mapping[str, str] = {}
    """Terms whose names and order readers may choose, with their Latin names; empty where there are none."""
    keys: Sequence[str] = ()
    """Which single keys do something in this game, for the list of them: `hand`, `targets`, `places`, `doubt`,
    `contest`.
    """
    hint_steps: int = 1
    """In how many steps a hint is told, each telling more; the first of several tells nothing of the action."""
    first_question: FirstQuestion | None = None
    """What is asked once of who opens a table of this game for the first time; None for nothing."""
    review_title: str = ""
    """What the look back at a finished game is called, in English; "" where there is none."""
    again: Mapping[str, Sequence[str]] = {}
    """Options that whoever opened the table may change from game to game, with their values."""
    first_seat_begins: bool = True
    """Whether the first seat begins the game, as far as is known before the deal."""
    ways: Mapping[WayName, Way] = {}
    """The ways to play that are offered at one tap; empty: options are chosen one by one."""
    has_missed: bool = False
    """Whether `missed` finds something to be learned by heart."""
    chains: str = ""
    """The shipped deck with whose chains people practise how sure they may be; "" for none."""
    has_stories: bool = False
    """Whether `stories` tells something of a finished game."""
    pieces: Mapping[str, Callable[..., dict[str, object]]] = {}
    """What the small templates of this game show: `(translator, *given)` to a context. See `Pieces`."""

    def prepare(self, view: View[P, O], legal: Sequence[A], tr: Translator, pieces: Pieces) -> Mapping[str, object]:
        """The context of `table.html` besides the common one. `counts` and `notes` go to the strip of seats."""
        return {}

    def screen(self, view: View[P, O], shown: dict[str, object], tr: Translator) -> Mapping[str, object]:
        """More for `screen.html`, the screen for all; `shown` is what `prepare` returned. It is a spectator's view."""
        return {}

    def reveal_seconds(self, public: P, /) -> float:
        """How long pages take to show the last step row by row, 0.0 where it reveals nothing: clocks begin after it."""
        return 0.0

    def tell(self, news: N, public: P, tr: Translator) -> str:
        """What happened, in a sentence; "" where nothing is to be said. `public` is the public part it belongs to."""
        return ""

    def tell_step(self, news: Sequence[N], public: P, tr: Translator) -> Sequence[str]:
        """The sentences for all the news of one step, in the order in which they are told."""
        return [said for one in news if (said := self.tell(one, public, tr))]

    def describe(self, view: View[P, O], action: A, tr: Translator) -> str:
        """An action in words, as a button or a list says it."""
        return f"{tr._(kind(action))} {text_of(action)}".strip()

    def options(self, top: Mapping[str, object], seats: int, tr: Translator) -> Sequence[OptionField] | None:
        """The fields of the lobby; None: as the annotations of the rules' `Options` say."""
        return None

    def choose(self, top: Mapping[str, object], form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """The top keys with what the form says; None: as `Options` say. LookupError or ValueError for no choice."""
        return None

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """The action (in builtins) of a form whose fields are not those of the action; None: they are."""
        return None

    def hinted(self, view: View[P, O], legal: Sequence[A], action: A, step: int, tr: Translator) -> str:
        """What a step of a hint tells in words; "" where it is only shown."""
        return ""

    def standing(self, public: P, tr: Translator) -> str:
        """How far somebody is, for those who race on the same deal."""
        return ""

    def hidden(self, state: State[P, O, H], tr: Translator) -> Sequence[Section]:
        """What lay hidden at a moment of a finished game."""
        parts = [(tr.name(seat), own) for seat, own in enumerate(state.own)]
        shown = [(name, plain_fields(part, tr)) for name, part in [*parts, (tr._("Hidden"), state.hidden)]]
        return [Section(name, [f"{field}: {value}" for field, value in fields]) for name, fields in shown if fields]

    def review(
        self, games: Sequence[FinishedGame[P, O, H, N]], seats: int, thoughts: Sequence[W], tr: Translator
    ) -> dict[str, object]:
        """The context of `review.html`; the newest game first. `thoughts` are the analysis's, else the bots'."""
        return {}

    def stories(self, game: FinishedGame[P, O, H, N], seats: int, tr: Translator) -> Stories:
        """What is told after a game: awards that are true by what everybody was told, and a line for each seat."""
        return Stories((), ())

    def missed(self, state: State[P, O, H], news: Sequence[N], seat: int, tr: Translator) -> Sequence[Note]:
        """What a seat missed in a finished game, as notes to be learned."""
        return ()

    def debrief(self, games: Sequence[ClassGame[P, O, H, N]], tr: Translator) -> Debrief:
        """What a class looks at together when all of its games are over or broken off: how they stood side by side, for
        what cards were taken. Nobody is named.
        """
        return Debrief()

    def decisions(self, game: FinishedGame[P, O, H, N]) -> Sequence[Decision]:
        """What all seats claimed about cards in a game that is over or broken off, in the order in which they did;
        empty where nothing has to be known.
        """
        return ()

    def retold(self, text: str, usual: Translator, tr: Translator) -> str:
        """A text of the rules or the lesson in the reader's terms; it stands there in those of `usual`."""
        return text


class Analysis(Generic[P, O, H, A, W]):
    """What can be found out about deals and finished games. Slow: asked in a process of its own, never for a state of
    a running game.

    By default nothing.
    """

    available: bool = False
    """Whether there is anything to ask."""

    def proven(self, number: int) -> bool:
        """Whether the deal of this number, with the default options, is known to be winnable."""
        return False

    def advise(self, view: View[P, O]) -> A | None:
        """The action to take, by what this view knows alone: for hints. None where there is no better advice than the
        bot's.
        """
        return None

    def label(self, dealt: State[P, O, H], outcomes: Sequence[Outcome]) -> bool | None:
        """Whether this deal can be won; None: not decided in time. `outcomes` are those of the deal."""
        return None

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[State[P, O, H]], actions: Sequence[A]
    ) -> Sequence[W]:
        """What can be said of every move of a finished game, for `Page.review`. `outcomes` are those of the deal;
        `states` has the state before each action, and the last one.
        """
        return ()


class PuzzleView(Struct, frozen=True, kw_only=True):
    """A puzzle of the day after some moves, as anybody may see it. `marks` tell how it went, and nothing of cards."""

    moves: str
    over: bool = False
    won: bool = False
    score: int = 0
    marks: str = ""


class Puzzle(Generic[D, V]):
    """A daily that one plays alone, by rules of its own. No table is opened: its page has the moves so far, and the
    server, which alone knows the cards, says what came of them.
    """

    def play(self, deck: D, of_day: Sequence[str], seed: bytes, moves: str) -> V:
        """The puzzle of a day after these moves; `of_day` are the ids of its cards. Illegal for what is no move."""
        raise NotImplementedError

    def joined(self, moves: str, form: Mapping[str, list[str]]) -> str:
        """The moves with what a form says."""
        raise NotImplementedError

    def prepare(self, view: V, tr: Translator) -> dict[str, object]:
        """The context of `puzzle.html`."""
        raise NotImplementedError

    def said(self, view: V, tr: Translator) -> str:
        """What came of it, in a sentence that tells nothing of its cards."""
        raise NotImplementedError


class Daily:
    """The daily of a game: a new one each day, the same for everybody (`spieltisch.daily`). By default there is none.

    It is played at a table, alone or against bots, with some cards of a shipped deck; or it is a `puzzle`.
    """

    puzzle: "Puzzle[Any, Any] | None" = None

    deck: str = ""
    """The shipped deck that its cards come from; "" where the number of a day is that of a deal, or there is none."""
    each: int = 0
    """How many cards of the deck a day has; 0: it chooses among all of them."""
    options: Mapping[str, object] = {}
    """The options of its tables that are not as by default, as a record writes them."""
    bots: Sequence[str] = ()
    """The levels of the bots that play against one person, in the order of their seats."""
    pitch: str = ""
    """What awaits one, in English."""
    family: bool = False
    """Whether people can play it together, without these bots."""

    def reckoned(self, people: int, middle: int, tr: Translator) -> str:
        """How a day went on a server, in a sentence: how many played it, and the middle one of their figures. That is
        the score; of games without one, how often they were wrong.
        """
        said = tr.ngettext("{n} person has played this day here", "{n} people have played this day here", people)
        return f"{said.format(n=people)}, {self.middle(middle, tr)}."

    def middle(self, figure: int, tr: Translator) -> str:
        """The middle figure in a few words."""
        return tr.ngettext("median {n} mistake", "median {n} mistakes", figure).format(n=figure)

    def number(self, day: date) -> int:
        """The number of this day's daily; 0 if there is none. Devices keep by it what came of it."""
        return daily.number(day) if self.deck else 0

    def day(self, number: int) -> date | None:
        """The day whose daily has this number; None if there is none."""
        return daily.day(number) if self.deck else None

    def cards(self, game: str, day: date, released: Released) -> tuple[str, ...]:
        """The ids of the cards of a day, from the deck as it was released."""
        if not self.each:
            return ()
        return daily.cards_of(game, released.hash, released.cards, self.each, daily.number(day))


# -- the package ------------------------------------------------------------------------------------------------


class GamePackage(Struct, Generic[X, D, P, O, H, A, N], frozen=True, eq=False):
    """A game: its rules, and what its folder brings besides; what it does not bring is as the classes above say."""

    rules: Game[X, D, P, O, H, A, object]
    folder: Path
    record: Record[X, D, P, O, H, A]
    bot: Bot[P, O, A, object, object]
    beliefs: Beliefs[D, H, object, object]
    page: Page[P, O, H, A, N, object]
    analysis: Analysis[P, O, H, A, object]
    daily: Daily = msgspec.field(default_factory=Daily)
    decks: DeckKind[D] | None = None  # the kind of decks that it brings
    silence: A | None = None  # the answer that stands when the time to contest is up; None: the game knows no contest
    # How the game stands by the rules' own order, from the public part, for one that is broken off; None: it has none.
    standings: Callable[[P], tuple[tuple[int, ...], ...]] | None = None
    lap: Callable[[P], int] | None = None  # the number of the round that is played; None: a round is once around
    passes: tuple[A, ...] = ()  # the actions that stand when the time for a turn is up, the first legal one counts
    # The game under rules of before, for tables that were begun under them.
    former: "tuple[GamePackage[X, D, P, O, H, A, N], ...]" = ()

    def __repr__(self) -> str:
        able = self.rules.seats
        return f"<{self.name}, {able[0]}{f' to {able[-1]}' * (len(able) > 1)} seat{'s' * (able[-1] > 1)}>"

    @property
    def name(self) -> str:
        """The game's name in records."""
        return self.rules.name

    @property
    def choice(self) -> str | None:
        """The kind of decks among which its tables choose; None where the rules know the only one."""
        return self.decks.name if self.decks is not None and self.decks.chosen else None

    def under(self, version: int) -> "GamePackage[X, D, P, O, H, A, N] | None":
        """The game under this version of its rules; None where those are not kept."""
        return next((one for one in (self, *self.former) if one.rules.version == version), None)

    def require_seats(self, n: int) -> None:
        """Invalid unless so many can play."""
        able = self.rules.seats
        if n in able:
            return
        if able[-1] == 1:
            raise Invalid("{game} is played alone, not by {n}", game=self.name, n=n)
        if len(able) == 1:
            raise Invalid("{game} is for {least} players, not {n}", game=self.name, least=able[0], n=n)
        raise Invalid(
            "{game} is for {least} to {most} players, not {n}", game=self.name, least=able[0], most=able[-1], n=n
        )

    def level(self, wanted: str) -> str:
        """The level of bots that is wanted, the middle one if there is no such level."""
        levels = self.bot.levels
        if wanted in levels or not levels:
            return wanted
        return list(levels)[len(levels) // 2]

    def translator(
        self,
        lang: str,
        names: tuple[str, ...] | list[str] = (),
        me: int | None = None,
        terms: Terms = Terms(),  # noqa: B008
    ) -> Translator:
        """Who speaks of this game in a language, in the reader's terms where the game has such."""
        if terms == Terms() or not self.page.terms:
            return Translator(package_catalog(self.folder, lang), lang, names, me)
        catalog = catalog_in_terms(self.folder, lang, terms, tuple(self.page.terms.items()))
        return Translator(catalog, lang, names, me)


Package = GamePackage[Struct, HasCards, HasNews, Struct, Struct, Struct, Struct]
"""A game of whatever kind, as it is held by what serves all of them."""
GameRecord = Record[Struct, HasCards, HasNews, Struct, Struct, Struct]
GamePage = Page[HasNews, Struct, Struct, Struct, Struct, object]


# -- values in plain words ---------------------------------------------------------------------------------------


def plain_fields(part: HasNews | Struct, tr: Translator) -> list[tuple[str, str]]:
    """The fields of a part of a view or state with their values, but for the news."""
    return [
        (tr._(name.replace("_", " ").capitalize()), text_of(getattr(part, name)))
        for name in part.__struct_fields__
        if name != "news"
    ]
