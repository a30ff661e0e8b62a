"""Fields, regions, levels, goals and epochs that cards are sorted by, with their names. A deck may declare more fields
and regions in lines above its cards, and all of its goals: `#field,<id>,<de>,<en>`, `#region,…`, `#goal,…`.
"""

from spieltisch.decks.table import Table
from spieltisch.decks.text import Text, folded

FIELDS = {
    "architecture": Text("Baukunst", "Architecture"),
    "art": Text("Kunst", "Art"),
    "astronomy": Text("Sternkunde", "Astronomy"),
    "aviation": Text("Luftfahrt", "Aviation"),
    "ballooning": Text("Ballonfahrt", "Ballooning"),
    "business": Text("Wirtschaft", "Business"),
    "chemistry": Text("Chemie", "Chemistry"),
    "cities": Text("Städte", "Cities"),
    "computing": Text("Informatik", "Computing"),
    "curiosities": Text("Kurioses", "Curiosities"),
    "diplomacy": Text("Völkerverständigung", "Diplomacy"),
    "education": Text("Bildung", "Education"),
    "everyday": Text("Alltag", "Everyday life"),
    "exploration": Text("Entdeckungen", "Exploration"),
    "film": Text("Film", "Film"),
    "food": Text("Essen", "Food"),
    "games": Text("Spiele", "Games"),
    "government": Text("Regierung", "Government"),
    "law": Text("Recht", "Law"),
    "literature": Text("Literatur", "Literature"),
    "mathematics": Text("Mathematik", "Mathematics"),
    "medicine": Text("Medizin", "Medicine"),
    "military": Text("Militär", "Military"),
    "motorsport": Text("Motorsport", "Motor sport"),
    "mountaineering": Text("Bergsteigen", "Mountaineering"),
    "music": Text("Musik", "Music"),
    "nature": Text("Natur", "Nature"),
    "olympics": Text("Olympia", "Olympic Games"),
    "parliament": Text("Parlament", "Parliament"),
    "physics": Text("Physik", "Physics"),
    "politics": Text("Politik", "Politics"),
    "presidency": Text("Staatsspitze", "Heads of state"),
    "religion": Text("Religion", "Religion"),
    "riding": Text("Pferde", "Horses"),
    "royalty": Text("Krone", "Crown"),
    "science": Text("Wissenschaft", "Science"),
    "sea": Text("Meer", "Sea"),
    "space": Text("Weltraum", "Space"),
    "sport": Text("Sport", "Sport"),
    "teamsport": Text("Mannschaftssport", "Team sport"),
    "technology": Text("Technik", "Technology"),
    "theatre": Text("Theater", "Theatre"),
    "trade": Text("Handel", "Trade"),
    "travel": Text("Reisen", "Travel"),
}
REGIONS = {
    "antarctica": Text("Antarktis", "Antarctica"),
    "arctic": Text("Arktis", "Arctic"),
    "british-isles": Text("Britische Inseln", "British Isles"),
    "caribbean": Text("Karibik", "Caribbean"),
    "central-africa": Text("Zentralafrika", "Central Africa"),
    "central-asia": Text("Zentralasien", "Central Asia"),
    "central-europe": Text("Mitteleuropa", "Central Europe"),
    "east-africa": Text("Ostafrika", "East Africa"),
    "east-asia": Text("Ostasien", "East Asia"),
    "eastern-europe": Text("Osteuropa", "Eastern Europe"),
    "latin-america": Text("Lateinamerika", "Latin America"),
    "north-africa": Text("Nordafrika", "North Africa"),
    "north-america": Text("Nordamerika", "North America"),
    "northern-asia": Text("Nordasien", "Northern Asia"),
    "northern-europe": Text("Nordeuropa", "Northern Europe"),
    "oceania": Text("Ozeanien", "Oceania"),
    "south-asia": Text("Südasien", "South Asia"),
    "southeast-asia": Text("Südostasien", "Southeast Asia"),
    "southern-africa": Text("Südliches Afrika", "Southern Africa"),
    "southern-europe": Text("Südeuropa", "Southern Europe"),
    "space": Text("Weltraum", "Space"),
    "west-africa": Text("Westafrika", "West Africa"),
    "western-asia": Text("Westasien", "Western Asia"),
    "western-europe": Text("Westeuropa", "Western Europe"),
    "worldwide": Text("weltweit", "worldwide"),
}
LEVELS = {"1": Text("leicht", "easy"), "2": Text("mittel", "medium"), "3": Text("schwer", "hard")}
# Each begins with the year after the one before ends.
_ENDS = (
    ("ancient", 500, Text("bis 500", "to 500")),
    ("medieval", 1500, Text("501–1500", "501–1500")),
    ("early-modern", 1800, Text("1501–1800", "1501–1800")),
    ("nineteenth", 1900, Text("1801–1900", "1801–1900")),
    ("early-twentieth", 1950, Text("1901–1950", "1901–1950")),
    ("late-twentieth", 2000, Text("1951–2000", "1951–2000")),
    ("recent", None, Text("ab 2001", "from 2001")),
)
EPOCHS = {name: said for name, _, said in _ENDS}
"""Parts of history by which cards without periods of their own are sorted."""
KNOWN = {"field": FIELDS, "region": REGIONS, "level": LEVELS}
TAGS = ("field", "region", "goal")
"""The columns of events whose tags a deck may declare; several may stand in a cell, with semicolons between them."""


def epoch(year: int) -> str:
    """The part of history into which a year falls: one of `EPOCHS`."""
    return next(name for name, last, _ in _ENDS if last is None or year <= last)


def tags(table: Table, column: str) -> dict[str, Text]:
    """The tags that may stand in this column: the known ones and those that the deck declares."""
    return KNOWN.get(column, {}) | declared(table, column)


def declared(table: Table, column: str) -> dict[str, Text]:
    """The tags of this column that lines above the cards declare."""
    return {cells[0]: named(cells) for cells in table.about.get(column, []) if cells}


def named(cells: list[str]) -> Text:
    """A name from a line `id,de,en`, of which both names or one may be missing."""
    one, de, en = [*cells, "", ""][:3]
    return Text(de or en or one, en or de or one)


def meant(known: dict[str, Text]) -> dict[str, str]:
    """The tags by what somebody may write for them, in small letters: a tag itself, or its name in either language."""
    found: dict[str, str] = {}
    for one, name in known.items():
        for said in (one, folded(name.de), folded(name.en)):
            found.setdefault(said, one)
    return found
