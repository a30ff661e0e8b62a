"""The games of a lesson that a class looks back on together."""

from spieltisch.classroom.classroom import Classroom
from spieltisch.game import Illegal, Refused
from spieltisch.table.replay import Replay
from spieltisch.web.commands.class_tables import tables_of
from spieltisch.web.services import Services


async def games_of(services: Services, room: Classroom) -> list[tuple[str, Replay]]:
    """All games at the tables of this lesson, each with what its table is called. Illegal while one of them runs: what
    is shown of the others might lie hidden there.
    """
    running = sum(table.setup.stage == "playing" for table in await tables_of(services, room))
    if running:
        raise Illegal("Games are still running: call the last round, or stop them, and look back when all are over.")
    found: list[tuple[str, Replay]] = []
    for n, table in enumerate(room.tables, 1):
        for number, game in enumerate(await services.host.store.games(table.id), 1):
            try:
                replay = await services.host.replay(game, broken_off=True)
            except Refused:  # it was never begun, or under rules that are not kept
                continue
            found.append((str(n) if number == 1 else f"{n} ({number})", replay))
    if not found:
        raise Illegal("No game of this lesson is over yet.")
    return found
