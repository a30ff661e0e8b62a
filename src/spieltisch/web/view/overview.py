"""What whoever runs the server sees of its tables: how many and how old, not who sits there and not what they hold."""

from typing import Any

from spieltisch import games
from spieltisch.i18n import Translator
from spieltisch.table.log import TableSetup, tag
from spieltisch.web.view import catalog


def table_row(setup: TableSetup, now: float, tr: Translator) -> dict[str, Any]:
    """A table in the host's list. Its tag stands for its code, which would open it."""
    stages = {
        "waiting": tr._("waits for people"),
        "playing": tr._("is being played"),
        "over": tr._("is over"),
        "closed": tr._("is closed"),
    }
    kinds = [chair.kind for chair in setup.chairs]
    package = games.packages().get(setup.game)
    return {
        "tag": tag(setup.id), "title": setup.game if package is None else catalog.title(package),
        "stage": stages[setup.stage], "open": setup.stage in {"waiting", "playing"},
        "people": kinds.count("person"), "bots": kinds.count("bot"), "ago": ago(now - setup.touched, tr),
    }  # fmt: skip


def ago(seconds: float, tr: Translator) -> str:
    """How long something is past, in the largest unit that says something."""
    minutes = int(max(0.0, seconds) // 60)
    if not minutes:
        return tr._("just now")
    if minutes < 60:
        return tr.ngettext("{n} minute ago", "{n} minutes ago", minutes).format(n=minutes)
    if minutes < 48 * 60:
        return tr.ngettext("{n} hour ago", "{n} hours ago", minutes // 60).format(n=minutes // 60)
    return tr.ngettext("{n} day ago", "{n} days ago", minutes // 1440).format(n=minutes // 1440)
