"""Decks in which every text and year is unique, and which of them a seat has been shown.

A marked deck plays like the original: years are multiplied and end with the row's number, equal forms stay equal, and
values that decide a rule (a Literal) stay as they are.
"""

import re
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

YEARS = {"year", "start", "end"}
FACTOR = 10_000  # makes a year a number that occurs nowhere else
KEPT = {"field"}  # fields that pages draw by their value
MARK = re.compile(r"mk[0-9]+q[a-z]+|(?<![0-9A-Za-z])[1-9][0-9]{6,7}(?![0-9A-Za-z])")


def marked(deck):
    """The deck with marks for texts. An open deck has no secrets to mark."""
    cards = tuple(_card(card, row) if isinstance(card, Struct) else card for row, card in enumerate(deck.cards))
    more = {}
    if hasattr(deck, "periods"):
        more["periods"] = tuple(
            replace(one, start=one.start * FACTOR, end=None if one.end is None else one.end * FACTOR + FACTOR - 1)
            for one in deck.periods
        )
    return replace(deck, cards=cards, **more)


def _literal(shape):
    return any(get_origin(part) is Literal for part in (shape, *get_args(shape)))


def _card(card, row):
    hints = get_type_hints(type(card))
    new = {}
    for name in card.__struct_fields__:
        value = getattr(card, name)
        if name in KEPT or _literal(hints[name]):
            continue
        new[name] = _value(value, name, row)
    return replace(card, **new)


def _value(value, name, row):
    if isinstance(value, str):
        return f"mk{sum(map(ord, value))}qf" if name == "form" else f"mk{row}q{name.replace('_', '')}"
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value * FACTOR + row if name in YEARS else value
    if isinstance(value, Struct):
        return replace(
            value, **{n: _value(getattr(value, n), n if n in YEARS else name + n, row) for n in value.__struct_fields__}
        )
    if isinstance(value, tuple):
        return tuple(_value(one, name, row) for one in value)
    return value


def marks(text):
    """The marks in a text; a two-digit year near zero is too short to be one."""
    return set(MARK.findall(text))


def shown(view):
    """The marks in a view; a year BC may be written one number lower, without a year zero."""
    found = marks(msgspec.json.encode(view).decode())
    return found | {str(int(mark) + 1) for mark in found if mark.isdigit()}
