"""Questions in GIFT, Moodle's text format.

A question is a paragraph: its name between double colons, its text, its answers in braces. Special characters are
escaped. Marks are percentages, of which Moodle accepts only some. `{>` begins a question of the type Ordering, whose
versions read it differently, so no character is used there that is special to any of them.
"""

import html
import re
from collections.abc import Iterable, Sequence

from spieltisch.decks.exporting.asked import (
    SHARES,
    Asked,
    Category,
    Matching,
    Numeric,
    Ordering,
    Question,
    Several,
    Single,
)

_MARKED = re.compile(r"[\\~=#{}:]")
_ORDER = ("SHOW", "TRUE", "YES", "1", "HIDE", "FALSE", "NO", "0", "none", "123", "abc", "ABCD", "iii", "IIII")


def written(said: Sequence[str], asked: Iterable[Asked]) -> str:
    """The file: lines for its human readers, which Moodle skips; then the questions."""
    head = "".join(f"// {' '.join(line.split())}\n" for line in said)
    return "\n".join([head, *map(question, asked)])


def question(one: Asked) -> str:
    """A question, or a category for the following ones."""
    match one:
        case Category():
            return f"$CATEGORY: {one.path}\n"
        case Numeric(asked):
            return _whole(asked, "#", [f"=%{share}%{year}:{off}" for share, year, off in one.answers])
        case Matching(asked, pairs):
            texts = ((_text(left), _text(right).removeprefix("[plain]")) for left, right in pairs)
            return _whole(asked, "", [f"={left} -> {right}" for left, right in texts])
        case Single(asked, right, choices):
            return _whole(asked, "", [f"{'=' if each == right else '~'}{_text(each)}" for each in choices])
        case Several(asked, right, wrong):
            good = [f"~%{SHARES[len(right)]}%{_text(each)}" for each in right]
            return _whole(asked, "", [*good, *(f"~%-{SHARES[len(wrong)]}%{_text(each)}" for each in wrong)])
        case Ordering():
            return _ordering(one)


def _ordering(one: Ordering) -> str:
    """An ordering question; GIFT has no place for its feedback."""
    lines = [_item(item) for item in one.items]
    if lines[0].startswith(_ORDER):  # it would be read as another setting
        lines[0] = f"&#{ord(lines[0][0])};{lines[0][1:]}"
    name, text = (re.sub(r"[\\{}]", " ", each) for each in (one.asked.name, one.asked.text))
    return _whole(Question(name, text), f">{one.shown} RANDOM VERTICAL RELATIVE_NEXT_EXCLUDE_LAST", lines)


def _item(text: str) -> str:
    """A line of an ordering question, which Moodle reads as HTML."""
    marked = html.escape(" ".join(text.split()), quote=False)
    marked = re.sub(r"[\\{}]", lambda found: f"&#{ord(found[0])};", marked)
    if marked.startswith("/") or marked == "0":  # a comment, and what PHP considers empty
        marked = f"&#{ord(marked[0])};{marked[1:]}"
    return marked


def _whole(asked: Question, kind: str, answers: Sequence[str]) -> str:
    told = [f"####{_text(asked.told)}"] if asked.told else []
    lines = "\n".join(f"\t{one}" if kind[:1] != ">" else one for one in [*answers, *told])
    return f"::{_escaped(' '.join(asked.name.split()))}::[plain]{_escaped(asked.text)}{{{kind}\n{lines}\n}}\n"


def _text(text: str) -> str:
    """A text that begins with no syntax. A bracket could name a format, an arrow makes a pair."""
    lines = (" ".join(line.split()) for line in text.replace("->", "→").splitlines())
    escaped = _escaped("\n".join(filter(None, lines)))
    return f"[plain]{escaped}" if escaped.startswith("[") else escaped


def _escaped(text: str) -> str:
    return _MARKED.sub(lambda found: f"\\{found[0]}", text).replace("\n", r"\n")
