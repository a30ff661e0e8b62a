"""People and bots on chairs: their names, and the chair they sit on."""

import random
from collections.abc import Sequence

from msgspec.structs import replace

from spieltisch.game import Illegal
from spieltisch.i18n import common_translator
from spieltisch.languages import language
from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.table.names import addresses, imitates, same, tidy
from spieltisch.table.seat_keys import returns_to, seats_of


def free_name(name: str, setup: TableSetup, seat: int | None = None) -> str:
    """The name, numbered if somebody at the table already has it. Raises Illegal for an imitation of a name, and for
    words that address the reader, such as "You".
    """
    others = [chair for i, chair in enumerate(setup.chairs) if i != seat]
    taken = [one.name for chair in others for one in (chair, chair.lender) if one is not None and one.name]
    if addresses(name):
        raise Illegal("The game uses this word for “you”. Choose another name.")
    if imitated := next((one for one in taken if imitates(name, one)), ""):
        raise Illegal("This name looks like {name}’s. Choose another one.", name=imitated)
    return _numbered(name, taken)


def _numbered(name: str, taken: Sequence[str]) -> str:
    tries = (name if n == 1 else f"{name} {n}" for n in range(1, 99))
    return next(one for one in tries if not any(same(one, other) for other in taken))


def bot(setup: TableSetup, lang: str) -> Chair:
    """A chair with a bot that has its own name."""
    birds = language(setup.lang or lang).birds
    taken = {chair.name for chair in setup.chairs}
    free = [bird for bird in birds if bird not in taken] or [_numbered(birds[0], [*taken])]
    return Chair(name=random.choice(free), kind="bot")  # noqa: S311 - a name


def person(name: str, key: str, lang: str, setup: TableSetup, now: float, seat: int | None = None) -> Chair:
    """A chair with a person who sits down now."""
    said = tidy(name) or common_translator(lang)._("Guest")
    return Chair(name=free_name(said, setup, seat), kind="person", key=key_of(key), sat=now)


def back(setup: TableSetup, key: str) -> TableSetup:
    """The setup in which the person with this key plays on all their seats again."""
    for seat in {*seats_of(setup, key), *returns_to(setup, key)}:
        chair = setup.chairs[seat]
        own = chair.lender if chair.lender is not None and chair.key != key_of(key) else chair
        setup = with_chair(setup, seat, replace(own, away=False, left=False, offered=False, holding=False))
    return setup


def with_chair(setup: TableSetup, seat: int, chair: Chair) -> TableSetup:
    """The setup with this chair on the seat."""
    return replace(setup, chairs=tuple(chair if i == seat else old for i, old in enumerate(setup.chairs)))
