"""Game records: strict reading, replaying, writing, and checking the dice.

This is what all games share. A package's `Record` reads and writes a game's own actions and cards. The format is
described in docs/record-format.md.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import dice, games
from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.library import Library
from spieltisch.dice import check
from spieltisch.game import GameState, HasCards, Illegal, Invalid, PendingChance, Refused, Shuffle, Step, aliased, read
from spieltisch.package import Package

FORMAT = "spieltisch-record/1"
DICE = "sealed/1"  # the tag that names the algorithm of `dice.CommittedDice`
RULES = "rules"  # the tag with the version of the game's rules
_LONG = 6  # digits; a longer number is no version
_COMMON = frozenset({"format", "game", "options", "seats", "log", "tags"})


class Top(Struct, frozen=True):
    """A record without the contents of its log: the game, what was chosen, the names of the seats, the tags."""

    package: Package
    options: Struct
    deck: HasCards
    seats: tuple[str, ...]
    tags: dict[str, str]
    log: list[object]
    order: tuple[int, ...] | None = None  # of the deck's rows, if the record refers to cards by number


class InvalidRecord(Invalid):
    """A record breaks a rule. `entry` is the number of the log entry from 1, None outside the log; `file` is the file,
    if it was read from one.
    """

    def __init__(self, reason: str, entry: int | None = None, file: str = "") -> None:
        where = [*([file] if file else []), *([] if entry is None else [f"entry {entry}"])]
        super().__init__("{reason}", reason=": ".join([*where, reason]))
        self.reason, self.entry, self.file = reason, entry, file

    def of_file(self, file: str) -> "InvalidRecord":
        """The same, naming the file."""
        return InvalidRecord(self.reason, self.entry, file)

    def __reduce__(self) -> tuple[object, ...]:
        return InvalidRecord, (self.reason, self.entry, self.file)


# -- reading -------------------------------------------------------------------------------------------------


def parse(content: bytes) -> object:
    """Read JSON more strictly than usual: UTF-8 without BOM, no duplicate keys, whole numbers only, NFC.

    Raises InvalidRecord, with the entry if there is one, for anything else.
    """
    if content.startswith(b"\xef\xbb\xbf"):
        raise InvalidRecord("begins with a byte order mark: write UTF-8 without one")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise InvalidRecord(f"is not UTF-8 (byte {error.start})") from None
    try:
        raw = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_no_float,
            parse_int=_integer,
            parse_constant=_no_float,
        )
    except json.JSONDecodeError as error:
        raise InvalidRecord(f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise InvalidRecord("is nested too deeply") from None
    log = raw.get("log") if isinstance(raw, dict) else None
    if isinstance(log, list):
        _check({key: value for key, value in raw.items() if key != "log"})
        for number, entry in enumerate(log, 1):
            _check(entry, number)
    else:
        _check(raw)
    return raw


class _Wrong(Struct, frozen=True):
    """Stands in for a value that JSON allows and a record does not, so that the error can name the entry."""

    reason: str


def _object(pairs: list[tuple[str, object]]) -> object:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
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


def _check(value: object, entry: int | None = None) -> None:
    """Raise InvalidRecord for forbidden values, and for texts with lone surrogates or not in NFC."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if not item.isascii():
                if any("\ud800" <= sign <= "\udfff" for sign in item):
                    raise InvalidRecord("a text holds half of a surrogate pair", entry)
                if not unicodedata.is_normalized("NFC", item):
                    raise InvalidRecord(f"the text {item[:40]!r} is not in Unicode's NFC", entry)
        elif isinstance(item, _Wrong):
            raise InvalidRecord(item.reason, entry)
        elif isinstance(item, dict):
            todo += item
            todo += item.values()
        elif isinstance(item, list):
            todo += item


def top(raw: object) -> Top:
    """Everything of a record except the contents of its log. Raises InvalidRecord."""
    try:
        if not isinstance(raw, dict):
            raise Invalid("a record is an object")
        name, tags = read(_required(raw, "game"), str), _named("tags", raw.get("tags", {}), dict[str, str])
        package = games.package(name, _version(tags))
        codec = package.record
        _check_keys(raw, required=_COMMON - {"tags"}, allowed=_COMMON | codec.keys)
        if raw["format"] != FORMAT:
            raise Invalid("format is not {format}", format=FORMAT)
        names = tuple(_named("seats", raw["seats"], list[str]))
        if len(names) not in package.rules.seats:
            raise Invalid(
                "{game} has {least} to {most} seats, not {n}",
                game=package.name, least=package.rules.seats[0], most=package.rules.seats[-1], n=len(names),
            )  # fmt: skip
        if not all(names):
            raise Invalid("the name of seat {seat} is empty", seat=names.index(""))
        log = _named("log", raw["log"], list[object])
        _named("options", raw["options"], dict[str, object])
        options, deck = codec.load({key: raw[key] for key in raw if key not in _COMMON or key == "options"}, len(names))
        order = None
        if "rows" in raw:
            order = check(Shuffle(tuple(range(len(deck.cards)))), _named("rows", raw["rows"], tuple[int, ...]))
        return Top(package, options, deck, names, tags, log, order)  # ty: ignore[invalid-argument-type]
    except Refused as error:
        raise InvalidRecord(str(error)) from None


