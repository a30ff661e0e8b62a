"""Imports GIFT files by Moodle's rules: its `question/format.php` and `question/format/gift/format.php`, the checks
with which each question type saves, and the three readers that the question type Ordering has had (the plugin's first
and later ones, and Moodle's own since 4.4). What Moodle would refuse or warn of is a `MoodleError`.
"""

import html
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

BLANKS = " \t\n\r\0\x0b"  # removed by PHP's trim
_ESCAPES = [(r"\:", "&&058;"), (r"\#", "&&035;"), (r"\=", "&&061;"), (r"\{", "&&123;"), (r"\}", "&&125;"),
            (r"\~", "&&126;"), (r"\n", "&&010;")]  # fmt: skip
_MEANT = dict(zip((mark for _, mark in _ESCAPES), ":#={}~\n", strict=True))
_WEIGHT = re.compile(r"%-*([0-9]{1,2})\.?([0-9]*)%")
_GRADES = (1, 0.9, 0.8333333, 0.8, 0.75, 0.7, 0.6666667, 0.6, 0.5, 0.4, 0.3333333, 0.3, 0.25, 0.2, 0.1666667, 0.1428571,
           0.125, 0.1111111, 0.1, 0.05, 0)  # fmt: skip
_FORMATS = {"moodle", "html", "plain", "markdown"}
_SELECT, _LAYOUT = "(?:ALL|EXACT|RANDOM|REL|CONTIGUOUS|CONTIG)?", "(?:HORIZONTAL|HORI|H|1|VERTICAL|VERT|V|0)?"
_GRADING = (
    "(?:ALL_OR_NOTHING|ABSOLUTE_POSITION|ABSOLUTE|ABS|RELATIVE_NEXT_EXCLUDE_LAST|RELATIVE_NEXT_INCLUDE_LAST|"
    "RELATIVE_ONE_PREVIOUS_AND_NEXT|RELATIVE_ALL_PREVIOUS_AND_NEXT|RELATIVE_TO_CORRECT|"
    "RELATIVE|RELLONGEST_ORDERED_SUBSET|LONGEST_CONTIGUOUS_SUBSET)?"  # theirs also lacks a bar
)
_SHOW, _NUMBERS = "(?:SHOW|TRUE|YES|1|HIDE|FALSE|NO|0)?", "(?:none|123|abc|ABCD|iii|IIII)?"


class MoodleError(Exception):
    """Moodle would refuse it, or warn."""


@dataclass
class Asked:
    """A question as Moodle stores it: answers with their values, or pairs, or things in order."""

    kind: str
    name: str = ""
    text: str = ""
    format: str = "moodle"
    told: str = ""
    category: str = ""
    single: bool = False
    answers: list = field(default_factory=list)  # (text, share), or (middle, off, share)
    pairs: list = field(default_factory=list)
    orders: dict = field(default_factory=dict)  # by reader: (shown, select, layout, grading, items)


def taken_in(text):
    """The questions of a file, in its order."""
    found, lines, category = [], [], ""
    for written in [*text.removeprefix("\ufeff").split("\n"), ""]:
        line = written.strip(BLANKS)
        if line not in {"", "0"}:
            lines.append(line)
        elif lines:
            if one := _question(lines):
                if one.kind == "category":
                    category = one.category
                else:
                    one.category = category
                    found.append(_saved(one))
            lines = []
    return found


# -- Moodle XML, read like `question/format/xml/format.php` and the `import_from_xml` of the type Ordering -------

_TEXTS = {"moodle_auto_format", "html", "plain_text", "markdown"}
_GRADINGS = {"ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_NEXT_EXCLUDE_LAST", "RELATIVE_NEXT_INCLUDE_LAST"}


def taken_in_xml(text):
    """The questions of a file in Moodle XML, in its order."""
    if text.startswith("\ufeff"):
        raise MoodleError("a byte order mark before the declaration")
    root, found, category = ET.fromstring(text.encode()), [], ""
    if root.tag != "quiz":
        raise MoodleError(f"no quiz: {root.tag}")
    for element in root:
        if element.tag != "question":
            raise MoodleError(f"no question: {element.tag}")
        if element.get("type") == "category":
            category = _only(element.find("category"))
        else:
            one = _from_xml(element)
            one.category = category
            found.append(_saved(one))
    return found


