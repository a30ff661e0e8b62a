"""What a game is given where its package says nothing: records, bots, beliefs, pages and analyses for any game."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from statistics import NormalDist
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch import notation
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.library import Library
from spieltisch.dice import Dice
from spieltisch.game import Game, Invalid, Outcome, PendingChance, Shuffle, State, View, read
from spieltisch.i18n import Translator
from spieltisch.notation import kind, text_of
from spieltisch.options import read_options
from spieltisch.protocols import (
    ClassGame,
    Debrief,
    Decision,
    FinishedGame,
    FirstQuestion,
    OptionField,
    Pieces,
    Section,
    Stories,
    Way,
    WayName,
)


class DefaultRecord:
    """Numbers for cards, actions as their Structs. `deck` is the only one there is (the rules' `DECK`)."""

    keys: frozenset[str] = frozenset({"rows"})
    default: Mapping[str, Any] = {"options": {}}
    by_row: bool = True

    def __init__(self, rules: Game, deck: Any = None) -> None:
        self.rules = rules
        self.deck = deck

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Any, Any]:
        """The options and the only deck; Invalid where another one is named, or for options that cannot be."""
        if "deck" in top:
            raise Invalid("{game} has one deck only", game=self.rules.name)
        return read_options(top["options"], self.rules.Options), self.deck

    def dump(self, options: Any, deck: Any) -> dict[str, Any]:
        default = msgspec.to_builtins(self.rules.Options())
        return {"options": {k: v for k, v in msgspec.to_builtins(options).items() if v != default[k]}}

    def top_with(self, deck: str, cards: int) -> dict[str, Any]:
        return {**self.default, "deck": deck}

    def read_outcome(self, deck: Any, state: Any, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:
        if isinstance(chance, Shuffle):
            return read(entry["outcome"], tuple[int, ...])
        return read(entry["outcome"], int)

    def write_outcome(self, deck: Any, state: Any, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:
        return {
            "chance": "shuffle" if isinstance(chance, Shuffle) else "pick",
            "outcome": outcome if isinstance(outcome, int) else list(outcome),
        }

    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> Sequence[Any]:
        return (read(raw, self.rules.Action),)

    def write_action(self, deck: Any, state: Any, seat: int, action: Any, log: list[dict[str, Any]]) -> None:
        log.append({"seat": seat, "action": msgspec.to_builtins(action)})

    def write_state(self, deck: Any, state: Any) -> dict[str, Any]:
        return msgspec.to_builtins(state)

    def card(self, deck: Any, number: int) -> str:
        """What a card is called in a line of text; by default its number, as in `str` of an action: "#12"."""
        return f"#{number}"

    def notation(self, deck: Any, view: View[Any, Any], action: Any) -> str:
        return notation.named(notation.line(action), lambda number: self.card(deck, number))

    def parse(self, deck: Any, view: View[Any, Any], text: str) -> Any:
        offered = {self.notation(deck, view, action): action for action in self.rules.legal(view)}
        return offered[notation.meant(notation.named(text, lambda number: self.card(deck, number)), list(offered))]


class DefaultBot:
    """Any legal action, each equally often."""

    levels: Mapping[str, str] = {}
    slow_levels: Sequence[str] = ()
    gives_hints: bool = False

    def choose(self, view: View[Any, Any], legal: Sequence[Any], dice: Dice, beliefs: Any = None) -> Any:
        return dice.choice(legal)

    def explain(self, view: View[Any, Any], action: Any, beliefs: Any) -> Any:
        return None


class DefaultBeliefs:
    """Bots that need nothing but their view. Secrets, where a game has some, are years: one is off by a normal law."""

    def form(self, hidden: Any, dice: Dice, level: str) -> Any:
        return None

    def secrets(self, hidden: Any, /) -> tuple[int, ...]:
        return ()

    def told(self, secrets: tuple[int, ...], which: int, sigma: float, chance: float) -> int:
        return secrets[which] + _off(sigma, chance)

    def guessed(self, told: int, sigma: float, chance: float) -> int | None:
        return told - _off(sigma, chance)

    def trusting(self, secrets: Sequence[int | None]) -> Any:
        return None

    def compared(self, deck: Any, hidden: Any, beliefs: Any, /) -> Iterable[tuple[str, Any, Any, float | None]]:
        return ()


@functools.lru_cache(1 << 12)
def _off(sigma: float, chance: float) -> int:
    return round(sigma * NormalDist().inv_cdf(chance))


class DefaultPage:
    """Fields of the view in plain words, a button for every action; no news told, no look back."""

    phrases: Sequence[str] = (
        "Hello!",
        "One moment, please.",
        "I am thinking.",
        "Nice move!",
        "I did not expect that.",
        "Are you sure?",
        "Hm …",
        "Ouch!",
        "Lucky!",
        "Well done!",
        "Once more?",
        "Thanks for the game!",
    )
    highlights: tuple[type, ...] = ()
    labels: Mapping[str, str] = {}
    content: Mapping[str, Callable[[str], Sequence[tuple[str, str]]]] = {}
    terms: Mapping[str, str] = {}
    hint_steps: int = 1
    keys: Sequence[str] = ()
    review_title: str = ""
    has_missed: bool = False
    has_stories: bool = False
    again: Mapping[str, Sequence[str]] = {}
    first_seat_begins: bool = True
    first_question: FirstQuestion | None = None
    ways: Mapping[WayName, Way] = {}
    pieces: Mapping[str, Callable[..., dict[str, Any]]] = {}

    def prepare(
        self,
        view: View[Any, Any],
        legal: Sequence[Any],
        tr: Translator,
        pieces: Pieces,
    ) -> Mapping[str, Any]:
        return {}

    def screen(self, view: View[Any, Any], shown: dict[str, Any], tr: Translator) -> Mapping[str, Any]:
        return {}

    def reveal_seconds(self, public: Any, /) -> float:
        return 0.0

    def tell(self, news: Any, public: Any, tr: Translator) -> str:
        return ""

    def tell_step(self, news: Sequence[Any], public: Any, tr: Translator) -> Sequence[str]:
        return [said for one in news if (said := self.tell(one, public, tr))]

    def describe(self, view: View[Any, Any], action: Any, tr: Translator) -> str:
        return f"{tr._(kind(action))} {text_of(action)}".strip()

    def options(self, top: Mapping[str, Any], seats: int, tr: Translator) -> Sequence[OptionField] | None:
        return None

    def choose(self, top: Mapping[str, Any], form: Mapping[str, list[str]]) -> dict[str, Any] | None:
        return None

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, Any] | None:
        return None

    def hinted(self, view: View[Any, Any], legal: Sequence[Any], action: Any, step: int, tr: Translator) -> str:
        return ""

    def standing(self, public: Any, tr: Translator) -> str:
        return ""

    def hidden(self, state: State[Any, Any, Any], tr: Translator) -> Sequence[Section]:
        parts = [(tr.name(seat), own) for seat, own in enumerate(state.own)]
        shown = [(name, plain_fields(part, tr)) for name, part in [*parts, (tr._("Hidden"), state.hidden)]]
        return [Section(name, [f"{field}: {value}" for field, value in fields]) for name, fields in shown if fields]

    def review(
        self,
        games: Sequence[FinishedGame],
        seats: int,
        thoughts: Sequence[Any],
        tr: Translator,
    ) -> dict[str, Any]:
        return {}

    def stories(self, game: FinishedGame, seats: int, tr: Translator) -> Stories:
        return Stories((), ())

    def missed(self, state: State[Any, Any, Any], news: Sequence[Any], seat: int, tr: Translator) -> Sequence[Note]:
        return ()

    def debrief(self, games: Sequence[ClassGame], tr: Translator) -> Debrief:
        return Debrief()

    def decisions(self, game: FinishedGame) -> Sequence[Decision]:
        return ()

    def retold(self, text: str, usual: Translator, tr: Translator) -> str:
        return text


class DefaultAnalysis:
    """Nothing to be found out."""

    available: bool = False

    def daily(self, day: date) -> int:
        return 0

    def day(self, number: int) -> date | None:
        return None

    def proven(self, number: int) -> bool:
        return False

    def advise(self, view: View[Any, Any]) -> Any:
        return None

    def label(self, dealt: State[Any, Any, Any], outcomes: Sequence[Outcome]) -> bool | None:
        return None

    def look_back(
        self,
        outcomes: Sequence[Outcome],
        states: Sequence[State[Any, Any, Any]],
        actions: Sequence[Any],
    ) -> Sequence[Any]:
        return ()


# -- values in plain words ---------------------------------------------------------------------------------------


def plain_fields(part: Struct, tr: Translator) -> list[tuple[str, str]]:
    """The fields of a part of a view or state with their values, but for the news."""
    return [
        (tr._(name.replace("_", " ").capitalize()), text_of(value))
        for name, value in msgspec.structs.asdict(part).items()
        if name != "news"
    ]
