"""A report of a series for people: one self-contained page of HTML with its pictures."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from spieltisch import extras
from spieltisch.assets import colours
from spieltisch.decks.findings import Message, message, say
from spieltisch.game import Invalid
from spieltisch.i18n import common_catalog
from spieltisch.languages import DEFAULT
from spieltisch.study.figures import Figures, Mean, Standing, as_text, histogram, percent, share, spread

_HERE = Path(__file__).parent
_WIDTH, _ROW, _LEFT, _RIGHT = (
    640,
    34,
    130,
    180,
)  # of a drawing: its width, a row, space for names and shares
_HIGH, _LABELS = 160, 24  # of columns: the highest; and the space for labels below any drawing
_PANEL, _PLOT, _LINE = (
    320,
    (40, 26, 256, 120),
    17,
)  # of a panel: its width; left, top and size of its plot; a line below
_TICKS = (1, 10, 100)
_STROKES = ("", "7 4", "2 4")  # so that curves are told apart without colours
CAPTIONS: Mapping[str, Message] = {
    "bots": message("Wins per seat. The line shows a fair share."),
    "seats": message("Wins by seat: the advantage of each seat."),
    "lengths": message("Actions per game: how many games were that long."),
}


def page(figures: Figures, command: str, lang: str = DEFAULT) -> str:
    """Return the whole page in a language, such as "de". `command` is the command that made the figures."""
    catalog = common_catalog(lang)
    return render(
        _HERE / "report.html",
        lang=lang,
        _=catalog.gettext,
        ngettext=catalog.counted,
        game=figures.match.game,
        games=figures.games,
        seed=figures.match.seed,
        unfinished=figures.unfinished,
        command=command,
        colours=dict(colours()),
        standings=[_row(one, lang) for one in figures.standings],
        by_bot=_drawing(figures, "bots", lang),
        by_seat=_drawing(figures, "seats", lang),
        lengths=_drawing(figures, "lengths", lang),
        captions={what: say(one, lang) for what, one in CAPTIONS.items()},
        text=as_text(figures, lang),
    )


class Picture:
    """A drawing as SVG. Notebooks show it; `save` writes it to a file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"

    def save(self, file: str | Path) -> None:
        """Write it to a file. Raises OSError if that fails."""
        Path(file).write_text(self.svg, encoding="utf-8")


def picture(figures: Figures, what: str, lang: str = DEFAULT) -> Picture:
    """Return one of the report's pictures: "bots", "seats" or "lengths", in a language such as "de".

    Raises Invalid for anything else, and for lengths if no game has ended.
    """
    if what not in CAPTIONS:
        raise Invalid("there are charts of {known}, not of {what}", known=", ".join(CAPTIONS), what=repr(what))
    drawing = _drawing(figures, what, lang)
    if drawing is None:
        raise Invalid("no game has ended, so there is no chart of lengths")
    kind: Literal["bars", "columns"] = "columns" if what == "lengths" else "bars"
    caption = f"{figures.match.game}: {say(CAPTIONS[what], lang)}"
    return drawn(caption, kind, drawing)


def drawn(caption: str, kind: Literal["bars", "columns", "panels"], drawing: dict[str, object]) -> Picture:
    """Return a drawing of `bars`, `columns` or `panels` as a picture with a caption."""
    return Picture(render(_HERE / "picture.xml", caption=caption, drawing=drawing, kind=kind, colours=dict(colours())))


def _drawing(figures: Figures, what: str, lang: str) -> dict[str, object] | None:
    fair, said = figures.standings[0].fair, partial(share, lang=lang)
    if what == "bots":
        return bars([(one.bot, one.wins) for one in figures.standings], fair, said)
    if what == "seats":
        seats = enumerate(figures.by_seat, 1)
        return bars([(say(message("seat {seat}", seat=number), lang), one) for number, one in seats], fair, said)
    return columns(histogram(figures.lengths))


def render(template: Path, **shown: object) -> str:
    """Return the page that this template makes. It may use `charts.html`."""
    with extras.needed():
        from minijinja import Environment  # noqa: PLC0415 - an extra brings it
    files = (_HERE / "charts.html", template)
    environment = Environment(templates={one.name: one.read_text(encoding="utf-8") for one in files}, trim_blocks=True)
    return environment.render_template(template.name, **shown)