def _only(element, *, needed=True):
    """The text of an element, like `getpath(…, 'text', 0, '#')`; it must be text."""
    text = None if element is None else element.find("text")
    if text is None or text.text is None or len(text):
        if needed:
            raise MoodleError("a text is missing")
        return ""
    return text.text.strip(BLANKS)


def _plain(element):
    if element is None or element.get("format") not in _TEXTS:
        raise MoodleError("no text, or one of a format that is not known")
    if element.get("format") != "plain_text":
        raise MoodleError("what is no plain text may be read as HTML")
    return _only(element)


def _from_xml(element):
    kind, told = element.get("type"), element.find("generalfeedback")
    one = Asked(kind, _only(element.find("name")), _plain(element.find("questiontext")), "plain")
    one.told = "" if told is None else _plain(told)
    answers = element.findall("answer")
    shares = [float(answer.get("fraction", 0)) / 100 for answer in answers]
    match kind:
        case "numerical":
            texts = [(float(_only(answer)), float(answer.findtext("tolerance", "0"))) for answer in answers]
            one.answers = [(*number, share) for number, share in zip(texts, shares, strict=True)]
        case "multichoice":
            one.single = element.findtext("single", "true") not in {"false", "0", ""}
            one.answers = [*zip(map(_plain, answers), shares, strict=True)]
        case "matching":
            one.kind = "match"
            one.pairs = [(_plain(pair), _only(pair.find("answer"))) for pair in element.findall("subquestion")]
        case "ordering":
            told = [element.findtext(key, "") for key in ("selectcount", "selecttype", "layouttype", "gradingtype")]
            if told[3] not in _GRADINGS or not 2 < int(told[0]) <= len(answers):
                raise MoodleError(f"not read as an order: {told}")
            if len(one.name.encode()) > 42:
                raise MoodleError(f"the name would be cut: {one.name}")
            one.orders = {"xml": (int(told[0]), *told[1:], [_plain(answer) for answer in answers])}
        case _:
            raise MoodleError(f"a question of another kind: {kind}")
    return one


def _pre(text):
    text = text.replace("\\\\", "&&092;")
    for escaped, mark in _ESCAPES:
        text = text.replace(escaped, mark)
    return text.replace("&&092;", "\\")


def _post(text):
    for mark, meant in _MEANT.items():
        text = text.replace(mark, meant)
    return text


def _formatted(text, default):
    kind = default
    if text.startswith("["):
        end = text.find("]")
        if text[1:end] in _FORMATS:
            kind, text = text[1:end], text[end + 1 :]
    return _post(text).strip(BLANKS), kind


def _question(lines):
    lines = [" " if line.startswith("//") else line for line in lines]
    text = "\n".join(lines).strip(BLANKS)
    if not text:
        return None
    text = _pre(text)
    if text.startswith("$CATEGORY:"):
        return Asked("category", category=text[10:].strip(BLANKS))
    name = ""
    if text.startswith("::"):
        end = text.find("::", 2)
        if end > 0:
            name, text = _post(text[2:end]).strip(BLANKS), text[end + 2 :].strip(BLANKS)
    start, end = text.find("{"), text.find("}")
    if (start < 0) != (end < 0):
        raise MoodleError(f"braces: {text}")
    if start < 0:
        raise MoodleError(f"a description without a question: {text}")
    inside = text[start + 1 : end].strip(BLANKS)
    said = text[:start] + ("" if text.endswith("}") else "_____") + text[end + 1 :]
    inside, _, told = inside.rpartition("####") if "####" in inside else (inside, "", "")
    inside = inside.strip(BLANKS)
    asked, kind = _formatted(said, "moodle")
    one = Asked("", name or asked[:80], asked, kind, _formatted(told, kind)[0])
    if inside.startswith(">"):
        one.orders = {
            "first": _ordered_in_lines("", lines),
            "later": _ordered_in_lines(_SHOW, lines),
            "own": _ordered(inside),
        }
        one.kind = "ordering"
    elif inside == "":
        one.kind = "essay"
    elif inside.startswith("#"):
        one.kind, one.answers = "numerical", [*_numbers(inside[1:])]
    elif "~" in inside:
        one.kind, one.single = "multichoice", "=" in inside
        one.answers = [*_choices(inside.replace("=", "~=").split("~"), kind)]
    elif "=" in inside and "->" in inside:
        one.kind, one.pairs = "match", [*_pairs(_split(inside, "="), kind)]
    else:
        raise MoodleError(f"a question of another kind: {inside}")
    return one


