"""Every compiled function says the dtypes of what it takes: its arguments are typed by no annotation."""

import ast
import re
from pathlib import Path

import pytest

import spieltisch

ROOT = Path(spieltisch.__file__).parent
FILES = sorted(
    file for file in ROOT.rglob("*.py") if "from spieltisch.compiled import" in file.read_text(encoding="utf-8")
)
TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}
TUPLES = {  # of arrays, which say theirs field by field
    node.name
    for tree in TREES.values()
    for node in tree.body
    if isinstance(node, ast.ClassDef) and "NamedTuple" in {getattr(base, "id", "") for base in node.bases}
}
TYPES = re.compile(rf"\b(u?int(8|16|32|64)?|float(32|64)?|bool|bits|Worth|{'|'.join(TUPLES)})\b")


def name_of(path):
    return str(path.relative_to(ROOT))


def compiled(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            marks = {getattr(one, "id", getattr(getattr(one, "func", None), "id", "")) for one in node.decorator_list}
            if marks & {"compiled", "inlined", "summing"}:
                yield node


def test_there_are_compiled_functions():
    assert sum(len([*compiled(tree)]) for tree in TREES.values()) > 50


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_compiled_functions_say_their_types(file):
    assert [node.name for node in compiled(TREES[file]) if not TYPES.search(ast.get_docstring(node) or "")] == []
