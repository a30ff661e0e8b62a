"""The games' boxes, read from their `box.toml`, and the days of their dailies."""

import logging
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import cache
from typing import Any, TypeVar

from spieltisch import games
from spieltisch.decks.library import NotReadError
from spieltisch.i18n import N_, Translator, bind_dashes
from spieltisch.languages import language
from spieltisch.package import Package
from spieltisch.table.log import TableSetup
from spieltisch.web.core.renderer import own_file

T = TypeVar("T")

log = logging.getLogger(__name__)


def title(package: Package, tr: Translator) -> str:
    """Return the game's name as people write it, in the reader's language."""
    return package.translator(tr.lang)._(package.box.title or package.name.replace("-", " ").title())


def title_of(name: str, tr: Translator) -> str:
    """Return the title of the game with this name, or the name itself if there is no such game any more."""
    package = games.packages().get(name)
    return name if package is None else title(package, tr)


def library(packages: Iterable[Package]) -> list[Package]:
    """Return the games in the order of their boxes; those without a place come last."""
    return sorted(packages, key=lambda package: (package.box.place, package.name))


def of_each(packages: Iterable[Package], draw: Callable[[Package], T]) -> list[T]:
    """Return what a page draws of each game, in the order of their boxes. A game from elsewhere that fails is left out
    and logged, so that the page has the others.
    """
    found = []
    for package in library(packages):
        try:
            found.append(draw(package))
        except NotReadError:  # its decks are read first
            raise
        except Exception:
            if not games.is_foreign(package):
                raise
            log.exception("a page leaves out the game %s", package.name)
    return found


def box(package: Package, tr: Translator) -> dict[str, Any]:
    """Return a game's box in the reader's language."""
    return _box(package, tr.lang)


@cache
def _box(package: Package, lang: str) -> dict[str, object]:
    read = package.box
    least, most = package.rules.seats[0], package.rules.seats[-1]
    words = package.translator(lang)
    people = f"{least}" if least == most else f"{least}–{most}"
    meta = words.ngettext("{n} player", "{n} players", most).format(n=people)
    if read.minutes:
        meta = f"{meta} · {read.minutes} min"
    return {
        "game": package.name,
        "title": bind_dashes(title(package, words)),
        "pitch": words._(read.pitch) if read.pitch else "",
        "credit": words._(read.credit) if read.credit else "",
        "meta": meta,
        "glyph": read.glyph,
        "accent": read.accent,
        "cls": read.cls,
        "lid": own_file(package, "templates", "lid.html"),
        "solo": most == 1,
        "chains": package.page.chains,
        "lesson": (package.folder / "lesson.toml").is_file(),
        "rules": package.rule_book(lang) is not None,
    }


WEEK = 7  # days whose deals are shown
ROW = 100  # days that count for a streak

WEEKDAYS = (N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"))
MONTHS = (
    *(N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June")),
    *(N_("July"), N_("August"), N_("September"), N_("October"), N_("November"), N_("December")),
)


def day_words(day: date, tr: Translator) -> str:
    """Return a day without its year: "Saturday, 21 November"."""
    weekday, month = tr._(WEEKDAYS[day.weekday()]), tr._(MONTHS[day.month - 1])
    return tr._("{weekday}, {n} {month}").format(weekday=weekday, n=day.day, month=month)


def short_date(day: date, tr: Translator) -> str:
    """Return a day for little room: "21 Nov"."""
    own = language(tr.lang)
    return own.day.format(day=day.day, month=own.months[day.month - 1], number=day.month)


def result_of_day(package: Package, day: date, said: str, tr: Translator) -> str:
    """Return the first line of a daily's text to share: "Adaman of the day, 21 Nov: …"."""
    short = tr._("of the day, {day}").format(day=short_date(day, tr))
    return tr.labelled(f"{title(package, tr)} {short}", said)


def short_day(day: date, tr: Translator) -> str:
    """Return the first letters of its weekday."""
    return language(tr.lang).weekdays[day.weekday()]


def daily(package: Package, today: date, tr: Translator) -> dict[str, object] | None:
    """Return the deals of this day and the days before, oldest first; None if the game has none."""
    days = [today - timedelta(n) for n in reversed(range(WEEK))]
    deals = {day: package.daily.number(day) for day in days}
    if not deals[today]:
        return None
    return {
        "box": box(package, tr),
        "number": deals[today],
        "today": day_words(today, tr),
        "days": [
            {
                "number": deal,
                "short": short_day(day, tr),
                "words": day_words(day, tr),
                "today": day == today,
            }
            for day, deal in deals.items()
        ],
    }


def row(package: Package, today: date) -> str:
    """Return the numbers of the deals that count for a streak, oldest first."""
    return " ".join(str(package.daily.number(today - timedelta(n))) for n in reversed(range(ROW)))


def day_of(package: Package, setup: TableSetup) -> date | None:
    """Return the day whose daily is played at this table; None for any other game."""
    if setup.day:
        return date.fromisoformat(setup.day)
    return package.daily.day(setup.deal) if setup.deal else None
