"""What a game brings besides its rules: eight classes to extend, their values, and the package that holds them all.

`Game` (in `game`) is the rules. A game's folder may also have a `Record` (how it is written down), a `Bot` and its
`Beliefs`, a `Page` (how it is shown and told), an `Analysis` (what can be found out about a deal or a finished game),
a `Daily`, a `Prompt` (how it is told to a language model) and a `Learning` (what its actions and views are as
numbers). The game's class extends the one of that name here, and defines only what differs.

A class may name the game's types in brackets, as in `Bot[Public, Own, Action, None]`, so that a type checker can check
them. Without them everything works the same, unchecked.
"""

import functools
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

from spieltisch import daily, languages, notation
from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.library import Library, Released
from spieltisch.decks.tasks import Task
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
    Result,
    Shuffle,
    State,
    View,
    X,
    read,
)
from spieltisch.game_folder import Box
from spieltisch.i18n import N_, Terms, Translator, catalog_in_terms, package_catalog
from spieltisch.notation import kind, text_of
from spieltisch.options import read_options

B = TypeVar("B")  # what bots believe
K = TypeVar("K")  # what `imagine` may learn of the hidden part
N = TypeVar("N", bound=Struct)  # the union of news
N_co = TypeVar("N_co", bound=Struct, covariant=True)  # the same, for functions that only take them
V = TypeVar("V", bound="PuzzleView")  # the public view of a puzzle
W = TypeVar("W")  # what bots or the analysis think of a move

# -- values that pass through ----------------------------------------------------------------------------------


class OptionField(Struct, frozen=True, kw_only=True):
    """A field of the lobby, with its choices and the current one.

    `kind` decides the control: a switch (bool), a number (`least` to `most`), a select (one of `choices`), checks
    (several of `choices`; `folded`: closed at first), or a note to read. `shown` is the value in words.
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
        """The current choices, for a field that allows several."""
        return self.value if isinstance(self.value, list | tuple) else ()


WayName = Literal["quick", "classic", "children"]


class Way(Struct, frozen=True, kw_only=True):
    """A way to play that the lobby offers with one tap.

    `words` explain it in English. `options` are those that differ from the default, as in a record. `easy`: only the
    easy cards, if a deck has levels.
    """

    words: str
    options: Mapping[str, object] = {}
    turn_seconds: float | None = None
    easy: bool = False


class Section(Struct, frozen=True):
    """A titled list of lines: what was hidden at a moment of a finished game."""

    title: str
    lines: Sequence[str]


class Award(Struct, frozen=True):
    """A distinction after a game, for one player or several equal ones: its name, and the figures.

    `shared`: it names no card and no year, so people who will play with the same cards may read it.
    """

    title: str
    seats: tuple[int, ...]
    words: str
    shared: bool = False


class Stories(Struct, frozen=True):
    """The stories of a game: at most three awards, and a line for each seat."""

    awards: Sequence[Award]
    lines: Sequence[str]


class Cell(Struct, frozen=True):
    """A cell of a table on a slide: its text, a figure beneath it, and whether it is right."""

    text: str = ""
    figure: str = ""
    mark: Literal["", "ok", "warn", "bad"] = ""


class Grid(Struct, frozen=True, kw_only=True):
    """A slide with a table: the headings of its columns, and its rows, each with a heading. `latin`: the cells are
    Latin.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    words: str = ""
    latin: bool = False


class FirstQuestion(Struct, frozen=True):
    """A question for a person's first table of a game, in English; `no` sets this value of an option, `yes` changes
    nothing.
    """

    asks: str
    yes: str
    no: str
    option: str
    value: str


class FinishedGame(Struct, Generic[P_co, O_co, H_co, N_co], frozen=True):
    """A finished game, for looking back: the state after the deal, and all public news since.

    People change seats from game to game. For each seat of the game under review, `sat` has the seat that its person
    had in this one; None if they did not play, and empty if nobody has moved.
    """

    dealt: State[P_co, O_co, H_co]
    news: Sequence[N_co]
    sat: Sequence[int | None] = ()

    def seat(self, seat: int) -> int | None:
        """The seat in this game of the person who has `seat` now."""
        return self.sat[seat] if self.sat else seat


