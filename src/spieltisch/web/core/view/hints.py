"""What the house would do, told step by step: in games for one, where it knows no more than the player."""

import hashlib

import msgspec
from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.game import GameView, Illegal
from spieltisch.i18n import Translator
from spieltisch.table.table import Table


class Hint(Struct, frozen=True):
    """What the house would do, and how much of it is told: each of the page's `hint_steps` tells more."""

    action: Struct
    step: int


def can_hint(table: Table, seat: int | None) -> bool:
    """Whether this seat may ask for a hint now."""
    return seat is not None and len(table.setup.chairs) == 1 and table.package.bot.gives_hints and seat in table.to_act


def step_of_hint(table: Table, seat: int | None, question: int, step: int | None) -> int:
    """The step that is asked for (None: all is told); Illegal where no hint is given for this question."""
    last = table.package.page.hint_steps
    step = last if step is None else step
    if seat is None or not can_hint(table, seat) or table.question(seat) != question or not 1 <= step <= last:
        raise Illegal("There is no hint for this.")
    return step


def asked(table: Table, seat: int) -> tuple[GameView, Struct]:
    """What the house is asked with: what the seat sees, and the first action that is open to it."""
    return table.view(seat), table.legal(seat)[0]


def bots_choice(table: Table, seat: int) -> Struct:
    """What the game's own bot would do; in the same position always the same."""
    view = table.view(seat)
    seen = int.from_bytes(hashlib.sha256(msgspec.json.encode(view)).digest()[:8], "big")
    return table.package.bot.choose(view, table.legal(seat), FastDice(seen), None)


def hint_words(table: Table, seat: int | None, hint: Hint, tr: Translator) -> str:
    """What this step of the hint tells, in words; "" where the game's page shows it only."""
    if seat is None:
        return ""
    return table.package.page.hinted(table.view(seat), table.legal(seat), hint.action, hint.step, tr)
