"""What a class learns with each card: its goal in a course, and the answer. Of events that is their column `goal`; of
firsts, which have none, their field; of forms the cases that they can be.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct

from spieltisch.decks import forms
from spieltisch.decks.events import Event
from spieltisch.decks.exporting.questions import NAMES, reading
from spieltisch.decks.findings import say
from spieltisch.decks.firsts import First, Firsts
from spieltisch.decks.forms import CASES, Paradigm
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import FIELDS
from spieltisch.game import Invalid


class Card(Struct, frozen=True):
    """What is on a card's front and back, and the names of its goals. `latin`: its front is."""

    front: Text
    back: Text
    source: str = ""
    goals: tuple[Text, ...] = ()
    comment: Text = Text("", "")
    latin: bool = False
    corrected: str = ""  # the day of its last correction


def deck_of(library: Library, mix: str, card: str) -> str:
    """Which deck of a mix (`a+b`) this card is from; the whole mix where none has it any more."""
    return decks_of(library, mix, [card])[card]


def decks_of(library: Library, mix: str, ids: Iterable[str]) -> dict[str, str]:
    """As `deck_of`, for several cards."""
    ids, names = tuple(dict.fromkeys(ids)), mix.split("+")
    if len(names) == 1:
        return dict.fromkeys(ids, mix)
    known = [(one, told(library, one, ids)) for one in reversed(names)]
    return dict.fromkeys(ids, mix) | {card: one for one, some in known for card in some}


def told(library: Library, name: str, ids: Iterable[str]) -> dict[str, Card]:
    """Those of these cards that the deck has, by their ids, or by their forms. None if there is no such deck any more.
    Read beside the server: see `library`.
    """
    try:
        return library.ask(_told, (name,), tuple(sorted({*ids})))
    except Invalid:
        return {}


def _told(library: Library, names: Sequence[str], ids: Sequence[str]) -> dict[str, Card]:
    found = cards(library, names[0], {*ids})
    return {one: found[one] for one in ids if one in found}


def cards(library: Library, name: str, only: Container[str] | None = None) -> dict[str, Card]:
    """The cards of a deck by their ids, or by their forms: all, or `only` some. None where there is no such deck any
    more.
    """
    if name in forms.shipped():
        return _forms(forms.named(name))
    try:
        entry = library.entry(name)
    except Invalid:
        return {}
    if entry is None:
        return {}
    if entry.kind == "firsts":
        deck = library.firsts(name)
        return {card.id: _first(deck, card) for card in deck.cards if only is None or card.id in only}
    events = library.one_of_events(name)
    goals = events.declared.get("goal", {})
    return {card.id: _event(card, goals) for card in events.cards if only is None or card.id in only}


def _event(card: Event, goals: Mapping[str, Text]) -> Card:
    named = tuple(goals.get(one, Text(one, one)) for one in card.goals)
    return Card(card.front, card.date, card.source, named, card.comment, corrected=card.corrected)


def _first(deck: Firsts, card: First) -> Card:
    future = deck.periods[-1].name
    back = future if card.year is None else Text(str(card.year), str(card.year))
    who = f" · {card.who}" if card.who else ""
    field = (FIELDS.get(card.field, Text(card.field, card.field)),) if card.field else ()
    back = Text(back.de + who, back.en + who)
    return Card(card.front, back, card.source, field, card.comment, corrected=card.corrected)


def _forms(paradigm: Paradigm) -> dict[str, Card]:
    found: dict[str, Card] = {}
    for form in dict.fromkeys(paradigm.forms()):
        cells = [cell for cell, written in zip(forms.CELLS, paradigm.forms(), strict=True) if written == form]
        said = Text(*("; ".join(reading(cell, lang) for cell in cells) for lang in ("de", "en")))
        cases = [case for case in CASES if any(cell[0] == case for cell in cells)]
        goals = tuple(Text(*(_headed(say(NAMES[case], lang)) for lang in ("de", "en"))) for case in cases)
        found[form] = Card(Text(form, form), said, "", goals, latin=True)
    return found


def _headed(name: str) -> str:
    return name[:1].upper() + name[1:]
