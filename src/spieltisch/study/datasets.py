"""Data sets to publish: one table each, with a README and Croissant metadata (https://docs.mlcommons.org/croissant).

A game's own data sets come from `datasets` in its module `study.data`; bots' records cover every game. The output
depends on the arguments alone, so anybody can reproduce it.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

import spieltisch
from spieltisch import games
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import span_of
from spieltisch.decks.table import COMMENTS, TEXTS, Row, read_table
from spieltisch.decks.text import ALWAYS
from spieltisch.languages import DEFAULT, LANGUAGES
from spieltisch.study import workers
from spieltisch.study.frames import Rows
from spieltisch.study.series import TAG, Played, Series, play_recorded, series

METADATA, README = "metadata.json", "README.md"
CONFORMS = "http://mlcommons.org/croissant/1.0"
CARDS, PROGRAM = "https://creativecommons.org/licenses/by-sa/4.0/", "https://www.apache.org/licenses/LICENSE-2.0"
AUTHORS = "The Spieltisch authors"
PIECE = 20  # games that are played in one go
_OWN = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: Mapping[str, object] = {
    "@language": DEFAULT,
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{name: f"cr:{name}" for name in _OWN},
}
"""The names of Croissant 1.0, as its specification gives them."""

Type = Literal["Text", "Integer", "Float", "Boolean"]


class Column(Struct, frozen=True):
    """A column of a table: its name, a description, and the schema.org type of its cells."""

    name: str
    says: str
    type: Type = "Text"


class Dataset(Struct, frozen=True):
    """A table to publish.

    `name` is the name of its folder and file, `version` is MAJOR.MINOR.PATCH, `keywords` help people find it. Cells are
    text, numbers or booleans; None means unknown.
    """

    name: str
    title: str
    about: str
    licence: str
    version: str
    columns: tuple[Column, ...]
    rows: Iterable[Sequence[object]]
    keywords: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()  # of its texts

    @property
    def file(self) -> str:
        return f"{self.name}.csv"


class Wanted(Struct, frozen=True):
    """How much to generate: the numbers of `games` and `deals`, and their seed.

    `on` is as for `workers`. `known` is a file with known results of deals.
    """

    games: int
    deals: int
    seed: int
    on: str = "1"
    known: Path | None = None


def datasets(wanted: Wanted) -> Iterator[Dataset]:
    """Yield the games' own data sets, then the records of bots. Raises what these raise."""
    for part in games.parts("study.data"):
        yield from part.datasets(wanted)
    yield recorded(wanted)


def write(dataset: Dataset, folder: Path, url: str = "", day: str = "") -> Path:
    """Write a data set into a folder of its name, and return the folder.

    `url` is the address at which the folder will be published, `day` the date, such as 2026-12-24. The metadata leave
    out what is not given. Raises OSError.
    """
    place = folder / dataset.name
    place.mkdir(parents=True, exist_ok=True)
    rows = [tuple(map(_cell, row)) for row in dataset.rows]
    content = Rows([column.name for column in dataset.columns], rows).csv().encode()
    (place / dataset.file).write_bytes(content)
    told = json.dumps(croissant(dataset, content, url, day), ensure_ascii=False, indent=2)
    (place / METADATA).write_text(told + "\n", "utf-8")
    (place / README).write_text(readme(dataset, len(rows)), "utf-8")
    return place


def _cell(value: object) -> object:
    """Return the value as other programs read it: booleans in lower case."""
    return str(value).lower() if isinstance(value, bool) else value


def croissant(dataset: Dataset, content: bytes, url: str = "", day: str = "") -> dict[str, object]:
    """Return the metadata of a data set whose file has this content."""
    name, file = dataset.name, dataset.file
    at = f"{url.rstrip('/')}/{name}" if url else ""
    fields = [
        {
            "@type": "cr:Field", "@id": f"{name}/{column.name}", "name": column.name, "description": column.says,
            "dataType": f"sc:{column.type}",
            "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
        }
        for column in dataset.columns
    ]  # fmt: skip
    return {
        "@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": CONFORMS, "name": name,
        "alternateName": dataset.title, "description": dataset.about, "license": dataset.licence,
        "version": dataset.version, **({"inLanguage": list(dataset.languages)} if dataset.languages else {}),
        "keywords": list(dataset.keywords), "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "citeAs": cited(dataset, at), "isLiveDataset": False,
        **({"url": at} if at else {}), **({"datePublished": day} if day else {}),
        "distribution": [{
            "@type": "cr:FileObject", "@id": file, "name": file, "encodingFormat": "text/csv",
            "contentUrl": f"{at}/{file}" if at else file, "contentSize": f"{len(content)} B",
            "sha256": hashlib.sha256(content).hexdigest(),
        }],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": name, "name": name, "description": dataset.title, "field": fields},
        ],
    }  # fmt: skip


def cited(dataset: Dataset, url: str = "") -> str:
    """Return the citation in BibTeX."""
    parts = {
        "author": f"{{{AUTHORS}}}", "title": f"{dataset.title} (Spieltisch)", "version": dataset.version,
        **({"url": url} if url else {}),
    }  # fmt: skip
    return f"@misc{{spieltisch-{dataset.name}, {', '.join(f'{key} = {{{value}}}' for key, value in parts.items())}}}"


