"""What happened, in one sentence for each record of the news; "you" where the listener did it."""

from collections.abc import Sequence
from typing import Any

from spieltisch.games.annodomini import news as told
from spieltisch.games.annodomini.cards import Card

ENDS = {
    "out-of-cards": "The last card is down and the chain is right: the game is over.",
    "pile-empty": "No card is left to start a round: the fewest cards win.",
    "rounds": "That was the last round: the fewest cards win.",
}


def tell(news: Any, says: Any) -> str:
    """The sentence for one record; "" for what need not be said."""
    match news:
        case told.Dealt():
            return says._("The cards are dealt, events up.")
        case told.Started():
            words = by(news.seat, says, "{name} begins round {n}: “{event}”", "You begin round {n}: “{event}”")
            return words.format(name=says.name(news.seat), n=news.round, event=news.card.front[says.lang])
        case told.TurnedUp():
            words = by(
                news.seat, says,
                "{name} begins round {n} with one card left; turned up: {events}",
                "You begin round {n} with one card left; turned up: {events}",
            )  # fmt: skip
            return words.format(name=says.name(news.seat), n=news.round, events=quoted(news.cards, says))
        case told.Placed():
            words = by(news.seat, says, "{name} places “{event}” as number {n}.", "You place “{event}” as number {n}.")
            return words.format(name=says.name(news.seat), event=news.card.front[says.lang], n=news.at + 1)
        case told.Opened():
            words = by(news.seat, says, "{name} lays three in a row: {events}", "You lay three in a row: {events}")
            if len(news.cards) != 3:
                words = by(news.seat, says, "{name} lays two in a row: {events}", "You lay two in a row: {events}")
            return words.format(name=says.name(news.seat), events=quoted(news.cards, says))
        case told.Doubted():
            return _doubted(news, says)
        case told.Drew():
            return drawn(news.seat, len(news.cards), says)
        case told.Reshuffled():
            return says._("The cards set aside are shuffled into a new pile.")
        case told.Ended():
            return says._(ENDS[news.end])
    return ""  # what lies on the pile is seen there


def by(seat: int, says: Any, name: str, you: str) -> str:
    """The translation of one of two sentences: about somebody, or said to that person."""
    return says._(you if seat == says.me else name)


def drawn(seat: int, n: int, says: Any) -> str:
    """That somebody draws so many cards."""
    if seat == says.me:
        return says.ngettext("You draw {n} card.", "You draw {n} cards.", n).format(n=n)
    words = says.ngettext("{name} draws {n} card.", "{name} draws {n} cards.", n)
    return words.format(name=says.name(seat), n=n)


def quoted(cards: Sequence[Card], says: Any) -> str:
    """The events, each in quotation marks."""
    return ", ".join(says._("“{event}”").format(event=card.front[says.lang]) for card in cards)


def _doubted(news: told.Doubted, says: Any) -> str:
    reveal = news.reveal
    if reveal.at_once:
        if reveal.correct:
            return says._("The last card is checked: the chain is right.")
        return says._("The last card is checked: the chain is wrong.")
    if reveal.correct:
        words = by(reveal.doubter, says, "{name} doubts, but the chain is right.", "You doubt, but the chain is right.")
    else:
        words = by(reveal.doubter, says, "{name} doubts, and the chain is wrong.", "You doubt, and the chain is wrong.")
    return words.format(name=says.name(reveal.doubter))
