"""The page, computed from a view: the chain with its gaps, the hands, the last reveal, the stakes."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch import options, package, sure
from spieltisch.games.annodomini import reveal, review, screen, stories
from spieltisch.games.annodomini.bot import Thought
from spieltisch.games.annodomini.debrief import debrief
from spieltisch.games.annodomini.decisions import decisions
from spieltisch.games.annodomini.news import Doubted, News, Placed, drawn
from spieltisch.games.annodomini.options import Options
from spieltisch.games.annodomini.state import Action, Doubt, GameView, Hidden, Open, Own, Place, Public
from spieltisch.i18n import N_, Translator
from spieltisch.package import OptionField, Pieces, Way, WayName

CHILD = 5  # default number of cards for a child
WAYS: Mapping[WayName, Way] = {
    "quick": Way(words=N_("5 cards each, about 15 min"), options={"cards_per_player": 5}),
    "classic": Way(words=N_("9 cards each, about 30 min")),
    "children": Way(
        words=N_("5 cards each, light penalties"),
        options={"cards_per_player": 5, "doubter_penalty": 0, "last_player_penalty": 1},
        easy=True,
    ),
}


class Page(package.Page[Public, Own, Hidden, Action, News, Thought]):
    """Anno Domini's page and texts."""

    keys = ("hand", "places", "doubt")
    phrases = (
        N_("Hello, all you witnesses of history!"),
        N_("That cannot be right."),
        N_("I doubt it … but not yet."),
        N_("I was there myself!"),
        N_("That was longer ago than you think."),
        N_("Surely that is quite recent."),
        N_("I have no idea, and that is the truth."),
        N_("Well bluffed!"),
        N_("Who would have thought it?"),
        N_("Give me a century or two."),
        N_("That was just luck."),
        N_("A good game, one for the annals."),
    )
    highlights = (Doubted,)
    reveal_seconds = staticmethod(reveal.seconds)
    ways = WAYS
    review_title = N_("Who erred, who doubted")
    has_missed = True
    has_mistakes = True
    hidden = staticmethod(review.hidden)
    missed = staticmethod(review.missed)
    debrief = staticmethod(debrief)
    decisions = staticmethod(decisions)
    review = staticmethod(review.review)
    has_stories = True
    chains = "events"
    stories = staticmethod(stories.stories)

    def prepare(self, view: GameView, legal: Sequence[Action], tr: Translator, pieces: Pieces) -> dict[str, object]:
        """The context of `table.html`, beyond the common one."""
        p, me, lang = view.public, view.seat, tr.lang
        front: Any = lambda card: {"number": card.number, "text": card.front.spoken(lang)}  # noqa: E731
        own = p.hands[me] if me is not None else ()
        opening = [action for action in legal if isinstance(action, Open)]
        at_table = {card.number: card for card in (*own, *p.turned)}
        # A reveal stays until the viewer continues or lays a card in the next round. A screen continues with the table.
        seen = p.end is None and any(laid.by == me for laid in p.chain if laid.by is not None)
        placed = None if p.revealed and not p.chain else next((one for one in p.news if isinstance(one, Placed)), None)
        context: dict[str, object] = {
            "counts": [len(hand) for hand in p.hands],
            "notes": [_note(p, seat, tr) for seat in range(len(p.hands))],
            "chain": [front(laid.card) | {"by": laid.by} for laid in p.chain],
            "gaps": _gaps(len(p.chain), tr),
            "newest": None if placed is None else placed.card.number,
            "lands": placed is not None,
            "news_line": "" if placed is None else _placed(placed, tr),
            "places": any(isinstance(action, Place) for action in legal),
            "hand": [front(card) for card in own],
            "open_hands": [
                {"seat": seat, "cards": [card.front.spoken(lang) for card in p.hands[seat]]} for seat in _others(p, me)
            ],
            "turned": [front(card) for card in p.turned],
            "orders": [
                {
                    "action": action,
                    "cards": [front(at_table[i]) | {"mine": at_table[i] in own} for i in action.cards],
                }
                for action in opening
            ],
            "top": p.top.front.spoken(lang) if p.top else None,
            "can_doubt": any(isinstance(action, Doubt) for action in legal),
            "doubt": Doubt(),
            "stakes": _stakes(p, tr) if p.last is not None else None,
            "claim_points": sure.STAKES,
            "reveal": reveal.shown(p.revealed, tr) if p.revealed else None,
            "asks": reveal.asks(p, tr),
            "seen": seen,
            "just": self.is_marked(p.news),
            "fresh": p.last is None or p.end is not None,
            "verdict": reveal.verdict(p, tr),
            "last_card": len(own) == 1,
        }
        return context

    def screen(self, view: GameView, shown: dict[str, object], tr: Translator) -> dict[str, object]:
        """Further content of the public screen."""
        return screen.screen(view, shown, tr)

    def options(self, top: Mapping[str, object], seats: int, tr: Translator) -> list[OptionField]:
        """The fields of the waiting room."""
        given = options.chosen(top)
        default = Options()
        number = given.get("cards_per_player", default.cards_per_player)
        fewer = given.get("fewer_cards", {})
        advised = 9 if seats < 7 else 7 if seats < 9 else 5
        advice = tr._("For {seats} players, {n} cards each works well.").format(seats=seats, n=advised)
        fields = [_number("cards_per_player", tr._("Cards each"), advice, number, 1, 15)]
        if number > 1:
            children = [(str(seat), tr.name(seat)) for seat in range(seats)]
            chosen = [seat for seat, _ in children if seat in fewer]
            help_ = tr._("They begin with fewer cards.")
            fields.append(
                OptionField(
                    kind="checks",
                    name="children",
                    label=tr._("Children"),
                    help=help_,
                    value=chosen,
                    choices=children,
                )
            )
            few = min([*fewer.values(), number - 1, CHILD])
            fields.append(_number("fewer", tr._("Cards for children"), "", few, 1, number - 1))
        doubter = tr._("Cards drawn for doubting a correct chain.")
        last = tr._("Cards drawn by the last player of a wrong chain.")
        rounds = tr._("After this many rounds, the fewest cards win. 0 means no limit.")
        for name, label, words, least, most in (
            ("doubter_penalty", tr._("Wrong doubt"), doubter, 0, 5),
            ("last_player_penalty", tr._("Wrong chain"), last, 1, 5),
            ("max_rounds", tr._("Rounds"), rounds, 0, 100),
        ):
            fields.append(_number(name, label, words, given.get(name, getattr(default, name)), least, most))
        return fields

    def choose(self, top: Mapping[str, object], form: Mapping[str, list[str]]) -> dict[str, object]:
        """The new top keys of the record, without default values."""
        default = Options()
        chosen: dict[str, Any] = {}
        for name in ("cards_per_player", "doubter_penalty", "last_player_penalty", "max_rounds"):
            given = form.get(name)
            value = int(given[-1]) if given else options.chosen(top).get(name, getattr(default, name))
            if value != getattr(default, name):
                chosen[name] = value
        most = chosen.get("cards_per_player", default.cards_per_player) - 1
        if most and form.get("children"):
            few = min(int(form.get("fewer", [str(CHILD)])[-1]), most)
            chosen["fewer_cards"] = {str(int(seat)): few for seat in form["children"]}
        return {**top, "options": chosen}

    def describe(self, view: GameView, action: Action, tr: Translator) -> str:
        """An action in words, with its cards' events."""
        p = view.public
        known = {card.number: card for card in (*(laid.card for laid in p.chain), *p.turned, *(sum(p.hands, ())))}

        def event(card: int) -> str:
            front = known[card].front[tr.lang].removesuffix(".") if card in known else f"#{card}"
            return tr._("“{event}”").format(event=front)

        match action:
            case Doubt():
                return tr._("I doubt it.")
            case Open(cards):
                return tr._("I lay them in this order: {events}").format(events=", ".join(map(event, cards)))
        chain = [laid.card.number for laid in p.chain]
        above, below = chain[: action.at][-1:], chain[action.at :][:1]
        if above and below:
            words = tr._("I place {event} between {above} and {below}.")
            return words.format(event=event(action.card), above=event(*above), below=event(*below))
        words = tr._("I place {event} before {below}.") if below else tr._("I place {event} after {above}.")
        return words.format(
            event=event(action.card), above="".join(map(event, above)), below="".join(map(event, below))
        )


