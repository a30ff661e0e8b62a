"""What the page draws, worked out from a view: cards with their names, targets with a payment proposed, the end."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.decks.decktet import EXTRA, Card, cards
from spieltisch.defaults import DefaultPage
from spieltisch.game import State, View
from spieltisch.games.adaman.news import Controlled, Ended, Moved, News, PassedOver, TurnedUp
from spieltisch.games.adaman.record import PRESETS
from spieltisch.games.adaman.review import REVIEW, review
from spieltisch.games.adaman.rules import ROW, Action, Cards, Control, Excuse, Own, Public, score
from spieltisch.games.adaman.truth import truth
from spieltisch.i18n import Translator
from spieltisch.protocols import FinishedGame, OptionField, Pieces, Section

__all__ = ["HINTS", "REVIEW", "choose", "hinted", "options", "prepare", "review", "standing", "tell", "truth"]

SUITS = {"moon": "Moons", "sun": "Suns", "wave": "Waves", "leaf": "Leaves", "wyrm": "Wyrms", "knot": "Knots"}
KINDS = {"ace": "Ace", "crown": "Crown", "pawn": "Pawn", "court": "Court"}
NAMES = {
    "basic": "Basic deck",
    "excuse": "With the Excuse",
    "extended": "All 45 cards",
    "easy": "Easier",
    "hard": "Harder",
    "own": "Own choice",
}
ENDS = {
    "won": ("The realm is yours.", "No personality stands in your way any more."),
    "lost": ("No moves left.", "Your plot has come to nothing. Better luck next time."),
    "hanged": ("You hang.", "The sixth personality has come to the palace."),
}


# -- the table -----------------------------------------------------------------------------------------------


def prepare(view: View[Public, Own], legal: Sequence[Action], tr: Translator) -> dict[str, Any]:
    """The context of `table.html` besides the house's."""
    p = view.public
    acting = bool(legal)
    controls = acting and p.excuse is None
    people = [card.value for card in p.deck.cards if card.person]
    return {
        "cards_in_play": tr._(NAMES[_preset([card.id for card in p.deck.cards if card.kind in EXTRA])]),
        "palace": [_shown(p, card, tr, target=controls) for card in p.palace],
        "capital": [_shown(p, card, tr, target=controls, moves=acting and p.excuse == "capital") for card in p.capital],
        "resources": [
            _shown(p, card, tr, pays=controls, moves=acting and p.excuse == "resource") for card in p.resources
        ],
        "gaps": ROW - len(p.palace),
        "excuse": p.excuse if acting else None,
        "controls": controls,
        "won": len(p.personalities),
        "people": len(people),
        "most": sum(people),
        "score": score(p),
        "ended": _ended(p, tr) if p.end else None,
        "still": _still_to_come(p, tr),
    }


def _shown(
    p: Public, number: int, tr: Translator, *, target: bool = False, pays: bool = False, moves: bool = False
) -> dict[str, Any]:
    """A card of the table, and what can be done with it. The Excuse itself does not move."""
    card = p.deck.cards[number]
    return {
        "number": number,
        "card": card,
        "name": card.name[tr.lang],
        "label": label(card, tr),
        "target": target,
        "preset": " ".join(str(n) for n in proposed(p, number)) if target else "",
        "pays": pays,
        "moves": moves and card.kind != "excuse",
    }


def label(card: Card, tr: Translator) -> str:
    """A card in words: "Diplomat, 8, Moons and Suns, personality"."""
    parts = [card.name[tr.lang]]
    if card.kind == "number":
        parts.append(str(card.value))
    elif card.kind != "excuse":
        parts += [tr._(KINDS[card.kind]), tr._("counts {n}").format(n=card.value)]
    if card.suits:
        parts.append(_in_a_row([tr._(SUITS[suit]) for suit in card.suits], tr))
    types = [tr._("personality")] if card.person else []
    types += [tr._("event")] if card.event else []
    types += [tr._("location")] if card.place else []
    if types:
        parts.append(_in_a_row(types, tr))
    return ", ".join(parts)


