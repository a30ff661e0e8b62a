"""Games from elsewhere are looked over when the server starts: a slip in their files is told to whoever starts it, not
to the first guest. The tests of this repository look at its own games.
"""

import functools
from collections.abc import Callable, Iterable
from pathlib import Path

import minijinja

from spieltisch import games
from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.library import Library
from spieltisch.game import Refused
from spieltisch.game_folder import asked, in_time, told, unusable, wrong_value
from spieltisch.languages import po
from spieltisch.options import read_options
from spieltisch.package import Package, Page
from spieltisch.table.lesson import lesson
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.rehearsal import rehearse
from spieltisch.web.core import catalog
from spieltisch.web.core.view import option_fields, ways

LANGS = ("en", "de")
LONGEST = 20.0  # seconds that a game may take for all this; a hundredth of it is usual


def require_whole(packages: Iterable[Package]) -> None:
    """Raise UnusableGameError for the first game with a file that cannot be used, or that cannot be shown or played."""
    for package in packages:
        if games.is_foreign(package):
            _require_whole(package)


@functools.cache
def _require_whole(package: Package) -> None:
    in_time(LONGEST, package.folder, lambda: (_read(package), _use(package)))


def _read(package: Package) -> None:
    folder = package.folder
    for template in sorted((folder / "templates").glob("*.html")):
        _try(template, lambda file=template: minijinja.Environment().add_template(file.name, _text(file)))
    for catalog_file in sorted((folder / "locale").glob("*.po")):
        _try(catalog_file, lambda file=catalog_file: po.read(_text(file)))
    for book in sorted(folder.glob("rules.*.md")):
        _try(book, lambda file=book: _text(file))
    _try(folder / "lesson.toml", lambda: lesson(package))
    if (kind := package.decks) is not None:
        for deck in kind.shipped():
            _try(deck, lambda file=deck: kind.read(_text(file), file.stem))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _try(file: Path, use: Callable[[], object]) -> None:
    try:
        use()
    except Exception as error:
        raise unusable(file, error) from error


def _use(package: Package) -> None:
    """Ask for what common pages ask of every game, and play a move."""
    with told(package.folder):
        for way in package.page.ways.values():
            rules = {key: value for key, value in way.options.items() if key not in package.page.content}
            try:
                read_options(rules, package.rules.Options)
            except Refused as reason:
                raise wrong_value(package.page, "ways", reason) from None
        for lang in LANGS:
            _draw(package, lang, Library())
        rehearse(package, LANGS)


def _draw(package: Package, lang: str, library: Library) -> None:
    """Ask for the words and fields of common pages."""
    page, able = package.page, package.rules.seats
    tr = package.translator(lang, [""] * able[-1])
    catalog.box(package, tr)
    if package.decks is not None:
        asked(package.decks, DeckKind, "example", lang)
    setup = TableSetup("", package.name, dict(package.record.default), (Chair(),) * able[0])
    asked(page, Page, "options", setup.top, able[0], tr)
    fields = option_fields.fields(package, setup, tr, library)
    ways.sentence(package, setup, ways.shown(package, setup, tr, library), fields, tr, library)
