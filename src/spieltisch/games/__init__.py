"""One package a game, nothing shared between them. Packages are found, not registered: a folder with a `rules` module.

Never here: anything that knows a table, a web page or another game. More packages can lie in the folders named by the
environment variable SPIELTISCH_GAMES (separated like PATH).
"""

import functools
import os
import pkgutil
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from spieltisch import defaults, extras
from spieltisch.decks.kinds import DeckKind, of_game
from spieltisch.game import Game, Invalid
from spieltisch.i18n import Terms, Translator, catalog_in_terms, package_catalog
from spieltisch.protocols import Analysis, Beliefs, Bot, Page, Record


class _Games(ModuleType):
    """The type of the module, so that it can be called: `spieltisch.games()`."""

    def __call__(self) -> dict[str, "GamePackage"]:
        """All games by their names."""
        return dict(packages())


sys.modules[__name__].__class__ = _Games
__path__ += [p for p in os.environ.get("SPIELTISCH_GAMES", "").split(os.pathsep) if p]


class GamePackage(Struct, frozen=True, eq=False):
    """A game: its rules, and the second contract around them. What its folder does not bring is the default."""

    rules: Game
    folder: Path
    record: Record
    bot: Bot
    beliefs: Beliefs
    page: Page
    analysis: Analysis
    decks: DeckKind[Any] | None = None  # the kind of decks that it brings
    silence: Any = None  # the answer that stands when the time to contest is up; None: the game knows no contest
    # How the game stands by the rules' own order, from the public part, for one that is broken off; None: it has none.
    standings: Callable[[Any], tuple[tuple[int, ...], ...]] | None = None
    lap: Callable[[Any], int] | None = None  # the number of the round that is played; None: a round is once around
    passes: tuple[Any, ...] = ()  # the actions that stand when the time for a turn is up, the first legal one counts
    former: tuple["GamePackage", ...] = ()  # the game under rules of before, for tables that were begun under them

    def __repr__(self) -> str:
        able = self.rules.seats
        return f"<{self.name}, {able[0]}{f' to {able[-1]}' * (len(able) > 1)} seat{'s' * (able[-1] > 1)}>"

    @property
    def name(self) -> str:
        """The game's name in records."""
        return self.rules.name

    @property
    def choice(self) -> str | None:
        """The kind of decks among which its tables choose; None where the rules know the only one."""
        return self.decks.name if self.decks is not None and self.decks.chosen else None

    def under(self, version: int) -> "GamePackage | None":
        """The game under this version of its rules; None where those are not kept."""
        return next((one for one in (self, *self.former) if one.rules.version == version), None)

    def require_seats(self, n: int) -> None:
        """Invalid unless so many can play."""
        able = self.rules.seats
        if n in able:
            return
        if able[-1] == 1:
            raise Invalid("{game} is played alone, not by {n}", game=self.name, n=n)
        if len(able) == 1:
            raise Invalid("{game} is for {least} players, not {n}", game=self.name, least=able[0], n=n)
        raise Invalid(
            "{game} is for {least} to {most} players, not {n}", game=self.name, least=able[0], most=able[-1], n=n
        )

    def level(self, wanted: str) -> str:
        """The level of bots that is wanted, the middle one if there is no such level."""
        levels = self.bot.levels
        if wanted in levels or not levels:
            return wanted
        return list(levels)[len(levels) // 2]

    def translator(
        self,
        lang: str,
        names: tuple[str, ...] | list[str] = (),
        me: int | None = None,
        terms: Terms = Terms(),  # noqa: B008
    ) -> Translator:
        """Who speaks of this game in a language, in the reader's terms where the game has such."""
        if terms == Terms() or not self.page.terms:
            return Translator(package_catalog(self.folder, lang), lang, names, me)
        catalog = catalog_in_terms(self.folder, lang, terms, tuple(self.page.terms.items()))
        return Translator(catalog, lang, names, me)


_DEFAULTS: dict[str, type] = {
    "record": defaults.DefaultRecord,
    "bot": defaults.DefaultBot,
    "beliefs": defaults.DefaultBeliefs,
    "page": defaults.DefaultPage,
    "analysis": defaults.DefaultAnalysis,
}


def _classes(package: str, otherwise: dict[str, type]) -> dict[str, type]:
    """The classes of the second contract that a package brings; where it has no such module or class, this one."""
    return {part: getattr(extras.part_of(package, part), part.title(), other) for part, other in otherwise.items()}


def load(package: str) -> GamePackage | None:
    """The game in the Python package of this name; None if there is no `rules` module."""
    rules: Any = extras.part_of(package, "rules")
    if rules is None:
        return None
    folder, classes = Path(rules.__file__).parent, _classes(package, _DEFAULTS)
    kind = of_game(package)
    return _assembled(rules, folder, classes, kind, tuple(_former(package, folder, rules, classes, kind)))


def _former(
    package: str, folder: Path, rules: Any, classes: dict[str, type], kind: DeckKind[Any] | None
) -> Generator[GamePackage]:
    """The game under each version of its rules that is kept in its folder `former`."""
    kept = extras.part_of(package, "former")
    for one in pkgutil.iter_modules(kept.__path__) if kept is not None else ():
        name = f"{package}.former.{one.name}"
        then: Any = extras.part_of(name, "rules")
        if then is None or (then.name, one.name) != (rules.name, f"v{then.version}") or then.version >= rules.version:
            raise ImportError(f"{name} does not keep former rules of {rules.name}", name=name)
        yield _assembled(then, folder, _classes(name, classes), kind)


def _assembled(
    rules: Any,
    folder: Path,
    classes: dict[str, type],
    kind: DeckKind[Any] | None,
    former: tuple[GamePackage, ...] = (),
) -> GamePackage:
    made = {part: one() for part, one in classes.items() if part != "record"}
    record = classes["record"](rules, getattr(rules, "DECK", None))
    optional = ("silence", "passes", "standings", "lap")
    more = {name: getattr(rules, name) for name in optional if hasattr(rules, name)}
    return GamePackage(rules, folder, record, **made, decks=kind, **more, former=former)


@functools.cache
def packages() -> dict[str, GamePackage]:
    """All games by their names."""
    found = (load(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return {package.name: package for package in sorted(filter(None, found), key=lambda one: one.folder.name)}


def parts(name: str) -> Generator[ModuleType]:
    """The module or package of this name, such as `study.commands`, of each game that brings one."""
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and (part := extras.part_of(f"{__name__}.{module.name}", name)) is not None:
            yield part


def modules_in(name: str) -> dict[str, str]:
    """By their own names the modules in the package of this name, such as `study.questions`, that games bring. None of
    them is imported for that.
    """
    found = (
        (one.name, f"{part.__name__}.{one.name}") for part in parts(name) for one in pkgutil.iter_modules(part.__path__)
    )
    return dict(found)


def package(name: str, version: int | None = None) -> GamePackage:
    """The game with this name, under this version of its rules (None: the present one); Invalid if there is none."""
    try:
        found = packages()[name]
    except KeyError:
        raise Invalid("there is no game {name}, only {names}", name=name, names=", ".join(packages())) from None
    kept = found if version is None else found.under(version)
    if kept is None:
        raise Invalid("the rules of {name} in version {version} are not kept", name=name, version=version)
    return kept


def with_decks(kind: str) -> GamePackage:
    """The game that plays with decks of this kind. Raises KeyError if there is none."""
    try:
        return next(one for one in packages().values() if one.decks is not None and one.decks.name == kind)
    except StopIteration:
        raise KeyError(kind) from None
