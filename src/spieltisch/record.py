"""Game records: strict reading, replaying, writing, and checking the dice.

What all games share stands here; how a game writes its own actions and cards stands in its room's `record`
module (`General` serves rooms without one). The format is described in docs/record-format.md.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch import dice, games
from spieltisch.dice import check
from spieltisch.game import Due, Illegal, Outcome, Refused, Shuffle, State, Unreadable, aliased, read

FORMAT = "spieltisch-record/1"
DICE = "sealed/1"  # the tag that names how `dice.Sealed` throws
_COMMON = frozenset({"format", "game", "options", "seats", "log", "tags"})

Step = tuple[Due, Outcome] | tuple[int, Any]  # what was due and came, or a seat and its action


class Top(Struct, frozen=True):
    """A record without its log: the room, what was chosen, the seats' names, the tags."""

    room: games.Room
    options: Any
    deck: Any
    seats: tuple[str, ...]
    tags: dict[str, str]
    log: list[Any]
    order: tuple[int, ...] | None = None  # of the deck's rows, where a record names cards by number


class Refusal(Exception):  # noqa: N818 - a record is refused
    """A record breaks a rule: `entry` is the number of the log's entry from 1, None outside the log."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        super().__init__(reason if entry is None else f"entry {entry}: {reason}")
        self.entry = entry


# -- reading -------------------------------------------------------------------------------------------------


def parse(content: bytes) -> Any:
    """JSON, read more strictly than decoders do: UTF-8 without BOM, no key twice, whole numbers only, NFC."""
    if content.startswith(b"\xef\xbb\xbf"):
        raise Refusal("begins with a byte order mark; UTF-8 without one is read")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise Refusal(f"is not UTF-8 (byte {error.start})") from None
    try:
        raw = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_no_float,
            parse_int=_integer,
            parse_constant=_no_float,
        )
    except json.JSONDecodeError as error:
        raise Refusal(f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise Refusal("is nested too deeply") from None
    log = raw.get("log") if isinstance(raw, dict) else None
    if isinstance(log, list):
        _check({key: value for key, value in raw.items() if key != "log"})
        for number, entry in enumerate(log, 1):
            _check(entry, number)
    else:
        _check(raw)
    return raw


class _Wrong(Struct, frozen=True):
    """What JSON allows and a record does not; it stands in its place, so that the entry can be named."""

    reason: str


def _object(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        return _Wrong(f"the key {twice!r} comes twice in one object")
    return found


def _no_float(literal: str) -> _Wrong:
    return _Wrong(f"{literal[:40]} is not a whole number, and no others are used")


def _integer(literal: str) -> int | _Wrong:
    if literal == "-0":
        return _Wrong("-0 is written 0")
    if len(literal) > 18:
        return _Wrong(f"the number {literal[:20]}… is too large")
    return int(literal)


def _check(value: Any, entry: int | None = None) -> None:
    """Nothing wrong in it, every text in NFC and without half characters."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if not item.isascii():
                if any("\ud800" <= sign <= "\udfff" for sign in item):
                    raise Refusal("a text holds half of a surrogate pair", entry)
                if not unicodedata.is_normalized("NFC", item):
                    raise Refusal(f"the text {item[:40]!r} is not in Unicode's NFC", entry)
        elif isinstance(item, _Wrong):
            raise Refusal(item.reason, entry)
        elif isinstance(item, dict):
            todo += item
            todo += item.values()
        elif isinstance(item, list):
            todo += item


def top(raw: Any) -> Top:
    """Everything of a record but what happens in its log."""
    try:
        if not isinstance(raw, dict):
            raise Unreadable("a record is an object")
        room = games.room(read(_required(raw, "game"), str))
        codec = codec_of(room)
        _check_keys(raw, required=_COMMON - {"tags"}, allowed=_COMMON | codec.KEYS)
        if raw["format"] != FORMAT:
            raise Unreadable("format is not {format}", format=FORMAT)
        names = tuple(_named("seats", raw["seats"], list[str]))
        if len(names) not in room.rules.seats:
            raise Unreadable(
                "{game} has {least} to {most} seats, not {n}",
                game=room.name, least=room.rules.seats[0], most=room.rules.seats[-1], n=len(names),
            )  # fmt: skip
        if not all(names):
            raise Unreadable("the name of seat {seat} is empty", seat=names.index(""))
        tags = _named("tags", raw.get("tags", {}), dict[str, str])
        log = _named("log", raw["log"], list[Any])
        _named("options", raw["options"], dict[str, Any])
        options, deck = codec.load({key: raw[key] for key in raw if key not in _COMMON or key == "options"}, len(names))
        order = None
        if "rows" in raw:  # only `General` lets it through
            order = check(Shuffle(tuple(range(len(deck.cards)))), _named("rows", raw["rows"], tuple[int, ...]))
        return Top(room, options, deck, names, tags, log, order)  # ty: ignore[invalid-argument-type]
    except Refused as error:
        raise Refusal(str(error)) from None


