"""Cards glide by names. These are numbers of this table alone, and of cards whose faces the page shows anyway."""

import random
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import spieltisch
from leaks.markers import marks
from leaks.test_canaries import marked_decks  # noqa: F401 - a fixture
from matrix import many
from web.site import playing, served

pytestmark = pytest.mark.anyio
GLIDING = re.compile(r'data-glide="(\d+)"')
TABLES, MOVES = many(3, 5), 12
SCRIPTS = sorted(Path(spieltisch.__file__).parent.rglob("static/*.js"))


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze", "hic-haec-hoc"])
async def test_a_name_is_of_a_card_that_is_seen_and_of_this_table_alone(game, tmp_path, marked_decks):  # noqa: F811
    dice, named = random.Random(game), Counter()
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        for _ in range(TABLES):
            url, table = await playing(site, ada, ben, game=game)
            here = set()
            for _ in range(MOVES):
                for browser in (ada, ben, eve):
                    page = (await browser.get(url)).text
                    for number in map(int, GLIDING.findall(page)):
                        forms = getattr(getattr(table.view(None).public, "terms", None), "forms", None)
                        card = (forms or table.deck.cards)[number]
                        seen = marks(msgspec.json.encode(card).decode()) & marks(page)
                        assert seen, f"{number} is named, its face is not there"
                        here.add((number, min(seen)))
                seat = dice.choice(table.to_act)
                await site.services.host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
                if table.result is not None:
                    break
            named.update(here)
    assert len(named) > 5
    again = sum(n > 1 for n in named.values())
    assert again <= len(named) / 3, "the same card has the same name at another table"


NAMES = r"""`[a-z]-\$\{card\.dataset\.(glide|card)\}(-\$\{n\})?`|"l-top"|"l-played"|played|back \|\| judged"""
NAMES += r""" \? "l-top" : stays"""
FROM = r"""own \? chosen\.name : "l-played"|played \?\? \(own \? chosen\.name : "l-top"\)|null"""


def test_names_are_made_of_nothing_else():
    """Scripts name what glides by these numbers or its place, and by nothing that they find elsewhere."""
    scripts = [file.read_text() for file in SCRIPTS]
    found = [
        line.strip()
        for script in scripts
        for line in script.splitlines()
        if "viewTransitionName = " in line or re.search(r"\b(played|stays) (\?\?)?= ", line)
    ]
    assert found
    for line in found:
        value = re.split(r"viewTransitionName = |(?:played|stays) (?:\?\?)?= ", line)[-1]
        assert re.fullmatch(rf"(?:{NAMES}|{FROM});.*", value), line
    assert not [file for file in SCRIPTS if "view-transition-name" in file.read_text()]
