"""Whose turn it is, and how a game ended, in words."""

from typing import Any

from spieltisch.table.host import Table
from spieltisch.web import device
from spieltisch.web.texts import Says


def several(names: list[str], says: Says) -> str:
    """Names in a row: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return says._("{some} and {last}").format(some=", ".join(names[:-1]), last=names[-1])


def turn_line(table: Table, says: Says, shared: tuple[int, ...] = ()) -> str:
    """Whom the table waits for. Where several share a device, whoever of them is asked is called by name."""
    if table.plan.stage == "closed":
        return says._("This table has been closed.")
    if not table.fresh:
        return says._("This game was begun under other rules; it can be looked at, but not continued.")
    if table.result is not None:
        return says._("The game is over.")
    if table.plan.paused:
        return says._("The game is paused.")
    acting = table.to_act
    if shared and (asked := device.asked(table, shared)) is not None:
        return says._("{name}, it is your turn.").format(name=says.name(asked))
    if says.me is not None and says.me in acting and not table.plan.chairs[says.me].away:
        return says._("Your turn.")
    names = [says.name(seat) for seat in acting]
    if len(names) == 1:
        return says._("{name}’s turn.").format(name=names[0])
    return says._("Waiting for {names}.").format(names=several(names, says)) if names else ""


def headline(table: Table, says: Says) -> str:
    """Who won, or how it ended where nobody is ranked."""
    result = table.result
    if result is None:
        return ""
    if result.ranking:
        first = list(result.ranking[0])
        if says.me in first and len(first) == 1:
            return says._("You win.")
        names = [says._("You") if seat == says.me else says.name(seat) for seat in first]
        if len(first) == 1:
            return says._("{name} wins.").format(name=names[0])
        return says._("{names} win together.").format(names=several(names, says))
    if result.end == "won":
        return says._("You win.")
    return says._("You lose.") if result.end == "lost" else says._("The game is over.")


def places(table: Table) -> list[dict[str, Any]]:
    """The ranking: each place with its seats, and their points where they have the same."""
    result = table.result
    if result is None or not result.ranking or len(table.plan.chairs) == 1:
        return []
    found, place = [], 1
    for seats in result.ranking:
        scores = {result.scores[seat] for seat in seats} if result.scores is not None else set()
        score = scores.pop() if len(scores) == 1 else None
        found.append({"place": place, "seats": list(seats), "score": score})
        place += len(seats)
    return found


def wins(table: Table) -> list[int]:
    """How often every seat has won in this row of rematches, this game included."""
    first = table.result.ranking[0] if table.result is not None and table.result.ranking else ()
    return [chair.wins + (seat in first) for seat, chair in enumerate(table.plan.chairs)]


def tally(table: Table, says: Says) -> str:
    """The wins of the evening in words, most first; nothing is to be counted after the first game, or alone."""
    if table.result is None or len(table.plan.chairs) == 1 or not any(chair.wins for chair in table.plan.chairs):
        return ""
    won = wins(table)
    order = sorted(range(len(won)), key=lambda seat: -won[seat])
    return says._("Today: {tally}").format(tally=", ".join(f"{says.name(seat)} {won[seat]}" for seat in order))
