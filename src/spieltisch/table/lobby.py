"""Before the game begins: a code for the table, what was chosen, who sits where."""

import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import date

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch import daily, games
from spieltisch.decks.choosing import Choosable
from spieltisch.decks.library import Library, released
from spieltisch.decks.things import in_play
from spieltisch.dice import numbered, seal
from spieltisch.game import HasCards, Illegal, Invalid
from spieltisch.package import Package
from spieltisch.table.log import Chair, Header, TableSetup, deck_names, encode_deck
from spieltisch.table.session import TableSession

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no two look alike
FRESH_DEALS = 100  # tries to deal a game for one that can be played at all
CODE = 8  # characters; tables of former versions have 6, and keep them
_LINK = re.compile(r"/CLASS/[A-Z0-9]+/STRIP#([A-Z0-9]+)|/(?:T|CLASS)/([A-Z0-9]+(?:-[1-9][0-9]{0,3})?)(?![A-Z0-9])")
_GAME = re.compile(r"[A-Z0-9]{6}(?:[A-Z0-9]{2})?-[1-9][0-9]{0,3}")  # of an evening: its table's code and number
_LENGTHS = (CODE, 6, 5, 10)  # lengths of codes: tables, classes, strips of pupils


def new_code() -> str:
    """A short public code of 39.6 random bits."""
    return "".join(secrets.choice(SIGNS) for _ in range(CODE))


def code_in(text: str) -> str:
    """The code in a typed or pasted text: in a link, with spaces, hyphens, dots or invisible characters, or among other
    words. Without a code, all letters and digits of the text.
    """
    said = unicodedata.normalize("NFKC", text).upper()
    if link := _LINK.search(said):
        return link[1] or link[2]
    signs = _signs(said)
    if len(signs) != CODE and _GAME.fullmatch(said.strip()):
        return said.strip()
    if len(signs) in _LENGTHS:
        return signs
    words = [word for word in map(_signs, said.split()) if len(word) in _LENGTHS and {*word} <= {*SIGNS}]
    return min(words, key=lambda word: (word.isalpha(), _LENGTHS.index(len(word))), default=signs)


def _signs(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text)


def options_and_deck(package: Package, top: dict[str, object], seats: int, library: Library) -> tuple[Struct, HasCards]:
    """Options and deck for what was chosen. Raises Invalid, with the reason, if they do not fit together."""
    rules = package.rules
    package.require_seats(seats)
    options, deck = package.record.load(top, seats, library)
    rules.setup(seats, options, in_play(deck))
    return options, deck


def require_fits(package: Package, top: dict[str, object], seats: int, library: Library, day: str = "") -> None:
    """Raise Invalid, with the reason, unless this many can play with what was chosen, or with the cards of a `day`."""
    library.ask(_fits, deck_names(top), package.name, seats, msgspec.json.encode(top), day)


def _fits(library: Library, _names: Sequence[str], game: str, seats: int, top: bytes, day: str) -> None:
    _chosen(library, games.package(game), msgspec.json.decode(top), seats, day)


class Packed(Struct, frozen=True):
    """What a game begins with: options, the encoded deck and its hash, and the seed of a daily."""

    options: Struct
    hash: str
    body: bytes
    seed: bytes | None = None


def packed(package: Package, setup: TableSetup, library: Library) -> Packed:
    """Options and deck for what was chosen. Raises Invalid, with the reason, if they do not fit together."""
    asked = package.name, len(setup.chairs), msgspec.json.encode(setup.top), setup.day
    return library.ask(_packed, deck_names(setup.top), *asked)


def _packed(library: Library, _names: Sequence[str], game: str, seats: int, top: bytes, day: str) -> Packed:
    package = games.package(game)
    options, deck = _chosen(library, package, msgspec.json.decode(top), seats, day)
    deck_of_day = package.daily.deck if day else ""
    seed = daily.seed(game, date.fromisoformat(day), released(deck_of_day).hash) if deck_of_day else None
    return Packed(options, *encode_deck(deck), seed)


def _chosen(
    library: Library, package: Package, top: dict[str, object], seats: int, day: str
) -> tuple[Struct, HasCards]:
    """Options and deck; of the deck only the day's cards if the daily chooses them."""
    options, deck = options_and_deck(package, top, seats, library)
    if not day or not package.daily.deck:
        return options, deck
    assert isinstance(deck, Choosable)
    of_day = {*package.daily.cards(package.name, date.fromisoformat(day), released(package.daily.deck))}
    deck = replace(deck, cards=tuple(card for card in deck.cards if card.id in of_day))
    package.rules.setup(seats, options, in_play(deck))
    return options, deck


