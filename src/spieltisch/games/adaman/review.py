"""A game that is over, move by move: could it still be won, and how good was each move from what was known then?

`thoughts` are those of the analysis: one a move, with `action` and `best` as records write them.
"""

from collections.abc import Sequence
from typing import Any

from spieltisch.decks.decktet import Card
from spieltisch.games.adaman.news import Ended
from spieltisch.games.adaman.state import GameState
from spieltisch.i18n import Translator
from spieltisch.protocols import FinishedGame, Section

CLEAR = 0.05  # a difference of chances that is more than the luck of the imagined piles
WIDE, HIGH = 240, 60  # of the drawing


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """What nobody saw: the pile, with the next card first."""
    pile = [state.public.deck.cards[card] for card in state.hidden.pile]
    lines = [f"{card.name[tr.lang]} {card.value or ''}".strip() for card in pile]
    return [Section(tr._("The pile, next card first"), lines)] if lines else []


def review(
    games: Sequence[FinishedGame],
    seats: int,
    thoughts: Sequence[Any],
    tr: Translator,
) -> dict[str, Any]:
    """The context of `review.html`. What is said of a move is how it stood after it, as its `step` in the replay."""
    can = [one.winnable for one in thoughts]
    last = max((i for i, one in enumerate(can) if one), default=-1)
    lost = bool(can) and can[-1] is not True
    known = {card.id: card for card in games[0].dealt.public.deck.cards}
    won = any(isinstance(one, Ended) and one.how == "won" for one in games[0].news)
    after = [*can[1:], won]
    moves = [_move(i, one, known, tr, can=after[i]) for i, one in enumerate(thoughts)]
    return {
        "label": can[0] if can else None,
        "turning": moves[last] if lost and last >= 0 and None not in can[last:] else None,
        "maybe": lost and None in can,
        "moves": moves,
        "coached": all(one.coached for one in thoughts),
        "course": _course([one.chance for one in thoughts]) if len(thoughts) > 1 else None,
    }


def _move(i: int, one: Any, known: dict[str, Card], tr: Translator, *, can: bool | None) -> dict[str, Any]:
    """`before` and `step` are the moments before and after the move; `can`: whether it could be won after it."""
    better = one.best_chance.middle - one.chance.middle > CLEAR
    return {
        "n": i + 1,
        "before": i + 1,
        "step": i + 2,
        "told": _told(one.action, known, tr),
        "can": can,
        "chance": _percent(one.chance, tr),
        "best": _percent(one.best_chance, tr) if better else "",
        "best_told": _told(one.best, known, tr) if better else "",
    }


def _told(action: dict[str, Any], known: dict[str, Card], tr: Translator) -> str:
    """A move in words: "Diplomat with Forest 5 + Mountain 4"."""
    if "excuse" in action:
        return tr._("for the Excuse: {card}").format(card=known[action["excuse"]].name[tr.lang])
    paid = [known[card] for card in action["with"]]
    payment = " + ".join(f"{card.name[tr.lang]} {card.value}" for card in paid)
    name = known[action["control"]].name[tr.lang]
    return tr._("{card} with {payment}").format(card=name, payment=payment)


def _percent(chance: Any, tr: Translator) -> str:
    low, high = round(100 * chance.low), round(100 * chance.high)
    return tr._("{n} %").format(n=low if low == high else f"{low}–{high}")


def _course(chances: Sequence[Any]) -> str:
    """The chances from move to move, as the path of a drawing: a line, or the band between lower and upper ones."""
    x = [round(WIDE * i / (len(chances) - 1)) for i in range(len(chances))]
    above = [f"{at} {round(HIGH - (HIGH - 2) * one.high)}" for at, one in zip(x, chances, strict=True)]
    below = [f"{at} {round(HIGH - (HIGH - 2) * one.low)}" for at, one in zip(x, chances, strict=True)]
    return f"M{' '.join(above)}L{' '.join(reversed(below))}Z"
