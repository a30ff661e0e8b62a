"""Each game is a package, and games share nothing. A folder with a `rules` module is found, not registered.

Never here: anything that knows a table, a web page or another game. SPIELTISCH_GAMES names further folders with games,
separated like PATH.
"""

import copyreg
import functools
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch import extras
from spieltisch.decks.base_kind import DeckKind, kinds, of_game
from spieltisch.game import HasCards, Invalid, Rules
from spieltisch.game_folder import UnusableGameError, box_of, class_in, require_values, told
from spieltisch.package import Analysis, Beliefs, Bot, Daily, GamePackage, Learning, Package, Page, Prompt, Record

OWN = Path(next(iter(__path__)))
_NAMED = [folder for folder in os.environ.get("SPIELTISCH_GAMES", "").split(os.pathsep) if folder]
__path__ += _NAMED

_PARTS: dict[str, type] = {
    "record": Record, "bot": Bot, "beliefs": Beliefs, "page": Page, "analysis": Analysis, "daily": Daily,
    "learning": Learning, "prompt": Prompt,
}  # fmt: skip
_STRUCTS = ("Options", "Deck", "Public", "Own")
_FUNCTIONS = ("setup", "pending_chance", "resolve_chance", "to_act", "legal", "apply", "result", "imagine")


def _classes(package: str, otherwise: dict[str, type]) -> dict[str, type]:
    """The classes that a package brings, with defaults for those it lacks."""
    modules = {part: extras.part_of(package, part) for part in otherwise}
    return {
        part: otherwise[part] if module is None else class_in(module, part.title(), _PARTS[part])
        for part, module in modules.items()
    }


