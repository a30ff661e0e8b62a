"""Practice payments: a year of moments where one payment is clearly best, and the explanation of any payment.

`payments.txt` has a line for each, written by `spieltisch study adaman payments`: the moment, then payments with their
chances in per cent, best first (`12:3+4=61`). A final `!` means that the solver has proven every other payment to lose
with every pile.
"""

import functools
import random
from pathlib import Path

from msgspec import Struct

from spieltisch.decks.tasks import Lying, Scene, Task, day_of
from spieltisch.games.adaman import positions
from spieltisch.games.adaman.decktet import paid_with
from spieltisch.games.adaman.page import label
from spieltisch.games.adaman.state import Cards, Control, Public
from spieltisch.i18n import N_, Translator


class Payment(Struct, frozen=True):
    """A moment and its offered payments, best first, each with its chance."""

    moment: str
    offered: tuple[tuple[Control, float], ...]
    proven: bool


@functools.cache
def payments() -> tuple[Payment, ...]:
    """The shipped payments."""
    file = Path(__file__).parent / "payments.txt"
    return tuple(map(_read, file.read_text("utf-8").splitlines())) if file.is_file() else ()


def _read(line: str) -> Payment:
    moment, *offered = line.removesuffix(" !").split()
    parts = (one.split("=") for one in offered)
    return Payment(
        moment, tuple((positions.payment_of(one), int(chance) / 100) for one, chance in parts), line[-1] == "!"
    )


def written(payment: Payment) -> str:
    """The line of a payment."""
    offered = (f"{positions.payment_text(one)}={round(100 * chance)}" for one, chance in payment.offered)
    return " ".join([payment.moment, *offered, *["!"] * payment.proven])


def task(card: str, dice: random.Random) -> Task | None:
    """The task of a day (`day/2026-11-28`); None for any other card."""
    found = of(card)
    return None if found is None else positions.task(card, found.offered, None, dice)


def of(card: str) -> Payment | None:
    """The payment of a day."""
    day = day_of(card)
    return None if day is None or not payments() else payments()[day.toordinal() % len(payments())]


def scene(task: Task, tr: Translator) -> Scene | None:
    """The cards of the moment, and the payments in words."""
    public = _public(task.card)
    if public is None:
        return None
    rows = ((tr._("Palace"), public.palace), (tr._("Capital"), public.capital), (tr._("Resources"), public.resources))
    pile = tr.ngettext("{n} card in the pile", "{n} cards in the pile", public.pile).format(n=public.pile)
    shown = [(f"{title}, {pile}" if not n else title, _lying(public, row, tr)) for n, (title, row) in enumerate(rows)]
    return Scene(
        tuple(shown),
        tr._("Adaman: what do you win, and what do you pay?"),
        tuple(_words(public, positions.payment_of(one), tr) for one in task.shown),
    )


def why(task: Task, answer: int, tr: Translator) -> str:
    """Compare the best payment with the chosen or second-best one, and explain what can be seen of the difference."""
    public, shipped = _public(task.card), of(task.card)
    if public is None:
        return ""
    best = task.right[0]
    other = task.beside(answer)
    said = [
        tr._("It wins {a} of 100 such games. {other}: {b}.").format(
            a=round(100 * task.worth[best]),
            b=round(100 * task.worth[other]),
            other=_words(public, positions.payment_of(task.shown[other]), tr),
        )
    ]
    one, two = (len(_open(public, positions.payment_of(task.shown[n]))) for n in (best, other))
    if one > two:
        words = N_("After it {n} of the open cards can still be won, after the other payment {m}.")
        said.append(tr._(words).format(n=one, m=two))
    if shipped is not None and shipped.proven:
        words = N_("The solver has proven that after any other payment the game is lost, whatever comes from the pile.")
        said.append(tr._(words))
    return " ".join(said)


def _open(public: Public, made: Control) -> list[int]:
    """The open cards that the player could win next, before new ones turn up."""
    ranks, suits, people = public.worth.ranks, public.worth.suits, public.worth.people
    held = [card for card in public.resources if card not in made.payment]
    held += [] if people[made.target] else [made.target]
    targets = [card for card in (*public.palace, *public.capital) if card != made.target]
    return [one for one in targets if sum(ranks[card] for card in held if suits[card] & suits[one]) >= ranks[one]]


def _public(card: str) -> Public | None:
    shipped = of(card)
    found = positions.read(card if shipped is None else shipped.moment)
    return None if found is None else found[0].public


def _lying(public: Public, row: Cards, tr: Translator) -> tuple[Lying, ...]:
    cards = [public.deck.cards[card] for card in row]
    return tuple(
        Lying(card.name[tr.lang], str(card.value), tuple(f"suit-{suit}" for suit in card.suits), said=label(card, tr))
        for card in cards
    )


def _words(public: Public, action: Control, tr: Translator) -> str:
    cards = public.deck.cards
    paid = paid_with((cards[card] for card in action.payment), tr)
    return tr._("{card} with {payment}").format(card=cards[action.target].name[tr.lang], payment=paid)
