"""Actions as short lines of text, such as "place e12 at 3", and back.

An action's own line is its `str`; cards stand in it by number, "#12", since an action knows no deck. A game's `Record`
names them, see `DefaultRecord.card`.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from spieltisch.decks.text import folded
from spieltisch.game import Invalid

MOST = 12  # words that a refusal names
_CARD = re.compile(r"#(\d{1,9})\b")
_BARE = partial(folded, marks=False)


def line(action: Struct) -> str:
    """An action as a line, cards by number: its `str` where its type says one, else its kind and its values."""
    if type(action).__str__ is not object.__str__:
        return str(action)
    return f"{kind(action).lower()} {text_of(action)}".strip()


def named(text: str, name: Callable[[int], str]) -> str:
    """The text with the names of the cards that stand there by number; a number of no card stays."""

    def of(found: re.Match[str]) -> str:
        try:
            return name(int(found[1]))
        except IndexError:
            return found[0]

    return _CARD.sub(of, text)


def meant(text: str, lines: Sequence[str]) -> str:
    """The one of `lines` that the text is: blanks aside, and capitals, apostrophes and macrons where they tell nothing
    apart.

    Invalid where it is none of them, saying what could stand where it leaves them, or where it may be several.
    """
    words = text.split()
    found: list[str] = []
    for form in (str, folded, _BARE):
        said = [form(word) for word in words]
        found = [one for one in lines if [form(part) for part in one.split()] == said]
        if len(found) == 1:
            return found[0]
    if not lines:
        raise Invalid("there is nothing to do here")
    if found:
        raise Invalid("“{text}” could be any of these: {could}", text=text, could=", ".join(found[:MOST]))
    split, right = [one.split() for one in lines], 0
    while some := [parts for parts in split if _same(parts[right : right + 1], words[right : right + 1])]:
        split, right = some, right + 1
    could = list(dict.fromkeys(parts[right] if right < len(parts) else "" for parts in split))
    shown = [one or "nothing" for one in could]
    shown = [*shown[:MOST], f"… ({len(could)} in all)"] if len(could) > MOST else shown
    if not right:
        raise Invalid("“{text}” is not possible here, only: {could}", text=text, could=", ".join(shown))
    if could == [""]:
        raise Invalid(
            "“{text}” is not possible here: nothing comes after “{said}”", text=text, said=" ".join(words[:right])
        )
    raise Invalid(
        "“{text}” is not possible here: after “{said}” comes {could}",
        text=text, said=" ".join(words[:right]), could=", ".join(shown),
    )  # fmt: skip


def _same(some: Sequence[str], words: Sequence[str]) -> bool:
    return bool(words) and [*map(_BARE, some)] == [*map(_BARE, words)]


def kind(action: Struct) -> str:
    """An action's tag, as it stands in records and forms."""
    return str(type(action).__struct_config__.tag or type(action).__name__)


def text_of(value: object) -> str:
    """A value as people would write it down."""
    if isinstance(value, tuple | list):
        return ", ".join(map(text_of, value)) or "–"
    if isinstance(value, Struct):
        return " ".join(text_of(part) for part in msgspec.structs.asdict(value).values())
    return "–" if value is None else str(value)
