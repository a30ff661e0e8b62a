"""A moment of a game as a short text, so that a task can bring it back.

Each card of the basic deck has a letter for its place, in deck order: `.` pile, `c` capital, `p` palace, `r` resources,
`w` won over, `d` discarded. A payment is written `12:3+4`: the number of the target, then those of the cards paid.
"""

import functools
import random
import re
from collections.abc import Sequence

from spieltisch.decks.tasks import Task
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.state import ROW, Cards, Control, GameView, Own, Public

CLEAR = 0.05
"""The difference of chances from which a move counts as worse."""
CHOICES = 4
_TEXT = re.compile(r"([.cprwd]{36})(?:/(\d{1,2}:\d{1,2}(?:\+\d{1,2}){0,4}))?")


@functools.cache
def _begun() -> Public:
    return rules.setup(1, Options(), decktet()).public


def is_basic(public: Public) -> bool:
    """Whether this is the basic deck, in any row order. Only its moments can be written."""
    return {*public.deck.cards} == {*_begun().deck.cards}


def written(public: Public, made: Control) -> str:
    """A moment of the basic deck and the payment made there, as a text that does not depend on the
    table's row order.
    """
    numbers = {card: number for number, card in enumerate(_begun().deck.cards)}
    own = [numbers[card] for card in public.deck.cards]
    rows = {
        "c": public.capital,
        "p": public.palace,
        "r": public.resources,
        "w": public.personalities,
        "d": public.discarded,
    }
    place = {own[card]: letter for letter, row in rows.items() for card in row}
    paid = Control(own[made.target], tuple(sorted(own[card] for card in made.payment)))
    return "".join(place.get(card, ".") for card in range(len(own))) + "/" + payment_text(paid)


def read(text: str) -> tuple[GameView, Control | None] | None:
    """The moment and the payment in a text; None if it is not one of this game."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    begun, places = _begun(), found[1]

    def row(letter: str) -> Cards:
        return tuple(card for card, place in enumerate(places) if place == letter)

    public = Public(
        begun.deck, begun.worth, places.count("."), row("c"), row("p"), row("r"), row("w"), row("d"),
    )  # fmt: skip
    rows = (public.capital, public.palace, public.resources)
    people = begun.worth.people
    wrong = any(people[card] for card in public.resources) or not all(
        people[card] for card in (*public.palace, *public.personalities)
    )
    view = GameView(0, public, Own())
    legal = rules.legal(view)
    made = None if found[2] is None else payment_of(found[2])
    if wrong or any(len(one) > ROW for one in rows) or not legal or (made is not None and made not in legal):
        return None
    return view, made


def payment_text(action: Control) -> str:
    """A payment as a text."""
    return f"{action.target}:{'+'.join(map(str, action.payment))}"


def payment_of(text: str) -> Control:
    """The payment in a text, its cards in deck order."""
    target, _, paid = text.partition(":")
    return Control(int(target), tuple(sorted(map(int, paid.split("+")))))


def task(card: str, judged: Sequence[tuple[Control, float]], made: Control | None, dice: random.Random) -> Task:
    """A task from a moment: the best payment, the one that was made, and others in random order, each with its win
    probability.
    """
    best = max(judged, key=lambda one: one[1])
    others = [one for one in judged if one is not best and one[0] != made]
    chosen = [best, *(one for one in judged if one[0] == made and one is not best)]
    chosen += dice.sample(others, min(len(others), CHOICES - len(chosen)))
    dice.shuffle(chosen)
    right = sorted(
        (n for n, (_, chance) in enumerate(chosen) if best[1] - chance <= CLEAR), key=lambda n: -chosen[n][1]
    )
    shown, worth = tuple(payment_text(one) for one, _ in chosen), tuple(chance for _, chance in chosen)
    return Task("best", "decktet", card, shown, len(chosen), tuple(right), worth)
