"""The doubt ledger of a finished game: who laid the first error, who let it pass, and how doubts and errors paid.

It comes from the public news: the reveal at the end of a round dates all its cards.
"""

from collections.abc import Iterable

from msgspec import Struct

from spieltisch.games.annodomini import news as told
from spieltisch.games.annodomini.cards import Card, Reveal, wrong_pairs
from spieltisch.games.annodomini.news import News


class Round(Struct, frozen=True):
    """A round, from its reveal. `errors`: who laid each card that made another pair wrong, with the card, in order.
    `pairs`: the rows of that pair; of several, the one with the most years between. `passed`: who laid a card after the
    first error without doubting.
    """

    reveal: Reveal
    errors: tuple[tuple[int, Card], ...]
    pairs: tuple[tuple[int, int], ...]
    passed: tuple[int, ...]
    caught: bool  # the last error was doubted at once


class Account(Struct, frozen=True):
    """One seat's doubts and their outcome, and its errors: how many, and how many were doubted at once."""

    doubts: int
    right: int
    errors: int
    caught: int


def rounds(news: Iterable[News]) -> list[Round]:
    """The rounds of a game, from all its news."""
    chain: list[tuple[int, int | None, Card]] = []  # when, by whom, which card
    found = []
    for one in news:
        match one:
            case told.Started():
                chain = [(0, None, one.card)]
            case told.Placed():
                chain.insert(one.at, (len(chain), one.seat, one.card))
            case told.Opened():
                chain = [(0, one.seat, card) for card in one.cards]
            case told.Doubted():
                found.append(_round(chain, one.reveal))
    return found


def _round(chain: list[tuple[int, int | None, Card]], reveal: Reveal) -> Round:
    """Evaluate one round. A card is an error if there are more wrong pairs after it than before."""
    errors, pairs, passed, before = [], [], [], set[tuple[int, int]]()
    last, spans = False, [row.span for row in reveal.rows]
    for time in sorted({laid for laid, _, _ in chain}):
        there = [(at, by, card) for at, (laid, by, card) in enumerate(chain) if laid <= time]
        places = [at for at, _, _ in there]
        wrong = {(places[a], places[b]) for a, b in wrong_pairs(tuple(spans[at] for at in places))}
        newest = next(((by, card) for laid, by, card in chain if laid == time and by is not None), None)
        if newest is None:
            continue
        if errors:
            passed.append(newest[0])
        last = len(wrong) > len(before)
        if last:
            errors.append(newest)
            pairs.append(max(wrong - before, key=lambda pair: (spans[pair[0]].start - spans[pair[1]].end, pair)))
        before = wrong
    return Round(reveal, tuple(errors), tuple(pairs), tuple(passed), last)


def account(played: Iterable[Round], seat: int) -> Account:
    """The account of one seat. A doubt that comes by itself, after a last card, belongs to nobody."""
    own = [one for one in played if one.reveal.doubter == seat and not one.reveal.at_once]
    errors = [(one, n) for one in played for n, (by, _) in enumerate(one.errors) if by == seat]
    caught = sum(one.caught and n == len(one.errors) - 1 for one, n in errors)
    return Account(len(own), sum(not one.reveal.correct for one in own), len(errors), caught)
