"""The games of a lesson that a class looks back on together."""

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import games_over
from spieltisch.game import Illegal
from spieltisch.table.replay import Replay
from spieltisch.table.tasks import in_turns
from spieltisch.web.services import Services


async def games_of(services: Services, room: Classroom) -> list[tuple[str, Replay]]:
    """All games at the tables of this lesson, each with what its table is called. Illegal while one of them runs: what
    is shown of the others might lie hidden there.
    """
    host = services.host
    over, running = await games_over(host, [one.id for one in room.tables])
    if running:
        raise Illegal("Games are still running: call the last round, or stop them, and look back when all are over.")
    if not over:
        raise Illegal("No game of this lesson is over yet.")
    return [
        (str(n) if setup.number == 1 else f"{n} ({setup.number})", await host.replay(setup.id, broken_off=True))
        async for n, setup in in_turns(over)
    ]
