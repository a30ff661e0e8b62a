"""Looking back: of a finished game only, in both languages, with what the bots thought."""

import re
from xml.etree import ElementTree as ET

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.games.annodomini.state import Doubt
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.opening import open_table
from spieltisch.web.past.views import bots_thoughts
from web.site import code as code_of
from web.site import finished, served

pytestmark = pytest.mark.anyio


async def looked_back(site, game, thought, ada, ben):
    """A game played to its end against two bots, and its review in English and German; none of it before the end."""
    code, _ = await open_table(site.services, games.package(game), Actor("", "en"), bots=2, name="Ada")
    answer = await ada.get(f"/t/{code}/review")
    assert answer.status_code == 422
    assert thought not in answer.text
    table = await site.services.host.table(code)
    await finished(site, table, FastDice(1))
    assert "/review" in (await ada.get(f"/t/{code}")).text
    return table, (await ada.get(f"/t/{code}/review")).text, (await ben.get(f"/t/{code}/review")).text


async def test_who_erred_who_doubted_and_what_the_bots_thought(tmp_path):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("de") as ben:
        table, page, seite = await looked_back(site, "anno-domini", "% sure", ada, ben)
        whole = await site.services.host.replay(table.id)
        doubts = [entry for entry in whole.entries if type(entry.action).__name__ == "Doubt"]
        assert len(re.findall("<h2>Round", page)) == len(re.findall("<h2>Runde", seite)) >= len(doubts) > 0
        assert len(re.findall("so I doubted", page)) == sum(entry.by == "bot" for entry in doubts)
        assert "at least 40 %" in page
        assert (await ada.get("/t/NOSUCH/review")).status_code == 404


async def test_a_bot_says_how_sure_it_was_by_who_sat_at_the_table(tmp_path):
    async with served(tmp_path) as site:
        package, levels = games.package("anno-domini"), ["novice", "chronicler"]
        code, _ = await open_table(site.services, package, Actor("", "en"), bots=2, name="Ada", levels=levels)
        table = await site.services.host.table(code)
        await finished(site, table, FastDice(1))
        game = await site.services.host.replay(code)
        beliefs = {seat: await site.services.host.beliefs(code, seat) for seat in (1, 2)}
        said = [one.wrong for one in bots_thoughts(table, game, beliefs) if one.wrong is not None]
        knowing, unknowing = [], []
        for step, entry in enumerate(game.entries):
            if entry.by == "bot" and isinstance(entry.action, Doubt):
                for found, among in ((knowing, ["", *levels]), (unknowing, [])):
                    held = package.beliefs.among(beliefs[entry.seat], among)
                    found.append(package.bot.explain(game.at(step).view(entry.seat), entry.action, held).wrong)
        assert said == knowing != unknowing


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze", "hic-haec-hoc"])
async def test_awards_are_told_after_the_end_and_what_is_copied_keeps_secrets(tmp_path, game):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("de") as ben:
        code, _ = await open_table(site.services, games.package(game), Actor("", "en"), bots=2, name="Ada")
        for what in ("stories", "picture.svg"):
            assert (await ada.get(f"/t/{code}/{what}")).status_code == 422
        assert "data-stories" not in (await ada.get(f"/t/{code}")).text
        table = await site.services.host.table(code)
        await finished(site, table, FastDice(1))
        assert f'data-stories="/t/{code}/stories"' in (await ada.get(f"/t/{code}")).text
        page, seite = [(await one.get(f"/t/{code}/stories")).text for one in (ada, ben)]
        awards = re.findall(r"<h3>([^<]*)</h3>\s*<p class=\"num\"><b>([^<]*): </b>([^<]*)</p>", page)
        assert len(awards) <= 3  # not every game has a hero
        assert len(re.findall("<h3>", seite)) == len(awards)
        for name in table.names:
            assert f"</span><b>{name}</b>" in page
        (text,) = re.findall('data-copy="([^"]*)"', page)
        for title, _, words in awards:
            assert (words in text) == (title in {"Sharpest eye", "Best bonus"})
        assert not re.search(r"\d{3}|BC", text)  # no year
        assert code not in text

        drawn, gemalt = [await one.get(f"/t/{code}/picture.svg") for one in (ada, ben)]
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        *lines, foot = [one.text for one in ET.fromstring(drawn.text).iter("{http://www.w3.org/2000/svg}text")]
        for name in table.names:
            assert sum(line.endswith(f". {name}") for line in lines) == 1
        for title, _, words in awards:
            assert (words in " ".join(lines)) == (title in {"Sharpest eye", "Best bonus"})
        assert not re.search(r"\d{3}|BC", " ".join(lines))
        assert code not in drawn.text
        assert re.search(r"day, \d+ [A-Z][a-z]+ 20\d\d$", foot)
        assert drawn.text != gemalt.text
        assert (await ada.get("/t/NOSUCH/stories")).status_code == 404


async def test_whose_card_was_when_and_what_the_bots_thought_of_it(tmp_path):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("de") as ben:
        table, page, seite = await looked_back(site, "trailblaze", "I guessed", ada, ben)
        whole = await site.services.host.replay(table.id)
        played = table.view(0).public.round
        assert len(re.findall("<h2>Round", page)) == len(re.findall("<h2>Runde", seite)) == played > 1
        placed = [
            whole.at(step).state.public.cards[entry.seat]
            for step, entry in enumerate(whole.entries)
            if entry.by == "bot" and type(entry.action).__name__ == "Place"
        ]
        told = re.findall(r"“I guessed [^”]*[0-9][^”]*\. I was (\d+) % sure\.”", page)
        assert len(told) == sum(not card.joker for card in placed) > played
        assert len(re.findall("„Ich tippte auf ", seite)) == len(told)
        assert len(re.findall('class="tag ok"', page)) + len(re.findall('class="tag bad"', page)) == sum(
            type(entry.action).__name__ == "Place" for entry in whole.entries
        )


async def test_a_game_without_a_review_says_so(tmp_path, toys):
    assert "highest" in toys
    async with served(tmp_path) as site, site.browser("en") as ada:
        code, _ = await open_table(site.services, games.package("highest"), Actor("", "en"), bots=1, name="Ada")
        assert (await ada.get(f"/t/{code}/review")).status_code == 422


async def test_the_confusion_map_is_one_s_own_over_the_games_of_the_evening(tmp_path):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("de") as eve:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc"})).headers["location"]
        for path, sent in (("chairs", {"do": "bot"}), ("chairs", {"do": "bot"}), ("start", {})):
            await ada.post(f"{url}/{path}", data=sent)
        assert (await ada.get(f"{url}/review")).status_code == 422  # nothing of it before the end
        table = await site.services.host.table(code_of(url))
        await finished(site, table, FastDice(2))
        page, seite = (await ada.get(f"{url}/review")).text, (await eve.get(f"{url}/review")).text
        assert page.count('class="confusion"') == 1
        assert seite.count('class="confusion"') == len(table.setup.chairs)  # who has no seat there sees everybody's
        assert "From 1 game:" in page
        met = sum(int(n) for n in re.findall(r'<b class="num">\d+/(\d+)</b>', page))
        assert met > 0
        onward = (await ada.post(f"{url}/rematch")).headers["location"]
        again = (await ada.get(onward)).headers["location"]
        table = await site.services.host.table(code_of(again))
        await finished(site, table, FastDice(3))
        both = (await ada.get(f"{again}/review")).text
        assert "From 2 games in a row:" in both
        assert sum(int(n) for n in re.findall(r'<b class="num">\d+/(\d+)</b>', both)) > met
