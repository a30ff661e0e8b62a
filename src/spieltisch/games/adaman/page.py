"""The page, computed from a view: cards with their names, targets with a proposed payment, the end."""

import itertools
from collections.abc import Mapping, Sequence

from spieltisch import package
from spieltisch.games.adaman import review
from spieltisch.games.adaman.chances import Look
from spieltisch.games.adaman.decktet import EXTRA, Card, cards, in_a_row, paid_with
from spieltisch.games.adaman.news import ENDS, NEW, News, TurnedUp
from spieltisch.games.adaman.record import PRESETS
from spieltisch.games.adaman.rules import score
from spieltisch.games.adaman.state import ROW, Action, Cards, Control, Excuse, GameView, Hidden, Own, Public
from spieltisch.i18n import N_, Translator
from spieltisch.options import chosen
from spieltisch.package import OptionField, Pieces, Way, WayName

SUITS = {
    "moon": N_("Moons"),
    "sun": N_("Suns"),
    "wave": N_("Waves"),
    "leaf": N_("Leaves"),
    "wyrm": N_("Wyrms"),
    "knot": N_("Knots"),
}
KINDS = {"crown": N_("Crown"), "pawn": N_("Pawn"), "court": N_("Court")}
NAMES = {
    "basic": N_("Basic deck"),
    "excuse": N_("With the Excuse"),
    "extended": N_("All 45 cards"),
    "easy": N_("Easier"),
    "hard": N_("Harder"),
    "own": N_("Your own choice"),
}
WAYS: Mapping[WayName, Way] = {  # no quick way: every deck takes about twelve moves
    "classic": Way(words=N_("36 cards, as in the rules")),
    "children": Way(words=N_("five more cards that help"), options=PRESETS["easy"]),
}


