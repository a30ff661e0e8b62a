"""Questions in Moodle XML, which every Moodle imports completely, even ordering questions, unlike GIFT.

All texts are plain; none is read as HTML.
"""

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

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

_NAME = 40  # bytes of an ordering question's name; older versions cut at 42, even within a letter


def written(said: Sequence[str], asked: Iterable[Asked]) -> str:
    """The file: lines for its human readers, which Moodle skips; then the questions."""
    head = "".join(f"<!-- {_clean(' '.join(line.split())).replace('--', '–')} -->\n" for line in said)
    body = "".join(map(question, asked))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{head}{body}</quiz>\n'


def question(one: Asked) -> str:
    """A question, or a category for the following ones."""
    match one:
        case Category():
            return f'<question type="category">\n<category>{_text(one.path)}</category>\n</question>\n'
        case Numeric(asked):
            return _whole("numerical", asked, (_number(*answer) for answer in one.answers))
        case Matching(asked, pairs):
            return _whole("matching", asked, (_SHUFFLED, *(_pair(*pair) for pair in pairs)))
        case Single(asked, right, choices):
            answers = (_answer(each, "100" if each == right else "0") for each in choices)
            return _whole("multichoice", asked, ("<single>true</single>", *_CHOICES, *answers))
        case Several(asked, right, wrong):
            good = (_answer(each, SHARES[len(right)]) for each in right)
            bad = (_answer(each, f"-{SHARES[len(wrong)]}") for each in wrong)
            return _whole("multichoice", asked, ("<single>false</single>", *_CHOICES, *good, *bad))
        case Ordering(asked, items, shown):
            named = Question(_short(asked.name), asked.text, asked.told)
            count = f"<selectcount>{shown}</selectcount>"
            answers = (_answer(item, str(place)) for place, item in enumerate(items, 1))
            return _whole("ordering", named, (*_ORDER, count, *answers))


_SHUFFLED = "<shuffleanswers>true</shuffleanswers>"
_CHOICES = ("<shuffleanswers>false</shuffleanswers>", "<answernumbering>none</answernumbering>")
_ORDER = (
    "<layouttype>VERTICAL</layouttype>",
    "<selecttype>RANDOM</selecttype>",
    "<gradingtype>RELATIVE_NEXT_EXCLUDE_LAST</gradingtype>",
    "<showgrading>SHOW</showgrading>",
    "<numberingstyle>none</numberingstyle>",
)


def _whole(kind: str, asked: Question, parts: Iterable[str]) -> str:
    lines = [f"<name>{_text(' '.join(asked.name.split()))}</name>"]
    lines += [f'<questiontext format="plain_text">{_text(asked.text)}</questiontext>']
    if asked.told:
        lines += [f'<generalfeedback format="plain_text">{_text(asked.told)}</generalfeedback>']
    return "\n".join([f'<question type="{kind}">', *lines, *parts, "</question>\n"])


def _number(share: str, year: int, off: int) -> str:
    return f'<answer fraction="{share}">{_text(str(year))}<tolerance>{off}</tolerance></answer>'


def _pair(left: str, right: str) -> str:
    return f'<subquestion format="plain_text">{_text(left)}<answer>{_text(right)}</answer></subquestion>'


def _answer(text: str, share: str) -> str:
    return f'<answer fraction="{share}" format="plain_text">{_text(text)}</answer>'


def _short(name: str) -> str:
    """A name short enough for every Moodle; the number at its end stays."""
    start, _, number = name.rpartition(" ")
    while start and len(f"{start}… {number}".encode()) > _NAME:
        start = start[:-1]
    return name if len(name.encode()) <= _NAME else f"{start.rstrip()}… {number}"


def _text(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    plain = _clean("\n".join(filter(None, lines)))
    return f"<text>{escape(plain)}</text>"


def _clean(text: str) -> str:
    """The text without characters that XML cannot contain."""
    return "".join(sign for sign in text if (sign >= " " and sign not in "\ufffe\uffff") or sign in "\t\n")