def new_setup(
    package: Package, seats: int, top: dict[str, object] | None, now: float, library: Library, deal: int = 0,
    day: str = "",
) -> TableSetup:  # fmt: skip
    """A new table with free chairs. Raises Invalid if the choice does not fit together.

    `top` None means the game's default. `deal` is the number of its deal (0: secret), `day` the day of its daily ("":
    none).
    """
    if deal and package.rules.seats[-1] > 1:
        raise Invalid("Only solo games have numbered deals.")
    if top is None:
        top = dict(package.record.default)
    require_fits(package, top, seats, library, day)
    chairs = tuple(Chair() for _ in range(seats))
    return TableSetup(new_code(), package.name, top, chairs, created=now, touched=now, deal=deal, day=day)


def checked_change(package: Package, old: TableSetup, new: TableSetup, library: Library) -> TableSetup:
    """The new setup, checked. Raises Illegal if a running game would change its choices or its number of chairs."""
    fixed = (old.id, old.game, old.stage, old.created, old.header, old.deal, old.day, old.number)
    if (new.id, new.game, new.stage, new.created, new.header, new.deal, new.day, new.number) != fixed:
        raise Illegal("You cannot change that once the table is open.")
    if old.day and new.top != old.top:
        raise Illegal("The daily is the same for everybody. Open another table to choose cards and options.")
    if (new.top, len(new.chairs)) != (old.top, len(old.chairs)):
        if old.stage != "waiting":
            raise Illegal("The game has begun. Options and seats can no longer change.")
        require_fits(package, new.top, len(new.chairs), library, new.day)
    return new


def without_free_chairs(package: Package, setup: TableSetup) -> TableSetup:
    """The setup without free chairs. Raises Illegal if too few remain."""
    taken = tuple(chair for chair in setup.chairs if chair.kind != "free")
    if len(taken) < package.rules.seats[0]:
        raise Illegal("A seat is still free. Wait for somebody, or add a bot.")
    return replace(setup, chairs=taken) if setup.stage == "waiting" else setup


def require_ready(setup: TableSetup) -> None:
    """Raise Illegal, with the reason, unless the game can begin."""
    if setup.stage != "waiting":
        raise Illegal("The game has already begun.")
    if any(chair.kind == "free" for chair in setup.chairs):
        raise Illegal("A seat is still free. Wait for somebody, or add a bot.")


def started(package: Package, setup: TableSetup, what: Packed, seed: bytes | None = None) -> tuple[TableSetup, bytes]:
    """The setup of the game that begins, and its seed. Unless a deal's number or a `seed` is given, the deal has a
    first move: one in forty of Adaman's has none.
    """
    require_ready(setup)
    if setup.deal:
        return _dealt(package, setup, what, numbered(package.name, setup.deal))
    seed = seed or what.seed
    if seed is not None:
        return _dealt(package, setup, what, seed)
    for _ in range(FRESH_DEALS):
        dealt = _dealt(package, setup, what, secrets.token_bytes(16))
        if len(setup.chairs) > 1 or _has_first_move(package, *dealt, what.body):
            break
    return dealt


def _dealt(package: Package, setup: TableSetup, what: Packed, seed: bytes) -> tuple[TableSetup, bytes]:
    builtins = msgspec.to_builtins(what.options)
    header = Header(package.name, package.rules.version, len(setup.chairs), builtins, what.hash, seal(seed))
    return replace(setup, stage="playing", header=header, countdown=None), seed


def _has_first_move(package: Package, setup: TableSetup, seed: bytes, body: bytes) -> bool:
    return bool(TableSession(package, setup, seed, body).deal()[0].to_act)


def random_deal(package: Package, top: dict[str, object] | None, library: Library) -> int:
    """The number of a random deal that has a first move."""
    while True:
        number = 1 + secrets.randbelow(999_999_999)
        setup = replace(new_setup(package, 1, top, 0.0, library, number), chairs=(Chair(kind="bot"),))
        what = packed(package, setup, library)
        if _has_first_move(package, *started(package, setup, what), what.body):
            return number
