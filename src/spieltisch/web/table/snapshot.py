"""A table as programs get it: the same view as the page's, as JSON."""

from typing import Any

from msgspec import Struct

from spieltisch.game import Result
from spieltisch.table.table import Table
from spieltisch.web.core.permission import asks_for, own_ask
from spieltisch.web.core.presence import Attendance
from spieltisch.web.core.view.anew import Proposal, Proposed, may_propose, proposals, proposed
from spieltisch.web.core.view.outcome import private_story, public_story
from spieltisch.web.core.view.viewer import Viewer, names_of, translator_for


class Asking(Struct, frozen=True):
    """Somebody who asks for a seat, to be answered by who may allow it."""

    ask: int
    seat: int
    name: str


class Snapshot(Struct, frozen=True):
    """A table as a program sees it from its seat (`seat` null: as a spectator).

    `question` is the number that an answer has to carry, `legal` what can be answered. Before the game has begun
    there is neither a view nor anything legal. `told` are sentences: of the entries after `after`. `revision` is raised
    with every change beside the game: somebody sat down, the game pauses. `asking` are those whose asking this program
    may answer, `asked` is the seat that it waits for itself. With one of `may_propose` the game may begin anew once all
    agree; `new_start` is such a proposal.
    """

    table: str
    game: str
    stage: str
    seq: int
    revision: int
    seat: int | None
    question: int | None
    names: list[str]
    paused: bool
    to_act: list[int]
    legal: list[Any]
    view: Any
    result: Result | None
    told: list[str]
    asking: list[Asking] = []
    asked: int | None = None
    may_propose: list[Proposal] = []
    new_start: Proposed | None = None


def snapshot(table: Table, viewer: Viewer, after: int = 0, here: Attendance = Attendance()) -> Snapshot:  # noqa: B008 - frozen
    """The table as this viewer sees it."""
    seat, stage = viewer.seat, table.setup.stage
    tr = translator_for(table, seat, viewer.lang)
    names = names_of(table, tr)
    if not table.seq:
        rev = table.setup.rev
        return Snapshot(table.id, table.package.name, stage, 0, rev, seat, None, names, False, [], [], None, None, [])
    view, setup = table.view(seat), table.setup
    own = own_ask(table.package, setup, viewer.key, here)
    return Snapshot(
        table=table.id,
        game=table.package.name,
        stage=stage,
        seq=table.seq,
        revision=table.setup.rev,
        seat=seat,
        question=None if seat is None else table.question(seat),
        names=names,
        paused=table.setup.paused,
        to_act=list(table.to_act),
        legal=[] if seat is None else list(table.legal(seat)),
        view=view,
        result=table.result,
        told=[sentence for _, said in public_story(table, tr, after) for sentence in said]
        + (private_story(view, table.package, tr) if table.seq > after else []),
        asking=[Asking(ask.number, ask.seat, ask.name) for ask in asks_for(table.package, setup, viewer.key, here)],
        asked=None if own is None or own.refused else own.seat,
        may_propose=proposals(table) if may_propose(table, viewer) else [],
        new_start=proposed(table) if may_propose(table, viewer) else None,
    )
