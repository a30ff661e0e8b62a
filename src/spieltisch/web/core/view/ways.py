"""Ways to play: sets of options that people choose with one tap.

A way sets the options of the rules, the levels of the cards and the time for a turn. It leaves everything else as
chosen: decks, series, other filters, and options of content such as the pronoun in hic – haec – hoc.
"""

from collections.abc import Sequence
from functools import cache
from typing import TypedDict

import msgspec
from msgspec.structs import replace

from spieltisch import options
from spieltisch.decks.library import Library
from spieltisch.decks.selection import EASY, selection
from spieltisch.game import Invalid
from spieltisch.i18n import Translator
from spieltisch.package import OptionField, Package, Way, WayName
from spieltisch.table.log import TableSetup, deck_names
from spieltisch.web.core.view import option_fields


class Offered(TypedDict):
    """A way to play: its name, its meaning in a few words, and whether the table plays it."""

    value: WayName
    label: str
    words: str
    chosen: bool


def with_way(package: Package, setup: TableSetup, name: str, library: Library) -> TableSetup:
    """Return the setup with this way to play. Raises Invalid if the game has no such way."""
    way = next((way for key, way in package.page.ways.items() if key == name), None)
    if way is None:
        raise Invalid("This is not one of the choices.")
    rules = _rules(package)
    kept = {name: value for name, value in options.chosen(setup.top).items() if name not in rules}
    top = {**setup.top, "options": {**kept, **way.options}}
    chosen = {name: value for name, value in options.wanted(setup.top).items() if name != "level"}
    if way.easy and _has_easy(package, setup, library):
        chosen["level"] = [EASY]
    top = {key: value for key, value in top.items() if key != "filter"} | ({"filter": chosen} if chosen else {})
    return replace(setup, top=top, turn_seconds=way.turn_seconds)


def decided(package: Package) -> frozenset[str]:
    """Return the options that at least one way of this game sets."""
    return frozenset(name for way in package.page.ways.values() for name in way.options)


def _rules(package: Package) -> frozenset[str]:
    return _names(package.rules.Options)


@cache
def _names(shape: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(shape))


def _has_easy(package: Package, setup: TableSetup, library: Library) -> bool:
    """Whether the chosen cards have marks for easy ones."""
    if package.choice is None or "deck" not in setup.top:
        return False
    try:
        series = options.chosen(setup.top).get("series")
        return selection(library, package.choice, deck_names(setup.top), series, options.wanted(setup.top)).easy
    except Invalid:  # somebody has deleted a deck meanwhile
        return False


def _covered(package: Package, setup: TableSetup) -> tuple[dict[str, object], list[str], float | None]:
    """Return the current choice of everything that a way sets."""
    rules, given = _rules(package), options.chosen(setup.top)
    levels = options.wanted(setup.top).get("level", [])
    return {name: given[name] for name in given.keys() & rules}, list(levels), setup.turn_seconds


def shown(package: Package, setup: TableSetup, tr: Translator, library: Library) -> list[Offered]:
    """Return the ways to play that the game offers."""
    names = {"quick": tr._("Quick"), "classic": tr._("Classic"), "children": tr._("With children")}
    now = _covered(package, setup)
    return [
        {
            "value": name,
            "label": names[name],
            "words": _words(package, setup, way, tr, library),
            "chosen": _covered(package, with_way(package, setup, name, library)) == now,
        }
        for name, way in package.page.ways.items()
    ]


def _words(package: Package, setup: TableSetup, way: Way, tr: Translator, library: Library) -> str:
    easy = way.easy and _has_easy(package, setup, library)
    return ", ".join(filter(None, (
        tr._(way.words),
        tr._("easy cards only") if easy else "",
        tr._("{n} s per turn").format(n=int(way.turn_seconds)) if way.turn_seconds else "",
    )))  # fmt: skip


def sentence(
    package: Package,
    setup: TableSetup,
    offered: Sequence[Offered],
    fields: Sequence[OptionField],
    tr: Translator,
    library: Library,
) -> str:
    """Return in one sentence how the table plays. `offered` are the ways to play, `fields` the options."""
    said = {
        "quick": tr._("Quick game: {what}."),
        "classic": tr._("Classic game: {what}."),
        "children": tr._("Game with children: {what}."),
    }
    chosen = next((way for way in offered if way["chosen"]), None)
    what = [chosen["words"]] if chosen else _changed(package, setup, fields, tr, library)
    if setup.turn_seconds is None and package.rules.seats[-1] > 1:
        what.append(tr._("no clock"))
    if decks := deck_said(package, setup, tr, library):
        what.append(decks)
    words = said[chosen["value"]] if chosen else tr._("Our own mix: {what}.")
    return words.format(what=", ".join(what)) if what else ""


def _changed(
    package: Package, setup: TableSetup, fields: Sequence[OptionField], tr: Translator, library: Library
) -> list[str]:
    """Return the options that differ from the default, in words."""
    usual = replace(setup, top=setup.top | {"options": {}, "filter": {}}, turn_seconds=None)
    before = {one.name: one.shown for one in option_fields.fields(package, usual, tr, library)}
    return [
        tr.labelled(one.label, one.shown)
        for one in fields
        if one.kind != "note" and one.name != "deck" and one.shown != before.get(one.name)
    ]


def deck_said(package: Package, setup: TableSetup, tr: Translator, library: Library) -> str:
    """Return the table's decks in words; "" if the game has none."""
    decks = _decks(package, setup, tr, library)
    if not decks:
        return ""
    return tr.ngettext("the deck {names}", "the decks {names}", len(decks)).format(names=", ".join(decks))


def _decks(package: Package, setup: TableSetup, tr: Translator, library: Library) -> list[str]:
    kind = package.choice
    if kind is None:
        return []
    names = deck_names(setup.top)
    offered = library.offered(kind, names)
    return [tr._("“{name}”").format(name=offered[one].title[tr.lang] or one) for one in names if one in offered]
