"""Days of the calendar in words."""

from datetime import date

from spieltisch.i18n import Translator

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
