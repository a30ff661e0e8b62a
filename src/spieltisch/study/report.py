"""A report of a match that people can read: one page of HTML that needs nothing else, its pictures drawn in it."""

from collections.abc import Sequence
from html import escape

from spieltisch.study.figures import Figures, Mean, Standing, as_text, histogram, share, spread

WIDTH, ROW, LEFT, RIGHT = 640, 34, 130, 180

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 720px; margin: 2rem auto; padding: 0 1rem; color: #1b211e;
  background: #fbfaf6 }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif } figure { margin: 1.5rem 0 }
table { border-collapse: collapse } th, td { text-align: left; padding: .3rem 1rem .3rem 0 } code { font-size: .9em }
pre { white-space: pre-wrap }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b211e } svg text { fill: #eee } }
"""


def page(figures: Figures, command: str) -> str:
    """The whole page."""
    match = figures.match
    title = f"{escape(match.game)}: {figures.games} games"
    left_out = f" {figures.unfinished} games did not end and do not count." if figures.unfinished else ""
    fair = figures.standings[0].fair
    wins = [(one.bot, one.wins) for one in figures.standings]
    seats = [(f"seat {number}", one) for number, one in enumerate(figures.by_seat, 1)]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style><h1>{escape(match.game)}</h1>"
        f"<p>{figures.games} games, seed {match.seed}, made by <code>{escape(command)}</code>."
        f" Intervals hold with 95 %.{left_out}</p>"
        "<table><thead><tr><th>bot<th>seats<th>wins a seat<th>fair<th>points</tr></thead>"
        f"<tbody>{''.join(map(row, figures.standings))}</tbody></table>"
        + figure("Wins a seat. The line is what would be fair.", bars(wins, fair))
        + figure("Wins by seat: the advantage of sitting there.", bars(seats, fair))
        + figure("Actions a game: how many games were so long.", columns(histogram(figures.lengths)))
        + f"<pre>{escape(as_text(figures))}</pre></html>\n"
    )


def row(one: Standing) -> str:
    fair = "–" if one.fair is None else f"{one.fair:.1%}"
    points = "–" if one.points is None else spread(one.points)
    cells = "".join(f"<td>{cell}</td>" for cell in (one.seats, share(one.wins), fair, points))
    return f"<tr><th scope=row>{escape(one.bot)}</th>{cells}</tr>"


def figure(caption: str, drawing: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def bars(rows: Sequence[tuple[str, Mean]], fair: float | None) -> str:
    """A bar for each share with its interval, and a line where the fair share is."""
    most = max([fair or 0.0, *(one.high for _, one in rows)]) or 1.0
    wide = WIDTH - LEFT - RIGHT
    drawn = []
    for number, (name, one) in enumerate(rows):
        y = number * ROW
        low, middle, high = (LEFT + wide * x / most for x in (one.low, one.mean, one.high))
        drawn.append(
            f'<text x="0" y="{y + 22}">{escape(name)}</text>'
            f'<rect x="{LEFT}" y="{y + 7}" width="{middle - LEFT:.1f}" height="20" rx="3" fill="#3b7a6d"/>'
            f'<path d="M{low:.1f} {y + 17}H{high:.1f}M{low:.1f} {y + 12}v10M{high:.1f} {y + 12}v10" stroke="#c8702a"'
            f' stroke-width="2"/><text x="{high + 8:.1f}" y="{y + 22}">{share(one)}</text>'
        )
    if fair is not None:
        x = LEFT + wide * fair / most
        drawn.append(f'<path d="M{x:.1f} 0V{ROW * len(rows)}" stroke="#888" stroke-dasharray="4 3"/>')
    words = "; ".join(f"{name} {share(one)}" for name, one in rows)
    return _svg(ROW * len(rows), words, drawn)


def columns(classes: Sequence[tuple[int, int, int]]) -> str:
    """A column for each class of lengths."""
    if not classes:
        return ""
    high, most = 160, max(n for *_, n in classes)
    wide = WIDTH / len(classes)
    drawn = [
        f'<rect x="{i * wide + 1:.1f}" y="{high * (1 - n / most):.1f}" width="{wide - 2:.1f}"'
        f' height="{high * n / most:.1f}" fill="#3b7a6d"><title>{first}–{below - 1}: {n}</title></rect>'
        for i, (first, below, n) in enumerate(classes)
    ]
    every = max(1, len(classes) // 6)
    drawn += [
        f'<text x="{i * wide:.1f}" y="{high + 18}">{first}</text>'
        for i, (first, _, _) in enumerate(classes)
        if i % every == 0
    ]
    words = ", ".join(f"{first}–{below - 1}: {n}" for first, below, n in classes)
    return _svg(high + 24, words, drawn)


def _svg(height: int, words: str, drawn: Sequence[str]) -> str:
    label = escape(words, quote=True)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{"".join(drawn)}</svg>'
