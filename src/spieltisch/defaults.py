"""What a game is given where its package says nothing: records, bots, beliefs, pages and analyses for any game."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.library import Library, Playable
from spieltisch.dice import Dice
from spieltisch.game import Game, Invalid, Outcome, PendingChance, Shuffle, State, View, read
from spieltisch.i18n import Translator
from spieltisch.protocols import FinishedGame, OptionField, Pieces, Section


class DefaultRecord:
    """Numbers for cards, actions as their Structs. `deck` is the only one there is (the rules' `DECK`)."""

    keys: frozenset[str] = frozenset({"rows"})
    default: Mapping[str, Any] = {"options": {}}
    decks: Playable | None = None
    by_row: bool = True

    def __init__(self, rules: Game, deck: Any = None) -> None:
        self.rules = rules
        self.deck = deck

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Any, Any]:  # noqa: ARG002
        unknown = top["options"].keys() - set(self.rules.Options.__struct_fields__)
        if unknown:
            raise Invalid("there is no option {names}", names=", ".join(sorted(unknown)))
        return read(top["options"], self.rules.Options), self.deck

    def dump(self, options: Any, deck: Any) -> dict[str, Any]:  # noqa: ARG002
        default = msgspec.to_builtins(self.rules.Options())
        return {"options": {k: v for k, v in msgspec.to_builtins(options).items() if v != default[k]}}

    def top_with(self, deck: str, cards: int) -> dict[str, Any]:  # noqa: ARG002
        return {**self.default, "deck": deck}

    def read_outcome(self, deck: Any, state: Any, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:  # noqa: ARG002
        if isinstance(chance, Shuffle):
            return read(entry["outcome"], tuple[int, ...])
        return read(entry["outcome"], int)

    def write_outcome(self, deck: Any, state: Any, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG002
        return {
            "chance": "shuffle" if isinstance(chance, Shuffle) else "pick",
            "outcome": outcome if isinstance(outcome, int) else list(outcome),
        }

    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> Sequence[Any]:  # noqa: ARG002
        return (read(raw, self.rules.Action),)

    def write_action(self, deck: Any, state: Any, seat: int, action: Any, log: list[dict[str, Any]]) -> None:  # noqa: ARG002
        log.append({"seat": seat, "action": msgspec.to_builtins(action)})

    def write_state(self, deck: Any, state: Any) -> dict[str, Any]:  # noqa: ARG002
        return msgspec.to_builtins(state)

    def parse(self, deck: Any, view: View[Any, Any], text: str) -> Any:
        wanted = " ".join(text.lower().split())
        for action in self.rules.legal(view):
            if self.notation(deck, view, action) == wanted:
                return action
        offered = [self.notation(deck, view, action) for action in self.rules.legal(view)]
        shown = ", ".join(offered[:12]) + (" …" if len(offered) > 12 else "")
        raise Invalid("“{text}” is none of the actions open here: {offered}", text=text, offered=shown or "none")

    def notation(self, deck: Any, view: View[Any, Any], action: Any) -> str:  # noqa: ARG002
        return f"{kind(action).lower()} {text_of(action)}".strip().lower()


class DefaultBot:
    """Any legal action, each equally often."""

    levels: Mapping[str, str] = {}
    slow_levels: Sequence[str] = ()
    gives_hints: bool = False

    def choose(self, view: View[Any, Any], legal: Sequence[Any], dice: Dice, beliefs: Any = None) -> Any:  # noqa: ARG002
        return dice.choice(legal)

    def explain(self, view: View[Any, Any], action: Any, beliefs: Any) -> Any:  # noqa: ARG002
        return None


class DefaultBeliefs:
    """Bots that need nothing but their view."""

    def form(self, hidden: Any, dice: Dice, level: str) -> Any:  # noqa: ARG002
        return None


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
    review_title: str = ""
    has_missed: bool = False
    pieces: Mapping[str, Callable[..., dict[str, Any]]] = {}

    def prepare(
        self,
        view: View[Any, Any],  # noqa: ARG002
        legal: Sequence[Any],  # noqa: ARG002
        tr: Translator,  # noqa: ARG002
        pieces: Pieces,  # noqa: ARG002
    ) -> Mapping[str, Any]:
        return {}

    def tell(self, news: Any, public: Any, tr: Translator) -> str:  # noqa: ARG002
        return ""

    def describe(self, view: View[Any, Any], action: Any, tr: Translator) -> str:  # noqa: ARG002
        return f"{tr._(kind(action))} {text_of(action)}".strip()

    def options(self, top: Mapping[str, Any], seats: int, tr: Translator) -> Sequence[OptionField] | None:  # noqa: ARG002
        return None

    def choose(self, top: Mapping[str, Any], form: Mapping[str, list[str]]) -> dict[str, Any] | None:  # noqa: ARG002
        return None

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, Any] | None:  # noqa: ARG002
        return None

    def hinted(self, view: View[Any, Any], legal: Sequence[Any], action: Any, step: int, tr: Translator) -> str:  # noqa: ARG002
        return ""

    def standing(self, public: Any, tr: Translator) -> str:  # noqa: ARG002
        return ""

    def hidden(self, state: State[Any, Any, Any], tr: Translator) -> Sequence[Section]:
        rooms = [(tr.name(seat), own) for seat, own in enumerate(state.own)]
        shown = [(name, plain_fields(room, tr)) for name, room in [*rooms, (tr._("Hidden"), state.hidden)]]
        return [Section(name, [f"{field}: {value}" for field, value in fields]) for name, fields in shown if fields]

    def review(
        self,
        games: Sequence[FinishedGame],  # noqa: ARG002
        seats: int,  # noqa: ARG002
        thoughts: Sequence[Any],  # noqa: ARG002
        tr: Translator,  # noqa: ARG002
    ) -> dict[str, Any]:
        return {}

    def missed(self, state: State[Any, Any, Any], news: Sequence[Any], seat: int, tr: Translator) -> Sequence[Note]:  # noqa: ARG002
        return ()

    def retold(self, text: str, usual: Translator, tr: Translator) -> str:  # noqa: ARG002
        return text


class DefaultAnalysis:
    """Nothing to be found out."""

    available: bool = False

    def daily(self, day: date) -> int:  # noqa: ARG002
        return 0

    def proven(self, number: int) -> bool:  # noqa: ARG002
        return False

    def label(self, dealt: State[Any, Any, Any], outcomes: Sequence[Outcome]) -> bool | None:  # noqa: ARG002
        return None

    def look_back(
        self,
        outcomes: Sequence[Outcome],  # noqa: ARG002
        states: Sequence[State[Any, Any, Any]],  # noqa: ARG002
        actions: Sequence[Any],  # noqa: ARG002
    ) -> Sequence[Any]:
        return ()


# -- values in plain words ---------------------------------------------------------------------------------------


def kind(action: Any) -> str:
    """An action's tag, as it stands in records and forms."""
    return str(type(action).__struct_config__.tag or type(action).__name__)


def text_of(value: object) -> str:
    """A value as people would write it down."""
    if isinstance(value, tuple | list):
        return ", ".join(map(text_of, value)) or "–"
    if isinstance(value, Struct):
        return " ".join(text_of(part) for part in msgspec.structs.asdict(value).values())
    return "–" if value is None else str(value)


def plain_fields(room: Struct, tr: Translator) -> list[tuple[str, str]]:
    """The fields of a room of a view or state with their values, but for the news."""
    return [
        (tr._(name.replace("_", " ").capitalize()), text_of(value))
        for name, value in msgspec.structs.asdict(room).items()
        if name != "news"
    ]