HINTS = 3  # there is a move; which card to win; what to pay


def hinted(view: View[Public, Own], legal: Sequence[Action], action: Action, step: int, tr: Translator) -> str:
    """What a step of a hint tells."""
    cards_ = view.public.deck.cards
    if isinstance(action, Excuse):
        if step == 1:
            words = tr.ngettext("{n} card can move for the Excuse.", "{n} cards can move for the Excuse.", len(legal))
            return words.format(n=len(legal))
        return tr._("For the Excuse I would move: {card}.").format(card=cards_[action.card].name[tr.lang])
    if step == 1:
        n = len({one.target for one in legal if isinstance(one, Control)})
        words = tr.ngettext("There is a move: {n} card can be won.", "There is a move: {n} cards can be won.", n)
        return words.format(n=n)
    name = cards_[action.target].name[tr.lang]
    if step == 2:
        return tr._("I would win: {card}. What will you pay?").format(card=name)
    paid = " + ".join(f"{cards_[card].name[tr.lang]} {cards_[card].value}" for card in action.payment)
    return tr._("I would win: {card} with {payment}.").format(card=name, payment=paid)


def _in_a_row(words: list[str], tr: Translator) -> str:
    *some, last = words
    return tr._("{some} and {last}").format(some=", ".join(some), last=last) if some else last


def proposed(p: Public, target: int) -> Cards:
    """The cheapest payment: least overpaid, then of the fewest cards. All that fits where nothing is enough."""
    ranks, suits = p.worth.ranks, p.worth.suits
    fitting = [card for card in p.resources if suits[card] & suits[target]]
    payments = [
        (total, n, paid)
        for n in range(1, len(fitting) + 1)
        for paid in itertools.combinations(fitting, n)
        if (total := sum(ranks[card] for card in paid)) >= ranks[target]
    ]
    return min(payments)[2] if payments else tuple(fitting)


def _still_to_come(p: Public, tr: Translator) -> list[dict[str, Any]]:
    """What lies in the pile, as anybody can tell from the cards seen: by rank, personalities first."""
    seen = {*p.capital, *p.palace, *p.resources, *p.personalities, *p.discarded}
    unseen = [card for number, card in enumerate(p.deck.cards) if number not in seen]
    unseen.sort(key=lambda card: (not card.person, card.value, card.id))
    return [{"card": card, "name": card.name[tr.lang], "label": label(card, tr)} for card in unseen]


def _ended(p: Public, tr: Translator) -> dict[str, Any]:
    assert p.end is not None
    people = sum(p.worth.ranks[card] for card in p.personalities)
    title, text = ENDS[p.end]
    return {
        "how": p.end,
        "title": tr._(title),
        "text": tr._(text),
        "score": score(p),
        "people": people,
        "left": score(p) - people if p.end == "won" else None,
        "standing": sum(p.worth.people) - len(p.personalities),
        "sixth": p.deck.cards[p.palace[-1]].name[tr.lang] if p.end == "hanged" else "",
    }


def standing(p: Public, tr: Translator) -> str:
    """How far somebody is, for those who race on the same deal."""
    return tr._("{n} of {all} won over").format(n=len(p.personalities), all=sum(p.worth.people))


# -- news ----------------------------------------------------------------------------------------------------


def tell(news: News, tr: Translator) -> str:
    """What happened, in one sentence. Names stand after a colon, for in German they would need their articles."""
    match news:
        case Controlled(card, payment):
            paid = " + ".join(f"{one.name[tr.lang]} {one.value}" for one in payment)
            return tr._("Won: {card} with {payment}.").format(card=card.name[tr.lang], payment=paid)
        case TurnedUp(card, "capital"):
            return tr._("New in the capital: {card}.").format(card=card.name[tr.lang])
        case TurnedUp(card, "palace"):
            return tr._("New in the palace: {card}.").format(card=card.name[tr.lang])
        case TurnedUp(card, _):
            return tr._("New among the resources: {card}.").format(card=card.name[tr.lang])
        case Moved(card, "capital"):
            return tr._("For the Excuse to the capital: {card}.").format(card=card.name[tr.lang])
        case Moved(card, "palace"):
            return tr._("For the Excuse to the palace: {card}.").format(card=card.name[tr.lang])
        case Moved(card, _):
            return tr._("For the Excuse to the resources: {card}.").format(card=card.name[tr.lang])
        case PassedOver():
            return tr._("The Excuse comes and goes: there is nothing to move for it.")
        case Ended(how, points):
            words = tr.ngettext("{end} {n} point.", "{end} {n} points.", points)
            return words.format(end=tr._(ENDS[how][0]), n=points)


