"""How Adaman is told to a language model: cards that can be won have letters, resources have numbers."""

import re
from collections.abc import Sequence
from string import ascii_uppercase

from spieltisch import package
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.page import SUITS
from spieltisch.games.adaman.state import Action, Control, GameView, Hidden, Own, Public
from spieltisch.i18n import N_, Translator

RULES = N_(
    "This is Adaman, a solitaire with the Decktet. Cards have a rank from 1 (ace) to 10 and one to three"
    " suits. Eleven of the 36 cards are personalities. Every card lies open; only the order of the pile is"
    " unknown.\n"
    "The capital has five cards, and you have five resources. A personality that turns up among the resources"
    " goes to the palace instead. A move wins a card from the capital or the palace: you pay with resources."
    " Each card that you pay with must share a suit with the card you win, and their ranks together must be"
    " at least its rank. They are gone. A personality that you win is discarded and counts; any other card"
    " joins your resources. Then the capital is filled to five cards from the pile, then the resources.\n"
    "You win when the pile is empty and no personality is left in the capital or the palace. You lose when"
    " you cannot move, and at once when a sixth card comes to the palace. Points: the ranks of discarded"
    " personalities, and if you win those of your resources.\n"
    "A move looks like this: “win B with 1 3” (card B for your resources 1 and 3). If the Excuse turns up among"
    " the capital or the resources, a card of the other row takes its place: “move 2” or “move B”."
)


class Prompt(package.Prompt[Options, Public, Own, Hidden, Action]):
    """The game in text alone."""

    listed = False

    def rules(self, _options: Options, tr: Translator, /) -> str:
        return tr._(RULES)

    def ask(self, view: GameView, tr: Translator, /) -> Sequence[str]:
        p = view.public
        names = _names(p)
        rows = ((N_("Palace:"), p.palace), (N_("Capital:"), p.capital), (N_("Your resources:"), p.resources))
        told = ["\n".join([tr._(title), *(_card(p, card, names, tr) for card in row)]) for title, row in rows]
        won = ", ".join(p.deck.cards[card].name[tr.lang] for card in p.personalities) or "–"
        told.append(tr._("In the pile: {n}. Personalities won: {cards}").format(n=p.pile, cards=won))
        if p.excuse:
            told.append(tr._("The Excuse has turned up. Move a card for it."))
        away = {*p.palace, *p.capital, *p.resources, *p.personalities, *p.discarded}
        left = ", ".join(_short(p, card, tr) for card in range(len(p.deck.cards)) if card not in away)
        return ["\n\n".join(told), tr._("Still in the pile, in an unknown order: {cards}").format(cards=left or "–")]

    def write(self, view: GameView, action: Action, tr: Translator, /) -> str:
        names = _names(view.public)
        if isinstance(action, Control):
            paid = " ".join(names[card] for card in action.payment)
            return tr._("win {card} with {payment}").format(card=names[action.target], payment=paid)
        return tr._("move {card}").format(card=names[action.card])

    def read(self, view: GameView, legal: Sequence[Action], text: str, tr: Translator, /) -> Action:
        """Resources may be named in any order."""
        head, *_ = re.split(r"(?<=\s)\d", text, maxsplit=1)
        paid = re.findall(r"\d+", text[len(head) :])
        if re.fullmatch(r"[\d\s,]+", text[len(head) :]):
            text = head + " ".join(sorted(paid, key=int))
        return super().read(view, legal, text, tr)


def _names(p: Public) -> dict[int, str]:
    """The name of every card on the table."""
    named = dict(zip((*p.palace, *p.capital), ascii_uppercase, strict=False))
    return named | {card: str(number) for number, card in enumerate(p.resources, 1)}


def _card(p: Public, card: int, names: dict[int, str], tr: Translator) -> str:
    person = f", {tr._('personality')}" if p.deck.cards[card].person else ""
    return f"{names[card]}. {_short(p, card, tr)}{person}"


def _short(p: Public, card: int, tr: Translator) -> str:
    """A card with what counts: "Diplomat 8 (Moons, Suns)"."""
    one = p.deck.cards[card]
    return f"{one.name[tr.lang]} {one.value} ({', '.join(tr._(SUITS[suit]) for suit in one.suits)})"