Deed = Literal["laid", "doubted", "contested", "passed"]


class Decision(Struct, frozen=True):
    """A claim of a seat about a card, by laying, doubting or contesting, and whether it was right.

    `passed` is not a claim: the seat did not notice an error. `at` is the index of its news, and `card` the deck's name
    for the card: its id, or the form. `off` is the error in years or periods, `said` the declared reading.
    """

    at: int
    seat: int
    deed: Deed
    card: str
    right: bool
    off: int | None = None
    said: str = ""


class ClassGame(Struct, Generic[P_co, O_co, H_co, N_co], frozen=True):
    """A game of a lesson that is over or broken off: the name of its table, and the pupils' decisions. Bots' decisions
    count only if nobody else played.
    """

    table: str
    game: FinishedGame[P_co, O_co, H_co, N_co]
    decisions: Sequence[Decision]


class Debrief(Struct, frozen=True, kw_only=True):
    """What a game adds to a class's look back: tables, and for each card what it was taken for, how often, and whether
    that is right. The report has the cards themselves, and how often each was missed.
    """

    grids: Sequence[Grid] = ()
    taken: Mapping[str, Sequence[tuple[str, int, bool]]] = {}


class Pieces(Protocol):
    """Draws small templates of a game (`name.html`, with the context from the page's piece of that name).

    A piece is drawn once for the same arguments and cached for all tables, so it must depend on nothing else.
    """

    def piece(self, name: str, /, *given: object) -> str:
        """The piece's HTML."""
        ...

    def row(self, name: str, several: Iterable[tuple[object, ...]], /) -> str:
        """The same piece for each of several argument lists, joined."""
        ...


# -- the classes ----------------------------------------------------------------------------------------------


class Record(Generic[X, D, P, O, H, A]):
    """How a game is written in the record format (`docs/record-format.md`).

    `deck` always has the numbering of the state. Methods raise Invalid, with the reason, for whatever cannot be read.

    By default cards are numbers, actions are their Structs, and the rules' `DECK` is the only deck.
    """

    keys: frozenset[str] = frozenset({"rows"})
    """The top keys of this game's records besides the common ones."""
    default: Mapping[str, object] = {"options": {}}
    """The top keys of a table without any choice."""
    by_row: bool = True
    """Whether records refer to cards by their row at the table, and so have to include the order of rows."""

    def __init__(self, rules: Game[X, D, P, O, H, A, K], deck: D | None = None) -> None:
        self.rules = rules
        self.deck = deck

    def load(self, top: Mapping[str, object], seats: int, library: Library | None = None) -> tuple[X, D]:
        """Options and deck from a record's top keys; shipped decks if there is no library."""
        if "deck" in top:
            raise Invalid("{game} has one deck only", game=self.rules.name)
        if self.deck is None:
            raise NotImplementedError(f"{self.rules.name} has no DECK: its Record needs a method load")
        return read_options(top["options"], self.rules.Options), self.deck

    def dump(self, options: X, deck: D) -> dict[str, object]:
        """The top keys of a record: options that differ from the default, and the cards."""
        default = msgspec.to_builtins(self.rules.Options())
        return {"options": {k: v for k, v in msgspec.to_builtins(options).items() if v != default[k]}}

    def top(self, options: Mapping[str, object]) -> dict[str, object]:
        """The top keys of a table with these options and no other choice."""
        return {**self.default, "options": {**read(self.default["options"], dict[str, object]), **options}}

    def top_with(self, deck: str, cards: int) -> dict[str, object]:
        """The top keys of a table with the deck of this name and this number of cards."""
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
        """The actions of a log entry; several if the entry has several decisions."""
        return (read(raw, self.rules.Action),)

    def write_action(self, deck: D, state: State[P, O, H], seat: int, action: A, log: list[dict[str, object]]) -> None:
        """Append the log entry of an action, or join it to the one before."""
        log.append({"seat": seat, "action": msgspec.to_builtins(action)})

    def write_state(self, deck: D, state: State[P, O, H]) -> dict[str, object]:
        """A state for `replay --json`."""
        return msgspec.to_builtins(state)

    def parse(self, deck: D, view: View[P, O], text: str) -> A:
        """The legal action for a short line of text, such as "place e12 at 3"; the inverse of `notation`. It also
        accepts cards by number ("#12"). Raises Invalid, with what would be possible, for any other line.
        """
        offered = {self.notation(deck, view, action): action for action in self.rules.legal(view)}
        return offered[notation.meant(notation.named(text, lambda number: self.card(deck, number)), list(offered))]

    def notation(self, deck: D, view: View[P, O], action: A) -> str:
        """An action as a short line of text, with cards by their ids; the inverse of `parse`."""
        return notation.named(notation.line(action), lambda number: self.card(deck, number))

    def card(self, deck: D, number: int) -> str:
        """A card in a line of text; by default its number, as in `str` of an action: "#12"."""
        return f"#{number}"


