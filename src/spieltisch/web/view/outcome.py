"""Whose turn it is, and how a game ended, in words."""

from typing import Any

from spieltisch import games
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.table.evening import listed
from spieltisch.table.table import Table
from spieltisch.web.access.viewpoint import asked_seat
from spieltisch.web.view.catalog import library, title


def several(names: list[str], tr: Translator) -> str:
    """Names in a row: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return tr._("{some} and {last}").format(some=", ".join(names[:-1]), last=names[-1])


def standing_line(table: Table, tr: Translator) -> str:
    """How far a game is, by what everybody knows of it; "" before it has begun."""
    return table.package.page.standing(table.view(None).public, tr) if table.seq else ""


def waits_to_begin(table: Table) -> bool:
    """Whether a table of a class is dealt and nobody has moved: pupils sit down, and all begin together."""
    return table.setup.waits


def turn_line(table: Table, tr: Translator, shared: tuple[int, ...] = ()) -> str:
    """Whom the table waits for. Where several share a device, whoever of them is asked is called by name."""
    if table.setup.stage == "closed":
        return _stopped(table, tr)
    if table.halt is not None:
        return tr.refusal(table.halt)
    if table.result is not None:
        return tr._("The game is over.")
    if table.setup.paused:
        if waits_to_begin(table):
            return tr._("Sit down together. It begins when your teacher says so.")
        return tr._("The game is paused.")
    said = _whose_turn(table, tr, shared)
    return f"{said} {tr._('This is the last round.')}" if table.setup.last_round is not None else said


def _stopped(table: Table, tr: Translator) -> str:
    """What is said of a table that was closed: how its game stood, if it was broken off after a last round."""
    if not table.setup.places:
        return tr._("This table has been closed.")
    several_ = [several([tr.name(seat) for seat in seats], tr) for seats in table.setup.places]
    places = [1 + sum(map(len, table.setup.places[:i])) for i in range(len(several_))]
    told = ", ".join(f"{place}. {names}" for place, names in zip(places, several_, strict=True))
    return tr._("Ended after the last round, ranked as the rules count: {places}.").format(places=told)


def _whose_turn(table: Table, tr: Translator, shared: tuple[int, ...]) -> str:
    acting = table.to_act
    if shared and (asked := asked_seat(table, shared)) is not None:
        contest = table.is_contest(asked)
        return tr._("{name}, you are asked." if contest else "{name}, it is your turn.").format(name=tr.name(asked))
    if tr.me is not None and tr.me in acting and not table.setup.chairs[tr.me].away:
        return tr._("You are asked.") if table.is_contest(tr.me) else tr._("Your turn.")
    names = [tr.name(seat) for seat in acting]
    if len(names) == 1:
        return tr._("{name}’s turn.").format(name=names[0])
    return tr._("Waiting for {names}.").format(names=several(names, tr)) if names else ""


def page_title(table: Table, game: str, tr: Translator, asked: int | None) -> str:
    """The title of the page: that one of one's seats is `asked`, first of all."""
    if asked is None:
        return f"{game} – Spieltisch"
    return tr._("You are asked – {game}" if table.is_contest(asked) else "Your turn – {game}").format(game=game)


def headline(table: Table, tr: Translator) -> str:
    """Who won, or how it ended where nobody is ranked."""
    result = table.result
    if result is None:
        return ""
    if result.ranking:
        first = list(result.ranking[0])
        if tr.me in first and len(first) == 1:
            return tr._("You win.")
        names = [tr.name(seat) for seat in first if seat != tr.me]
        if tr.me in first:
            return tr._("You win together with {names}.").format(names=several(names, tr))
        if len(first) == 1:
            return tr._("{name} wins.").format(name=names[0])
        return tr._("{names} win together.").format(names=several(names, tr))
    if result.end == "won":
        return tr._("You win.")
    return tr._("You lose.") if result.end == "lost" else tr._("The game is over.")


def places(table: Table) -> list[dict[str, Any]]:
    """The ranking: each place with its seats, and their points where they have the same."""
    result = table.result
    if result is None or not result.ranking or len(table.setup.chairs) == 1:
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
    return [chair.wins + (seat in first) for seat, chair in enumerate(table.setup.chairs)]


def tally(table: Table, tr: Translator) -> str:
    """The wins of the evening in words; nothing is to be counted after the first game, or alone."""
    if table.result is None or len(table.setup.chairs) == 1 or not table.setup.before:
        return ""
    return tr._("Today: {tally}").format(tally=standings(wins(table), tr))


def others(table: Table) -> list[tuple[str, str]]:
    """The other games that the same people can go on with: name and title."""
    people = sum(chair.kind == "person" for chair in table.setup.chairs)
    found = [one for one in library(games.packages().values()) if 1 < one.rules.seats[-1] >= people]
    return [(one.name, title(one)) for one in found if one is not table.package]


def evening_so_far(table: Table, tr: Translator) -> list[dict[str, Any]]:
    """The games of the evening that are over, up to this one: number, id, title, who won, what looks back at it."""
    setup, packages, played = table.setup, games.packages(), table.setup.evening
    if table.result is not None:
        played = listed(setup, [seat for seat, n in enumerate(wins(table)) if n > setup.chairs[seat].wins])
    following = setup.number + (table.result is not None)
    return [
        {
            "n": following - len(played) + i,
            "table": one.id,
            "title": title(package) if package else one.game,
            "won": several([name for name in one.winners if name], tr),
            "review": _said(package, package.page.review_title, tr) if package else "",
            "stories": bool(package and package.page.has_stories),
        }
        for i, one in enumerate(played)
        for package in [packages.get(one.game)]
    ]


def _said(package: GamePackage, words: str, tr: Translator) -> str:
    """What a game says itself, in the reader's language: another game's words may tell it of none."""
    return package.translator(tr.lang)._(words) if words else ""


def standings(won: list[int], tr: Translator) -> str:
    """How often every seat has won, most first; "" where nobody has."""
    order = sorted(range(len(won)), key=lambda seat: -won[seat])
    return ", ".join(f"{tr.name(seat)} {won[seat]}" for seat in order) if any(won) else ""
