"""The lab's report as a page: a file of its own, or the middle of a page of the web."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from spieltisch.assets import colours
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting.terminal import plain
from spieltisch.decks.findings import message, say
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import TAGS
from spieltisch.study.figures import histogram
from spieltisch.study.lab import words
from spieltisch.study.lab.report import Report, examine, first_things, pieces
from spieltisch.study.report import bars, columns, render


class Drawn(str):
    """A part of a page that is already drawn."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


SHOWN = 200  # cards that are named
_HERE = Path(__file__).parent
_SAID = {
    "first": message("What to change first"),
    "none": message("No card needs changing."),
    "cards": message("Card by card, the most useful first"),
    "play": message("How it plays"),
    "seats": message("Wins by seat. The line shows a fair share."),
    "lengths": message("Moves per game: how many games were that long."),
    "words": message("Words that appear only on cards from one time"),
    "no_words": message("No word appears only on cards from one time."),
    "balance": message("What the deck is made of"),
}


def in_each(path: Path, games: int, links: Mapping[str, str], tell: Callable[[int], None]) -> dict[str, str]:
    """Return the middle of the page about the deck in this file, by language. It runs in another process.

    `links` has an address for each card's id; `tell` gets the progress in per cent. Raises Invalid if the lab cannot
    examine the deck.
    """
    deck = open_deck(path)
    rows = [Row(0, row.cells) for row in deck.table.rows]  # lines of a file that its maker never sees
    deck = Deck(deck.name, deck.kind, Table(deck.table.about, rows))
    many, told = pieces(deck, games), -1

    def progress(done: int) -> None:
        nonlocal told
        if (now := 100 * done // many) > told:
            told = now
            tell(now)

    report = examine(deck, games, progress)
    return {lang: middle(report, lang, links) for lang in TAGS}


def whole(report: Report, lang: str) -> str:
    """Return a self-contained page."""
    body = middle(report, lang, {})
    title = f"{report.title[lang]} – " + say(message("Deck lab"), lang)
    return render(_HERE / "whole.html", lang=lang, title=title, colours=dict(colours()), body=Drawn(body))


def middle(report: Report, lang: str, links: Mapping[str, str]) -> str:
    """Return the body of a report's page."""
    shown = report.changes[:SHOWN]
    left = len(report.changes) - len(shown)
    return render(
        _HERE / "page.html",
        said={key: say(one, lang) for key, one in _SAID.items()},
        sums=[words.first_thing(what, n, lang) for what, n in first_things(report)],
        whole=[plain(one, lang) for one in report.whole],
        changes=[
            {
                "heading": words.heading(one, lang, front=False),
                "front": one.front[lang],
                "link": links.get(one.card, ""),
                "findings": [plain(each, lang) for each in one.findings],
            }
            for one in shown
        ],
        more=say(message("  and {n} more", n=left), lang).strip() if left else "",
        playing=_in_lists(words.playing(report, lang)),
        levels=[_level(report, number, lang) for number in range(len(report.played.levels))],
        words=[{"word": one.word, "cards": one.cards, "years": one.years[lang]} for one in report.words[: words.WORDS]],
        balance=[line.strip() for line in list(words.balance(report, lang))[1:]],
    )


class _Told(TypedDict):
    text: str
    items: list[str]


def _in_lists(lines: Iterable[str]) -> list[_Told]:
    """Nest indented lines below the lines before them."""
    told: list[_Told] = []
    for line in lines:
        if line.startswith(" ") and told:
            told[-1]["items"].append(line.strip())
        else:
            told.append({"text": line, "items": []})
    return told


def _level(report: Report, number: int, lang: str) -> dict[str, object]:
    level = report.played.levels[number]
    seats = [(say(message("seat {seat}", seat=seat), lang), one) for seat, one in enumerate(level.seats, 1)]
    return {
        "name": words.level_name(level, report, lang),
        "seats": bars(seats, 1 / len(level.seats), lambda one: words.percent(one.mean, lang)),
        "lengths": columns(histogram(level.lengths)),
    }
