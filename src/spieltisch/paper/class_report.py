"""The report of a class on one page of paper, for whoever teaches it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

from spieltisch.assets import colours
from spieltisch.paper.pdf import fonts

PAGE = Path(__file__).parent / "class_report.typ"
GOALS = 16  # that have a place on the page
CARDS = 8


def typeset(said: Mapping[str, Any]) -> bytes:
    """A page as a PDF. `said`: `lang`, `title`, `about`, `heads` (6 headings), `goals` and `cards` as the report's page
    has them, `missed` (the heading of the cards), `more` (`{n}` goals left out), `foot`.
    """
    left_out = len(said["goals"]) - GOALS
    whole = {
        **said,
        "goals": [{**goal, "name": _cut(goal["name"], 90)} for goal in said["goals"][:GOALS]],
        "cards": [_short(card) for card in said["cards"][:CARDS]],
        "more": said["more"].format(n=left_out) if left_out > 0 else "",
        "accent": colours()["hhh"], "ink": colours()["ink"], "quiet": colours()["ink-2"], "mark": colours()["line"],
    }  # fmt: skip
    inputs = {"data": json.dumps(whole, ensure_ascii=False)}
    made = typst.compile(PAGE.read_bytes(), format="pdf", sys_inputs=inputs, font_paths=fonts())
    assert isinstance(made, bytes)
    return made


def _short(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card in two or three lines of print, however long its deck has it."""
    return {**card, **{key: _cut(card[key], most) for key, most in (("front", 130), ("back", 80), ("source", 50))}}


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
