"""Plans of lessons: pages in both languages that promise only what there is."""

import itertools
import re

import pytest

from spieltisch import games
from spieltisch.i18n import common_catalog, package_catalog
from spieltisch.languages import LANGUAGES, own_text
from web.site import served

pytestmark = pytest.mark.anyio
ALWAYS = ("Lead a class", "Try a lesson", "Last round", "Watch the replay", "Seat everyone waiting")
NAMED = {  # what the plans print in bold because it is pressed or chosen there
    "history": (*ALWAYS, "Who erred, who doubted"),
    "latin": (*ALWAYS, "What was confused", "Way to play"),
}
# What the page about leading a class prints in bold or italics because it is pressed there.
CLASS = (
    "Lead a class",
    "Paper strips",
    "Try a lesson",
    "Change the lesson",
    "Show on projector",
    "Assign to tables",
    "at random",
    "by number",
    "by label",
    "with new people",
    "as last time",
    "Start all games",
    "Move to",
    "Watch",
    "Nudge",
    "Pause all",
    "Last round",
    "Quick round",
    "Look back together",
    "Report",
    "Exit slip",
    "Warm-up",
    "End the lesson, keep the class",
    "More",
)
GAMES = {"history": "anno-domini", "latin": "hic-haec-hoc"}


def rows(text):
    """The minutes of the lesson's table, as pairs."""
    return [tuple(map(int, found)) for found in re.findall(r"^\| (\d+)–(\d+) \|", text, re.MULTILINE)]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_plan_fills_its_minutes_and_names_what_there_is(name, lang):
    text = own_text(lang, f"plans/{name}.md")
    if text is None:
        pytest.skip("not written in this language")
    minutes = rows(text)
    assert (minutes[0][0], minutes[-1][1]) == (0, 45)
    assert all(one[1] == other[0] for one, other in itertools.pairwise(minutes))
    words = package_catalog(games.package(GAMES[name]).folder, lang)
    for button in NAMED[name]:
        said = words.gettext(button)
        assert said in text, said
        assert lang == "en" or said != button
    assert common_catalog("de").gettext("Lead a class") == "Klasse leiten"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_where_in_a_class_is_called_as_on_its_buttons(lang):
    text, words = own_text(lang, "plans/class.md"), common_catalog(lang)
    if text is None:
        pytest.skip("not written in this language")
    named = {one for pair in re.findall(r"\*\*(.+?)\*\*|\*(.+?)\*", text) for one in pair if one}
    assert named == {words.gettext(button) for button in CLASS}


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_plans_are_pages_and_led_to(lang, tmp_path):
    async with served(tmp_path) as site, site.browser(lang) as teacher:
        door = (await teacher.get("/class/new")).text
        for name in (*NAMED, "class"):
            assert f'href="/plans/{name}"' in door
            page = await teacher.get(f"/plans/{name}")
            assert page.status_code == 200
            assert ("<table>" in page.text) is (name in NAMED)
            assert f'lang="{lang}"' in page.text
            assert "**" not in page.text
        assert (await teacher.get("/plans/../secret")).status_code == 404
        assert (await teacher.get("/plans/chemistry")).status_code == 404
