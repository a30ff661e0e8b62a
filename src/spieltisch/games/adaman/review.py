"""A game that is over, move by move: could it still be won, and how good was each move from what was known then?

`thoughts` are those of the analysis: one a move, with `action` and `best` as records write them.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from spieltisch.games.adaman import positions
from spieltisch.games.adaman.chances import Look, Written
from spieltisch.games.adaman.decktet import Card
from spieltisch.games.adaman.news import Ended
from spieltisch.games.adaman.news_text import paid_with
from spieltisch.games.adaman.positions import CLEAR
from spieltisch.games.adaman.state import Control, Finished, GameState, Public
from spieltisch.i18n import Translator
from spieltisch.package import Section

TARGET, PAID, BETTER = "tgt", "paid", "best"  # how the cards of a move are marked on the board


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """What nobody saw: the pile, with the next card first."""
    pile = [state.public.deck.cards[card] for card in state.hidden.pile]
    lines = [f"{card.name[tr.lang]} {card.value or ''}".strip() for card in pile]
    return [Section(tr._("The pile, next card first"), lines)] if lines else []


def mistakes(game: Finished, seat: int, thoughts: Sequence[Look], before: Callable[[int], Public]) -> list[str]:
    """The moments at which a payment was a mistake, of games with the basic deck."""
    deck = game.dealt.public.deck
    numbers = {card.id: number for number, card in enumerate(deck.cards)}
    found = []
    for move, one in enumerate(thoughts):
        if _mistake(one) > 0 and "control" in one.action and positions.is_basic(game.dealt.public):
            paid = tuple(numbers[card] for card in one.action["with"])
            found.append(positions.written(before(move), Control(numbers[one.action["control"]], paid)))
    return found


def review(
    games: Sequence[Finished],
    seats: int,
    thoughts: Sequence[Look],
    tr: Translator,
) -> dict[str, object]:
    """The context of `review.html`: what is to be said of each move, shown on the board as it stood before the move.

    Before a move the chance is that of its best move, so what a move loses is a mistake, and what changes from one move
    to the next is luck. The turning point of a lost game is the move that lost most; where none lost much, `unlucky` is
    the one whose new cards cost most. The last chance is the last move before which somebody who knew the pile could
    have won.
    """
    can = [one.winnable for one in thoughts]
    last = max((i for i, one in enumerate(can) if one), default=-1)
    lost = bool(can) and can[-1] is not True
    deck, worth = games[0].dealt.public.deck, games[0].dealt.public.worth
    cards = {card.id: (n, card, worth.ranks[n]) for n, card in enumerate(deck.cards)}
    won = any(isinstance(one, Ended) and one.how == "won" for one in games[0].news)
    before = [*(one.best_chance for one in thoughts), float(won)]
    known = [*can[1:], won]
    spreads = [*(one.spread for one in thoughts[1:]), 0.0]
    moments = [_moment(i, one, before[i + 1], spreads[i], cards, tr, can=known[i]) for i, one in enumerate(thoughts)]
    worst = max(range(len(thoughts)), key=lambda i: _mistake(thoughts[i]), default=0)
    wrong = bool(thoughts) and _mistake(thoughts[worst]) > 0
    if lost and not wrong:
        worst = max(range(len(thoughts)), key=lambda i: thoughts[i].chance - before[i + 1])
    chance = moments[last] if lost and last >= 0 and None not in can[last:] else None
    return {
        "label": can[0] if can else None,
        "turning": moments[worst] if lost and wrong else None,
        "unlucky": moments[worst] if lost and not wrong and moments[worst]["luck"] == "bad" else None,
        "last_chance": chance,
        "maybe": lost and None in can,
        "moments": moments,
        "start": worst + 1,
        "course": _course(thoughts, before) if thoughts else None,
    }


def _moment(
    i: int,
    one: Look,
    then: float,
    spread: float,
    cards: Mapping[str, tuple[int, Card, int]],
    tr: Translator,
    *,
    can: bool | None,
) -> dict[str, object]:
    """What is to be said of a move. `step`: the moment of the replay before it; `then`: the chance after its new cards,
    which may be off by `spread`; `can`: whether it could be won after it.
    """
    better = _mistake(one) > 0
    clear = max(CLEAR, math.hypot(one.spread, spread))
    marks: dict[int, list[str]] = {}
    _mark(marks, one.action, cards, TARGET, PAID)
    if better:
        _mark(marks, one.best, cards, BETTER, BETTER)
    return {
        "n": i + 1,
        "step": i + 1,
        **_said(one.action, cards, tr),
        "can": can,
        "from": str(round(100 * one.best_chance)),
        "before": _percent(one.best_chance, tr),
        "to": str(round(100 * one.chance)),
        "after": _percent(one.chance, tr),
        "then": _percent(then, tr),
        "luck": "bad" if then < one.chance - clear else "good" if then > one.chance + clear else "",
        "right": _lost(one) <= 0,
        "better": _said(one.best, cards, tr) | {"chance": _percent(one.best_chance, tr)} if better else None,
        "elsewhere": better and _target(one.best) != _target(one.action),
        "marks": {card: " ".join(found) for card, found in marks.items()},
    }


def _lost(one: Look) -> float:
    """How much likelier a win was with the best move."""
    return one.best_chance - one.chance


def _mistake(one: Look) -> float:
    """The same where that is certain, else 0: a move is called a mistake only outside the interval of what is known."""
    return lost if (lost := _lost(one)) > max(CLEAR, one.error) else 0.0


def _target(action: Written) -> str:
    return action["excuse"] if "excuse" in action else action["control"]


def _mark(
    marks: dict[int, list[str]], action: Written, cards: Mapping[str, tuple[int, Card, int]], target: str, paid: str
) -> None:
    """Mark the card that a move wins, and those that are paid for it."""
    for card, mark in [(_target(action), target), *((one, paid) for one in action.get("with", ()))]:
        marks.setdefault(cards[card][0], []).append(mark)


def _said(action: Written, cards: Mapping[str, tuple[int, Card, int]], tr: Translator) -> dict[str, object]:
    """A move in words: its card, the payment, by how much that was too much, and all in a sentence."""
    _, card, rank = cards[_target(action)]
    name = card.name[tr.lang]
    if "excuse" in action:
        aloud = tr._("for the Excuse: {card}").format(card=name)
        return {"name": name, "rank": "", "paid": tr._("moved for the Excuse"), "over": "", "aloud": aloud}
    paid = [cards[one] for one in action["with"]]
    payment = paid_with((one for _, one, _ in paid), tr)
    over = sum(worth for *_, worth in paid) - rank
    return {
        "name": name,
        "rank": str(rank),
        "paid": payment,
        "over": tr._("{n} too much").format(n=over) if over else "",
        "aloud": tr._("{card} with {payment}").format(card=name, payment=payment),
    }


def _percent(chance: float, tr: Translator) -> str:
    return tr._("{n} %").format(n=round(100 * chance))


def _course(thoughts: Sequence[Look], before: Sequence[float]) -> dict[str, object]:
    """The chances in a square of 100: a line, and the area below it. It slopes where a move lost something, and stands
    upright where new cards changed the chance. `x`, `y`: where it is at the beginning and after each move.
    """
    chances = [before[0], *(one.chance for one in thoughts)]
    x = [round(100 * i / len(thoughts), 2) for i in range(len(chances))]
    y = [round(100 - 100 * chance, 1) for chance in chances]
    drawn = [round(100 - 100 * chance, 1) for chance in before]
    points = " ".join(f"{x[i]} {down}" for i in range(len(x)) for down in (y[i], drawn[i]))
    line = f"M{points}"
    return {
        "x": x,
        "y": y,
        "line": line,
        "area": f"{line}L100 100L0 100Z",
        "marks": list(range(5, len(thoughts) - 1, 5)),
    }
