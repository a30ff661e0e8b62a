"""The lobby's fields for decks, series and cards, and how to read them back from the form.

Games with a chosen kind of decks have these fields. The record's top keys hold the choice, as `deck` and the option
`series`. Only the table has the `filter`, since its record carries the cards.
"""

import secrets
from collections.abc import Sequence

from spieltisch import options
from spieltisch.decks.base_kind import kind_of, kinds
from spieltisch.decks.library import Entry, Library
from spieltisch.decks.selection import selection
from spieltisch.game import Invalid
from spieltisch.i18n import N_, Translator
from spieltisch.languages import LANGUAGES, chain
from spieltisch.package import OptionField
from spieltisch.table.log import deck_names

LABELS = {
    "goal": N_("Learning goals"), "level": N_("Levels"), "field": N_("Fields"), "region": N_("Regions"),
    "period": N_("Periods"),
}  # fmt: skip
_FOLDED = 8  # longer lists of choices start closed

Form = dict[str, list[str]]


def chosen_kinds() -> list[str]:
    """Return the kinds of decks that tables choose from."""
    return [name for name, one in kinds().items() if one.chosen]


def fields(
    kind: str, top: dict[str, object], library: Library, held: Sequence[str], tr: Translator, made: Sequence[str] = ()
) -> list[OptionField]:
    """Return the fields; none if the table has its cards inline. `held` are the private decks that the viewer may
    choose, `made` the decks whose backs they know.
    """
    if "deck" not in top:
        return []
    names = deck_names(top)
    offered = library.offered(kind, (*held, *names))
    drawn: list[OptionField] = []
    if len(offered) > 1:
        choices = [(name, _titled(name, deck, tr)) for name, deck in offered.items()]
        if kind_of(kind).mixes:
            drawn.append(OptionField(kind="checks", name="deck", label=tr._("Decks"), value=names, choices=choices))
        else:
            drawn.append(OptionField(kind="select", name="deck", label=tr._("Deck"), value=names[0], choices=choices))
    if known := [offered[name].title[tr.lang] or name for name in names if name in made and name in offered]:
        drawn.append(OptionField(
            kind="note", name="known", label=tr._("You know this deck"),
            help=tr._("You made it or have its key, so you know its backs."),
            value=", ".join(known),
        ))  # fmt: skip
    wanted, chosen = options.wanted(top), options.chosen(top).get("series")
    try:
        parts = selection(library, kind, names, chosen, wanted)
        whole = parts if chosen is None else selection(library, kind, names)
    except Invalid:  # somebody has deleted a deck meanwhile
        return drawn
    series = [(one, title[tr.lang]) for one, title in whole.series]
    if len(series) > 1:
        value = [one for one, _ in series] if chosen is None else chosen
        drawn.append(OptionField(
            kind="checks", name="series", label=tr.pgettext("several", "Series"), help="", value=value,
            choices=series,
        ))  # fmt: skip
    for column, each in parts.choices.items():
        drawn.append(OptionField(
            kind="checks", name=f"filter-{column}", label=tr._(LABELS[column]),
            help=tr._("None ticked means all."), value=wanted.get(column, []), folded=len(each) > _FOLDED,
            choices=[(one, f"{name[tr.lang]} ({n})") for one, name, n in each],
        ))  # fmt: skip
    if parts.shares:
        choices = [("0", tr._("no limit")), *((str(n), tr._("{n} %").format(n=n)) for n in parts.shares)]
        drawn.append(OptionField(
            kind="select", name="share", label=tr._("Largest share of a field"), choices=choices,
            help=tr._("Some cards of larger fields are left out, at random."),
            value=str(wanted.get("share", 0)),
        ))  # fmt: skip
    drawn.append(OptionField(kind="note", name="left", label=tr._("Cards in play"), value=parts.left))
    return drawn


def choose(
    kind: str, top: dict[str, object], form: Form, library: Library, held: Sequence[str], before: dict[str, object]
) -> dict[str, object]:
    """Return the record's top keys with the form's choice of decks. `before` are the old keys."""
    if "deck" not in top:
        return top
    offered = library.offered(kind, held)
    names = [name for name in form.get("deck", []) if name in offered or name in deck_names(before)] or deck_names(
        before
    )
    names = list(dict.fromkeys(names if kind_of(kind).mixes else names[-1:]))
    whole = selection(library, kind, names)
    top = {**top, "deck": names[0] if len(names) == 1 else names, "options": {**options.chosen(top)}}
    series = [one for one, _ in whole.series]
    ticked = [one for one in form.get("series", []) if one in series]
    if ticked and len(ticked) < len(series):
        top["options"] = {**options.chosen(top), "series": ticked}
        whole = selection(library, kind, names, ticked)
    wanted: dict[str, object] = {}
    for column, each in whole.choices.items():
        if some := [one for one, _, _ in each if one in form.get(f"filter-{column}", [])]:
            wanted[column] = some
    if (share := int(form.get("share", ["0"])[-1])) in whole.shares:
        old = options.wanted(before)
        wanted |= {"share": share, "mix": old["mix"] if old.get("share") == share else secrets.randbelow(10**6)}
    return {key: value for key, value in top.items() if key != "filter"} | ({"filter": wanted} if wanted else {})


def _titled(name: str, deck: Entry, tr: Translator) -> str:
    title = deck.title[tr.lang] or name
    if chain(tr.lang)[0] in deck.languages:
        return f"{title} ({deck.cards})"
    languages = ", ".join(tr._(LANGUAGES[one].english) for one in deck.languages)
    return tr._("{title} ({n}, cards in: {languages})").format(title=title, n=deck.cards, languages=languages)
