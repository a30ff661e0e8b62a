"""Days of the calendar in words, and their deals."""

from datetime import date, timedelta
from typing import Any

from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.web.view import catalog

WEEK = 7  # days whose deals are shown
ROW = 100  # days that are looked back on for a row of wins

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SHORT = {"de": ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"), "en": ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")}


def day_words(day: date, tr: Translator) -> str:
    """A day without its year: "Saturday, 21 November"."""
    weekday, month = tr._(WEEKDAYS[day.weekday()]), tr._(MONTHS[day.month - 1])
    return tr._("{weekday}, {n} {month}").format(weekday=weekday, n=day.day, month=month)


def short_date(day: date, tr: Translator) -> str:
    """A day where there is little room: "21 Nov"."""
    return f"{day.day}.{day.month}." if tr.lang == "de" else f"{day.day} {MONTHS[day.month - 1][:3]}"


def short_day(day: date, tr: Translator) -> str:
    """The first letters of its weekday."""
    return SHORT["de" if tr.lang == "de" else "en"][day.weekday()]


def daily(package: GamePackage, today: date, tr: Translator) -> dict[str, Any] | None:
    """The deal of this day and those of the days before, oldest first; None for a game that has none."""
    days = [today - timedelta(n) for n in reversed(range(WEEK))]
    deals = {day: package.analysis.daily(day) for day in days}
    if not deals[today]:
        return None
    return {
        "box": catalog.box(package, tr),
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


def row(package: GamePackage, today: date) -> str:
    """The numbers of the deals of this day and of those before that count for a row of wins, oldest first."""
    return " ".join(str(package.analysis.daily(today - timedelta(n))) for n in reversed(range(ROW)))