class Page(package.Page[Public, Own, Hidden, Action, News, Look]):
    """Adaman's page and texts."""

    keys = ("hand", "targets", "places")
    ways = WAYS
    hint_steps = 3  # that there is a move; which card to win; what to pay
    review_title = N_("What could have been")
    hidden = staticmethod(review.hidden)
    has_mistakes = True
    mistakes = staticmethod(review.mistakes)
    review = staticmethod(review.review)

    def tell_step(self, news: Sequence[News], public: Public, tr: Translator) -> list[str]:
        """The sentences of one step. Cards turned up in a row are told row by row."""
        said: list[str] = []
        rows: dict[str, list[str]] = {}

        def filled() -> list[str]:
            return [tr._(NEW[row]).format(card=in_a_row(names, tr)) for row, names in rows.items()]

        for one in news:
            if isinstance(one, TurnedUp):
                rows.setdefault(one.row, []).append(one.card.name[tr.lang])
            else:
                said += [*filled(), one.tell(public, tr)]
                rows.clear()
        return [*said, *filled()]

    def prepare(self, view: GameView, legal: Sequence[Action], tr: Translator, pieces: Pieces) -> dict[str, object]:
        """The context of `table.html`, beyond the common one."""
        p = view.public
        acting = bool(legal)
        controls = acting and p.excuse is None
        people = [card.value for card in p.deck.cards if card.person]
        preset = _preset([card.id for card in p.deck.cards if card.kind in EXTRA])
        return {
            "preset": preset,
            "cards_in_play": tr._(NAMES[preset]),
            "palace": [_shown(p, card, tr, target=controls) for card in p.palace],
            "capital": [
                _shown(p, card, tr, target=controls, moves=acting and p.excuse == "capital") for card in p.capital
            ],
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

    def hinted(self, view: GameView, legal: Sequence[Action], action: Action, step: int, tr: Translator) -> str:
        """The text of one step of a hint."""
        cards_ = view.public.deck.cards
        if isinstance(action, Excuse):
            if step == 1:
                words = tr.ngettext(
                    "{n} card can move for the Excuse.", "{n} cards can move for the Excuse.", len(legal)
                )
                return words.format(n=len(legal))
            return tr._("For the Excuse I would move: {card}.").format(card=cards_[action.card].name[tr.lang])
        if step == 1:
            n = len({one.target for one in legal if isinstance(one, Control)})
            words = tr.ngettext("There is a move: {n} card can be won.", "There is a move: {n} cards can be won.", n)
            return words.format(n=n)
        name = cards_[action.target].name[tr.lang]
        if step == 2:
            return tr._("I would win: {card}. What will you pay?").format(card=name)
        paid = paid_with((cards_[card] for card in action.payment), tr)
        return tr._("I would win: {card} with {payment}.").format(card=name, payment=paid)

    def standing(self, public: Public, tr: Translator) -> str:
        """The player's progress, for people racing on the same deal."""
        return tr._("{n} of {all} won over").format(n=len(public.personalities), all=sum(public.worth.people))

    def options(self, top: Mapping[str, object], seats: int, tr: Translator) -> list[OptionField]:
        """Fields for a preset, and for each added card."""
        extra = chosen(top).get("extra", [])
        preset = _preset(extra)
        names = [(name, tr._(words)) for name, words in NAMES.items() if name in PRESETS or name == preset]
        added = [card for card in cards() if card.kind in EXTRA]
        return [
            OptionField(
                kind="select",
                name="preset",
                label=tr._("Deck"),
                help=tr._("Easier: with the pawns and courts that are not personalities. Harder: with those that are."),
                value=preset,
                choices=names,
            ),
            OptionField(
                kind="checks",
                name="extra",
                label=tr._("Added cards"),
                help=tr._("Pawns and courts count 10. The Excuse makes a card change rows."),
                value=list(extra),
                choices=[(card.id, card.name[tr.lang]) for card in added],
            ),
        ]

    def choose(self, top: Mapping[str, object], form: Mapping[str, list[str]]) -> dict[str, object]:
        """The new options: a changed preset counts first, then the ticked cards."""
        before = _preset(chosen(top).get("extra", []))
        preset = form.get("preset", [before])[-1]
        if preset not in (before, "own"):
            return {**top, "options": PRESETS[preset]}
        ticked = set(form.get("extra", []))
        extra = [card.id for card in cards() if card.kind in EXTRA and card.id in ticked]
        return {**top, "options": {"extra": extra} if extra else {}}

    def describe(self, view: GameView, action: Action, tr: Translator) -> str:
        """An action in words. Card names follow a colon, as in `tell`."""
        cards_ = view.public.deck.cards
        if isinstance(action, Excuse):
            return tr._("For the Excuse I move: {card}.").format(card=cards_[action.card].name[tr.lang])
        paid = paid_with((cards_[card] for card in action.payment), tr)
        return tr._("I win: {card} with {payment}.").format(card=cards_[action.target].name[tr.lang], payment=paid)


def _shown(
    p: Public, number: int, tr: Translator, *, target: bool = False, pays: bool = False, moves: bool = False
) -> dict[str, object]:
    """A card on the table, and what the player can do with it. The Excuse itself does not move."""
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
        parts += [tr._(KINDS[card.kind])] if card.kind in KINDS else []  # an ace is called "Ace of Moons"
        parts.append(tr._("counts {n}").format(n=card.value))
    if card.suits and card.kind != "ace":
        parts.append(in_a_row([tr._(SUITS[suit]) for suit in card.suits], tr))
    types = [tr._("personality")] if card.person else []
    types += [tr._("event")] if card.event else []
    types += [tr._("location")] if card.place else []
    if types:
        parts.append(in_a_row(types, tr))
    return ", ".join(parts)


def proposed(p: Public, target: int) -> Cards:
    """The cheapest payment: least overpaid, then with the fewest cards. If none suffices, all cards that fit."""
    ranks, suits = p.worth.ranks, p.worth.suits
    fitting = [card for card in p.resources if suits[card] & suits[target]]
    payments = [
        (total, n, paid)
        for n in range(1, len(fitting) + 1)
        for paid in itertools.combinations(fitting, n)
        if (total := sum(ranks[card] for card in paid)) >= ranks[target]
    ]
    return min(payments)[2] if payments else tuple(fitting)


def _still_to_come(p: Public, tr: Translator) -> list[dict[str, object]]:
    """The cards in the pile, as anybody can work out: by rank, personalities first."""
    seen = {*p.capital, *p.palace, *p.resources, *p.personalities, *p.discarded}
    unseen = [card for number, card in enumerate(p.deck.cards) if number not in seen]
    unseen.sort(key=lambda card: (not card.person, card.value, card.id))
    return [{"card": card, "name": card.name[tr.lang], "label": label(card, tr)} for card in unseen]


def _ended(p: Public, tr: Translator) -> dict[str, object]:
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


def _preset(extra: Sequence[str]) -> str:
    return next((name for name, what in PRESETS.items() if set(what.get("extra", ())) == set(extra)), "own")
