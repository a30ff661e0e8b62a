"""What the host sees: how the processes are doing, how many tables there are and how old; not who sits there or what
they hold. And reported cards.
"""

from collections.abc import Mapping, Sequence

from spieltisch import games, makers
from spieltisch.decks.check import open_deck
from spieltisch.decks.library import Library
from spieltisch.i18n import Translator
from spieltisch.table.log import TableSetup, tag
from spieltisch.web.core import catalog
from spieltisch.web.core.cards import preview


def table_row(setup: TableSetup, now: float, tr: Translator) -> dict[str, object]:
    """Return a table's line in the host's list. Its tag stands for its code, which would open it."""
    stages = {
        "waiting": tr._("waiting for people"),
        "playing": tr._("is being played"),
        "over": tr._("is over"),
        "closed": tr._("is closed"),
    }
    kinds = [chair.kind for chair in setup.chairs]
    package = games.packages().get(setup.game)
    return {
        "tag": tag(setup.id), "title": setup.game if package is None else catalog.title(package, tr),
        "stage": stages[setup.stage], "open": setup.stage in {"waiting", "playing"},
        "people": kinds.count("person"), "bots": kinds.count("bot"), "ago": ago(now - setup.touched, tr),
    }  # fmt: skip


def ago(seconds: float, tr: Translator) -> str:
    """Say how long ago something was, in one unit."""
    minutes = int(max(0.0, seconds) // 60)
    if not minutes:
        return tr._("just now")
    if minutes < 60:
        return tr.ngettext("{n} minute ago", "{n} minutes ago", minutes).format(n=minutes)
    if minutes < 48 * 60:
        return tr.ngettext("{n} hour ago", "{n} hours ago", minutes // 60).format(n=minutes // 60)
    return tr.ngettext("{n} day ago", "{n} days ago", minutes // 1440).format(n=minutes // 1440)


def summed_up(said: Sequence[Mapping[str, str]], now: float, tr: Translator) -> list[tuple[str, str]]:
    """Return a few numbers of all processes together, from what each says of itself (`cluster.fleet`)."""

    def of(name: str) -> list[float]:
        return [float(one[name]) for one in said if name in one]

    versions = dict.fromkeys(_version(one, tr) for one in said if one)
    late, memory, disk, backups = of("late"), of("memory"), of("disk"), of("backup")
    return [
        (tr._("Version"), ", ".join(versions)),
        (tr._("Open pages"), f"{sum(of('pages')):.0f}"),
        (tr._("Tables in memory"), f"{sum(of('tables')):.0f}"),
        (tr._("Moves since the start"), f"{sum(of('moves')):.0f}"),
        (tr._("Delay"), _milliseconds(max(late))),
        *([(tr._("Memory"), _megabytes(sum(memory)))] if memory else []),
        *([(tr._("Free disk space"), _megabytes(min(disk)))] if disk else []),
        (tr._("Last backup"), ago(now - max(backups), tr) if backups else tr._("none known")),
    ]


def thinking(engines: makers.Progress, tr: Translator) -> tuple[str, str]:
    """With what bots, hints and looks back think."""
    if engines.compiled:
        said = tr._("compiled")
    elif engines.now:
        said = tr.ngettext(
            "plain Python, {n} function compiled so far", "plain Python, {n} functions compiled so far", engines.done
        ).format(n=engines.done)
    else:
        said = tr._("plain Python")
    return tr._("Bots and hints"), said


def processes(said: Sequence[Mapping[str, str]], tr: Translator) -> list[dict[str, object]]:
    """Return each of several processes with its figures, the one that answers first. A silent one has none."""
    if len(said) == 1:
        return []
    return [{"name": one.get("name", ""), "figures": _of_one(one, tr) if one else []} for one in said]


def _of_one(one: Mapping[str, str], tr: Translator) -> list[tuple[str, str]]:
    return [
        (tr._("Version"), _version(one, tr)),
        *([(tr._("Open pages"), one["pages"])] if "pages" in one else []),
        (tr._("Tables in memory"), one["tables"]),
        (tr._("Moves since the start"), one["moves"]),
        (tr._("Delay"), _milliseconds(float(one["late"]))),
        *([(tr._("Memory"), _megabytes(float(one["memory"])))] if "memory" in one else []),
    ]


def _version(one: Mapping[str, str], tr: Translator) -> str:
    return tr._("{version}, format {format}").format(version=one["version"], format=one["format"])


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def _megabytes(n: float) -> str:
    return f"{n / 1e6:.0f} MB"


Place = tuple[int, dict[str, object], str]  # a card's row in the deck, what is on it, the fact that it names


def cards_reported(library: Library, names: Sequence[str], ids: Sequence[str], lang: str) -> dict[str, Place]:
    """Return those of these cards that the deck still has, by their ids. Asked in another process: see
    `decks.library`.
    """
    deck = open_deck(library.path(names[0]))
    rows = {row["id"]: (at, row) for at, row in enumerate(deck.table.rows)}
    return {
        one: (rows[one][0], preview(rows[one][1], deck.kind, lang), rows[one][1].cells.get("fact", ""))
        for one in ids
        if one in rows
    }