class Bot(Generic[P, O, A, B, W]):
    """How the bots of a game choose. They get a view, never a state.

    By default any legal action, each equally often.
    """

    levels: Mapping[str, str] = {}
    """The levels, weakest first, with their English names; empty if all bots play alike."""
    slow_levels: Sequence[str] = ()
    """Levels that always think in a process of their own."""
    gives_hints: bool = False
    """Whether people may ask what the bot would do (games for one person)."""

    def choose(self, view: View[P, O], legal: Sequence[A], dice: Dice, beliefs: B | None = None) -> A:
        """One of `legal`, which is not empty."""
        return dice.choice(legal)

    def explain(self, view: View[P, O], action: A, beliefs: B | None) -> W | None:
        """The reason for a choice, for the review of a finished game; None if there is nothing to tell."""
        return None


class Beliefs(Generic[D, H, B, K]):
    """What a bot may know besides its view, made once from the hidden part of the state.

    By default nothing. If a game has secrets, they are years, remembered with a normally distributed error.
    """

    def form(self, hidden: H, dice: Dice, level: str) -> B | None:
        """The beliefs of a bot of this level; None if bots need only their view."""
        return None

    def among(self, beliefs: B, levels: Sequence[str], /) -> B:
        """The same beliefs, for `Bot.explain`, of a bot that knows who plays: the level of the bot on each seat, ""
        for a person. The bot must choose alike with both.
        """
        return beliefs

    def secrets(self, hidden: H, /) -> tuple[int, ...]:
        """What could be known of the hidden part before the deal: a number for each thing, such as a card's year; empty
        if there is nothing.
        """
        return ()

    def told(self, secrets: tuple[int, ...], which: int, sigma: float, chance: float) -> int:
        """One of the secrets as remembered with an error of about `sigma`; `chance` in (0, 1) decides the error."""
        return secrets[which] + _off(sigma, chance)

    def guessed(self, told: int, sigma: float, chance: float) -> int | None:
        """The secret that a remembered one suggests; None: it may be any."""
        return told - _off(sigma, chance)

    def trusting(self, secrets: Sequence[int | None]) -> K | None:
        """The beliefs, for `imagine`, of somebody who trusts these secrets; None: they know nothing of that one."""
        return None

    def compared(self, deck: D, hidden: H, beliefs: B, /) -> Iterable[tuple[str, object, object, float | None]]:
        """For each card: its name, the truth, what these beliefs take it for, and the spread."""
        return ()


@functools.lru_cache(1 << 12)
def _off(sigma: float, chance: float) -> int:
    return round(sigma * NormalDist().inv_cdf(chance))


