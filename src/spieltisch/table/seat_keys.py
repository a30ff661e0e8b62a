"""What a key opens at a table.

A *key* is 128 random bits, made for one browser or program at one table, for all games of its evening. The setup holds
only its SHA-256: as a chair's `key` for the person there, or as `owner` for the opener.
"""

import base64
import hmac
import secrets
from typing import NamedTuple

from spieltisch.table.log import Chair, Feed, TableSetup, key_of


def new_key() -> str:
    """A new key, 22 characters."""
    return secrets.token_urlsafe(16)


class Holdings(NamedTuple):
    """What a key opens at a table."""

    seats: tuple[int, ...]  # more than one if people share a device
    owner: bool  # its person opened the table, or stands in for that person
    returns: tuple[int, ...]  # the seats that it can take back
    asks: bool  # its person asks for a seat, or has one in the next game


def holdings(setup: TableSetup, key: str) -> Holdings:
    """What this key opens at the table."""
    if not key:
        return Holdings((), owner=False, returns=(), asks=False)
    return Holdings(seats_of(setup, key), owns(setup, key), returns_to(setup, key), asks(setup, key))


def seats_of(setup: TableSetup, key: str) -> tuple[int, ...]:
    """The seats that this key opens: several if people share a device, none after leaving."""
    if not key:
        return ()
    wanted = key_of(key)
    return tuple(seat for seat, chair in enumerate(setup.chairs) if not chair.left and _is_persons(chair, wanted))


def seat_of(setup: TableSetup, key: str) -> int | None:
    """The (first) seat that this key opens at the table."""
    return next(iter(seats_of(setup, key)), None)


def returns_to(setup: TableSetup, key: str) -> tuple[int, ...]:
    """The seats that this key can take back from a bot or another person. Until then it shows no hand."""
    if not key:
        return ()
    wanted = key_of(key)
    return tuple(
        seat
        for seat, chair in enumerate(setup.chairs)
        if (chair.left and _is_persons(chair, wanted))
        or (chair.lender is not None and hmac.compare_digest(chair.lender.key, wanted))
    )


def _is_persons(chair: Chair, wanted: str) -> bool:
    return chair.kind == "person" and bool(chair.key) and hmac.compare_digest(chair.key, wanted)


def recognizes(setup: TableSetup, key: str) -> bool:
    """Whether the table knows this key: it opens a seat, can take one back, asks for one, or opened the table."""
    return any(one(setup, key) for one in (seats_of, owns, returns_to, asks, opened))


def has_moved(setup: TableSetup, key: str) -> bool:
    """Whether a pupil no longer sits at this table of a class, or is called away from it."""
    return bool(setup.classroom and key) and (setup.called or not recognizes(setup, key))


def asks(setup: TableSetup, key: str) -> bool:
    """Whether somebody asks for a seat with this key, or has one in the next game."""
    waiting = (*setup.asks, *setup.guests)
    return bool(key) and any(hmac.compare_digest(one.key, key_of(key)) for one in waiting)


def opened(setup: TableSetup, key: str) -> bool:
    """Whether the table was opened with this key."""
    return bool(key and setup.owner) and hmac.compare_digest(setup.owner, key_of(key))


def owns(setup: TableSetup, key: str) -> bool:
    """Whether the person with this key decides at the table: they opened it, or stand in for the opener."""
    return bool(key and setup.decides) and hmac.compare_digest(setup.decides, key_of(key))


def new_feed(key: str) -> Feed:
    """A feed for the person with this key, at a new address."""
    salt = secrets.token_urlsafe(8)
    return Feed(salt, key_of(feed_key(key, salt)))


def feed_key(key: str, salt: str) -> str:
    """The key of a feed, 22 characters. The seat's key cannot be derived from it."""
    return base64.urlsafe_b64encode(hmac.digest(key.encode(), f"feed {salt}".encode(), "sha256")[:16]).decode()[:22]


def seats_of_feed(setup: TableSetup, key: str) -> tuple[int, ...]:
    """The seats of the feed with this key: several if people share a device."""
    wanted = key_of(key)
    return tuple(
        seat
        for seat, chair in enumerate(setup.chairs)
        if chair.feed is not None and hmac.compare_digest(chair.feed.hash, wanted)
    )