def readme(dataset: Dataset, rows: int) -> str:
    """Return the README."""
    columns = "\n".join(f"| `{one.name}` | {one.type} | {one.says} |" for one in dataset.columns)
    return f"""# {dataset.title}

{dataset.about}

- {rows:,} rows in `{dataset.file}`, CSV in UTF-8. An empty cell says that nothing is known.
- Version {dataset.version}, made by Spieltisch {spieltisch.__version__}.
- Licence: <{dataset.licence}>. Name the authors: {AUTHORS}.
- `{METADATA}` describes the table in Croissant.

| column | type | says |
| --- | --- | --- |
{columns}

To cite it:

    {cited(dataset)}
"""


# -- what games share --------------------------------------------------------------------------------------------------


def of_decks(
    name: str, kind: str, title: str, about: str, licence: str, says: Mapping[str, str], keywords: Sequence[str] = ()
) -> Dataset:
    """Return the cards of all shipped decks of a kind as one table.

    `says` describes the columns. The deck's name is added, and the first and last year of cards with dates. The version
    is the date of the newest deck.
    """
    brought = kind_of(kind)
    tables = {path.stem: read_table(path.read_text("utf-8"), tuple(says)) for path in brought.shipped()}
    years = (
        Column("start", "The first year that the date means. Year 0 is 1 BC, as astronomers count.", "Integer"),
        Column("end", "The last year that the date means.", "Integer"),
    )
    columns = (
        Column("deck", "The deck that the card is from."), *(Column(key, said) for key, said in says.items()),
        *(years if brought.date else ()),
    )  # fmt: skip

    def cells(deck: str, row: Row) -> Iterator[object]:
        yield from (deck, *(row[column] or None for column in says))
        if brought.date:
            span = span_of(row, kind)
            yield from (None, None) if span is None else (span.start, span.end)

    rows = [tuple(cells(deck, row)) for deck, table in tables.items() for row in table.rows]
    newest = max(table.said("version") for table in tables.values())
    version = ".".join(str(int(part)) for part in newest.split("-"))
    languages = tuple(tag for tag, column in TEXTS.items() if column in says)
    return Dataset(name, title, about, licence, version, columns, rows, tuple(keywords), languages)


def fronts(what: str) -> dict[str, str]:
    """Return the descriptions of the front columns, in the languages of the shipped decks."""
    return {TEXTS[tag]: f"{what} in {LANGUAGES[tag].english}, as on the front." for tag in ALWAYS}


def backs() -> dict[str, str]:
    """Return the descriptions of the comment columns."""
    return {COMMENTS[tag]: f"What the back tells in {LANGUAGES[tag].english}." for tag in ALWAYS}


RECORDED = (
    Column("game", "The name of the game."),
    Column("number", "The number of the game in its series.", "Integer"),
    Column("seed", "The seed of the series. With the number it decides the cards and the bots."),
    Column("seats", "How many seats play.", "Integer"),
    Column("bots", "The levels of the bots, seat by seat, with blanks between them."),
    Column("wins", "Each seat's part of the victory, with blanks between them."),
    Column("scores", "Each seat's points, with blanks between them; empty in games without points."),
    Column("actions", "How many actions were taken.", "Integer"),
    Column("end", "How the game ended."),
    Column("record", "The whole game as a Spieltisch record, in JSON: each shuffle, each action."),
)


def recorded(wanted: Wanted) -> Dataset:
    """Return bots' games with their records. Each table seats as many of the game's levels as it can."""
    about = (
        f"Whole games that Spieltisch's bots played: {wanted.games} of each game, seed {wanted.seed}. Each is a record "
        "that the rules replay without random numbers. The bots are named by their levels; what they believed follows "
        "from the seed and is not in the record."
    )
    rows = (row for found in _series(wanted.seed) for row in _recorded(found, wanted))
    return Dataset(
        "bot-games", "Games of bots", about, PROGRAM, program_version(), RECORDED, rows,
        ("board games", "imperfect information", "game records"),
    )  # fmt: skip


def _series(seed: int) -> Iterator[Series]:
    for name, package in sorted(games.packages().items()):
        levels, most = tuple(package.bot.levels), package.rules.seats[-1]
        if levels:
            options: dict[str, object] = (
                {"max_rounds": 100} if "max_rounds" in package.rules.Options.__struct_fields__ else {}
            )
            yield series(name, levels[-1:] if most == 1 else levels[:most], seed, options)


def _recorded(found: Series, wanted: Wanted) -> Iterator[tuple[object, ...]]:
    pieces = workers.batches(range(wanted.games), PIECE)
    for told in workers.run(partial(_played, found), pieces, wanted.on):
        yield from (_row(found, played, text) for played, text in told)


def _played(found: Series, numbers: Sequence[int]) -> list[tuple[Played, str]]:
    return [*play_recorded(found, numbers)]


def _row(found: Series, played: Played, text: str) -> tuple[object, ...]:
    raw = json.loads(text)
    assert raw["tags"][TAG] == f"{found.seed}/{played.number}"
    return (
        found.game, played.number, str(found.seed), len(played.bots), " ".join(found.bots[bot] for bot in played.bots),
        _listed(played.wins), _listed(played.scores), played.actions, played.end,
        json.dumps(raw, ensure_ascii=False, separators=(",", ":")),
    )  # fmt: skip


def _listed(values: Sequence[float] | None) -> str | None:
    return None if values is None else " ".join(f"{value:g}" for value in values)


def program_version() -> str:
    """Return the three numbers of the program's version."""
    return ".".join(re.findall(r"\d+", spieltisch.__version__)[:3])
