"""One sentence for each kind of news, with "you" for the player who did it."""

from collections.abc import Sequence

from spieltisch.games.annodomini import news as told
from spieltisch.games.annodomini.cards import Card
from spieltisch.games.annodomini.news import News
from spieltisch.games.annodomini.state import Public
from spieltisch.i18n import N_, Translator

ENDS = {
    "out-of-cards": N_("The game is over."),
    "pile-empty": N_("No card is left to start a round: the fewest cards win."),
    "rounds": N_("That was the last round: the fewest cards win."),
}


def tell(news: News, public: Public, tr: Translator) -> str:
    """The sentence for one piece of news; "" if nothing need be said."""
    match news:
        case told.Dealt():
            return tr._("The cards are dealt, events face up.")
        case told.Started():
            words = by(news.seat, tr, N_("{name} begins round {n}: “{event}”"), N_("You begin round {n}: “{event}”"))
            return words.format(name=tr.name(news.seat), n=news.round, event=news.card.front[tr.lang])
        case told.TurnedUp():
            words = by(
                news.seat, tr,
                N_("{name} begins round {n} with one card left. Turned up: {events}"),
                N_("You begin round {n} with one card left. Turned up: {events}"),
            )  # fmt: skip
            return words.format(name=tr.name(news.seat), n=news.round, events=quoted(news.cards, tr))
        case told.Placed():
            words = by(news.seat, tr, N_("{name} places number {n}: “{event}”"), N_("You place number {n}: “{event}”"))
            return words.format(name=tr.name(news.seat), event=news.card.front[tr.lang], n=news.at + 1)
        case told.Opened():
            words = by(
                news.seat,
                tr,
                N_("{name} lays three cards in this order: {events}"),
                N_("You lay three cards in this order: {events}"),
            )
            if len(news.cards) != 3:
                words = by(
                    news.seat,
                    tr,
                    N_("{name} lays two cards in this order: {events}"),
                    N_("You lay two cards in this order: {events}"),
                )
            return words.format(name=tr.name(news.seat), events=quoted(news.cards, tr))
        case told.Doubted():
            return _doubted(news, tr)
        case told.Drew():
            return drawn(news.seat, len(news.cards), tr)
        case told.Reshuffled():
            return tr._("The cards set aside are shuffled into a new pile.")
        case told.Ended():
            return tr._(ENDS[news.end])
    return ""  # everybody sees the top of the pile


def by(seat: int, tr: Translator, name: str, you: str) -> str:
    """The translation of one of two sentences: about somebody, or addressed to them."""
    return tr._(you if seat == tr.me else name)


def drawn(seat: int, n: int, tr: Translator) -> str:
    """The sentence that somebody draws this many cards."""
    if seat == tr.me:
        return tr.ngettext("You draw {n} card.", "You draw {n} cards.", n).format(n=n)
    words = tr.ngettext("{name} draws {n} card.", "{name} draws {n} cards.", n)
    return words.format(name=tr.name(seat), n=n)


def quoted(cards: Sequence[Card], tr: Translator) -> str:
    """The events, each in quotation marks."""
    return ", ".join(tr._("“{event}”").format(event=card.front[tr.lang]) for card in cards)


def _doubted(news: told.Doubted, tr: Translator) -> str:
    reveal = news.reveal
    if reveal.at_once:
        if reveal.correct:
            return tr._("The last card is checked: the chain is right.")
        return tr._("The last card is checked: the chain is wrong.")
    if reveal.correct:
        words = by(
            reveal.doubter, tr, N_("{name} doubts, but the chain is right."), N_("You doubt, but the chain is right.")
        )
    else:
        words = by(
            reveal.doubter, tr, N_("{name} doubts, and the chain is wrong."), N_("You doubt, and the chain is wrong.")
        )
    return words.format(name=tr.name(reveal.doubter))
