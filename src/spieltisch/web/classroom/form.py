"""The form that prepares a lesson: the games with what is to be chosen of each, and what is chosen already. A form that
was refused comes back as it was filled in.
"""

import re
from collections.abc import Sequence, Sized
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom.classroom import Classroom, Plan
from spieltisch.decks.library import Library
from spieltisch.game import Refused
from spieltisch.i18n import Translator
from spieltisch.package import OptionField, Package
from spieltisch.table.log import Chair, TableSetup, deck_names
from spieltisch.web.core import catalog
from spieltisch.web.core.http.forms import Fields, field
from spieltisch.web.core.view import option_fields, ways

_CHOSEN = ("deck", "series", "filter-goal", "paradigm", "mode")  # of a game's options those that a lesson asks for
_COUNT = re.compile(r" \(\d+\)$")  # how many cards a choice has, behind its name


class Chosen(Struct, frozen=True, kw_only=True):
    """What is chosen besides the games' own fields, as the form's fields have it."""

    game: str = ""
    size: str = "4"
    minutes: str = "30"
    until: str = ""
    zone: str = ""
    last: bool = True
    same: bool = False
    strips: str = "0"
    title: str = ""


def chosen(room: Classroom | None, filled: Fields = ()) -> Chosen:
    """What the form begins with: as it was `filled` in, or else the plan of the class, or else what is usual."""
    if filled:
        texts = {name: field(filled, name) for name in ("game", "size", "minutes", "until", "zone", "strips", "title")}
        return Chosen(**texts, last=field(filled, "last") == "1", same=field(filled, "same") == "1")
    if room is None:
        return Chosen()
    plan = room.plan
    return Chosen(
        game=plan.game, size=str(plan.size), minutes=str(plan.minutes), until=plan.until,
        zone="" if plan.zone is None else str(plan.zone), last=plan.last, same=plan.same,
        strips=str(room.strips), title=room.title,
    )  # fmt: skip


def form(
    plan: Plan | None, library: Library, tr: Translator, filled: Fields = (), held: Sequence[str] = ()
) -> list[dict[str, object]]:
    """The games that a class can play, with what is to be chosen of each; chosen already is what was `filled` in, or
    else what the `plan` says. `held` are the private decks that who leads the class may choose.
    """
    several = [package for package in games.packages().values() if package.rules.seats[-1] > 1]
    return catalog.of_each(several, lambda package: _of(package, plan, library, tr, filled, held))


def _of(
    package: Package, plan: Plan | None, library: Library, tr: Translator, filled: Fields, held: Sequence[str]
) -> dict[str, object]:
    old = plan if plan is not None and plan.game == package.name else None
    top = dict(package.record.default) if old is None else old.top
    size = max(package.rules.seats[0], min(4, package.rules.seats[-1]))
    setup = TableSetup("", package.name, top, (Chair(),) * size)
    if old is not None:
        setup = replace(setup, turn_seconds=old.turn_seconds)
    elif "quick" in package.page.ways:
        setup = ways.with_way(package, setup, "quick", library)
    speaker = _speaker(package, tr)
    offered = ways.shown(package, setup, speaker, library)
    fields: list[dict[str, Any]] = [
        {
            "id": f"{package.folder.name}-{one.name}",
            "post": f"{package.name}:{one.name}",
            "field": _or_as_the_way(one, package, offered, tr),
        }
        for one in option_fields.fields(package, setup, speaker, library, held)
        if one.name in _CHOSEN and len(one.choices) > 1
    ]
    levels = [(level, speaker._(name)) for level, name in package.bot.levels.items()]
    box, level = catalog.box(package, tr), package.level("") if old is None else old.level
    if filled:
        way, level = field(filled, f"{package.name}:way"), field(filled, f"{package.name}:level")
        offered = [ways.Offered(**{**one, "chosen": one["value"] == way}) for one in offered]
        fields = [{**one, "field": _as_filled(one["field"], filled, one["post"])} for one in fields]
    return {"name": package.name, "box": box, "ways": offered, "fields": fields, "levels": levels, "level": level}


def _or_as_the_way(one: OptionField, package: Package, offered: Sequence[ways.Offered], tr: Translator) -> OptionField:
    """Return the field with the choice "" if ways to play decide it as well. It then leaves the decision to the way."""
    if one.name not in ways.decided(package):
        return one
    value = "" if any(way["chosen"] for way in offered) else one.value
    return replace(one, choices=[("", tr._("to match the choice above")), *one.choices], value=value)


def _as_filled(one: OptionField, filled: Fields, name: str) -> OptionField:
    given = [value for key, value in filled if key == name]
    if one.kind != "checks":
        return replace(one, value=given[-1] if given else one.value)
    return replace(one, value=given, shown=", ".join(label for value, label in one.choices if value in given))


def cards(plan: Plan, library: Library, tr: Translator) -> str:
    """With how many cards the tables of a lesson play; "" where that is not chosen."""
    package = games.package(plan.game)
    setup = TableSetup("", plan.game, plan.top, (Chair(),) * plan.size)
    fields = option_fields.fields(package, setup, _speaker(package, tr), library, deck_names(plan.top))
    left = next((one.value for one in fields if one.name == "left"), None)
    if not isinstance(left, int):
        return ""
    return tr.ngettext("{n} card in play", "{n} cards in play", left).format(n=left)


def told(plan: Plan, library: Library, tr: Translator) -> str:
    """What a lesson plays, in one line. Of a goal it says the topic."""
    package = games.packages().get(plan.game)
    if package is None:
        return plan.game
    setup = TableSetup("", plan.game, plan.top, (Chair(),) * plan.size, turn_seconds=plan.turn_seconds)
    speaker = _speaker(package, tr)
    chosen = [one for one in option_fields.fields(package, setup, speaker, library) if one.name in _CHOSEN[1:]]
    some = [one for one in chosen if isinstance(one.value, Sized) and len(one.choices) > len(one.value) > 0]
    picked = [_words(one) for one in some if one.shown]
    return " · ".join(dict.fromkeys([catalog.title(package, tr), *picked]))


def _words(one: OptionField) -> str:
    """A choice in words; of goals, which say what pupils can do then, the topics alone."""
    if one.name != "filter-goal":
        return one.shown
    goals = (label for value, label in one.choices if value in one.several)
    return ", ".join(dict.fromkeys(_COUNT.sub("", goal).partition(":")[0].rstrip() for goal in goals))


def refusal(error: Refused, filled: Fields, tr: Translator) -> str:
    """Why a lesson cannot be so, in the words of its game."""
    package = games.packages().get(field(filled, "game"))
    return (tr if package is None else _speaker(package, tr)).refusal(error)


def _speaker(package: Package, tr: Translator) -> Translator:
    return package.translator(tr.lang, [""] * package.rules.seats[-1])
