"""The report of a class in words, for its page, its sheet of paper and its files."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from spieltisch import games
from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import LEAST, Decided, LessonCount, Tally
from spieltisch.classroom.figures import ClassReport, Figures, Goal, report
from spieltisch.decks.check import open_deck
from spieltisch.decks.dates import day_text
from spieltisch.decks.exporting import moodle_xml, questions
from spieltisch.decks.exporting.asked import Asked
from spieltisch.decks.exporting.spreadsheets import Rows, as_csv, as_ods
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.i18n import Translator, common_translator
from spieltisch.web.classroom import form as lesson_form
from spieltisch.web.core import catalog
from spieltisch.web.core.catalog import day_words

MOST = 3  # missed cards that are named of a goal
LOOKED_AT = 5  # cards that a class looks back at together


def shown(
    library: Library, _names: Sequence[str], room: Classroom, count: LessonCount, whole: bool, lang: str
) -> dict[str, object]:
    """The question what the report's page shows: see `decks.library`."""
    return page(report(room, count, library, whole=whole), common_translator(lang))


def worst(
    library: Library, _names: Sequence[str], room: Classroom, count: LessonCount, lang: str
) -> list[dict[str, object]]:
    """The question for the cards of this lesson that were missed most, as the report counts and names them."""
    found, tr = report(room, count, library, whole=False), common_translator(lang)
    game = {(row.deck, row.card): row.game for row in found.rows}
    return [
        _card(found, one, tr) | {"card": one.card, "game": game.get((one.deck, one.card), room.plan.game)}
        for one in found.missed[:LOOKED_AT]
    ]


def as_file(
    library: Library,
    _names: Sequence[str],
    room: Classroom,
    count: LessonCount,
    whole: bool,
    form: str,
    lang: str,
) -> bytes:
    """The question for the report as a file: csv, grades, ods, moodle, or (`sheet`) JSON that is printed. Illegal where
    nothing is to be told.
    """
    found, tr = report(room, count, library, whole=whole), common_translator(lang)
    if not found.tallies:
        raise Illegal("There is nothing to report yet. Games count once every table has finished.")
    match form:
        case "csv":
            return as_csv(decisions(found, tr)).encode()
        case "grades":
            return as_csv(grades(found, tr)).encode()
        case "moodle":
            return _questions(found, library, lang).encode()
        case "sheet":
            return msgspec.json.encode(sheet(found, page(found, tr), lesson_form.told(room.plan, library, tr), tr))
    sheets = {
        tr._("Goals"): by_goal(page(found, tr), tr),
        tr._("Cards"): by_card(found, tr),
        tr._("Decisions"): decisions(found, tr),
    }
    return as_ods(sheets)


def _questions(found: ClassReport, library: Library, lang: str) -> str:
    """Questions about all cards that were missed, deck by deck; Illegal where there are none."""
    missed: dict[str, list[str]] = {}
    for one in found.missed:
        if found.card(one.deck, one.card) is not None:
            missed.setdefault(one.deck, []).append(one.card)
    said: list[str] = []
    asked: list[Asked] = []
    for deck, ids in missed.items():
        try:
            about, more = questions.of_cards(open_deck(library.path(deck)), lang, ids)
        except Invalid:
            continue
        said, asked = said + about, asked + more
    if not asked:
        raise Illegal("No tasks can be made from what was missed.")
    return moodle_xml.written(said, asked)


def page(one: ClassReport, tr: Translator) -> dict[str, Any]:
    """Return what the report's page shows, and its sheet of paper."""
    goals = [_goal(one, goal, tr) for goal in one.goals]
    goals.sort(key=lambda goal: (goal["share"] is None, goal["part"], -goal["claims"], goal["name"]))
    return {
        "room": one.room,
        "whole": one.whole,
        "lessons": one.room.counted + bool(one.rows and not any(row.bot for row in one.rows)),
        "running": one.count.running,
        "bots": not one.whole and any(row.bot for row in one.rows),
        "rows": len(one.rows),
        "goals": goals,
        "all": _told(one.all),
        "missed": len(one.missed),
        "missed_now": any(not row.right for row in one.rows),
        "least": LEAST,
    }


