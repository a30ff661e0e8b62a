"""Public names of the contract, the table and the web say what they are for and which errors they raise."""

import ast
from pathlib import Path

import pytest

import spieltisch

ROOT = Path(spieltisch.__file__).parent
CONTRACT = ("__init__", "game", "protocols", "defaults", "dice", "match", "record", "testing", "i18n", "paths")
FILES = sorted([
    *(file for name in CONTRACT if (file := ROOT / f"{name}.py").is_file()),
    ROOT / "games" / "__init__.py",
    *(ROOT / "bots").rglob("*.py"),
    *(ROOT / "table").rglob("*.py"),
    *(ROOT / "web").rglob("*.py"),
])  # fmt: skip
ERRORS = {"Illegal", "Stale", "Invalid", "Missing", "Forbidden", "TooMany", "InvalidRecord", "Refused"}
IMPLEMENTS = {
    "defaults",
    "protocol",
    "sqlite",
    "postgres",
}  # their methods are described by the protocols that they implement


def name_of(path):
    return str(path.relative_to(ROOT))


def public(tree):
    """The public classes, functions and methods of a module, each with its qualified name."""
    for node in tree.body:
        if any(getattr(one, "id", "") == "overload" for one in getattr(node, "decorator_list", ())):
            continue  # the function itself follows
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for one in node.body:
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and not one.name.startswith("_"):
                    yield f"{node.name}.{one.name}", one


def raised(function):
    """The names of the refusals that a function raises itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in ERRORS:
                yield name


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_public_names_are_described_with_their_errors(file):
    found = []
    for name, node in public(ast.parse(file.read_text(encoding="utf-8"))):
        said = ast.get_docstring(node) or ""
        if not said and not (file.stem in IMPLEMENTS and "." in name):
            found.append(f"{name}: no docstring")
        if not isinstance(node, ast.ClassDef):
            found += [f"{name}: raises {error} and does not say so" for error in {*raised(node)} if error not in said]
    assert found == []