def _required(raw: dict[str, Any], key: str) -> Any:
    if key not in raw:
        raise Unreadable("the key {key} is missing", key=key)
    return raw[key]


def _check_keys(raw: dict[str, Any], required: Iterable[str], allowed: Iterable[str]) -> None:
    for key in sorted(required):
        _required(raw, key)
    for key in raw:
        if key not in allowed:
            raise Unreadable("the key {key} is not known here", key=key)


def _named(name: str, raw: Any, shape: Any) -> Any:
    try:
        return read(raw, shape)
    except Unreadable as error:
        raise Unreadable("{name}: {reason}", name=name, reason=str(error)) from None


# -- replaying -----------------------------------------------------------------------------------------------


class Replay(Struct):
    """A record played through: `states[0]` stands before anything is dealt, `states[n]` after entry n."""

    top: Top
    states: list[State[Any, Any, Any]]

    @property
    def state(self) -> State[Any, Any, Any]:
        return self.states[-1]


def replay(raw: Any, *, sealed: dice.Sealed | None = None, order: Sequence[int] | None = None) -> Replay:
    """The game that a record tells; Refusal with the entry where it breaks a rule.

    With `sealed`, each chance outcome must be the one that these dice throw; `order` is the order of the
    deck's rows at that table.
    """
    head = top(raw)
    rules, codec = head.room.rules, codec_of(head.room)
    if sealed and head.order not in (None, order):
        raise Refusal("rows: the deck was not laid out as its seed says")
    order = head.order if order is None else order
    deck = head.deck if order is None else aliased(head.deck, order)
    try:
        state = rules.setup(len(head.seats), head.options, deck)
    except Refused as error:
        raise Refusal(str(error)) from None
    states, throws = [state], 0
    for number, entry in enumerate(head.log, 1):
        try:
            if not isinstance(entry, dict):
                raise Unreadable("an entry is an object")
            due = rules.due(state)
            if "chance" in entry:
                _check_keys(entry, {"chance", "outcome"}, {"chance", "outcome"})
                if due is None:
                    raise Illegal("no chance outcome is due here")
                outcome = check(due, codec.read_outcome(deck, state, due, entry))
                if sealed and outcome != sealed.throw(due, throws):
                    raise Illegal("the sealed dice threw something else")
                state, throws = rules.settle(state, outcome), throws + 1
            else:
                state = _play(head, codec, deck, state, due, entry)
        except Refused as error:
            raise Refusal(str(error), number) from None
        states.append(state)
    return Replay(head, states)


def _play(head: Top, codec: Any, deck: Any, state: Any, due: Due | None, entry: dict[str, Any]) -> Any:
    _check_keys(entry, {"seat", "action"}, {"seat", "action"})
    seat = _named("seat", entry["seat"], int)
    if not 0 <= seat < len(head.seats):
        raise Unreadable("there is no seat {seat}, only 0 to {last}", seat=seat, last=len(head.seats) - 1)
    if due is not None:
        raise Illegal("a chance outcome is due before anybody acts")
    acting = head.room.rules.to_act(state.public)
    if not acting:
        raise Illegal("the game is over")
    if seat not in acting:
        raise Illegal(
            "it is the turn of seat {acting}, not of seat {seat}",
            acting=", ".join(map(str, acting)),
            seat=seat,
        )
    for action in codec.read_action(deck, state, seat, entry["action"]):
        state = head.room.rules.apply(state, seat, action)
    return state


def outcome(played: Replay) -> dict[str, Any]:
    """What `spieltisch replay --json` prints of a record."""
    result = played.top.room.rules.result(played.state.public)
    ranking, scores, end = (result.ranking, result.scores, result.end) if result else (None, None, None)
    return {
        "game": played.top.room.name,
        "over": result is not None,
        "ranking": None if ranking is None else [list(group) for group in ranking],
        "scores": None if scores is None else {str(seat): score for seat, score in enumerate(scores)},
        "end": end,
        "state": codec_of(played.top.room).write_state(played.top.deck, played.state),
    }  # fmt: skip


