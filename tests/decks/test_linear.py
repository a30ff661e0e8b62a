"""Every regular expression that meets a stranger's text takes a time in proportion to it."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

parser = re._parser

SHORT = 200  # characters
LAW = 3.0  # times as long for twice the text
KINDS = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a1"}
SHORTEST = 0.004  # seconds: below, the clock tells nothing


@pytest.fixture(scope="module")
def met():
    """The patterns that met a text, with the longest one: collected by wrapping `re` in a process of its own."""
    command = [sys.executable, Path(__file__).with_name("patterns.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def signs(parsed):
    """Characters that parts of this pattern take, and literal texts in it."""
    found, texts, text = set(), [], ""
    for op, given in parsed:
        name = str(op)
        if name == "LITERAL":
            text += chr(given)
            found.add(chr(given))
            continue
        texts.append(text)
        text = ""
        parts = given if isinstance(given, tuple | list) else [given]
        if name == "IN":
            for kind, what in given:
                match str(kind):
                    case "LITERAL":
                        found.add(chr(what))
                    case "RANGE":
                        found.add(chr(what[0]))
                    case "CATEGORY":
                        found |= {*KINDS.get(str(what), "a-")}
        elif name in {"ANY", "NOT_LITERAL"}:
            found |= {"a", "-"}
        for part in parts:
            for inner in part if name == "BRANCH" and isinstance(part, list) else [part]:
                if isinstance(inner, parser.SubPattern):
                    more, lines = signs(inner)
                    found |= more
                    texts += lines
    return found, [one for one in [*texts, text] if one]


def hostile(pattern, flags, n):
    """Texts of n characters made for this pattern: runs of what it repeats, with what ends them or does not."""
    found, texts = signs(parser.parse(pattern, flags))
    found = sorted(found)[:16]
    units = [*found, *{text for text in texts if len(text) > 1}, *(a + b for a in found[:8] for b in found[:8])]
    units += [text + sign for text in texts for sign in found[:6]]
    for unit in dict.fromkeys(units):
        run = (unit * n)[:n]
        yield run
        yield f"{run[:-1]}\x00"
        yield f"{texts[0] if texts else ''}{run}"[:n]


def seconds(compiled, way, text):
    """The least processor time of three uses; a search tries the pattern everywhere."""
    least = 1e9
    for _ in range(3):
        begun = time.process_time()
        if way == "search":
            for found in compiled.finditer(text):
                found.end()
        else:
            getattr(compiled, way)(text)
        least = min(least, time.process_time() - begun)
        if least < SHORTEST:
            break
    return least


def times(compiled, flags, way, n):
    """How many times as long the worst text of 2n characters takes as its half; 1.0 where all are too quick to tell."""
    worst = (1.0, "")
    for short, long in zip(hostile(compiled.pattern, flags, n), hostile(compiled.pattern, flags, 2 * n), strict=True):
        if (more := seconds(compiled, way, long)) >= SHORTEST:
            for _ in range(3):  # on a busy machine once more
                ratio = more / max(seconds(compiled, way, short), 1e-6)
                if ratio <= LAW:
                    break
                more = seconds(compiled, way, long)
            worst = max(worst, (ratio, long[:40]))
    return worst


def test_patterns_of_imports_dates_rules_and_names_are_met(met):
    assert len(met) > 60


def test_a_pattern_that_begins_anew_everywhere_is_found():
    old = re.compile(r"\w*[^\W\d_a-zA-Z]\w*")  # which froze a server with 20 kB
    assert seconds(old, "search", "a" * 8_000) > LAW * seconds(old, "search", "a" * 4_000)


def test_every_pattern_that_meets_foreign_text_is_linear(met):
    slow = []
    for pattern, flags, way, longest in met:
        if longest <= SHORT:  # whatever was sent, no longer text met it
            continue
        n = min(4_000, longest // 2)
        ratio, text = times(re.compile(pattern, flags), flags, way, n)
        if ratio > LAW:
            slow.append((pattern, way, longest, round(ratio, 1), text))
    assert not slow, "\n".join(map(str, slow))
