"""Proposals to start a running game again with another option, such as help: who may propose, who has agreed."""

from collections.abc import Sequence

from msgspec import Struct

from spieltisch.i18n import Translator
from spieltisch.options import chosen
from spieltisch.table import evening
from spieltisch.table.table import Table
from spieltisch.web.core.view.outcome import several
from spieltisch.web.core.view.viewer import Viewer


class Proposal(Struct, frozen=True):
    """An option with which the game may start again."""

    option: str
    value: str


class Proposed(Proposal, frozen=True):
    """A proposal: the seat that made it (null: its player has left), the seats that have not answered yet, and the seat
    that refused (null: none).
    """

    by: int | None
    undecided: list[int]
    refused: int | None


def proposals(table: Table) -> list[Proposal]:
    """Return the options that may change from game to game."""
    page, options = table.package.page, chosen(table.setup.top)
    return [
        Proposal(name, value)
        for name, values in page.again.items()
        for value in values
        if value != options.get(name, values[0])
    ]


def choices(table: Table, tr: Translator) -> list[tuple[str, str, str]]:
    """Return what may change from game to game: the option's name, the value, and the value's label."""
    labels = table.package.page.labels
    return [
        (one.option, one.value, tr._(labels.get(f"{one.option}:{one.value}", one.value))) for one in proposals(table)
    ]


def may_propose(table: Table, viewer: Viewer) -> bool:
    """Whether this viewer may propose: a player at a table of several that belongs to no class."""
    setup = table.setup
    alone = len(setup.chairs) == 1
    return bool(viewer.mine) and not alone and setup.stage == "playing" and not setup.classroom and not setup.rematch


def proposed(table: Table) -> Proposed | None:
    """Return the open proposal, if there is one."""
    wanted = table.setup.anew
    if wanted is None:
        return None
    seats = {chair.key: seat for seat, chair in enumerate(table.setup.chairs) if chair.kind == "person"}
    missing = [] if wanted.refused else list(evening.undecided(table.setup))
    by, refused = seats.get(wanted.agreed[0]), seats.get(wanted.refused) if wanted.refused else None
    return Proposed(wanted.option, wanted.value, by, missing, refused)


class NewStart(Struct, frozen=True):
    """What a player sees: what they can propose, or what somebody has proposed."""

    may_begin_anew: Sequence[tuple[str, str, str]] = ()  # what `choices` returns
    new_start: str = ""  # the proposal in words
    agreed: bool = False  # whether the viewer has
    own_start: bool = False  # whether it is the viewer's proposal
    undecided: str = ""  # who has not answered, in words
    no_new_start: str = ""  # who refused


def anew(table: Table, viewer: Viewer, tr: Translator) -> NewStart:
    setup = table.setup
    if not may_propose(table, viewer):
        return NewStart()
    if (wanted := setup.anew) is None:
        return NewStart(choices(table, tr))
    keys = {setup.chairs[seat].key for seat in viewer.mine}
    names = {chair.key: tr.name(seat) for seat, chair in enumerate(setup.chairs) if chair.kind == "person"}
    if wanted.refused:
        return NewStart(
            choices(table, tr), no_new_start="" if wanted.refused in keys else names.get(wanted.refused, "")
        )
    label = tr._(table.package.page.labels.get(f"{wanted.option}:{wanted.value}", wanted.value))
    own = wanted.agreed[0] in keys
    said = tr._("You propose to start again: {choice}.") if own else tr._("{name} proposes to start again: {choice}.")
    missing = evening.undecided(setup)
    return NewStart(
        new_start=said.format(name=names.get(wanted.agreed[0], tr._("Guest")), choice=label),
        agreed=bool(keys.intersection(wanted.agreed)),
        own_start=own,
        undecided=several([tr.name(seat) for seat in missing], tr),
    )