def verify(raw: Any) -> str:
    """Recomputes every shuffle of a record from its revealed seed; the seal that it was published under.

    Refusal where a tag is missing, the seed does not fit the seal, or a throw was another one.
    """
    head = top(raw)
    missing = [tag for tag in ("seal", "seed", "dice") if tag not in head.tags]
    if missing:
        raise Refusal(f"has no tag {', '.join(missing)}: only records of a table's finished games can be verified")
    if head.tags["dice"] != DICE:
        raise Refusal(f"dice of the kind {head.tags['dice']!r} are not known, only {DICE}")
    try:
        seed = bytes.fromhex(head.tags["seed"])
        sealed = dice.Sealed(seed, "deal")
    except (ValueError, Refused):
        raise Refusal("the tag seed is not 16 bytes in hex") from None
    if dice.seal(seed) != head.tags["seal"]:
        raise Refusal("the seed is not the one that was sealed: its SHA-256 is another")
    replay(raw, sealed=sealed, order=alias_order(seed, len(head.deck.cards)))
    return head.tags["seal"]


def alias_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """The order in which a table with this seed lays out the rows of its deck, so that numbers tell nothing."""
    thrown = dice.Sealed(seed, "alias").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(thrown, tuple)
    return thrown


# -- writing -------------------------------------------------------------------------------------------------


def write(
    room: games.Room, options: Any, deck: Any, order: Sequence[int], names: Sequence[str],
    steps: Iterable[Step], tags: dict[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The record of a game. `deck` in its own order, `order` that of its rows at the table; the steps' numbers
    are the table's. A step is (what was due, its outcome) or (seat, action).
    """
    codec, rules, laid = codec_of(room), room.rules, aliased(deck, order)
    state, log = rules.setup(len(names), options, laid), []
    for who, what in steps:
        if isinstance(who, int):
            codec.write_action(laid, state, who, what, log)
            state = rules.apply(state, who, what)
        else:
            log.append(codec.write_outcome(laid, state, who, what))
            state = rules.settle(state, what)
    head = {"format": FORMAT, "game": room.name, **codec.dump(options, deck), "seats": list(names)}
    if isinstance(codec, General):
        head["rows"] = list(order)
    return head | ({"tags": tags} if tags else {}) | {"log": log}


def text(record: dict[str, Any]) -> str:
    """A record as people read it: a line an entry."""
    head = {key: record[key] for key in record if key != "log"}
    lines = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in record["log"])
    top_lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items())
    return f'{{{top_lines[1:]},\n "log": [\n{lines}\n]}}\n'


# -- rooms without a record module ---------------------------------------------------------------------------


def codec_of(room: games.Room) -> Any:
    """How this game writes its actions and cards: its room's `record` module, or the general way."""
    return room.record or General(room.rules)


class General:
    """Records of a game that has no format of its own: numbers for cards, actions as their Structs.

    Such a game's rules offer `DECK`, the deck it is played with; `rows` in a record is the order of its rows
    at the table, by which the numbers go.
    """

    KEYS = frozenset({"rows"})

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.DEFAULT: dict[str, Any] = {"options": {}}

    def load(self, head: dict[str, Any], seats: int) -> tuple[Any, Any]:  # noqa: ARG002 - the shape of the contract
        unknown = head["options"].keys() - set(self.rules.Options.__struct_fields__)
        if unknown:
            raise Unreadable("there is no option {names}", names=", ".join(sorted(unknown)))
        return read(head["options"], self.rules.Options), self.rules.DECK

    def dump(self, options: Any, deck: Any) -> dict[str, Any]:  # noqa: ARG002
        default = msgspec.to_builtins(self.rules.Options())
        return {"options": {k: v for k, v in msgspec.to_builtins(options).items() if v != default[k]}}

    def read_outcome(self, deck: Any, state: Any, due: Due, entry: dict[str, Any]) -> Outcome:  # noqa: ARG002
        if isinstance(due, Shuffle):
            return read(entry["outcome"], tuple[int, ...])
        return read(entry["outcome"], int)

    def write_outcome(self, deck: Any, state: Any, due: Due, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG002
        return {
            "chance": "shuffle" if isinstance(due, Shuffle) else "pick",
            "outcome": outcome if isinstance(outcome, int) else list(outcome),
        }

    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> tuple[Any, ...]:  # noqa: ARG002
        return (read(raw, self.rules.Action),)

    def write_action(self, deck: Any, state: Any, seat: int, action: Any, log: list[dict[str, Any]]) -> None:  # noqa: ARG002
        log.append({"seat": seat, "action": msgspec.to_builtins(action)})

    def write_state(self, deck: Any, state: Any) -> dict[str, Any]:  # noqa: ARG002
        return msgspec.to_builtins(state)