def whole(package: Package, options: Struct, recorded: HasCards) -> HasCards:
    """The recorded cards as they are shipped, with their words and fields, which records leave out.

    Cards of other decks stay as they are recorded, and so do cards of which one has been corrected since.
    """
    if package.decks is None:
        return recorded
    ids, written = [_id(card) for card in recorded.cards], package.record.dump(options, recorded)
    for deck in _shipped(package.decks, frozenset(ids)):
        cards = {_id(card): card for card in deck.cards}
        if cards.keys() >= {*ids}:
            found = replace(deck, cards=tuple(cards[one] for one in ids))
            if package.record.dump(options, found) == written:
                return found
    return recorded


def _shipped(kind: DeckKind[Any], ids: frozenset[object]) -> Iterator[Any]:
    """The shipped decks of a kind that have some of these cards, then all of them in one."""
    decks = [Library().deck(path.stem, kind) for path in kind.shipped()]
    some = [deck for deck in decks if not ids.isdisjoint(_id(card) for card in deck.cards)]
    yield from some
    if kind.mixes and len(some) > 1:
        with suppress(Invalid):
            yield kind.mix(some)


def _id(card: object) -> object:
    return getattr(card, "id", card)


def _version(tags: dict[str, str]) -> int | None:
    """The version of the rules that a tag names; None, meaning the present ones, without such a number."""
    said = tags.get(RULES, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < _LONG else None


def _required(raw: Mapping[str, object], key: str) -> object:
    if key not in raw:
        raise Invalid("the key {key} is missing", key=key)
    return raw[key]


def _check_keys(raw: Mapping[str, object], required: Iterable[str], allowed: Iterable[str]) -> None:
    for key in sorted(required):
        _required(raw, key)
    for key in raw:
        if key not in allowed:
            raise Invalid("unknown key {key}", key=key)


def _named(name: str, raw: object, shape: Any) -> Any:
    try:
        return read(raw, shape)
    except Invalid as error:
        raise Invalid("{name}: {reason}", name=name, reason=str(error)) from None


# -- replaying -----------------------------------------------------------------------------------------------


class Replay(Struct):
    """A replayed record: `states[0]` is before the deal, `states[n]` after entry n.

    `deck` has the numbering of the states. `steps` are all events in order; one entry may have several.
    """

    top: Top
    deck: HasCards
    states: list[GameState]
    steps: list[Step]

    @property
    def state(self) -> GameState:
        """The state after the last entry."""
        return self.states[-1]


def replay(raw: object, *, sealed: dice.CommittedDice | None = None, order: Sequence[int] | None = None) -> Replay:
    """Replay a record. Raises InvalidRecord with the number of the first illegal or invalid entry.

    With `sealed`, every chance outcome must be the one that these dice throw. `order` is the order of the deck's rows
    at that table.
    """
    return follow(top(raw), sealed=sealed, order=order)


def follow(head: Top, *, sealed: dice.CommittedDice | None = None, order: Sequence[int] | None = None) -> Replay:
    """Like `replay`, with the options and the deck of `head`."""
    rules, codec = head.package.rules, head.package.record
    if sealed and head.order not in (None, order):
        raise InvalidRecord("rows: the order of the deck does not match its seed")
    order = head.order if order is None else order
    deck = head.deck if order is None else aliased(head.deck, order)
    try:
        state = rules.setup(len(head.seats), head.options, deck)
    except Refused as error:
        raise InvalidRecord(str(error)) from None
    played = Replay(head, deck, [state], [])
    throws = 0
    for number, entry in enumerate(head.log, 1):
        try:
            if not isinstance(entry, dict):
                raise Invalid("an entry is an object")
            due = rules.pending_chance(state)
            if "chance" in entry:
                _check_keys(entry, {"chance", "outcome"}, {"chance", "outcome"})
                if due is None:
                    raise Illegal("no chance outcome is due here")
                outcome = check(due, codec.read_outcome(deck, state, due, entry))
                if sealed and outcome != sealed.throw(due, throws):
                    raise Illegal("the sealed dice threw something else")
                played.steps.append((due, outcome))
                state, throws = rules.resolve_chance(state, outcome), throws + 1
            else:
                state = _play(played, state, due, entry)
        except Refused as error:
            raise InvalidRecord(str(error), number) from None
        played.states.append(state)
    return played


def _play(played: Replay, state: GameState, due: PendingChance | None, entry: Mapping[str, object]) -> GameState:
    head = played.top
    _check_keys(entry, {"seat", "action"}, {"seat", "action"})
    seat = _named("seat", entry["seat"], int)
    if not 0 <= seat < len(head.seats):
        raise Invalid("there is no seat {seat}, only 0 to {last}", seat=seat, last=len(head.seats) - 1)
    if due is not None:
        raise Illegal("a chance outcome is due before anybody acts")
    acting = head.package.rules.to_act(state.public)
    if not acting:
        raise Illegal("the game is over")
    if seat not in acting:
        raise Illegal(
            "it is the turn of seat {acting}, not of seat {seat}",
            acting=", ".join(map(str, acting)),
            seat=seat,
        )
    for action in head.package.record.read_action(played.deck, state, seat, entry["action"]):
        played.steps.append((seat, action))
        state = head.package.rules.apply(state, seat, action)
    return state


def outcome(played: Replay) -> dict[str, object]:
    """The output of `spieltisch replay --json` for a record."""
    result = played.top.package.rules.result(played.state.public)
    ranking, scores, end = (result.ranking, result.scores, result.end) if result else (None, None, None)
    return {
        "game": played.top.package.name,
        "over": result is not None,
        "ranking": None if ranking is None else [list(group) for group in ranking],
        "scores": None if scores is None else {str(seat): score for seat, score in enumerate(scores)},
        "end": end,
        "state": played.top.package.record.write_state(played.top.deck, played.state),
    }  # fmt: skip


def verify(raw: object) -> str:
    """Recompute every chance outcome of a record from its revealed seed. Returns the seal that was published.

    Raises InvalidRecord for a missing tag, a seed that does not fit the seal, or a different outcome.
    """
    head = top(raw)
    missing = [tag for tag in ("seal", "seed", "dice") if tag not in head.tags]
    if missing:
        raise InvalidRecord(
            f"has no tag {', '.join(missing)}: only records of a table's finished games can be verified"
        )
    if head.tags["dice"] != DICE:
        raise InvalidRecord(f"unknown dice {head.tags['dice']!r}: only {DICE} can be verified")
    try:
        seed = bytes.fromhex(head.tags["seed"])
        sealed = dice.CommittedDice(seed, "deal")
    except (ValueError, Refused):
        raise InvalidRecord("the tag seed is not 16 bytes in hex") from None
    if dice.seal(seed) != head.tags["seal"]:
        raise InvalidRecord("the seed does not match the seal: its SHA-256 differs")
    replay(raw, sealed=sealed, order=dice.alias_order(seed, len(head.deck.cards)))
    return head.tags["seal"]


# -- writing -------------------------------------------------------------------------------------------------


def write(
    package: Package, options: Struct, deck: HasCards, order: Sequence[int], names: Sequence[str],
    steps: Iterable[Step], tags: dict[str, str] | None = None,
) -> dict[str, object]:  # fmt: skip
    """Write the record of a game. `deck` is in its own order, `order` is that of its rows at the table.

    The numbers in steps are the table's. A step is (pending chance, outcome) or (seat, action).
    """
    codec, rules, laid = package.record, package.rules, aliased(deck, order)
    state, log = rules.setup(len(names), options, laid), []
    for who, what in steps:
        if isinstance(what, Struct):
            assert isinstance(who, int)
            codec.write_action(laid, state, who, what, log)
        else:
            assert not isinstance(who, int)
            log.append(codec.write_outcome(laid, state, who, what))
        state = dice.after(rules, state, (who, what))
    head = {"format": FORMAT, "game": package.name, **codec.dump(options, deck), "seats": list(names)}
    if codec.by_row:
        head["rows"] = list(order)
    return head | ({"tags": tags} if tags else {}) | {"log": log}


def text(record: dict[str, object]) -> str:
    """A record as readable text: one line for each entry."""
    head = {key: record[key] for key in record if key != "log"}
    lines = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in read(record["log"], list[object]))
    top_lines = ",\n".join(f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items())
    return f'{{{top_lines[1:]},\n "log": [\n{lines}\n]}}\n'
