"""The glossary: every class of the contract, the table and the web stands in it, and no class that there is not."""

import ast
import re
from pathlib import Path

import spieltisch

SOURCE = Path(spieltisch.__file__).parent
CONTRACT = ("game", "protocols", "dice", "match", "i18n")
BODIES = {"messages.py"}  # what programs send and get, described to them as OpenAPI
IN_CODE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text("utf-8").partition("## In the code")[2]
HEADWORDS = re.findall(r"^(?!:|Names of)(\S.*)\n: ", IN_CODE, re.MULTILINE)
NAMED = {name for word in HEADWORDS for name in re.findall("`(.+?)`", word)}


def classes(files):
    trees = [ast.parse(file.read_text("utf-8")) for file in files if file.name not in BODIES]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def test_every_public_class_of_table_and_web_is_explained():
    own = classes([*(SOURCE / "table").rglob("*.py"), *(SOURCE / "web").rglob("*.py")])
    own |= classes(SOURCE / f"{name}.py" for name in CONTRACT)
    assert sorted(name for name in own if not name.startswith("_") and f"`{name}`" not in IN_CODE) == []


def test_no_word_is_explained_that_the_code_does_not_use():
    text = "\n".join(file.read_text("utf-8") for file in SOURCE.rglob("*.py"))
    assert len(HEADWORDS) > 80
    assert sorted(name for name in NAMED if not re.search(rf"\b(class )?{name}\b", text)) == []
    words = [word for line in HEADWORDS for word in line.replace("`", "").split(", ")]
    assert sorted(word for word in words if not re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)) == []


def test_one_line_a_term_in_order():
    assert [line for line in IN_CODE.splitlines() if line.startswith(("  ", "\t"))] == []
    assert sorted(HEADWORDS, key=lambda word: word.replace("`", "").lower()) == HEADWORDS
