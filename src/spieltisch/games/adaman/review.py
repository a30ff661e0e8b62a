"""A game that is over, move by move: could it still be won, and how good was each move from what was known then?

`thoughts` are those of the analysis: one a move, with `action` and `best` as records write them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.games.adaman.news import Ended
from spieltisch.games.adaman.state import GameState
from spieltisch.i18n import Translator
from spieltisch.protocols import FinishedGame, Section

CLEAR = 0.05  # a difference of chances that is more than the luck of the imagined piles
TARGET, PAID, BETTER = "tgt", "paid", "best"  # how the cards of a move are marked on the board


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
    """The context of `review.html`: what is to be said of each move, shown on the board as it stood before the move.

    The turning point of a lost game is the move that cost most of what was to be had by what was known, or if none cost
    much, that with which the chances fell most; the last chance is the last move before which somebody who knew the
    pile could have won.
    """
    can = [one.winnable for one in thoughts]
    last = max((i for i, one in enumerate(can) if one), default=-1)
    lost = bool(can) and can[-1] is not True
    deck, worth = games[0].dealt.public.deck, games[0].dealt.public.worth
    cards = {card.id: (n, card, worth.ranks[n]) for n, card in enumerate(deck.cards)}
    won = any(isinstance(one, Ended) and one.how == "won" for one in games[0].news)
    known = [*can[1:], won]
    moments = [_moment(i, thoughts, cards, tr, can=known[i]) for i in range(len(thoughts))]
    worst = max(range(len(thoughts)), key=lambda i: _lost(thoughts[i]), default=0)
    if lost and _lost(thoughts[worst]) <= CLEAR:  # nothing was done wrong
        worst = min(range(len(thoughts)), key=lambda i: thoughts[i].chance - _before(i, thoughts))
    turning = moments[worst] if lost else None
    chance = moments[last] if lost and last >= 0 and None not in can[last:] else None
    return {
        "label": can[0] if can else None,
        "turning": turning,
        "last_chance": chance,
        "maybe": lost and None in can,
        "moments": moments,
        "start": worst + 1,
        "course": _course(thoughts) if thoughts else None,
    }


def _moment(i: int, thoughts: Sequence[Any], cards: Mapping[str, Any], tr: Translator, *, can: bool | None) -> Any:
    """What is to be said of a move. `step`: the moment of the replay before it; `can`: whether it could be won after
    it.
    """
    one = thoughts[i]
    before, better = _before(i, thoughts), _lost(one) > CLEAR
    marks: dict[int, list[str]] = {}
    _mark(marks, one.action, cards, TARGET, PAID)
    if better:
        _mark(marks, one.best, cards, BETTER, BETTER)
    return {
        "n": i + 1,
        "step": i + 1,
        **_said(one.action, cards, tr),
        "can": can,
        "from": str(round(100 * before)),
        "before": _percent(before, tr),
        "after": _percent(one.chance, tr),
        "falls": one.chance < before - CLEAR,
        "rises": one.chance > before + CLEAR,
        "better": _said(one.best, cards, tr) | {"chance": _percent(one.best_chance, tr)} if better else None,
        "elsewhere": better and _target(one.best) != _target(one.action),
        "marks": {card: " ".join(found) for card, found in marks.items()},
    }


def _lost(one: Any) -> float:
    """How much likelier a win was with the best move."""
    return one.best_chance - one.chance


def _before(i: int, thoughts: Sequence[Any]) -> float:
    """The chance before a move: that after the one before, and at the beginning that of the best move."""
    return thoughts[i - 1].chance if i else thoughts[0].best_chance


def _target(action: Mapping[str, Any]) -> str:
    return action["excuse"] if "excuse" in action else action["control"]


def _mark(
    marks: dict[int, list[str]], action: Mapping[str, Any], cards: Mapping[str, Any], target: str, paid: str
) -> None:
    """Mark the card that a move wins, and those that are paid for it."""
    for card, mark in [(_target(action), target), *((one, paid) for one in action.get("with", ()))]:
        marks.setdefault(cards[card][0], []).append(mark)


def _said(action: Mapping[str, Any], cards: Mapping[str, Any], tr: Translator) -> dict[str, Any]:
    """A move in words: its card, the payment, by how much that was too much, and all in a sentence."""
    _, card, rank = cards[_target(action)]
    name = card.name[tr.lang]
    if "excuse" in action:
        aloud = tr._("for the Excuse: {card}").format(card=name)
        return {"name": name, "rank": "", "paid": tr._("moves for the Excuse"), "over": "", "aloud": aloud}
    paid = [cards[one] for one in action["with"]]
    payment = " + ".join(f"{one.name[tr.lang]} {worth}" for _, one, worth in paid)
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


def _course(thoughts: Sequence[Any]) -> dict[str, Any]:
    """The chances from move to move in a square of 100: a line, and the area below it."""
    chances = [_before(0, thoughts), *(one.chance for one in thoughts)]
    x = [round(100 * i / len(thoughts), 2) for i in range(len(chances))]
    y = [round(100 - 100 * chance, 1) for chance in chances]
    line = f"M{' '.join(f'{across} {down}' for across, down in zip(x, y, strict=True))}"
    return {
        "x": x,
        "y": y,
        "line": line,
        "area": f"{line}L100 100L0 100Z",
        "marks": list(range(5, len(thoughts) - 1, 5)),
    }
