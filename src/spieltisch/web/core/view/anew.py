"""A new start of a running game with another choice, such as help: who may propose it, who has to agree yet."""

from typing import Any

from spieltisch.i18n import Translator
from spieltisch.table import evening
from spieltisch.table.table import Table
from spieltisch.web.core.view.outcome import several
from spieltisch.web.core.view.viewer import Viewer


def choices(table: Table, tr: Translator) -> list[tuple[str, str, str]]:
    """What may be changed from game to game: name, value, and the value's label."""
    page, options = table.package.page, table.setup.top.get("options", {})
    return [
        (name, value, tr._(page.labels.get(f"{name}:{value}", value)))
        for name, values in page.again.items()
        for value in values
        if value != options.get(name, values[0])
    ]


def anew(table: Table, viewer: Viewer, tr: Translator) -> dict[str, Any]:
    """What the page of somebody at the table shows: what they can propose (`may_begin_anew`), or what is proposed."""
    setup = table.setup
    if not viewer.mine or len(setup.chairs) == 1 or setup.stage != "playing" or setup.classroom or setup.rematch:
        return {}
    if (wanted := setup.anew) is None:
        return {"may_begin_anew": choices(table, tr)}
    keys = {setup.chairs[seat].key for seat in viewer.mine}
    names = {chair.key: tr.name(seat) for seat, chair in enumerate(setup.chairs) if chair.kind == "person"}
    if wanted.refused:
        refused = "" if wanted.refused in keys else names.get(wanted.refused, "")
        return {"may_begin_anew": choices(table, tr), "no_new_start": refused}
    label = tr._(table.package.page.labels.get(f"{wanted.option}:{wanted.value}", wanted.value))
    own = wanted.agreed[0] in keys
    said = tr._("You propose a new start: {choice}.") if own else tr._("{name} proposes a new start: {choice}.")
    missing = evening.undecided(setup)
    return {
        "new_start": said.format(name=names.get(wanted.agreed[0], tr._("Guest")), choice=label),
        "agreed": bool(keys.intersection(wanted.agreed)),
        "own_start": own,
        "undecided": several([tr.name(seat) for seat in missing], tr),
    }
