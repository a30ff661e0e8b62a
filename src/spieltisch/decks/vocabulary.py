"""Fields, regions, levels, goals and epochs that cards are sorted by, with their names. A deck may declare more fields
and regions in lines above its cards, and all of its goals: `#field,<id>,<de>,<en>`, `#region,…`, `#goal,…`; in other
languages `#field_it,<id>,<it>`. The names here are messages.
"""

from collections.abc import Mapping
from functools import cache

from spieltisch.decks.findings import in_all, message
from spieltisch.decks.table import Table
from spieltisch.decks.text import Text, folded
from spieltisch.i18n import N_

FIELDS = {
    "architecture": N_("Architecture"),
    "art": N_("Art"),
    "astronomy": N_("Astronomy"),
    "aviation": N_("Aviation"),
    "ballooning": N_("Ballooning"),
    "business": N_("Business"),
    "chemistry": N_("Chemistry"),
    "cities": N_("Cities"),
    "computing": N_("Computing"),
    "curiosities": N_("Curiosities"),
    "diplomacy": N_("Diplomacy"),
    "education": N_("Education"),
    "everyday": N_("Everyday life"),
    "exploration": N_("Exploration"),
    "film": N_("Film"),
    "food": N_("Food"),
    "games": N_("Games and toys"),
    "government": N_("Government"),
    "law": N_("Law"),
    "literature": N_("Literature"),
    "mathematics": N_("Mathematics"),
    "medicine": N_("Medicine"),
    "military": N_("Military"),
    "motorsport": N_("Motor sport"),
    "mountaineering": N_("Mountaineering"),
    "music": N_("Music"),
    "nature": N_("Nature"),
    "olympics": N_("Olympic Games"),
    "parliament": N_("Parliament"),
    "physics": N_("Physics"),
    "politics": N_("Politics"),
    "presidency": N_("Heads of state"),
    "religion": N_("Religion"),
    "riding": N_("Horses"),
    "royalty": N_("Crown"),
    "science": N_("Science"),
    "sea": N_("Sea"),
    "space": N_("Space"),
    "sport": N_("Sport"),
    "teamsport": N_("Team sport"),
    "technology": N_("Technology"),
    "theatre": N_("Theatre"),
    "trade": N_("Trade"),
    "travel": N_("Travel"),
}
REGIONS = {
    "antarctica": N_("Antarctica"),
    "arctic": N_("Arctic"),
    "british-isles": N_("British Isles"),
    "caribbean": N_("Caribbean"),
    "central-africa": N_("Central Africa"),
    "central-asia": N_("Central Asia"),
    "central-europe": N_("Central Europe"),
    "east-africa": N_("East Africa"),
    "east-asia": N_("East Asia"),
    "eastern-europe": N_("Eastern Europe"),
    "latin-america": N_("Latin America"),
    "north-africa": N_("North Africa"),
    "north-america": N_("North America"),
    "northern-asia": N_("Northern Asia"),
    "northern-europe": N_("Northern Europe"),
    "oceania": N_("Oceania"),
    "south-asia": N_("South Asia"),
    "southeast-asia": N_("Southeast Asia"),
    "southern-africa": N_("Southern Africa"),
    "southern-europe": N_("Southern Europe"),
    "space": N_("Space"),
    "west-africa": N_("West Africa"),
    "western-asia": N_("Western Asia"),
    "western-europe": N_("Western Europe"),
    "worldwide": N_("worldwide"),
}
LEVELS = {"1": N_("easy"), "2": N_("medium"), "3": N_("hard")}
# Each begins with the year after the one before ends.
_ENDS = (
    ("ancient", 500, N_("to 500")),
    ("medieval", 1500, "501–1500"),
    ("early-modern", 1800, "1501–1800"),
    ("nineteenth", 1900, "1801–1900"),
    ("early-twentieth", 1950, "1901–1950"),
    ("late-twentieth", 2000, "1951–2000"),
    ("recent", None, N_("from 2001")),
)
EPOCHS = {name: said for name, _, said in _ENDS}
"""Parts of history by which cards without periods of their own are sorted."""
_KNOWN = {"field": FIELDS, "region": REGIONS, "level": LEVELS, "period": EPOCHS}
TAGS = ("field", "region", "goal")
"""The columns of events whose tags a deck may declare; several may stand in a cell, with semicolons between them."""


def epoch(year: int) -> str:
    """The part of history into which a year falls: one of `EPOCHS`."""
    return next(name for name, last, _ in _ENDS if last is None or year <= last)


@cache
def known(column: str) -> Mapping[str, Text]:
    """The tags of this column that every deck knows, with their names."""
    return {one: in_all(message(said)) for one, said in _KNOWN.get(column, {}).items()}


def tags(table: Table, column: str) -> dict[str, Text]:
    """The tags that may stand in this column: the known ones and those that the deck declares."""
    return {**known(column), **table.named(column)}


def meant(tags: Mapping[str, Text]) -> dict[str, str]:
    """The tags by what somebody may write for them, in small letters: a tag itself, or its name in any language."""
    found: dict[str, str] = {}
    for one, name in tags.items():
        for said in (one, *(folded(said) for said in name.by_language.values())):
            found.setdefault(said, one)
    return found
