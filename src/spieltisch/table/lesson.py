"""A scripted first game: a record with fixed chance, and explanations for its moments.

A game's `lesson.toml` has `seats` (the players' names), the `log` and the text for the `end`, and may have `deck`,
`options` and `cards` (the ids of the cards in play). Log entries are those of a record, each with the text shown while
the game waits for it (`says`; several if an entry holds several actions). Null becomes an empty text. A shuffle lists
only the first cards; the rest follow in order. Names and texts are messages, translated like all others.
"""

import tomllib
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch.dice import check
from spieltisch.game import GameState, HasCards, Illegal, Outcome, PendingChance, Shuffle, aliased
from spieltisch.languages import DEFAULT
from spieltisch.package import GameRecord, Package
from spieltisch.table.log import Chair, Entry
from spieltisch.table.replay import Replay, unstored


class Lesson(Struct, frozen=True):
    """The game, moment by moment, and the message for each; "" where nothing is said."""

    game: Replay
    said: tuple[str, ...]

    def awaited(self, step: int) -> Entry | None:
        """The entry that follows this moment; None at the end."""
        return self.game.entries[step] if step < len(self.game) else None

    def awaits(self, step: int, seat: int) -> bool:
        """Whether this seat is to act after this moment."""
        awaited = self.awaited(step)
        return awaited is not None and awaited.seat == seat

    def check(self, step: int, seat: int, action: Struct) -> None:
        """Raise Illegal, with a kind explanation, unless the script expects this action of this seat."""
        awaited, moment = self.awaited(step), self.game.at(step)
        if awaited is not None and action == awaited.action:
            return
        if action in moment.package.rules.legal(moment.view(seat)):
            raise Illegal("That would work too. Here, please do what the text says.")
        moment.package.rules.apply(moment.state, seat, action)
        raise Illegal("That is not possible here.")


@cache
def lesson(package: Package, lang: str = DEFAULT) -> Lesson | None:
    """The game's lesson, its seats named in this language; None if it has none."""
    file = package.folder / "lesson.toml"
    if not file.is_file():
        return None
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    tr = package.translator(lang)
    return _read(package, raw | {"seats": [tr._(name) for name in raw["seats"]]})


def _read(package: Package, raw: dict[str, Any]) -> Lesson:
    codec, rules = package.record, package.rules
    head = dict(codec.default) | {key: raw[key] for key in ("options", "deck") if key in raw}
    options, deck = codec.load(head, len(raw["seats"]))
    if "cards" in raw:
        rows = {getattr(card, "id", ""): row for row, card in enumerate(deck.cards)}
        deck = aliased(deck, [rows[card] for card in raw["cards"]])
    state = rules.setup(len(raw["seats"]), options, deck)
    entries, said = [Entry(by="host")], []
    for line in raw["log"]:
        due = rules.pending_chance(state)
        if due is not None:
            outcome = _outcome(codec, deck, state, due, line)
            entries[-1] = msgspec.structs.replace(entries[-1], outcomes=(*entries[-1].outcomes, outcome))
            state = rules.resolve_chance(state, outcome)
            continue
        seat, raw_action = line["seat"], {key: None if value == "" else value for key, value in line["action"].items()}
        actions = codec.read_action(deck, state, seat, raw_action)
        words = [line["says"]] if isinstance(line["says"], str) else line["says"]
        for action, text in zip(actions, words, strict=True):
            entries.append(Entry(seat, "seat" if seat == 0 else "bot", action))
            said.append(text)
            state = rules.apply(state, seat, action)
    said.append(raw["end"])
    chairs = [Chair(name, "bot" if seat else "person") for seat, name in enumerate(raw["seats"])]
    return Lesson(Replay(unstored(package, chairs, options, deck), entries), tuple(said))


def _outcome(codec: GameRecord, deck: HasCards, state: GameState, due: PendingChance, line: dict[str, Any]) -> Outcome:
    outcome = codec.read_outcome(deck, state, due, line)
    if isinstance(due, Shuffle):
        assert isinstance(outcome, tuple)
        rest = list(due.items)
        for item in outcome:
            rest.remove(item)
        outcome = (*outcome, *rest)
    return check(due, outcome)
