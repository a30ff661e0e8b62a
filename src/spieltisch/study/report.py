"""A report of a match that people can read: one page of HTML that needs nothing else, its pictures drawn in it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from minijinja import Environment

from spieltisch.assets import colours
from spieltisch.study.figures import Figures, Mean, Standing, as_text, histogram, share, spread

_HERE = Path(__file__).parent
_WIDTH, _ROW, _LEFT, _RIGHT = (
    640,
    34,
    130,
    180,
)  # of a drawing: its width, a row, space for names and shares
_HIGH, _LABELS = 160, 24  # of columns: the highest, and the space for labels below


def page(figures: Figures, command: str) -> str:
    """The whole page; `command` is what made the figures."""
    fair = figures.standings[0].fair
    return render(
        _HERE / "report.html",
        game=figures.match.game,
        games=figures.games,
        seed=figures.match.seed,
        unfinished=figures.unfinished,
        command=command,
        colours=dict(colours()),
        standings=[_row(one) for one in figures.standings],
        by_bot=bars([(one.bot, one.wins) for one in figures.standings], fair),
        by_seat=bars([(f"seat {number}", one) for number, one in enumerate(figures.by_seat, 1)], fair),
        lengths=columns(histogram(figures.lengths)),
        text=as_text(figures),
    )


def render(template: Path, **shown: Any) -> str:
    """The page that this template makes; `charts.html` lies beside it."""
    files = (_HERE / "charts.html", template)
    environment = Environment(templates={one.name: one.read_text(encoding="utf-8") for one in files}, trim_blocks=True)
    return environment.render_template(template.name, **shown)


def _row(one: Standing) -> dict[str, Any]:
    return {
        "bot": one.bot,
        "seats": one.seats,
        "wins": share(one.wins),
        "fair": "–" if one.fair is None else f"{one.fair:.1%}",
        "points": "–" if one.points is None else spread(one.points),
    }


def bars(rows: Sequence[tuple[str, Mean]], fair: float | None, said: Callable[[Mean], str] = share) -> dict[str, Any]:
    """Where the bars of these shares lie, with their intervals and the line of the fair share; `said` tells a share."""
    most = max([fair or 0.0, *(one.high for _, one in rows)]) or 1.0

    def x(part: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * part / most, 1)

    return {
        "width": _WIDTH,
        "height": _ROW * len(rows),
        "words": "; ".join(f"{name} {said(one)}" for name, one in rows),
        "fair": None if fair is None else x(fair),
        "bars": [
            {
                "name": name, "share": said(one), "y": number * _ROW,
                "left": _LEFT, "width": round(x(one.mean) - _LEFT, 1), "low": x(one.low), "high": x(one.high),
            }
            for number, (name, one) in enumerate(rows)
        ],
    }  # fmt: skip


def columns(classes: Sequence[tuple[int, int, int]]) -> dict[str, Any] | None:
    """Where the columns of these classes of lengths lie; None if there are none."""
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
