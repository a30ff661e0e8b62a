"""A lesson is prepared: numbers that agree, decks of one's own, the number of cards while one chooses."""

import itertools
import re

import pytest

from matrix import sampled
from spieltisch.decks.library import Library
from spieltisch.decks.selection import selection
from spieltisch.languages import LANGUAGES
from web.site import served
from web.test_classes import PLAN, browsers, lesson, room_of
from web.test_deckpages import made

pytestmark = pytest.mark.anyio

HISTORY = PLAN | {"game": "anno-domini", "anno-domini:level": "", "anno-domini:way": "quick", "size": "2"}
LABEL = re.compile(r'<span id="[^"]+"><b>([^<]+)</b>')
MODE = re.compile(r'<select[^>]*name="hic-haec-hoc:mode"(?:(?!</select>).)*value="([^"]*)" selected', re.DOTALL)
GOAL = re.compile(r'name="anno-domini:filter-goal" value="([^"]*)"[^>]*>[^<]* \((\d+)\)</label>')


WANTED = [{}, {"level": ["1"]}, {"region": ["europe"], "level": ["1"]}, {"share": 15, "mix": 7}]


@pytest.mark.parametrize(
    ("kind", "wanted"),
    sampled(
        itertools.product(["events", "firsts"], WANTED), [*(("events", one) for one in WANTED[2:]), ("firsts", {})]
    ),
)
def test_a_number_beside_a_choice_is_that_of_the_cards_then_in_play(tmp_path, kind, wanted):
    library = Library(tmp_path)
    for column, each in selection(library, kind, [kind], None, wanted).choices.items():
        for one, _, n in each:
            assert selection(library, kind, [kind], None, wanted | {column: [one]}).left == n, (column, one)


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_no_two_choices_of_a_game_have_the_same_label(tmp_path, lang):
    async with served(tmp_path) as site, site.browser(lang) as teacher:
        for game in (await teacher.get("/class/new")).text.split('<div class="cgame ')[1:]:
            labels = LABEL.findall(game)
            assert len(labels) > 1
            assert len(labels) == len(set(labels)), labels


async def test_numbers_of_goals_agree_with_what_is_said_of_the_lesson(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher:
        goals = GOAL.findall((await teacher.get("/class/new")).text)
        assert goals
        for goal, n in goals:
            said = (await teacher.post("/class/cards", data=HISTORY | {"anno-domini:filter-goal": goal})).text
            assert n in re.findall(r"\d+", said), (goal, n, said)


async def test_a_private_deck_is_offered_to_its_maker_and_played(tmp_path):
    async with (
        served(tmp_path, pause=lambda: 3600.0) as site,
        site.browser() as teacher,
        site.browser() as other,
        browsers(site, 4) as pupils,
    ):
        name = (await made(teacher)).rpartition("/")[2]
        assert "Rome &amp; more" in (await teacher.get("/class/new")).text
        assert "Rome &amp; more" not in (await other.get("/class/new")).text
        plan = HISTORY | {"anno-domini:deck": name}
        url = await lesson(site, teacher, pupils, **plan)
        room = await room_of(site, url)
        assert room.plan.top["deck"] == name
        assert (await site.services.host.table(room.tables[0].id)).setup.decks == [name]
        # another browser that leads the class keeps the deck when it changes the plan
        key = site.services.class_keys.teacher_key(room.id)
        await other.post(f"{url}/key", data={"token": key})
        assert "Rome &amp; more" in (await other.get(f"{url}/edit")).text
        assert (await other.post(f"{url}/plan", data=plan | {"size": "3"})).status_code == 303
        assert (await room_of(site, url)).plan.top["deck"] == name
        # nobody else can have it
        async with site.browser() as stranger:
            taken = await stranger.post("/class/new", data=plan)
            assert name != (await room_of(site, taken.headers["location"])).plan.top["deck"]


async def test_a_way_decides_what_the_form_leaves_to_it(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher:
        left = MODE.findall((await teacher.get("/class/new")).text)
        assert len(left) == 1
        plan = PLAN | {"hic-haec-hoc:way": "children", "hic-haec-hoc:mode": left[0]}
        url = (await teacher.post("/class/new", data=plan)).headers["location"]
        options = {"mode": "assisted", "joker": True, "cards_per_player": 4}
        assert (await room_of(site, url)).plan.top["options"] == options
        assert MODE.findall((await teacher.get(f"{url}/edit")).text) == left
        # what somebody does choose counts, and is shown again
        await teacher.post(f"{url}/plan", data=plan | {"hic-haec-hoc:mode": "strict"})
        assert (await room_of(site, url)).plan.top["options"] == {"joker": True, "cards_per_player": 4}
        assert MODE.findall((await teacher.get(f"{url}/edit")).text) == ["strict"]
