"""The look back at a finished game, move by move: could it still be won, and how good was each move by what the player
knew?

`thoughts` come from the analysis: one for each move, with `action` and `best` as records write them.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from spieltisch.games.adaman import positions
from spieltisch.games.adaman.chances import Look, Written
from spieltisch.games.adaman.decktet import Card, paid_with
from spieltisch.games.adaman.news import Ended
from spieltisch.games.adaman.positions import CLEAR
from spieltisch.games.adaman.state import Control, Finished, GameState, Public
from spieltisch.i18n import Translator
from spieltisch.package import Section

TARGET, PAID, BETTER = "tgt", "paid", "best"  # marks on the board for a move's cards


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """The pile, which nobody saw, with the next card first."""
    pile = [state.public.deck.cards[card] for card in state.hidden.pile]
    lines = [f"{card.name[tr.lang]} {card.value or ''}".strip() for card in pile]
    return [Section(tr._("The pile, next card first"), lines)] if lines else []


def mistakes(game: Finished, seat: int, thoughts: Sequence[Look], before: Callable[[int], Public]) -> list[str]:
    """The moments with a mistaken payment, for games with the basic deck."""
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
    """The context of `review.html`: comments on each move, with the board as it stood before the move.

    The chance before a move is that of its best move. So the loss of a move is a mistake, and the change from one move
    to the next is luck. The turning point of a lost game is the move that lost the most. If none lost much, `unlucky`
    is the move whose new cards cost most. The last chance is the last move before which somebody who knew the pile
    could have won.
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
    """The comment on a move. `step` is its moment in the replay; `then` the chance after the new cards, with the
    uncertainty `spread`; `can` whether the game could be won after it.
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
    """The loss in win probability against the best move."""
    return one.best_chance - one.chance


def _mistake(one: Look) -> float:
    """The loss if it is significant, else 0. A mistake is only a loss outside the 95 % interval."""
    return lost if (lost := _lost(one)) > max(CLEAR, one.error) else 0.0


def _target(action: Written) -> str:
    return action["excuse"] if "excuse" in action else action["control"]


def _mark(
    marks: dict[int, list[str]], action: Written, cards: Mapping[str, tuple[int, Card, int]], target: str, paid: str
) -> None:
    """Mark the card that a move wins, and the cards paid for it."""
    for card, mark in [(_target(action), target), *((one, paid) for one in action.get("with", ()))]:
        marks.setdefault(cards[card][0], []).append(mark)


def _said(action: Written, cards: Mapping[str, tuple[int, Card, int]], tr: Translator) -> dict[str, object]:
    """A move in words: its card, the payment, how much too much that was, and all in one sentence."""
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
    """The course of the chances in a 100 × 100 square: a line, and the area below it. A slope is a move's loss, a
    vertical step the effect of new cards. `x`, `y`: the points at the beginning and after each move.
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
