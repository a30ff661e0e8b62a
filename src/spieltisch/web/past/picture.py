"""A picture of how a game ended, to be sent to others: who came where, and what for anybody is remembered. It names no
card and no year, so that who gets it may still play with the same cards.
"""

from datetime import datetime
from textwrap import wrap

from msgspec import Struct

from spieltisch import assets
from spieltisch.i18n import Translator
from spieltisch.package import Stories
from spieltisch.table.names import initial
from spieltisch.table.table import Table
from spieltisch.web.core import catalog
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.view.outcome import headline, places, several, tally
from spieltisch.web.core.view.viewer import names_of

WIDE, LEFT, INDENT = 1080, 84, 176  # SVG units: the picture, where lines begin, and where they do beside a mark
HEADLINE, LINE, ROW = 84, 42, 92  # from one line to the next
LONG, LONGEST = 24, 54  # letters in a line of the headline and of what is told


class _Text(Struct, frozen=True):
    """A line of words: where its baseline begins, and its kind, which is how it looks."""

    x: int
    y: int
    words: str
    kind: str


class _Mark(Struct, frozen=True):
    """The mark of a seat with its letter, by its upper left corner."""

    x: int
    y: int
    colour: str
    shape: assets.Drawing
    letter: str


def picture(table: Table, told: Stories, tr: Translator) -> dict[str, object]:
    """What stands where in the picture of a finished game, for `picture.svg`; `tr` is nobody at the table."""
    names, texts, marks, y = names_of(table, tr), [], [], 152
    texts.append(_Text(LEFT, y, catalog.title(table.package, tr), "game"))
    for line in wrap(headline(table, tr), LONG):
        y += HEADLINE
        texts.append(_Text(LEFT, y, line, "headline"))
    y += 32
    for place in places(table):
        for seat in place["seats"]:
            y += ROW
            marks.append(_mark(tr.mark(seat), names[seat], LEFT, y - 50))
            texts.append(_Text(INDENT, y - 12, f"{place['place']}. {names[seat]}", "name"))
            texts.append(_Text(INDENT, y + 24, told.lines[seat], "small"))
    y += 40
    for one in told.awards:
        if one.shared:
            texts.append(_Text(LEFT, y + 62, one.title, "award"))
            y += 62
            for line in wrap(tr.labelled(several([names[seat] for seat in one.seats], tr), one.words), LONGEST):
                y += LINE
                texts.append(_Text(LEFT, y, line, "words"))
    y += 84
    day = datetime.fromtimestamp(table.setup.touched).astimezone().date()  # as the server's clock has it
    foot = [f"{catalog.day_words(day, tr)} {day.year}", tally(table, tr)]
    texts.append(_Text(LEFT, y, " · ".join(part for part in foot if part), "foot"))
    shown = {"texts": texts, "marks": marks, "shapes": [Html(one.shape.content) for one in marks]}
    accent = catalog.box(table.package, tr)["accent"].removeprefix("g-") or "ink"
    return shown | {"wide": WIDE, "high": y + 116, "colours": assets.colours(), "accent": accent}


def _mark(mark: int, name: str, x: int, y: int) -> _Mark:
    shape = f"s{mark % 6}"
    return _Mark(x, y, assets.colours()[shape], assets.drawings("sprite")[f"seat-{shape}"], initial(name) or "·")
