"""What the documentation shows is run: every example of every page, and of the README."""

import re
import shlex
from pathlib import Path

import pytest

from docs import examples
from matrix import sampled

# cyclopts takes a command typed by sys.argv under a test for a slip
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
PAGES = sorted([ROOT / "README.md", ROOT / "README.de.md", *(ROOT / "docs").rglob("*.md")])
ELSEWHERE = {"hosting.md"}  # tests/servers/test_hosting.py types it
WITH_EXAMPLES = [page for page in PAGES if "```" in page.read_text("utf-8") and page.name not in ELSEWHERE]


def does(page):
    """What the examples of a page do, whatever their comments say."""
    return [
        (one.file, [shlex.split(row, comments=True) if one.language == "sh" else row for row in one.text.splitlines()])
        for one in examples.examples(page.read_text("utf-8"))
    ]


def is_done_already(page):
    """Whether a German page has the same examples as the English one."""
    english = {"README.de.md": ROOT / "README.md"}.get(page.name)
    if page.parent.name == "de":
        english = ROOT / "docs" / page.name
    return english in WITH_EXAMPLES and does(page) == does(english)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder, an empty data folder, English."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    return tmp_path


@pytest.mark.parametrize(
    "page",
    sampled(WITH_EXAMPLES, [page for page in WITH_EXAMPLES if not is_done_already(page)]),
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_examples_of_a_page_run(page, place):
    examples.run(page.read_text("utf-8"), str(page.relative_to(ROOT)))


def test_there_are_examples():
    kinds = {e.language for page in WITH_EXAMPLES for e in examples.examples(page.read_text("utf-8"))}
    assert {"python", "sh", "console"} <= kinds


@pytest.mark.parametrize("page", ["start.md", "teaching.md"])
def test_what_a_page_quotes_stands_on_the_screen(page):
    messages = "\n".join(po.read_text("utf-8") for po in SOURCES.rglob("*.po"))
    said = set(re.findall(r'^msgid "(.+)"$', messages, re.MULTILINE))
    quoted = re.findall("“(.+?)”", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)
    assert len(quoted) >= 5
    assert [words for words in quoted if " ".join(words.split()) not in said] == []


WRONG = {
    "an assertion": "```python\nassert 1 + 1 == 3\n```",
    "a name of another page": "```python\nview\n```",
    "what is printed": "```pycon\n>>> 1 + 1\n3\n```",
    "no prompt": "```pycon\n1 + 1\n```",
    "a command that is refused": "```sh\nspieltisch deck check no-such-deck\n```",
    "an option that is gone": "```sh\nspieltisch replay --yaml\n```",
    "what a command prints": "```console\n$ spieltisch deck stats hic\nhic: cards: 31\n```",
    "a program that is not ours": "```sh\nmake play\n```",
    "a second way to say python": "```py\n1\n```",
    "a second way to say sh": "```bash\nspieltisch --version\n```",
    "a reason that is no comment of the block": "<!-- not run: far away -->\n\nText\n\n```python\n1 / 0\n```",
    "no reason": "<!-- not run: -->\n```python\n1 / 0\n```",
}


@pytest.mark.parametrize("page", WRONG.values(), ids=WRONG)
def test_a_wrong_example_is_found(page, place):
    with pytest.raises((examples.ExampleError, ZeroDivisionError, NameError, AssertionError)):
        examples.run(page, "page.md")


def test_what_an_example_leaves_is_there_for_the_next(place):
    page = """
```python
two = 2
```

<!-- file: rom.csv -->
```csv
Datum;Ereignis
44 v. Chr.;Ein Feldherr wird mitten im Senat erstochen.
```

```pycon
>>> two + 1
3
>>> list(range(100))
[0, 1, …, 99]
>>> four = 4
```

```console
$ spieltisch deck stats hic
hic: cards: 30
  …
$ spieltisch deck export hic > hic.csv
$ spieltisch deck check hic.csv --language en
hic: cards: 30, …
```

```python
from pathlib import Path

assert four == two * 2 and Path("rom.csv").read_text("utf-8").count("\\n") == 2
```

<!-- not run: it divides -->
```python
1 / 0
```
"""
    assert examples.run(page, "page.md") == 5
