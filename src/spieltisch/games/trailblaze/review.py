"""A game that is over, round by round: whose card was when, and what bots thought: for the page after the end."""

from collections.abc import Iterable, Sequence
from typing import Any

from spieltisch.decks.dates import years
from spieltisch.games.trailblaze.news import Dealt, News, Revealed
from spieltisch.games.trailblaze.state import Table

REVIEW = "What was believed"


def review(
    games: Sequence[tuple[Table, Iterable[News]]], seats: int, thoughts: Sequence[Any], says: Any
) -> dict[str, Any]:
    """The context of `review.html`. `thoughts` are those of the bots, of all rounds."""
    rounds: list[list[Revealed]] = []
    for one in games[0][1]:
        if isinstance(one, Dealt) and one.round > len(rounds):
            rounds.append([])
        elif isinstance(one, Revealed):
            rounds[-1].append(one)
    thought = {(one.round, one.seat): one for one in thoughts}
    revealed = [one for cards in rounds for one in cards]
    return {
        "accounts": [_account(seat, [one for one in revealed if one.seat == seat], says) for seat in range(seats)],
        "rounds": [
            {"n": n, "cards": [_card(one, thought.get((n, one.seat)), says) for one in cards]}
            for n, cards in enumerate(rounds, 1)
            if cards
        ],
    }


def _own(one: Revealed) -> int | None:
    """The column where its holder placed a stone of their own."""
    return next((stone.column for stone in one.stones if stone.pattern is not None), None)


def _account(seat: int, cards: Sequence[Revealed], says: Any) -> dict[str, Any]:
    """How many of its stones were right, and how many a column beside."""
    off = [abs(column - one.column) for one in cards if (column := _own(one)) is not None]
    return {"seat": seat, "right": _of(off.count(0), len(off), says), "near": _of(off.count(1), len(off), says)}


def _of(part: int, whole: int, says: Any) -> str:
    return says._("{n} of {m}").format(n=part, m=whole) if whole else "–"


def _card(one: Revealed, thought: Any, says: Any) -> dict[str, Any]:
    column, period = _own(one), one.period[says.lang]
    return {
        "seat": one.seat,
        "text": one.card.text[says.lang],
        "when": period if one.year is None else one.year,
        "right": None if column is None else column == one.column,
        "thought": _thought(thought, says) if thought else "",
    }


def _thought(one: Any, says: Any) -> str:
    said, lang = says._("“I thought of {years}, so {period}, with {n} %.”"), says.lang
    return said.format(years=years(one.years)[lang], period=one.period[lang], n=round(100 * one.chance))
