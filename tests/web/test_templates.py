"""What `make format` does to templates changes nothing that is sent."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "src").rglob("*.html"))


def tool():
    spec = importlib.util.spec_from_file_location("templates", ROOT / "tools" / "templates.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sent(template):
    """A template as it counts: a line break after a block is dropped, any other white space is one space."""
    return re.sub(r"\s+", " ", re.sub(r"(?<=[%#]\})\n", "", template))


def test_only_line_breaks_that_do_not_count_are_put_in():
    broken, changed = tool().broken, 0
    for file in TEMPLATES:
        one = " ".join(file.read_text(encoding="utf-8").split("\n"))  # with lines as long as can be
        formatted = broken(one)
        changed += formatted != one
        assert sent(formatted) == sent(one), file
        assert broken(formatted) == formatted, file
    assert changed > 20


@pytest.mark.parametrize(
    ("template", "lines"),
    [
        ("{% if a %}<b>x</b>{% endif %}<i>y</i>", ["{% if a %}", "<b>x</b>{% endif %}", "<i>y</i>"]),
        ("{% if a %} x {% endif %} y", ["{% if a %} x", "{% endif %} y"]),
        (
            '<a id="1" {% if a %}open{% endif %} title="two words">',
            ['<a id="1"', "{% if", 'a %}open{% endif %} title="two words">'],
        ),
        ('<p>{{ _("words of a message") }}</p>', ['<p>{{ _("words of a message") }}</p>']),
        ('{{ x if "a b" else y }}', ['{{ x if "a b" else', "y }}"]),
        ("<textarea>a long text to be kept</textarea>", ["<textarea>a long text to be kept</textarea>"]),
    ],
)
def test_a_line_ends_where_it_does_not_count(template, lines, monkeypatch):
    module = tool()
    monkeypatch.setattr(module, "WIDE", 20)
    assert module.broken(template).splitlines() == lines
