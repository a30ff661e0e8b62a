"""Hints in games for one, told step by step. The bot that gives them knows no more than the player."""

import hashlib

import msgspec
from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.game import GameView, Illegal
from spieltisch.i18n import Translator
from spieltisch.table.table import Table


class Hint(Struct, frozen=True):
    """The suggested action, and how much of it to tell. Each of the page's `hint_steps` tells more."""

    action: Struct
    step: int


def can_hint(table: Table, seat: int | None) -> bool:
    """Whether this seat may ask for a hint now."""
    return seat is not None and len(table.setup.chairs) == 1 and table.package.bot.gives_hints and seat in table.to_act


def step_of_hint(table: Table, seat: int | None, question: int, step: int | None) -> int:
    """Return the step asked for (None: the last). Raises Illegal if there is no hint for this question."""
    last = table.package.page.hint_steps
    step = last if step is None else step
    if seat is None or not can_hint(table, seat) or table.question(seat) != question or not 1 <= step <= last:
        raise Illegal("There is no hint for this.")
    return step


def asked(table: Table, seat: int) -> tuple[GameView, Struct]:
    """Return what the analysis gets: the seat's view and its first legal action."""
    return table.view(seat), table.legal(seat)[0]


def bots_choice(table: Table, seat: int) -> Struct:
    """Return what the game's bot would do: always the same in the same position."""
    view = table.view(seat)
    seen = int.from_bytes(hashlib.sha256(msgspec.json.encode(view)).digest()[:8], "big")
    return table.package.bot.choose(view, table.legal(seat), FastDice(seen), None)


def hint_words(table: Table, seat: int | None, hint: Hint, tr: Translator) -> str:
    """Return this step of the hint in words; "" if the game's page only shows it."""
    if seat is None:
        return ""
    return table.package.page.hinted(table.view(seat), table.legal(seat), hint.action, hint.step, tr)