def _placed(placed: Placed, tr: Translator) -> str:
    """One short line: somebody placed a card."""
    return tr.of(placed.seat, N_("{name} placed number {n}"), N_("You placed number {n}"), n=placed.at + 1)


def _others(p: Public, me: int | None) -> list[int]:
    """The other seats in turn order after this one."""
    first = 0 if me is None else me
    order = [(first + i) % len(p.hands) for i in range(len(p.hands))]
    return [seat for seat in order if seat != me]


def _note(p: Public, seat: int, tr: Translator) -> str:
    if p.last == seat:
        return tr._("placed last")
    return tr._("next") if p.chain and not p.end and seat == (p.turn + 1) % len(p.hands) else ""


def _gaps(cards: int, tr: Translator) -> list[str]:
    """For every gap: where a card would lie, in words."""
    between = [tr._("between {n} and {m}").format(n=n, m=n + 1) for n in range(1, cards)]
    return [tr._("at the top, before all others"), *between, tr._("at the bottom, after all others")] if cards else []


def _stakes(p: Public, tr: Translator) -> dict[str, str]:
    """What a doubt would cost each player."""
    assert p.last is not None
    return {
        "wrong": drawn(p.last, p.options.last_player_penalty, tr),
        "right": drawn(p.turn, p.options.doubter_penalty, tr),
        "placed": tr.of(p.last, N_("{name} placed last."), N_("You placed last.")),
        "all": tr.ngettext("The card is turned over.", "All {n} cards are turned over.", len(p.chain)).format(
            n=len(p.chain)
        ),
    }


def _number(name: str, label: str, words: str, value: int, least: int, most: int) -> OptionField:
    return OptionField(kind="number", name=name, label=label, help=words, value=value, least=least, most=most)
