"""One sentence for each kind of news; cards for the same row share one."""

from collections.abc import Iterable, Sequence

from spieltisch.games.adaman.decktet import Card
from spieltisch.games.adaman.news import Controlled, Ended, Moved, News, PassedOver, TurnedUp
from spieltisch.games.adaman.state import Public
from spieltisch.i18n import N_, Translator

ENDS = {
    "won": (N_("The realm is yours."), N_("No personality stands in your way any more.")),
    "lost": (N_("No moves left."), N_("Your plot has come to nothing. Better luck next time.")),
    "hanged": (N_("You hang."), N_("The sixth personality has come to the palace.")),
}


NEW = {
    "capital": N_("New in the capital: {card}."),
    "palace": N_("New in the palace: {card}."),
    "resources": N_("New among the resources: {card}."),
}


def tell(news: News, public: Public, tr: Translator) -> str:
    """The news in one sentence. Card names follow a colon, because German would need their articles elsewhere."""
    match news:
        case Controlled(card, payment):
            words = tr._("Won: {card} with {payment}.")
            return words.format(card=card.name[tr.lang], payment=paid_with(payment, tr))
        case TurnedUp(card, row):
            return tr._(NEW[row]).format(card=card.name[tr.lang])
        case Moved(card, "capital"):
            return tr._("Moved to the capital for the Excuse: {card}.").format(card=card.name[tr.lang])
        case Moved(card, "palace"):
            return tr._("Moved to the palace for the Excuse: {card}.").format(card=card.name[tr.lang])
        case Moved(card, _):
            return tr._("Moved to the resources for the Excuse: {card}.").format(card=card.name[tr.lang])
        case PassedOver():
            return tr._("The Excuse comes and goes: no card can move for it.")
        case Ended(how, points):
            words = tr.ngettext("{end} {n} point.", "{end} {n} points.", points)
            return words.format(end=tr._(ENDS[how][0]), n=points)


def tell_step(news: Iterable[News], public: Public, tr: Translator) -> list[str]:
    """The sentences of one step. Cards turned up in a row are told row by row."""
    said: list[str] = []
    rows: dict[str, list[str]] = {}

    def filled() -> list[str]:
        return [tr._(NEW[row]).format(card=in_a_row(names, tr)) for row, names in rows.items()]

    for one in news:
        if isinstance(one, TurnedUp):
            rows.setdefault(one.row, []).append(one.card.name[tr.lang])
        else:
            said += [*filled(), tell(one, public, tr)]
            rows.clear()
    return [*said, *filled()]


def paid_with(cards: Iterable[Card], tr: Translator) -> str:
    """A payment in words: "Origin 2 and Ace of Moons"."""
    return in_a_row([card.name[tr.lang] + (f" {card.value}" if card.kind != "ace" else "") for card in cards], tr)


def in_a_row(words: Sequence[str], tr: Translator) -> str:
    """A list in words: "Moons, Suns and Waves"."""
    *some, last = words
    return tr._("{some} and {last}").format(some=", ".join(some), last=last) if some else last
