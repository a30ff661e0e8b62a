"""How Anno Domini is told to a language model: cards of a hand have letters, places in the chain numbers from 1 on."""

from collections.abc import Callable, Iterable, Sequence
from string import ascii_uppercase

from spieltisch import package
from spieltisch.decks.dates import Span, astronomical
from spieltisch.dice import Dice
from spieltisch.game import HasCards
from spieltisch.games.annodomini.cards import Card, wrong_pairs
from spieltisch.games.annodomini.planted import Planted, ago
from spieltisch.games.annodomini.state import (
    Action,
    Doubt,
    GameState,
    GameView,
    Hidden,
    Open,
    Options,
    Own,
    Place,
    Public,
)
from spieltisch.i18n import N_, Translator
from spieltisch.package import Guess, Habits, Judged

ROOM, LINE = 2300, 18  # bytes for the chain and the own cards; those of a line besides its event
YOUNGEST = 50  # years: of a younger event a year says too little, since it is a whole one
RULES = N_(
    "This is Anno Domini, a game of bluff about the dates of events. All players lay events into one chain, the"
    " earliest first. Everybody sees all events, and nobody sees a date. The first player without cards wins.\n"
    "On your turn you lay one of your cards anywhere into the chain, or you doubt the chain as it lies. You can doubt"
    " once somebody has laid a card in this round.\n"
    "After a doubt all dates are shown. If the chain is right, the player who doubted draws {doubter} cards. If"
    " anything in it is wrong, the player who laid last draws {last}, no matter whose mistake it was. Then a new"
    " chain begins with one card from the pile.\n"
    "Your card need not be right: it has to look right until the next player has laid. A chain is wrong only if one"
    " event is certainly later than one below it. Equal years and overlapping periods may lie in any order.\n"
    "A last card is checked at once. If the chain is right, its player has won; if not, they draw {last}. A player who"
    " begins a round with one card gets two more from the pile and lays all of them in order.\n"
    "Moves are written like this: “place B at 1” (your card B before all others), “place B at 3” (so that it is number"
    " 3 of the chain), “doubt”, or, with one card at the beginning of a round, “open B A C” (the earliest first)."
)


