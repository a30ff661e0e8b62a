"""Decks to compare with: what a player of a deck owes to what it knows, and what to playing alone.

`renamed` has the same dates and words without meaning: nobody can know anything. `shifted` has the same words, each
with the date of another card: knowledge of the true dates misleads. Both have the dates of the deck.
"""

import random
from typing import Literal

from msgspec.structs import replace

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import in_all, message
from spieltisch.decks.table import COMMENTS, TEXTS, Row, Table, titled
from spieltisch.decks.text import ALWAYS
from spieltisch.decks.things import groups
from spieltisch.game import Invalid

Control = Literal["renamed", "shifted"]
_WORDS = (*COMMENTS.values(), "source", "fact", "review", "corrected", "field", "region", "goal", "level")


def control(deck: Deck, how: Control, seed: int) -> Deck:
    """The control deck; the same seed makes the same. Raises Invalid for a deck without events, or of one date."""
    kind = kind_of(deck.kind)
    if kind.strict or not kind.date:
        raise Invalid("Only decks of events have control decks.")
    dice = random.Random(seed)  # noqa: S311 - repeatable, not secret
    rows = _renamed(deck, dice) if how == "renamed" else _shifted(deck, dice)
    about = {key: said for key, said in deck.table.about.items() if key.partition("_")[0] in {"series", "eras"}}
    about = titled(about, deck.title.each(lambda title: f"{title} ({how})"))
    return replace(deck, name=f"{deck.name}-{how}", table=Table(about, rows), found=())


def _renamed(deck: Deck, dice: random.Random) -> list[Row]:
    """Rows and dates stay where they are; cards that were about one thing still are."""
    kind, rows = kind_of(deck.kind), deck.table.rows
    things = groups([kind.things(row, deck.name) for row in rows])
    tied = {row: f"thing {n}" for n, some in enumerate(things) for row in some}
    numbers = dice.sample(range(1, len(rows) + 1), len(rows))  # so that numbers tell nothing of the order
    return [
        Row(row.line, {
            **dict.fromkeys(row.cells, ""), **{key: row[key] for key in ("date", "series") if key in row.cells},
            **_event(n), "id": f"c{n:04}", "thing": tied.get(at, ""),
        })
        for at, (row, n) in enumerate(zip(rows, numbers, strict=True))
    ]  # fmt: skip


def _event(n: int) -> dict[str, str]:
    said = in_all(message("Event number {n}", n=n))
    return {TEXTS[tag]: said[tag] for tag in ALWAYS}


def _shifted(deck: Deck, dice: random.Random) -> list[Row]:
    """Each card gets another card's date: one round through all cards in a random order. Comments and sources, which
    tell the true date, are left out.
    """
    rows = deck.table.rows
    if len({row["date"] for row in rows}) < 2:
        raise Invalid("All cards have one date: there is nothing to shift.")
    turn = dice.sample(range(len(rows)), len(rows))
    dates = {at: rows[turn[place - 1]]["date"] for place, at in enumerate(turn)}
    return [
        Row(
            row.line, {**row.cells, **dict.fromkeys((one for one in _WORDS if one in row.cells), ""), "date": dates[at]}
        )
        for at, row in enumerate(rows)
    ]
