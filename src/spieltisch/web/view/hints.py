"""What a game's own bot would do, told step by step: in games for one, whose bot knows no more than the player."""

from typing import Any

from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.game import Illegal
from spieltisch.i18n import Translator
from spieltisch.table.table import Table


class Hint(Struct, frozen=True):
    """What the bot would do, and how much of it is told: each of the page's `hint_steps` tells more."""

    action: Any
    step: int


def can_hint(table: Table, seat: int | None) -> bool:
    """Whether this seat may ask for a hint now."""
    return seat is not None and len(table.setup.chairs) == 1 and table.package.bot.gives_hints and seat in table.to_act


def hint(table: Table, seat: int | None, question: int, step: int | None = None) -> Hint:
    """The action that the bot would take for this question; Illegal where none is given. `step` None: all is told."""
    last = table.package.page.hint_steps
    step = last if step is None else step
    if seat is None or not can_hint(table, seat) or table.question(seat) != question or not 1 <= step <= last:
        raise Illegal("There is no hint for this.")
    view, legal, dice = table.view(seat), table.legal(seat), FastDice(table.seq)  # the same at every step
    return Hint(table.package.bot.choose(view, legal, dice, None), step)


def hint_words(table: Table, seat: int | None, hint: Hint, tr: Translator) -> str:
    """What this step of the hint tells, in words; "" where the game's page shows it only."""
    if seat is None:
        return ""
    return table.package.page.hinted(table.view(seat), table.legal(seat), hint.action, hint.step, tr)
