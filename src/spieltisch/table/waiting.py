"""Before the game begins: a code for the table, what was chosen, who sits where."""

import secrets
from typing import Any

import msgspec
from msgspec.structs import replace

from spieltisch import record as records
from spieltisch.decks.shelf import Shelf
from spieltisch.dice import numbered, seal
from spieltisch.game import Illegal, Unreadable
from spieltisch.games import Room
from spieltisch.table.log import Chair, Header, Plan, encode_deck
from spieltisch.table.running import Running

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no two look alike


def code() -> str:
    """A short public code."""
    return "".join(secrets.choice(SIGNS) for _ in range(6))


def choice(room: Room, top: dict[str, Any], seats: int, shelf: Shelf) -> tuple[Any, Any]:
    """Options and deck for what was chosen; Unreadable, with the reason, where it does not go together."""
    rules = room.rules
    if seats not in rules.seats:
        raise Unreadable(
            "{game} is for {least} to {most} players, not {n}",
            game=rules.name,
            least=rules.seats[0],
            most=rules.seats[-1],
            n=seats,
        )
    codec = records.codec_of(room)
    options, deck = codec.load(top, seats, shelf) if hasattr(codec, "DECKS") else codec.load(top, seats)
    rules.setup(seats, options, deck)
    return options, deck


def opened(room: Room, seats: int, top: dict[str, Any] | None, now: float, shelf: Shelf, deal: int = 0) -> Plan:
    """A new table with free chairs; `top` None: the game's default; `deal`: the number of its deal, 0 for a secret
    one.
    """
    if deal and room.rules.seats[-1] > 1:
        raise Unreadable("Only games that are played alone have numbered deals.")
    if top is None:
        top = records.codec_of(room).DEFAULT
    choice(room, top, seats, shelf)
    chairs = tuple(Chair() for _ in range(seats))
    return Plan(code(), room.name, top, chairs, created=now, touched=now, deal=deal)


def changed(room: Room, old: Plan, new: Plan, shelf: Shelf) -> Plan:
    """The new plan, checked: what has begun keeps its game, its choices and its number of chairs."""
    fixed = (old.id, old.game, old.stage, old.created, old.header, old.deal)
    if (new.id, new.game, new.stage, new.created, new.header, new.deal) != fixed:
        raise Illegal("That cannot be changed at an open table.")
    if (new.top, len(new.chairs)) != (old.top, len(old.chairs)):
        if old.stage != "waiting":
            raise Illegal("The game has begun; options and seats stay as they are.")
        choice(room, new.top, len(new.chairs), shelf)
    return new


def begun(room: Room, plan: Plan, shelf: Shelf) -> tuple[Plan, bytes, bytes]:
    """The plan of the game that begins, its seed, and its deck as it is kept."""
    if plan.stage != "waiting":
        raise Illegal("The game has already begun.")
    if any(chair.kind == "free" for chair in plan.chairs):
        raise Illegal("There is still a free chair: somebody or a bot has to sit down first.")
    options, deck = choice(room, plan.top, len(plan.chairs), shelf)
    seed = numbered(room.name, plan.deal) if plan.deal else secrets.token_bytes(16)
    hash_, body = encode_deck(deck)
    builtins = msgspec.to_builtins(options)
    header = Header(room.name, room.rules.version, len(plan.chairs), builtins, hash_, seal(seed))
    return replace(plan, stage="playing", header=header), seed, body


def drawn(room: Room, top: dict[str, Any] | None, shelf: Shelf) -> int:
    """The number of a random deal that has a first move: one in forty of Adaman's is lost before it."""
    while True:
        number = 1 + secrets.randbelow(999_999_999)
        plan = replace(opened(room, 1, top, 0.0, shelf, number), chairs=(Chair(kind="bot"),))
        if Running(room, *begun(room, plan, shelf)).deal()[0].to_act:
            return number