class Page(Generic[P, O, H, A, N, W]):
    """How a game is shown to one viewer and told in words. It gets views, and states only of finished games.

    By default the page shows the fields of the view in plain words and a button for every action. It tells no news and
    has no look back.
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
    """The kinds of news of a step that is revealed or marked: see `is_marked`."""
    labels: Mapping[str, str] = {}
    """Names of options (`name`), their explanations (`name?`) and values (`name:value`), in English."""
    content: Mapping[str, Callable[[str], Sequence[tuple[str, str]]]] = {}
    """Options that choose content and are not the rules': by name, the choices in a language."""
    terms: Mapping[str, str] = {}
    """Terms whose names and order readers may choose, with their Latin names; empty without such terms."""
    keys: Sequence[str] = ()
    """The single keys that this game uses, for the list of keys: `hand`, `targets`, `places`, `doubt`, `contest`."""
    hint_steps: int = 1
    """The number of steps of a hint, each telling more. The first of several does not reveal the action."""
    first_question: FirstQuestion | None = None
    """The question for a person's first table of this game; None for none."""
    review_title: str = ""
    """The title of the look back at a finished game, in English; "" without one."""
    again: Mapping[str, Sequence[str]] = {}
    """Options that the table's opener may change from game to game, with their values."""
    first_seat_begins: bool = True
    """Whether the first seat begins, as far as this is known before the deal."""
    ways: Mapping[WayName, Way] = {}
    """The ways to play that are offered at one tap; empty: options are chosen one by one."""
    has_missed: bool = False
    """Whether `missed` finds something to be learned by heart."""
    chains: str = ""
    """The shipped deck with whose chains people practise how sure they may be; "" for none."""
    has_mistakes: bool = False
    """Whether `mistakes` finds something to be practised."""
    has_stories: bool = False
    """Whether `stories` tells something of a finished game."""
    pieces: Mapping[str, Callable[..., dict[str, object]]] = {}
    """The contexts of this game's small templates: `(translator, *given)` to a context. See `Pieces`."""

    def is_marked(self, news: Sequence[N], /) -> bool:
        """Whether a step with this news is marked in a replay, since something came to light."""
        return any(isinstance(one, self.highlights) for one in news)

    def prepare(self, view: View[P, O], legal: Sequence[A], tr: Translator, pieces: Pieces) -> Mapping[str, object]:
        """The context of `table.html`, in addition to the common one.

        `counts` (a number of cards for each seat) and `notes` (a few words) go to the strip of seats. For the line of
        news over the hand, `lands` is true if the stage has an `id="newest"` to lead to, and `news_line` is a shorter
        last sentence of `told`.
        """
        return {}

    def screen(self, view: View[P, O], shown: dict[str, object], tr: Translator) -> Mapping[str, object]:
        """More for `screen.html`, the public screen; `shown` is what `prepare` returned. The view is a spectator's."""
        return {}

    def reveal_seconds(self, public: P, /) -> float:
        """The seconds that pages take to show the last step row by row; 0.0 without a reveal. Clocks begin after it."""
        return 0.0

    def tell(self, news: N, public: P, tr: Translator) -> str:
        """What happened, in a sentence; "" for nothing. `public` is the public part with this news. By default the news
        tells it itself, with its `tell(public, tr)`.
        """
        own = getattr(news, "tell", None)
        return "" if own is None else own(public, tr)

    def tell_step(self, news: Sequence[N], public: P, tr: Translator) -> Sequence[str]:
        """The sentences for all news of one step, in order."""
        return [said for one in news if (said := self.tell(one, public, tr))]

    def describe(self, view: View[P, O], action: A, tr: Translator) -> str:
        """An action in words, for a button or a list."""
        return f"{tr._(kind(action))} {text_of(action)}".strip()

    def options(self, top: Mapping[str, object], seats: int, tr: Translator) -> Sequence[OptionField] | None:
        """The fields of the lobby; None: they follow from the annotations of the rules' `Options`."""
        return None

    def choose(self, top: Mapping[str, object], form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """The top keys with the form's choices; None: they follow from `Options`. Raises LookupError or ValueError for
        an impossible choice.
        """
        return None

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """The action (in builtins) of a form with other fields than the action's; None: they are the same."""
        return None

    def hinted(self, view: View[P, O], legal: Sequence[A], action: A, step: int, tr: Translator) -> str:
        """The words for a step of a hint; "" if it is only shown."""
        return ""

    def standing(self, public: P, tr: Translator) -> str:
        """How far a player has come, for a race on the same deal."""
        return ""

    def hidden(self, state: State[P, O, H], tr: Translator) -> Sequence[Section]:
        """What was hidden at a moment of a finished game."""
        parts = [(tr.name(seat), own) for seat, own in enumerate(state.own)]
        shown = [(name, plain_fields(part, tr)) for name, part in [*parts, (tr._("Hidden"), state.hidden)]]
        return [
            Section(name, [tr.labelled(field, value) for field, value in fields]) for name, fields in shown if fields
        ]

    def review(
        self, games: Sequence[FinishedGame[P, O, H, N]], seats: int, thoughts: Sequence[W], tr: Translator
    ) -> dict[str, object]:
        """The context of `review.html`; the newest game comes first. `thoughts` are the analysis's, or else
        the bots'.
        """
        return {}

    def stories(self, game: FinishedGame[P, O, H, N], seats: int, tr: Translator) -> Stories:
        """The stories of a finished game: awards based on public news alone, and a line for each seat."""
        return Stories((), ())

    def missed(self, state: State[P, O, H], news: Sequence[N], seat: int, tr: Translator) -> Sequence[Note]:
        """What a seat missed in a finished game, as notes to be learned."""
        return ()

    def mistakes(
        self, game: FinishedGame[P, O, H, N], seat: int, thoughts: Sequence[W], before: Callable[[int], P]
    ) -> Sequence[str]:
        """What a seat got wrong in a finished game, to be practised: cards, by what the deck calls them, or moments.
        `thoughts` are the analysis's; `before` returns the public part before a move, from 0 on.
        """
        wrong = (one.card for one in self.decisions(game) if one.seat == seat and not one.right)
        return list(dict.fromkeys(wrong))

    def debrief(self, games: Sequence[ClassGame[P, O, H, N]], tr: Translator) -> Debrief:
        """What a class looks at together when all of its games are over or broken off: how they stood side by side, for
        what cards were taken. Nobody is named.
        """
        return Debrief()

    def decisions(self, game: FinishedGame[P, O, H, N]) -> Sequence[Decision]:
        """All claims about cards in a game that is over or broken off, in order; empty if the game needs no
        knowledge.
        """
        return ()

    def retold(self, text: str, usual: Translator, tr: Translator) -> str:
        """A text of the rules or the lesson in the reader's terms; it is written in those of `usual`."""
        return text


class Analysis(Generic[P, O, H, A, W]):
    """What can be found out about deals and finished games. It is slow, so it runs in a process of its own, and never
    for the state of a running game.

    By default nothing.
    """

    available: bool = False
    """Whether this game has an analysis."""

    def proven(self, number: int) -> bool:
        """Whether the deal with this number and the default options is known to be winnable."""
        return False

    def advise(self, view: View[P, O]) -> A | None:
        """The action to take with this view's knowledge, for hints. None if the bot's choice is as good."""
        return None

    def label(self, dealt: State[P, O, H], outcomes: Sequence[Outcome]) -> bool | None:
        """Whether this deal can be won; None: undecided when the time was up. `outcomes` are those of the deal."""
        return None

    def look_back(
        self, outcomes: Sequence[Outcome], states: Sequence[State[P, O, H]], actions: Sequence[A]
    ) -> Sequence[W]:
        """The analysis of every move of a finished game, for `Page.review`. `outcomes` are those of the deal; `states`
        has the state before each action, and the last one.
        """
        return ()

    def task(self, card: str, dice: Random) -> Task | None:
        """A task about a moment of a finished game, by what `Page.mistakes` calls it; None where there is none."""
        return None


class PuzzleView(Struct, frozen=True, kw_only=True):
    """The public view of a puzzle of the day after some moves. `marks` tell how it went, without revealing cards."""

    moves: str
    over: bool = False
    won: bool = False
    score: int = 0
    marks: str = ""


class Puzzle(Generic[D, V]):
    """A daily for one player with rules of its own, without a table. The page has the moves so far. Only the server
    knows the cards, and tells what the moves lead to.
    """

    def play(self, deck: D, of_day: Sequence[str], seed: bytes, moves: str) -> V:
        """The puzzle of a day after these moves; `of_day` are the ids of its cards. Raises Illegal for an impossible
        move.
        """
        raise NotImplementedError

    def joined(self, moves: str, form: Mapping[str, list[str]]) -> str:
        """The moves, with the one in a form added."""
        raise NotImplementedError

    def prepare(self, view: V, tr: Translator) -> dict[str, object]:
        """The context of `puzzle.html`."""
        raise NotImplementedError

    def said(self, view: V, tr: Translator) -> str:
        """The result in a sentence that reveals no card."""
        raise NotImplementedError


class Daily:
    """The daily of a game: a new one each day, the same for everybody (`spieltisch.daily`). By default there is none.

    It is played at a table, alone or against bots, with some cards of a shipped deck; or it is a `puzzle`.
    """

    puzzle: "Puzzle[Any, Any] | None" = None

    deck: str = ""
    """The shipped deck for its cards; "" if a day's number is that of a deal, or there is no daily."""
    each: int = 0
    """The number of cards for a day; 0: all cards of the deck are possible."""
    options: Mapping[str, object] = {}
    """The options of its tables that differ from the default, as in a record."""
    bots: Sequence[str] = ()
    """The levels of the bots that play against one person, in the order of their seats."""
    pitch: str = ""
    """What to expect, in English."""
    family: bool = False
    """Whether people can play it together, without these bots."""

    def said(self, public: Any, result: Result, seat: int, tr: Translator, *, helped: bool) -> str:
        """How a seat ended a table of the day, in a sentence for the text to share. It tells nothing of the cards."""
        return ""

    def reckoned(self, people: int, middle: int, tr: Translator) -> str:
        """How a day went on a server, in a sentence: the number of players and the median of their figures. The figure
        is the score or, in games without one, the number of mistakes.
        """
        said = tr.ngettext("{n} person has played this day here", "{n} people have played this day here", people)
        return f"{said.format(n=people)}, {self.middle(middle, tr)}."

    def middle(self, figure: int, tr: Translator) -> str:
        """The median figure in a few words."""
        return tr.ngettext("median {n} mistake", "median {n} mistakes", figure).format(n=figure)

    def number(self, day: date) -> int:
        """The number of this day's daily; 0 if there is none. Devices store its result under this number."""
        return daily.number(day) if self.deck else 0

    def day(self, number: int) -> date | None:
        """The day whose daily has this number; None if there is none."""
        return daily.day(number) if self.deck else None

    def cards(self, game: str, day: date, released: Released) -> tuple[str, ...]:
        """The ids of a day's cards, from the deck as released."""
        if not self.each:
            return ()
        return daily.cards_of(game, released.hash, released.cards, self.each, daily.number(day))


class Judged(Struct, frozen=True, omit_defaults=True):
    """The truth about an action, for the report on who took it; never for a seat.

    `right`: whether what a `Prompt` asks for is true once the action is taken. `doubts`: the action says it is not.
    `checked`: the game itself looks, so nobody can let it pass. `answers`: others may still doubt what was done before.
    `ordered` of `pairs` of cards were put into a right order.
    """

    right: bool
    doubts: bool = False
    checked: bool = False
    answers: bool = False
    ordered: int = 0
    pairs: int = 0


class Guess(Struct, frozen=True):
    """A card whose year a model is asked for beside its move: its number in this game, its text, and in words which."""

    card: int
    text: str
    words: str


class Habits(Struct, frozen=True):
    """What a planted player does: its years are off by `error`, as a share of an event's age. In a share `bluffs` of
    its moves it lays what it holds to be wrong (None: never on purpose). `doubts`: whether it ever doubts.
    """

    error: float
    bluffs: float | None = None
    doubts: bool = True


class Prompt(Generic[X, P, O, H, A]):
    """How a game is told to a language model, in text alone, and how it names its actions.

    By default it gets the fields of its view in plain words, and actions are short lines with cards by number.
    """

    listed: bool = True
    """Whether the actions are listed with each question, because `rules` does not tell how to write them."""

    def rules(self, options: X, tr: Translator, /) -> str:
        """The rules in at most 1,600 bytes, and how actions are written."""
        return ""

    def ask(self, view: View[P, O], tr: Translator, /) -> Sequence[str]:
        """What the seat sees, in paragraphs. The last ones are left out of a question that would be too long."""
        parts = [view.public] if view.own is None else [view.public, view.own]
        return [tr.labelled(name, value) for part in parts for name, value in plain_fields(part, tr)]

    def claim(self, view: View[P, O], tr: Translator, /) -> str:
        """What a model states a chance for with its action, such as "that the chain is right"; "" for nothing."""
        return ""

    def write(self, view: View[P, O], action: A, tr: Translator, /) -> str:
        """An action as the model has to write it."""
        return notation.line(action)

    def read(self, view: View[P, O], legal: Sequence[A], text: str, tr: Translator, /) -> A:
        """The action that a text writes. Raises Invalid, with the reason, if it is none of `legal`."""
        offered = {self.write(view, action, tr): action for action in legal}
        return offered[notation.meant(text, list(offered))]

    def default(self, view: View[P, O], legal: Sequence[A], dice: Dice, /) -> A:
        """The action for a model that names none."""
        return dice.choice(legal)

    def judge(self, state: State[P, O, H], seat: int, action: A, /) -> Judged | None:
        """The truth about an action in this state; None if there is nothing to tell."""
        return None

    def guess(self, view: View[P, O], before: View[P, O] | None, dice: Dice, tr: Translator, /) -> Guess | None:
        """A card whose year a model is asked for: drawn by chance from those that it got since it was asked `before`.
        What it keeps longer, it has chosen to keep. None if it got none, or the game has no years.
        """
        return None

    def off(self, state: State[P, O, H], card: int, year: int, /) -> float | None:
        """By which share of its age the year of a card is guessed wrong; None for cards too young to tell."""
        return None

    def planted(self, deck: HasCards, habits: Habits, seed: str, tr: Translator, /) -> Callable[[str], str] | None:
        """A player of known knowledge and habits, which answers questions as a model does; None if there is none."""
        return None


class Block(Struct, frozen=True):
    """Numbers side by side that have one meaning: what it is called, how many there are, and what they say, in English.
    `own`: a seat sees them of itself alone.
    """

    name: str
    size: int
    says: str
    own: bool = False


class Learning(Generic[X, D, P, O, A]):
    """How programs learn a game: the number of each action and the numbers of each view, for given seats, options and
    deck. Sizes follow from these alone, and a number means the same in the whole game.

    By default there are none. Then actions are counted as `legal` lists them, and views are written field by field.
    """

    version: int = 1
    """Raised when a number of an action or of a view means something else than before."""
    actions: Sequence[Block] = ()
    """The numbers of actions, from 0 on."""
    fields: Sequence[Block] = ()
    """The numbers of a view, from the first on."""

    def __init__(self, seats: int, options: X, deck: D, told: int) -> None:
        """`told`: how many secrets of the game (`Beliefs.secrets`) a seat is told, 0 if none."""

    def numbers(self, view: View[P, O], legal: Sequence[A]) -> Sequence[int]:
        """The number of each of these actions of the view's seat, in their order. No two have the same."""
        raise NotImplementedError

    def draw(self, view: View[P, O], told: tuple[int | None, ...], into: "array[float]") -> None:
        """Write a view into zeros, as numbers from 0 to 1. `told` has the secrets as the seat was told them, or is
        empty. A spectator's view has no seat; seats are counted from the first one then.
        """
        raise NotImplementedError

    def share(self, public: P) -> float | None:
        """The score so far as a share of the most points there could be; None for a game without a score."""
        return None


# -- the package ------------------------------------------------------------------------------------------------


class GamePackage(Struct, Generic[X, D, P, O, H, A, N], frozen=True, eq=False):
    """A game: its rules, and everything else from its folder. What the folder lacks is as in the classes above."""

    rules: Game[X, D, P, O, H, A, object]
    folder: Path
    record: Record[X, D, P, O, H, A]
    bot: Bot[P, O, A, object, object]
    beliefs: Beliefs[D, H, object, object]
    page: Page[P, O, H, A, N, object]
    analysis: Analysis[P, O, H, A, object]
    box: Box = Box()
    daily: Daily = msgspec.field(default_factory=Daily)
    prompt: Prompt[X, P, O, H, A] = msgspec.field(default_factory=Prompt)
    learning: type[Learning[X, D, P, O, A]] = Learning
    decks: DeckKind[D] | None = None  # the kind of decks that it brings
    silence: A | None = None  # the answer when the time to contest is up; None: nobody can contest
    # The ranking at this moment by the rules, from the public part, for a game that is broken off; None: there is none.
    standings: Callable[[P], tuple[tuple[int, ...], ...]] | None = None
    lap: Callable[[P], int] | None = None  # the number of the current round; None: a round is once around
    passes: tuple[A, ...] = ()  # actions for a turn whose time is up; the first legal one counts
    # The game under former rules, for tables that were begun under them.
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
        """The kind of decks that its tables choose from; None if the rules have the only one."""
        return self.decks.name if self.decks is not None and self.decks.chosen else None

    def under(self, version: int) -> "GamePackage[X, D, P, O, H, A, N] | None":
        """The game under this version of its rules; None if those are not kept."""
        return next((one for one in (self, *self.former) if one.rules.version == version), None)

    def require_seats(self, n: int) -> None:
        """Raise Invalid unless this many can play."""
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
        """The bots' level of this name, or the middle one if there is none."""
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
        """The translator for this game and a language, with the reader's terms if the game has any."""
        if terms == Terms() or not self.page.terms:
            return Translator(package_catalog(self.folder, lang), lang, names, me)
        catalog = catalog_in_terms(self.folder, lang, terms, tuple(self.page.terms.items()))
        return Translator(catalog, lang, names, me)

    def rule_book(self, lang: str) -> tuple[str, str] | None:
        """The rules for people in Markdown, and the language that they are in: the first of the reader's in which
        somebody has written them. None without any.
        """
        for tag in languages.chain(lang):
            own = self.folder / f"rules.{tag}.md"
            if own.is_file():
                return own.read_text(encoding="utf-8"), tag
            if (found := languages.own_text(tag, f"rules/{self.folder.name}.md")) is not None:
                return found, tag
        return None


Package = GamePackage[Struct, HasCards, HasNews, Struct, Struct, Struct, Struct]
"""Any game, for code that serves all games."""
GameRecord = Record[Struct, HasCards, HasNews, Struct, Struct, Struct]
GamePage = Page[HasNews, Struct, Struct, Struct, Struct, object]
GameLearning = Learning[Struct, HasCards, HasNews, Struct, Struct]


# -- values in plain words ---------------------------------------------------------------------------------------


def plain_fields(part: HasNews | Struct, tr: Translator) -> list[tuple[str, str]]:
    """The fields of a part of a view or state with their values, except the news."""
    return [
        (tr._(name.replace("_", " ").capitalize()), text_of(getattr(part, name)))
        for name in part.__struct_fields__
        if name != "news"
    ]