# -- options -------------------------------------------------------------------------------------------------


def options(top: Mapping[str, Any], seats: int, tr: Translator) -> list[OptionField]:  # noqa: ARG001
    """A preset by its name, and the added cards one by one."""
    extra = top.get("options", {}).get("extra", [])
    preset = _preset(extra)
    names = [(name, tr._(words)) for name, words in NAMES.items() if name in PRESETS or name == preset]
    added = [card for card in cards() if card.kind in EXTRA]
    return [
        OptionField(
            kind="select",
            name="preset",
            label=tr._("Deck"),
            help=tr._("Easier: pawns and courts that are no personalities. Harder: those that are."),
            value=preset,
            choices=names,
        ),
        OptionField(
            kind="checks",
            name="extra",
            label=tr._("Added cards"),
            help=tr._("Pawns and courts count 10. The Excuse makes a card change its row."),
            value=list(extra),
            choices=[(card.id, card.name[tr.lang]) for card in added],
        ),
    ]


def choose(top: Mapping[str, Any], form: Mapping[str, list[str]]) -> dict[str, Any]:
    """The options anew: a preset that was changed counts, else the cards that are ticked."""
    before = _preset(top.get("options", {}).get("extra", []))
    preset = form.get("preset", [before])[-1]
    if preset not in (before, "own"):
        return {**top, "options": PRESETS[preset]}
    ticked = set(form.get("extra", []))
    extra = [card.id for card in cards() if card.kind in EXTRA and card.id in ticked]
    return {**top, "options": {"extra": extra} if extra else {}}


def _preset(extra: Sequence[str]) -> str:
    return next((name for name, what in PRESETS.items() if set(what.get("extra", ())) == set(extra)), "own")


class Page(DefaultPage):
    """How this game is shown and told."""

    hint_steps = HINTS
    review_title = REVIEW

    def options(self, top: Mapping[str, Any], seats: int, tr: Translator) -> Sequence[OptionField] | None:
        """The fields of the waiting room; None: as the annotations of the rules' `Options` say."""
        return options(top, seats, tr)

    def choose(self, top: Mapping[str, Any], form: Mapping[str, list[str]]) -> dict[str, Any] | None:
        """The top keys with what the form says; None: as `Options` say. LookupError or ValueError for no choice."""
        return choose(top, form)

    def hinted(self, view: View[Any, Any], legal: Sequence[Any], action: Any, step: int, tr: Translator) -> str:
        """What a step of a hint tells in words; "" where it is only shown."""
        return hinted(view, legal, action, step, tr)

    def standing(self, public: Any, tr: Translator) -> str:
        """How far somebody is, for those who race on the same deal."""
        return standing(public, tr)

    def review(
        self, games: Sequence[FinishedGame], seats: int, thoughts: Sequence[Any], tr: Translator
    ) -> dict[str, Any]:
        """The context of `review.html`; the newest game first. `thoughts` are the analysis's, else the bots'."""
        return review(games, seats, thoughts, tr)

    def hidden(self, state: State[Any, Any, Any], tr: Translator) -> Sequence[Section]:
        """What lay hidden at a moment of a finished game."""
        return truth(state, tr)

    def prepare(self, view: View[Public, Own], legal: Sequence[Any], tr: Translator, pieces: Pieces) -> dict[str, Any]:
        """The context of `table.html` besides the common one."""
        return prepare(view, legal, tr)

    def tell(self, news: News, public: Public, tr: Translator) -> str:
        """What happened, in one sentence."""
        return tell(news, tr)
