"""What happened, in one sentence for each kind of news."""

from spieltisch.games.adaman.news import Controlled, Ended, Moved, News, PassedOver, TurnedUp
from spieltisch.games.adaman.state import Public
from spieltisch.i18n import Translator

ENDS = {
    "won": ("The realm is yours.", "No personality stands in your way any more."),
    "lost": ("No moves left.", "Your plot has come to nothing. Better luck next time."),
    "hanged": ("You hang.", "The sixth personality has come to the palace."),
}


def tell(news: News, public: Public, tr: Translator) -> str:
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
