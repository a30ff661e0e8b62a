"""A game that is over, round by round: whose card was when, and what bots thought: for the page after the end."""

from collections.abc import Sequence
from typing import Any

from spieltisch.decks.dates import years
from spieltisch.games.trailblaze.news import Dealt, Revealed
from spieltisch.i18n import Translator
from spieltisch.protocols import FinishedGame

REVIEW = "What was believed"


def review(games: Sequence[FinishedGame], seats: int, thoughts: Sequence[Any], tr: Translator) -> dict[str, Any]:
    """The context of `review.html`. `thoughts` are those of the bots, of all rounds."""
    rounds: list[list[Revealed]] = []
    for one in games[0].news:
        if isinstance(one, Dealt) and one.round > len(rounds):
            rounds.append([])
        elif isinstance(one, Revealed):
            rounds[-1].append(one)
    thought = {(one.round, one.seat): one for one in thoughts}
    revealed = [one for cards in rounds for one in cards]
    return {
        "accounts": [_account(seat, [one for one in revealed if one.seat == seat], tr) for seat in range(seats)],
        "rounds": [
            {"n": n, "cards": [_card(one, thought.get((n, one.seat)), tr) for one in cards]}
            for n, cards in enumerate(rounds, 1)
            if cards
        ],
    }


def _own(one: Revealed) -> int | None:
    """The column where its holder placed a stone of their own."""
    return next((stone.column for stone in one.stones if stone.pattern is not None), None)


def _account(seat: int, cards: Sequence[Revealed], tr: Translator) -> dict[str, Any]:
    """How many of its stones were right, and how many a column beside."""
    off = [abs(column - one.column) for one in cards if (column := _own(one)) is not None]
    return {"seat": seat, "right": _of(off.count(0), len(off), tr), "near": _of(off.count(1), len(off), tr)}


def _of(part: int, whole: int, tr: Translator) -> str:
    return tr._("{n} of {m}").format(n=part, m=whole) if whole else "–"


def _card(one: Revealed, thought: Any, tr: Translator) -> dict[str, Any]:
    column, period = _own(one), one.period[tr.lang]
    return {
        "seat": one.seat,
        "text": one.card.text[tr.lang],
        "when": period if one.year is None else one.year,
        "right": None if column is None else column == one.column,
        "thought": _thought(thought, tr) if thought else "",
    }


def _thought(one: Any, tr: Translator) -> str:
    said, lang = tr._("“I thought of {years}, so {period}, with {n} %.”"), tr.lang
    return said.format(years=years(one.years)[lang], period=one.period[lang], n=round(100 * one.chance))
