"""Games from elsewhere are looked over when the server starts: a slip in their files is told to whoever starts it, not
to the first guest. The tests of this repository look at its own games.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import minijinja

from spieltisch import games
from spieltisch.game_folder import unusable
from spieltisch.languages import po
from spieltisch.package import Package
from spieltisch.table.lesson import lesson


def require_whole(packages: Iterable[Package]) -> None:
    """Raise UnusableGameError for the first template, catalogue, lesson or deck that cannot be used."""
    for package in packages:
        if games.is_foreign(package):
            _require_whole(package)


def _require_whole(package: Package) -> None:
    folder = package.folder
    for template in sorted((folder / "templates").glob("*.html")):
        _try(template, lambda file=template: minijinja.Environment().add_template(file.name, _text(file)))
    for catalog in sorted((folder / "locale").glob("*.po")):
        _try(catalog, lambda file=catalog: po.read(_text(file)))
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
