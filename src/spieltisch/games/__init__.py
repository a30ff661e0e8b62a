"""Each game is a package, and games share nothing. A folder with a `rules` module is found, not registered.

Never here: anything that knows a table, a web page or another game. SPIELTISCH_GAMES names further folders with games,
separated like PATH.
"""

import copyreg
import functools
import os
import pkgutil
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import ModuleType
from typing import Any

from spieltisch import extras
from spieltisch.decks.base_kind import DeckKind, of_game
from spieltisch.game import HasCards, Invalid, Rules
from spieltisch.package import Analysis, Beliefs, Bot, Daily, GamePackage, Learning, Package, Page, Prompt, Record

__path__ += [p for p in os.environ.get("SPIELTISCH_GAMES", "").split(os.pathsep) if p]


_PARTS: dict[str, type] = {
    "record": Record, "bot": Bot, "beliefs": Beliefs, "page": Page, "analysis": Analysis, "daily": Daily,
    "learning": Learning, "prompt": Prompt,
}  # fmt: skip
_RULES = ("name", "version", "seats", "Options", "Deck", "Public", "Own", "Action")
_FUNCTIONS = ("setup", "pending_chance", "resolve_chance", "to_act", "legal", "apply", "result", "imagine")


def _classes(package: str, otherwise: dict[str, type]) -> dict[str, type]:
    """The classes that a package brings, with defaults for those it lacks. Raises ImportError for a class that does not
    extend its base in `spieltisch.package`.
    """
    found = {part: getattr(extras.part_of(package, part), part.title(), other) for part, other in otherwise.items()}
    for part, one in found.items():
        if not issubclass(one, _PARTS[part]):
            raise ImportError(f"{package}.{part}.{one.__name__} does not extend spieltisch.package.{part.title()}")  # noqa: TRY004
    return found


def _rules(package: str) -> Any:
    """The rules module; None without one. Raises ImportError with the names it lacks."""
    rules = extras.part_of(package, "rules")
    missing = [name for name in (*_RULES, *_FUNCTIONS) if rules is not None and not hasattr(rules, name)]
    if missing:
        raise ImportError(f"{package}.rules has no {', '.join(missing)}: see spieltisch.game.Game", name=package)
    return rules


def load(package: str) -> Package | None:
    """The game in this Python package; None without a `rules` module."""
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
    for one in pkgutil.iter_modules(kept.__path__) if kept is not None else ():
        name = f"{package}.former.{one.name}"
        then = _rules(name)
        if then is None or (then.name, one.name) != (rules.name, f"v{then.version}") or then.version >= rules.version:
            raise ImportError(f"{name} does not keep former rules of {rules.name}", name=name)
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
    optional = ("silence", "passes", "standings", "lap")
    more = {name: getattr(rules, name) for name in optional if hasattr(rules, name)}
    return GamePackage(rules, folder, record, **made, decks=kind, **more, former=former)


@functools.cache
def packages() -> dict[str, Package]:
    """All games by their names."""
    found = (load(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return {package.name: package for package in sorted(filter(None, found), key=lambda one: one.folder.name)}


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
    except KeyError:
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