class Prompt(package.Prompt[Options, Public, Own, Hidden, Action]):
    """The game in text alone."""

    listed = False

    def rules(self, options: Options, tr: Translator, /) -> str:
        return tr._(RULES).format(doubter=options.doubter_penalty, last=options.last_player_penalty)

    def ask(self, view: GameView, tr: Translator, /) -> Sequence[str]:
        p, seat = view.public, view.seat
        assert seat is not None
        text = _cut([*(laid.card for laid in p.chain), *_lettered(view).values()], tr.lang)
        if p.chain:
            chain = [
                f"{number}. {text(one.card)}" + ("" if one.by is None else f" ({tr.name(one.by)})")
                for number, one in enumerate(p.chain, 1)
            ]
            lies = _titled(tr._("The chain, earliest first:"), chain)
        else:
            lies = tr._("You begin this round with your last card and the cards turned up. Lay them in order.")
        own = [f"{letter}. {text(card)}" for letter, card in _lettered(view).items()]
        counts = ", ".join(tr.labelled(tr.name(one), len(hand)) for one, hand in enumerate(p.hands))
        sits = tr._("You are {name}; {next} comes next. Cards left: {counts}.").format(
            name=tr.name(seat), next=tr.name((seat + 1) % len(p.hands)), counts=counts
        )
        parts = ["\n\n".join([lies, _titled(tr._("Your cards:"), own), sits])]
        if p.revealed is not None:
            rows = [tr.labelled(row.date[tr.lang], row.front[tr.lang]) for row in p.revealed.rows]
            parts.append(_titled(tr._("The last chain that was turned over:"), rows))
        for other, hand in enumerate(p.hands):
            if other != seat:
                cards = [f"- {card.front[tr.lang]}" for card in hand]
                parts.append(_titled(tr._("Cards of {name}:").format(name=tr.name(other)), cards))
        return parts

    def claim(self, _view: GameView, tr: Translator, /) -> str:
        return tr._(
            "that the whole chain is right once you have made your move. If you doubt: that it is right as it lies"
        )

    def write(self, view: GameView, action: Action, tr: Translator, /) -> str:
        letters = {card.number: letter for letter, card in _lettered(view).items()}
        match action:
            case Place(card, at):
                return tr._("place {card} at {n}").format(card=letters[card], n=at + 1)
            case Open(cards):
                return tr._("open {cards}").format(cards=" ".join(letters[card] for card in cards))
            case _:
                return tr._("doubt")

    def default(self, _view: GameView, legal: Sequence[Action], dice: Dice, /) -> Action:
        """Any card anywhere: to doubt would claim something."""
        return dice.choice([action for action in legal if not isinstance(action, Doubt)])

    def judge(self, state: GameState, seat: int, action: Action, /) -> Judged:
        cards = [laid.card.number for laid in state.public.chain]
        if isinstance(action, Doubt):
            return Judged(_is_right(_spans(state.hidden, cards)), doubts=True)
        last = len(state.public.hands[seat]) == 1
        if isinstance(action, Open):
            spans, n = _spans(state.hidden, action.cards), len(action.cards)
            wrong, pairs = len(wrong_pairs(spans)), n * (n - 1) // 2
            return Judged(not wrong, checked=last, ordered=pairs - wrong, pairs=pairs)
        pairs = len(cards)
        cards.insert(action.at, action.card)
        spans = _spans(state.hidden, cards)
        wrong = sum(action.at in pair for pair in wrong_pairs(spans))
        return Judged(_is_right(spans), checked=last, ordered=pairs - wrong, pairs=pairs)

    def guess(self, view: GameView, before: GameView | None, dice: Dice, tr: Translator, /) -> Guess | None:
        old = () if before is None else _lettered(before).values()
        new = [(letter, card) for letter, card in _lettered(view).items() if card not in old]
        if not new:
            return None
        letter, card = dice.choice(new)
        return Guess(card.number, card.front[tr.lang], tr._("your card {letter}").format(letter=letter))

    def off(self, state: GameState, card: int, year: int, /) -> float | None:
        true = ago(state.hidden.cards[card].span)
        return None if true < YOUNGEST else (true - ago(Span(*[astronomical(abs(year), before=year < 0)] * 2))) / true

    def planted(self, deck: HasCards, habits: Habits, seed: str, tr: Translator, /) -> Callable[[str], str]:
        return Planted(deck, habits, seed, tr).answer


def _lettered(view: GameView) -> dict[str, Card]:
    """The cards that the seat may lay, by their letters."""
    p, seat = view.public, view.seat
    assert seat is not None
    return dict(zip(_letters(), (*p.hands[seat], *p.turned), strict=False))


def _letters() -> Iterable[str]:
    """A to Z, then AA to ZZ."""
    yield from ascii_uppercase
    for first in ascii_uppercase:
        for second in ascii_uppercase:
            yield first + second


def _cut(cards: Sequence[Card], lang: str) -> Callable[[Card], str]:
    """How a card is written, so that all of these have room: events are cut only in very long chains."""
    texts = [card.front[lang] for card in cards]
    width = max(map(len, texts))
    while sum(len(text[:width].encode()) + LINE for text in texts) > ROOM:
        width -= 1

    def text(card: Card) -> str:
        said = card.front[lang]
        return said if len(said) <= width else f"{said[: width - 1]}…"

    return text


def _titled(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *lines])


def _spans(hidden: Hidden, cards: Iterable[int]) -> tuple[Span, ...]:
    return tuple(hidden.cards[card].span for card in cards)


def _is_right(spans: tuple[Span, ...]) -> bool:
    return not wrong_pairs(spans)