def _goal(one: ClassReport, goal: Goal, tr: Translator) -> dict[str, Any]:
    match goal.name:
        case "none":
            name = tr._("Without a goal")
        case "gone":
            name = tr._("Deleted decks")
        case text:
            name = text[tr.lang]
    chosen = {(tally.deck, tally.card) for tally in goal.cards}
    worst = [tally for tally in one.missed if (tally.deck, tally.card) in chosen][:MOST]
    return {"name": name, **_told(goal.figures), "cards": [_card(one, tally, tr) for tally in worst]}


def _told(figures: Figures) -> dict[str, object]:
    known = figures.share
    percent = [round(100 * part) for part in known] if known else None
    return {
        "claims": figures.claims,
        "right": figures.right,
        "passed": figures.passed,
        "part": known[0] if known else 0.0,
        "share": percent[0] if percent else None,
        "low": percent[1] if percent else 0,
        "high": percent[2] if percent else 0,
    }


def _card(one: ClassReport, tally: Tally, tr: Translator) -> dict[str, object]:
    card = one.card(tally.deck, tally.card)
    return {
        "front": tally.card if card is None else card.front[tr.lang],
        "back": "" if card is None else card.back[tr.lang],
        "comment": "" if card is None else card.comment[tr.lang],
        "source": "" if card is None else card.source,
        "corrected": "" if card is None else day_text(card.corrected)[tr.lang],
        "latin": card is not None and card.latin,
        "told": missed_of(tally, tr),
        "claims": tally.claims,
        "wrong": tally.wrong,
        "passed": tally.passed,
    }


def sheet(one: ClassReport, shown: Mapping[str, Any], game: str, tr: Translator) -> dict[str, Any]:
    """What stands on the report's sheet of paper; `game` is what the lesson played."""
    heads = [tr._("Goal"), tr._("Claims"), tr._("right"), tr._("Right in %"), "", tr._("unnoticed")]
    lessons = tr.ngettext("{n} lesson in all", "{n} lessons in all", shown["lessons"]).format(n=shown["lessons"])
    percent = tr._("{n} %")
    goals = [
        goal | {"told": f"{percent.format(n=goal['share'])} ({goal['low']}–{goal['high']})"} for goal in shown["goals"]
    ]
    return {
        "lang": tr.lang,
        "title": one.room.title,
        "about": " · ".join([tr._("What the class knew"), *([lessons] if one.whole else _lesson(one.room, tr)), game]),
        "heads": heads,
        "goals": goals,
        "more": tr._("More goals in the spreadsheet: {n}"),
        "missed": tr._("Missed most"),
        "cards": [_card(one, tally, tr) for tally in one.missed],
        "foot": tr._("In 95 of 100 cases, the true share lies between the two figures."),
    }


def _lesson(room: Classroom, tr: Translator) -> list[str]:
    """When a lesson was, by the clock that it was planned by, and how many came."""
    zone = None if room.plan.zone is None else dt.timezone(dt.timedelta(minutes=room.plan.zone))
    day = dt.datetime.fromtimestamp(room.begun or room.created, dt.UTC).astimezone(zone).date()
    came = tr.ngettext("{n} pupil", "{n} pupils", len(room.here)).format(n=len(room.here))
    return [f"{day_words(day, tr)} {day.year}", *([came] if room.here else [])]


def missed_of(tally: Tally, tr: Translator) -> str:
    """How often a card was missed, in words."""
    wrong, passed = tally.wrong, tally.passed
    said = []
    if tally.claims:
        said.append(tr.ngettext("{n} of {m} wrong", "{n} of {m} wrong", wrong).format(n=wrong, m=tally.claims))
    if passed:
        said.append(tr.ngettext("unnoticed {n} ×", "unnoticed {n} ×", passed).format(n=passed))
    return ", ".join(said)