def _row(one: Standing, lang: str) -> dict[str, object]:
    return {
        "bot": one.bot,
        "seats": one.seats,
        "wins": share(one.wins, lang),
        "fair": "–" if one.fair is None else percent(one.fair, lang, 1),
        "points": "–" if one.points is None else spread(one.points, lang),
    }


def bars(
    rows: Sequence[tuple[str, Mean]], fair: float | None, said: Callable[[Mean], str] = share
) -> dict[str, object]:
    """Return the coordinates of bars from 0 to 100 %, with their intervals and the line of the fair share.

    `said` puts a share into words. The words stand beside the scale, so no line crosses them.
    """
    right = _WIDTH - _RIGHT

    def x(part: float) -> float:
        return round(_LEFT + (right - _LEFT) * min(max(part, 0.0), 1.0), 1)

    return {
        "width": _WIDTH,
        "height": _ROW * len(rows) + _LABELS,
        "floor": _ROW * len(rows),
        "words": "; ".join(f"{name} {said(one)}" for name, one in rows),
        "fair": None if fair is None else x(fair),
        "ticks": [{"x": x(part / 4), "label": f"{25 * part} %"} for part in range(5)],
        "beside": right + 14,
        "bars": [
            {
                "name": name, "share": said(one), "y": number * _ROW,
                "left": _LEFT, "width": round(x(one.mean) - _LEFT, 1), "low": x(one.low), "high": x(one.high),
            }
            for number, (name, one) in enumerate(rows)
        ],
    }  # fmt: skip


def columns(classes: Sequence[tuple[int, int, int]]) -> dict[str, object] | None:
    """Return the coordinates of a histogram's columns; None if there are none."""
    if not classes:
        return None
    most, wide = max(n for *_, n in classes), _WIDTH / len(classes)
    every = max(1, len(classes) // 6)
    return {
        "width": _WIDTH,
        "height": _HIGH + _LABELS,
        "words": ", ".join(f"{first}–{below - 1}: {n}" for first, below, n in classes),
        "columns": [
            {
                "x": round(i * wide + 1, 1), "y": round(_HIGH * (1 - n / most), 1),
                "width": round(wide - 2, 1), "height": round(_HIGH * n / most, 1),
                "title": f"{first}–{below - 1}: {n}", "label": first if i % every == 0 else None,
            }
            for i, (first, below, n) in enumerate(classes)
        ],
    }  # fmt: skip


def panels(curves: Mapping[str, Mapping[str, Sequence[Mean]]], at: Sequence[int]) -> dict[str, object]:
    """Return the coordinates of curves of shares with their intervals, from 50 to 100 %.

    Each group of up to three curves has a panel, two panels a row. The numbers `at` lie on a logarithmic scale.
    """
    left, above, wide, high = _PLOT
    most = max(len(group) for group in curves.values())
    tall = above + high + _LABELS + _LINE * (most + 1)

    def place(number: int, share: float) -> str:
        x = left + wide * math.log(number / at[0]) / math.log(at[-1] / at[0])
        return f"{x:.1f} {above + high * 2 * (1 - min(max(share, 0.5), 1)):.1f}"

    def path(shares: Sequence[float], numbers: Sequence[int]) -> str:
        return "L".join(place(number, share) for number, share in zip(numbers, shares, strict=True))

    return {
        "width": 2 * _PANEL,
        "height": tall * -(-len(curves) // 2),
        "words": "; ".join(
            f"{title} {name} {', '.join(f'{number}: {one.mean:.0%}' for number, one in zip(at, curve, strict=True))}"
            for title, group in curves.items()
            for name, curve in group.items()
        ),
        "shares": [{"y": above + high * (1 - part / 2), "label": f"{50 + 25 * part} %"} for part in range(3)],
        "numbers": [{"x": place(number, 1).split()[0], "label": number} for number in at if number in _TICKS],
        "left": left,
        "right": left + wide,
        "floor": above + high,
        "panels": [
            {
                "x": number % 2 * _PANEL,
                "y": number // 2 * tall,
                "title": title,
                "curves": [
                    {
                        "name": name,
                        "stroke": _STROKES[i],
                        "line": f"M{path([one.mean for one in curve], at)}",
                        "band": f"M{path([one.high for one in curve], at)}L"
                        f"{path([one.low for one in reversed(curve)], list(reversed(at)))}Z",
                        "legend": above + high + _LABELS + _LINE * (i + 1),
                    }
                    for i, (name, curve) in enumerate(group.items())
                ],
            }
            for number, (title, group) in enumerate(curves.items())
        ],
    }
