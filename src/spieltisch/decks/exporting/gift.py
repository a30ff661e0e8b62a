"""Questions in GIFT, the text format in which Moodle takes questions in.

A question is a paragraph: its name between double colons, its text, its answers in braces. Characters that have a
meaning are escaped; what an answer is worth stands in percent, of which Moodle knows only some. What begins with `{>`
goes to the question type Ordering, each version of which reads it a little differently: no character is used there that
has a meaning for any of them.
"""

import html
import re
from collections.abc import Sequence

from msgspec import Struct

NEAR = 10
"""So many years beside a date are worth half of the marks."""
SHARES = dict(
    zip(
        range(1, 11),
        ("100", "50", "33.33333", "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10"),
        strict=True,
    )
)
"""An equal part of all marks, in percent as Moodle knows them, by how many parts there are."""
_MARKED = re.compile(r"[\\~=#{}:]")
_ORDER = ("SHOW", "TRUE", "YES", "1", "HIDE", "FALSE", "NO", "0", "none", "123", "abc", "ABCD", "iii", "IIII")


class Question(Struct, frozen=True):
    """What a question is called in Moodle's lists, what it asks, and what is told after the answer."""

    name: str
    text: str
    told: str = ""


def comment(lines: Sequence[str]) -> str:
    """Lines that whoever opens the file reads, and Moodle does not."""
    return "".join(f"// {' '.join(line.split())}\n" for line in lines)


def category(*names: str) -> str:
    """From here on questions come into this category below the one that is chosen when the file is taken in."""
    path = "/".join(" ".join(name.split()).replace("\\", "").strip("/").replace("/", "//") for name in names)
    return f"$CATEGORY: {path}\n"


def numeric(asked: Question, first: int, last: int) -> str:
    """A year from `first` to `last`, with a year before our era as a negative one: there is none between -1 and 1.
    A year close by is worth half.
    """
    near = (_moved(first, -NEAR), _moved(last, NEAR))
    exact = [f"=%100%{year}:{off}" for year, off in _ranges(first, last)]
    return _whole(asked, "#", [*exact, *(f"=%50%{year}:{off}" for year, off in _ranges(*near))])


def _moved(year: int, by: int) -> int:
    counted = (year if year > 0 else year + 1) + by
    return counted if counted > 0 else counted - 1


def _ranges(first: int, last: int) -> list[tuple[int, int]]:
    """The years as a middle and how far it goes to both sides, in whole numbers: what is shown as the right answer is
    a year. Of an even number of years the last one stands by itself.
    """
    if (last - first) % 2:
        return [*_ranges(first, last - 1), (last, 0)]
    return [((first + last) // 2, (last - first) // 2)]


def matching(asked: Question, pairs: Sequence[tuple[str, str]]) -> str:
    """Three pairs or more. What is equal on the right side is one choice for all that it goes with."""
    return _whole(asked, "", [f"={_text(left)} -> {_text(right).removeprefix('[plain]')}" for left, right in pairs])


def single(asked: Question, right: str, choices: Sequence[str]) -> str:
    """One of the choices is right."""
    return _whole(asked, "", [f"{'=' if one == right else '~'}{_text(one)}" for one in choices])


def several(asked: Question, right: Sequence[str], wrong: Sequence[str]) -> str:
    """All right ones are to be ticked, each for its share; the wrong ones together take as much away. Ten of each at
    most.
    """
    good = [f"~%{SHARES[len(right)]}%{_text(one)}" for one in right]
    return _whole(asked, "", [*good, *(f"~%-{SHARES[len(wrong)]}%{_text(one)}" for one in wrong)])


def ordering(asked: Question, items: Sequence[str], shown: int) -> str:
    """Three things or more in their right order, of which so many are shown at a time, drawn anew for everybody. What
    is told after the answer has no place here.
    """
    lines = [_item(one) for one in items]
    if lines[0].startswith(_ORDER):  # would be read as one more setting
        lines[0] = f"&#{ord(lines[0][0])};{lines[0][1:]}"
    name, text = (re.sub(r"[\\{}]", " ", one) for one in (asked.name, asked.text))
    return _whole(Question(name, text), f">{shown} RANDOM VERTICAL RELATIVE_NEXT_EXCLUDE_LAST", lines)


def _item(text: str) -> str:
    """A line of an ordering question, which is read as HTML."""
    marked = html.escape(" ".join(text.split()), quote=False)
    marked = re.sub(r"[\\{}]", lambda found: f"&#{ord(found[0])};", marked)
    if marked.startswith("/") or marked == "0":  # a comment, and what PHP takes for nothing
        marked = f"&#{ord(marked[0])};{marked[1:]}"
    return marked


def _whole(asked: Question, kind: str, answers: Sequence[str]) -> str:
    told = [f"####{_text(asked.told)}"] if asked.told else []
    lines = "\n".join(f"\t{one}" if kind[:1] != ">" else one for one in [*answers, *told])
    return f"::{_escaped(' '.join(asked.name.split()))}::[plain]{_escaped(asked.text)}{{{kind}\n{lines}\n}}\n"


def _text(text: str) -> str:
    """A text by itself. What begins with a bracket could be taken for the name of a format, an arrow makes a pair."""
    lines = (" ".join(line.split()) for line in text.replace("->", "→").splitlines())
    escaped = _escaped("\n".join(filter(None, lines)))
    return f"[plain]{escaped}" if escaped.startswith("[") else escaped


def _escaped(text: str) -> str:
    return _MARKED.sub(lambda found: f"\\{found[0]}", text).replace("\n", r"\n")