# -- as tables -----------------------------------------------------------------------------------------------


def decisions(one: ClassReport, tr: Translator) -> Rows:
    """A row a decision of this lesson, under a row of headings."""
    deeds = {
        "laid": tr._("laid"),
        "doubted": tr._("doubted"),
        "contested": tr._("contested"),
        "passed": tr._("said nothing"),
    }
    head = [
        tr._("Name"), tr._("Table no."), tr._("Game no."), tr._("Game"), tr._("Deck"), tr._("Card"),
        tr._("Text on the card"), tr._("Goal"), tr._("Decision"), tr._("Declared as"), tr._("Result"),
        tr._("Off by (years or periods)"),
    ]  # fmt: skip
    return [head, *(_row(one, row, deeds, tr) for row in one.rows)]


def _row(one: ClassReport, row: Decided, deeds: Mapping[str, str], tr: Translator) -> list[str | int | None]:
    card = one.card(row.deck, row.card)
    result = tr._("unnoticed") if row.deed == "passed" else tr._("right") if row.right else tr._("wrong")
    return [
        row.name, row.table or None, row.number, catalog.title_of(row.game, tr), row.deck, row.card,
        row.card if card is None else card.front[tr.lang],
        "" if card is None else "; ".join(goal[tr.lang] for goal in card.goals),
        deeds[row.deed], _said(row, tr.lang) if row.said else "", result, row.off,
    ]  # fmt: skip


def _said(row: Decided, lang: str) -> str:
    kind = games.package(row.game).decks
    return row.said if kind is None else kind.said(row.said, lang)


def grades(one: ClassReport, tr: Translator) -> Rows:
    """A row a pupil of this lesson, for a gradebook; no share where there are too few claims."""
    head = [tr._("Name"), tr._("Right in %"), tr._("right"), tr._("Claims"), tr._("unnoticed")]
    return [head, *(_graded(name, figures) for name, figures in one.pupils)]


def _graded(name: str, figures: Figures) -> list[str | int | None]:
    known = figures.share
    return [name, round(100 * known[0]) if known else None, figures.right, figures.claims, figures.passed]


def by_goal(shown: Mapping[str, Any], tr: Translator) -> Rows:
    """A row a goal; no share where there are too few claims."""
    head = [
        tr._("Goal"), tr._("Claims"), tr._("right"), tr._("Right in %"), tr.pgettext("interval", "from"),
        tr.pgettext("interval", "to"), tr._("unnoticed"),
    ]  # fmt: skip
    return [head, *(_goal_row(goal) for goal in shown["goals"])]


def _goal_row(goal: Mapping[str, Any]) -> list[str | int | None]:
    known = [goal["share"], goal["low"], goal["high"]] if goal["share"] is not None else [None] * 3
    return [goal["name"], goal["claims"], goal["right"], *known, goal["passed"]]


def by_card(one: ClassReport, tr: Translator) -> Rows:
    """A row a card, those first that were missed most."""
    head = [tr._("Card"), tr._("Answer"), tr._("Goal"), tr._("right"), tr._("wrong"), tr._("unnoticed"), tr._("Source")]
    rest = [tally for tally in one.tallies if not tally.missed]
    return [head, *(_card_row(one, tally, tr) for tally in [*one.missed, *rest])]


def _card_row(one: ClassReport, tally: Tally, tr: Translator) -> list[str | int | None]:
    card = one.card(tally.deck, tally.card)
    counted = [tally.right, tally.wrong, tally.passed]
    if card is None:
        return [tally.card, "", "", *counted, ""]
    goals = "; ".join(goal[tr.lang] for goal in card.goals)
    return [card.front[tr.lang], card.back[tr.lang], goals, *counted, card.source]