def _rules(package: str) -> Any:
    """The rules module; None without one. Raises UnusableGameError if something in it is missing or wrong."""
    rules = extras.part_of(package, "rules")
    if rules is None:
        return None
    file = rules.__file__
    missing = [
        name for name in ("name", "version", "seats", *_STRUCTS, "Action", *_FUNCTIONS) if not hasattr(rules, name)
    ]
    if missing:
        raise UnusableGameError("{file} lacks {names}: see spieltisch.game.Game", file=file, names=", ".join(missing))
    if not (isinstance(rules.name, str) and re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", rules.name)):
        raise UnusableGameError(
            "{file}: `name` is {value}, but has to be of lower-case letters, digits and hyphens",
            file=file,
            value=repr(rules.name),
        )
    if type(rules.version) is not int or rules.version < 1:
        raise UnusableGameError(
            "{file}: `version` is {value}, but has to be a whole number from 1 on", file=file, value=repr(rules.version)
        )
    if not (isinstance(rules.seats, range) and rules.seats and rules.seats[0] > 0):
        raise UnusableGameError(
            "{file}: `seats` is {value}, but has to be a range such as range(2, 7)", file=file, value=repr(rules.seats)
        )
    for name in _STRUCTS:
        if not (isinstance(one := getattr(rules, name), type) and issubclass(one, Struct)):
            raise UnusableGameError("{file}: `{name}` has to be a Struct of msgspec", file=file, name=name)
    for name in _FUNCTIONS:
        if not callable(getattr(rules, name)):
            raise UnusableGameError("{file}: `{name}` has to be a function", file=file, name=name)
    return rules


def load(package: str) -> Package | None:
    """The game in this Python package; None without a `rules` module. Raises UnusableGameError with the file of what is
    missing or wrong.
    """
    with told(package):
        rules = _rules(package)
        if rules is None:
            return None
        folder, classes = Path(rules.__file__).parent, _classes(package, _PARTS)
        kind = of_game(package)
        return _assembled(rules, folder, classes, kind, tuple(_former(package, folder, rules, classes, kind)))


def _former(
    package: str, folder: Path, rules: Rules, classes: dict[str, type], kind: DeckKind[HasCards] | None
) -> Generator[Package]:
    """The game under each earlier version of its rules in its folder `former`."""
    kept = extras.part_of(package, "former")
    if kept is None:
        return
    for one in pkgutil.iter_modules(kept.__path__):
        name = f"{package}.former.{one.name}"
        then = _rules(name)
        if then is None or (then.name, one.name) != (rules.name, f"v{then.version}") or then.version >= rules.version:
            where = Path(next(iter(kept.__path__))) / one.name
            raise UnusableGameError("{folder} does not keep former rules of {game}", folder=where, game=rules.name)
        yield _assembled(then, folder, _classes(name, classes), kind)


def _assembled(
    rules: Rules,
    folder: Path,
    classes: dict[str, type],
    kind: DeckKind[HasCards] | None,
    former: tuple[Package, ...] = (),
) -> Package:
    made: dict[str, Any] = {part: one() for part, one in classes.items() if part not in ("record", "learning")}
    made["learning"] = classes["learning"]  # made anew for each setting
    record = classes["record"](rules, getattr(rules, "DECK", None))
    foreign = folder.parent != OWN
    for part, one in ({"record": record} | made).items() if foreign else ():
        require_values(one, _PARTS[part])
    _require_defaults(rules, record)
    optional = ("silence", "passes", "standings", "lap")
    more = {name: getattr(rules, name) for name in optional if hasattr(rules, name)}
    return GamePackage(rules, folder, record, **made, box=box_of(folder), decks=kind, **more, former=former)


def _require_defaults(rules: Any, record: Any) -> None:
    """Raise UnusableGameError unless a table can be made without any choice."""
    bare = [one.name for one in msgspec.structs.fields(rules.Options) if one.required]
    if bare:
        raise UnusableGameError("{file}: options need a default: {names}", file=rules.__file__, names=", ".join(bare))
    if record.deck is None and type(record).load is Record.load:
        raise UnusableGameError("{file} needs a DECK, or a Record with a method load", file=rules.__file__)


@functools.cache
def packages() -> dict[str, Package]:
    """All games by their names. Raises UnusableGameError for a game that cannot be used: without it a server would show
    that game's tables as if nobody could ever go on.
    """
    _require_games(_NAMED)
    found: dict[str, Package] = {}
    for module in pkgutil.iter_modules(__path__):
        one = load(f"{__name__}.{module.name}") if module.ispkg else None
        if one is not None and (other := found.setdefault(one.name, one)) is not one:
            raise UnusableGameError(
                "two games are called {name}: {one} and {other}", name=one.name, one=other.folder, other=one.folder
            )
    kinds()  # which may not be called alike, either
    return dict(sorted(found.items(), key=lambda item: item[1].folder.name))


def is_foreign(game: Package) -> bool:
    """Whether this game is from elsewhere: nobody here has tested it."""
    return game.folder.parent != OWN


def _require_games(named: Iterable[str]) -> None:
    """Raise UnusableGameError unless there are games in each of these folders."""
    for folder in map(Path, named):
        if not folder.is_dir():
            raise UnusableGameError("SPIELTISCH_GAMES names {folder}, which is no folder", folder=folder)
        if (folder / "rules.py").is_file():
            raise UnusableGameError(
                "SPIELTISCH_GAMES has to name the folder around {folder}, in which several games may lie", folder=folder
            )
        for rules in folder.glob("*/rules.py"):
            if not (rules.parent / "__init__.py").is_file():
                raise UnusableGameError("{folder} needs a file __init__.py, which may be empty", folder=rules.parent)


def parts(name: str) -> Generator[ModuleType]:
    """The module or package of this name, such as `study.commands`, of each game that brings one."""
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and (part := extras.part_of(f"{__name__}.{module.name}", name)) is not None:
            yield part


def modules_in(name: str) -> dict[str, str]:
    """Modules of the package `name`, such as `study.questions`, in all games, by their own names.
    Imports none of them.
    """
    found = (
        (one.name, f"{part.__name__}.{one.name}") for part in parts(name) for one in pkgutil.iter_modules(part.__path__)
    )
    return dict(found)


def package(name: str, version: int | None = None) -> Package:
    """The game under this version of its rules (None: the current one). Raises Invalid if there is none."""
    try:
        found = packages()[name]
    except (KeyError, TypeError):  # a list has no hash
        raise Invalid("there is no game {name}, only {names}", name=name, names=", ".join(packages())) from None
    kept = found if version is None else found.under(version)
    if kept is None:
        raise Invalid("the rules of {name} in version {version} are not kept", name=name, version=version)
    return kept


def _reduced(game: Package) -> tuple[Callable[..., Package | None], tuple[object, ...]]:
    """How a game is pickled: by its name and version, one from elsewhere by its Python package."""
    known = packages().get(game.name)
    if known is not None and known.under(game.rules.version) is game:
        return package, (game.name, game.rules.version)
    return load, (getattr(game.rules, "__name__", "").rpartition(".")[0],)


copyreg.pickle(GamePackage, _reduced)  # ty: ignore[invalid-argument-type] - its tuple has two parts or more


def with_decks(kind: str) -> Package:
    """The game that plays with decks of this kind. Raises KeyError if there is none."""
    try:
        return next(one for one in packages().values() if one.decks is not None and one.decks.name == kind)
    except StopIteration:
        raise KeyError(kind) from None


class Games(ModuleType):
    """The type of this module, which makes it callable: `spieltisch.games()`."""

    load = staticmethod(load)
    modules_in = staticmethod(modules_in)
    package = staticmethod(package)
    packages = staticmethod(packages)
    parts = staticmethod(parts)
    with_decks = staticmethod(with_decks)

    def __call__(self) -> dict[str, Package]:
        """All games by their names."""
        return dict(packages())


sys.modules[__name__].__class__ = Games