def _split(inside, mark):
    first, *others = inside.split(mark)
    return others if first.strip(BLANKS) in {"", "0"} else [first, *others]


def _choices(parts, kind):
    if parts[0].strip(BLANKS) in {"", "0"}:
        parts = parts[1:]
    if len(parts) < 2:
        raise MoodleError("fewer than two answers")
    for part in parts:
        share, answer = _weighed(part.strip(BLANKS), 0.0)
        if answer.startswith("="):
            share, answer = 1.0, answer[1:]
        yield _formatted(answer.split("#", 1)[0].strip(BLANKS), kind)[0], share


def _weighed(answer, usual):
    if not _WEIGHT.match(answer):
        return usual, answer
    weight, answer = answer[1:].split("%", 1)
    return float(weight) / 100, answer


def _pairs(parts, kind):
    for part in parts:
        left, arrow, right = part.strip(BLANKS).partition("->")
        if not arrow:
            raise MoodleError(f"no pair: {part}")
        yield _formatted(left, kind)[0], _post(right).strip(BLANKS)


def _numbers(inside):
    for part in _split(inside.split("~", 1)[0], "="):
        share, answer = _weighed(part.strip(BLANKS), 1.0)
        answer = _formatted(answer.split("#", 1)[0].strip(BLANKS), "moodle")[0]
        if answer.find("..") > 0:
            low, high = (float(one) for one in answer.split(".."))
            yield (low + high) / 2, (high - low) / 2, share
        else:
            middle, _, off = answer.partition(":")
            yield float(middle), float(off or 0), share  # a ValueError is also a refusal


def _ordered_in_lines(show, lines):
    """The plugin read the file's lines as they are, including escapes."""
    found = re.fullmatch(
        rf"([^{{]*)\s*\{{>\s*(\d+)\s*({_SELECT})\s*({_LAYOUT})\s*({_GRADING})\s*{show}\s*(.*?)\s*\}}\s*",
        "\n".join(lines), re.DOTALL,
    )  # fmt: skip
    if not found:
        raise MoodleError("not read as an order")
    return _order(found[2], found[3], found[4], found[5], found[6])


def _ordered(inside):
    found = re.fullmatch(
        rf"\s*>\s*(\d+)\s*({_SELECT})\s*({_LAYOUT})\s*({_GRADING})\s*{_SHOW}\s*{_NUMBERS}\s*(.*?)\s*", inside, re.DOTALL
    )
    if not found:
        raise MoodleError("not read as an order")
    return _order(*found.groups())


def _order(shown, select, layout, grading, items):
    kept = [line.strip(BLANKS) for line in re.split(r"[\r\n]+", items) if line.strip(BLANKS) not in {"", "0"}]
    if not 2 < int(shown) <= len(kept):
        raise MoodleError(f"{shown} of {len(kept)} things shown: Moodle would take another number")
    return int(shown), select, layout, grading, [as_shown(one) for one in kept]


def as_shown(text):
    """What a browser shows of a line read as HTML. Raises MoodleError for tags or half an entity."""
    if "<" in text or re.search(r"&(?!(?:#\d+|amp|lt|gt);)", text):
        raise MoodleError(f"not text alone: {text}")
    return html.unescape(text)


def _saved(one):
    """The checks of `importprocess` and of saving; some end the import with a notice."""
    if not one.name or len(one.name) > 255 or not one.text:
        raise MoodleError(f"no name, or too long a one: {one.name}")
    shares = [answer[-1] for answer in one.answers]
    for share in shares:
        if not any(abs(abs(share) - grade) < 0.00001 for grade in _GRADES):
            raise MoodleError(f"a share that Moodle does not know: {share}")
    if one.kind == "multichoice":
        best = max(shares) if one.single else round(sum(share for share in shares if share > 0), 2)
        if best != 1:
            raise MoodleError(f"the marks do not add up: {one}")
        if len({text for text, _ in one.answers}) < len(one.answers):
            raise MoodleError(f"an answer stands there twice: {one}")
    if one.kind == "match" and (len(one.pairs) < 3 or not all(left and right for left, right in one.pairs)):
        raise MoodleError(f"fewer than three pairs: {one}")
    return one


def graded(one, number):
    """The value of a number: that of the first answer it is close enough to."""
    return next((share for middle, off, share in one.answers if abs(number - middle) <= off), 0.0)
