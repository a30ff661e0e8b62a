"""What import contracts cannot check: who asks a table for views, and who touches a State."""

import ast
import functools
from pathlib import Path

from spieltisch import web

HERE = Path(web.__file__).parent
NAMES = [file.relative_to(HERE).as_posix() for file in sorted(HERE.rglob("*.py"))]


@functools.cache
def module_of(name):
    return ast.parse((HERE / name).read_text())


def modules():
    return {name: module_of(name) for name in NAMES}


def called(module):
    """The names of the methods that a module calls."""
    calls = [one.func for one in ast.walk(module) if isinstance(one, ast.Call)]
    return {func.attr for func in calls if isinstance(func, ast.Attribute)}


def read(module):
    """The names of the attributes that a module reads."""
    return {one.attr for one in ast.walk(module) if isinstance(one, ast.Attribute)}


def imported(module):
    return {alias.name for one in ast.walk(module) if isinstance(one, ast.ImportFrom) for alias in one.names}


def test_only_the_views_ask_a_table_for_views_and_legal_actions():
    asking = {name for name, module in modules().items() if called(module) & {"view", "legal"}}
    assert asking
    others = {name for name in asking if not name.startswith("core/view/")}
    assert others == {"past/views.py", "table/snapshot.py"}


def test_only_one_module_touches_a_state_and_it_is_of_finished_games():
    games = modules()
    del games["wire/frames.py"]  # there it is a connection's
    assert {name for name, module in games.items() if "state" in read(module)} == {"past/views.py"}
    assert not {name for name, module in games.items() if imported(module) & {"State", "see"}}
