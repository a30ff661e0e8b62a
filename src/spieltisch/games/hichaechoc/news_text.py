"""One sentence for each kind of news, with "you" for the player who did it."""

from collections.abc import Sequence
from typing import Any

from spieltisch.games.hichaechoc import news as told
from spieltisch.games.hichaechoc.agreement import agree
from spieltisch.games.hichaechoc.forms import CELLS, GENDERS
from spieltisch.games.hichaechoc.state import JOKER, Public
from spieltisch.i18n import N_, Translator

SHORT = {
    "nom": N_("Nom"), "gen": N_("Gen"), "dat": N_("Dat"), "acc": N_("Acc"), "abl": N_("Abl"),
    "sg": N_("Sg"), "pl": N_("Pl"), "m": "m", "f": "f", "n": "n",
}  # fmt: skip
FULL = {
    "nom": "nominative", "gen": "genitive", "dat": "dative", "acc": "accusative", "abl": "ablative",
    "sg": "singular", "pl": "plural", "m": "masculine", "f": "feminine", "n": "neuter",
}  # fmt: skip

_SIMPLE = {
    told.JokerPlayed: (N_("{name} plays the joker."), N_("You play the joker.")),
    told.Accepted: (N_("{name} says: fine."), N_("You say: fine.")),
    told.Fined: (N_("The objection costs {name} a card."), N_("The objection costs you a card.")),
    told.Passed: (N_("{name} passes."), N_("You pass.")),
    told.Finished: (N_("{name} has no cards left."), N_("You have no cards left.")),
}
_PLAYED = (N_("{name} plays {form}: {reading}."), N_("You play {form}: {reading}."))
_DRAWN = (N_("{name} draws a card."), N_("You draw a card."))
_SHOWN = (N_("{name} draws the joker."), N_("It is {form}."))
_OBJECTED = (N_("{name} objects."), N_("You object."))
TAKES_BACK = (N_("{name} takes the card back."), N_("You take the card back."))


def reading(cell: int, tr: Translator) -> str:
    """A reading in full: "accusative singular feminine"."""
    return " ".join(tr._(FULL[part]) for part in CELLS[cell])


def written(public: Public, card: int, tr: Translator) -> str:
    """A card in a sentence."""
    return tr._("the joker") if card == JOKER else public.terms.forms[card]


def tell(news: Any, public: Public, tr: Translator) -> str:
    """The sentence for one piece of news."""
    simple = _SIMPLE.get(type(news))
    if simple is not None:
        return by(simple, news.seat, tr)
    match news:
        case told.Played():
            form, said = written(public, news.form, tr), reading(news.reading, tr)
            return by(_PLAYED, news.seat, tr, form=form, reading=said)
        case told.TurnedUp():
            first = N_("The joker came up first and goes under the pile. {form} is in the middle.")
            sentence = tr._(first if news.joker else "{form} is in the middle.")
            return sentence.format(form=written(public, news.form, tr))
        case told.Judged():
            end = "" if news.right else by(TAKES_BACK, news.seat, tr)
            why = tr._(reason(news)).format(**values(news, public, tr))
            return " ".join(filter(None, (by(_OBJECTED, news.by, tr), why, end)))
        case told.Drawn():
            if news.form is None:
                return by(_DRAWN, news.seat, tr)
            return by(_SHOWN, news.seat, tr, form=written(public, news.form, tr))
        case told.Shuffled():
            return tr.ngettext(
                "The played cards are shuffled: {n} card in the pile.",
                "The played cards are shuffled: {n} cards in the pile.",
                news.cards,
            ).format(n=news.cards)
        case told.Blocked():
            return tr._("Nobody can go on: the fewest cards win.")
    raise TypeError(news)


def by(sentences: tuple[str, str], seat: int, tr: Translator, **values: object) -> str:
    """A sentence about somebody, or addressed to them."""
    theirs, mine = sentences
    return tr._(mine if seat == tr.me else theirs).format(name=tr.name(seat), **values)


def is_what(cells: Sequence[int], tr: Translator) -> str:
    """A form described by its readings: "accusative singular masculine". It names a gender unless all three apply, and
    joins readings that differ only in case.
    """
    genders: dict[tuple[str, str], list[str]] = {}
    for case, number, gender in (CELLS[cell] for cell in cells):
        genders.setdefault((case, number), []).append(gender)
    cases: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (case, number), some in genders.items():
        cases.setdefault((number, tuple(some)), []).append(tr._(FULL[case]))
    told = []
    for (number, some), names in cases.items():
        either = [tr._(FULL[one]) for one in some]
        told.append(
            " ".join(["/".join(names), tr._(FULL[number]), *(["/".join(either)] if len(some) < len(GENDERS) else [])])
        )
    return tr._(" or ").join(told)


def says_what(cells: Sequence[int]) -> str:
    """The sentence for it."""
    if len({CELLS[cell][:2] for cell in cells}) > 1:
        return N_("{form} is {what}.")
    return N_("{form} is always {what}.") if len(cells) == len(GENDERS) else N_("{form} is only {what}.")


def reason(judged: told.Judged) -> str:
    """Why a contested play was right or wrong."""
    if judged.right:
        return N_("{form} can be {reading}, and exactly two agree.")
    return why_wrong(judged.reading, judged.said, possible=judged.reading in judged.readings)


def why_wrong(reading: int, said: int | None, *, possible: bool) -> str:
    """Why a play declared like this was wrong on a card declared as `said`. `possible`: its form can
    have that reading.
    """
    if not possible:
        return N_("{form} cannot be {reading}.")
    if said is None:
        return N_("{form} can be {reading}, but no reading of {top} agrees with that in exactly two.")
    return (
        N_("{form} can be {reading}, but {top} was declared {said}: nothing agrees."),
        N_("{form} can be {reading}, but {top} was declared {said}: only one agrees."),
        "",
        N_("{form} can be {reading}, but {top} was declared {said}: all three agree. It has to be exactly two."),
    )[agree(reading, said)]


def values(judged: told.Judged, public: Public, tr: Translator) -> dict[str, str]:
    """The values for a reason."""
    return {
        "form": written(public, judged.form, tr),
        "reading": reading(judged.reading, tr),
        "top": written(public, judged.top, tr),
        "said": "" if judged.said is None else reading(judged.said, tr),
    }
