"""The home page: what runs apart from what is over, the days' deals, one's decks; and what solo games leave out."""

import datetime as dt
import re

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.games.adaman.daily import Daily
from spieltisch.languages import LANGUAGES
from spieltisch.web.core import catalog
from web.site import code, finished, playing, served

pytestmark = pytest.mark.anyio


async def test_finished_games_stand_apart_and_say_how_they_ended(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        running = (await ada.post("/tables", data={"game": "trailblaze"})).headers["location"]
        over = []
        for _ in range(5):
            over.append((await ada.post("/play", data={"game": "adaman"})).headers["location"])
            await finished(site, await site.services.host.table(code(over[-1])), FastDice(len(over)))
        page = (await ada.get("/")).text
        first, second = (
            re.search(rf'<section[^>]* id="{name}".*?</section>', page, re.DOTALL)[0] for name in ("running", "over")
        )
        assert running in first
        assert not any(url in first for url in over)
        assert all(url in second for url in over)
        assert second.count("Ansehen") == 3  # the others are folded
        assert "Noch 2 beendete Partien" in second
        told = re.findall(r"<small>(Du (?:gewinnst|verlierst)\.[^<]*)</small>", second)
        assert len(told) == 3
        today = dt.datetime.now(dt.UTC).date()
        assert all(re.search(rf"Punkte: -?\d+\. \({today.day}\.{today.month}\.\)$", one) for one in told), told


async def test_a_finished_deal_is_told_with_its_number(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "42"})).headers["location"]
        await finished(site, await site.services.host.table(code(url)), FastDice(1))
        assert "Partie 42." in (await ada.get("/")).text


async def test_each_game_of_an_evening_is_called_in_the_readers_language(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser("de") as ben:
        url, table = await playing(site, ada, ben, game="trailblaze")
        await finished(site, table, FastDice(1))
        await ada.post(f"{url}/rematch", data={"game": "hic-haec-hoc"})
        page = (await ada.get(f"{url}/evening")).text
        assert "Wer was dachte" in page
        assert "Who thought what" not in page


async def test_what_runs_says_with_whom_whose_turn_it_is_and_how_far_one_is(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser("de") as ada, site.browser("de") as ben:
        _, table = await playing(site, ada, ben)
        await ada.post("/play", data={"game": "adaman"})
        first, second = [(await one.get("/")).text for one in (ada, ben)]
        shown = re.compile(r"<small>([^<]*)</small>\s*</span>\s*<span class=\"tag[^>]*>\s*([^<]*?)\s*<")
        turns = [shown.findall(one) for one in (first, second)]
        assert ("Ben", "Du bist am Zug") in turns[0]
        assert any(re.fullmatch(r"\d von \d+ gewonnen", words) for words, _ in turns[0])
        assert turns[1] == [("Ada", "Ada ist am Zug")]
        assert table.to_act == (0,)


async def test_the_deal_of_the_day_has_its_name_its_date_and_seven_ticks(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ben, site.browser() as ada:
        page = (await ada.get("/daily/adaman")).text
        today = dt.datetime.now(dt.UTC).date()
        numbers = re.findall(r'<li data-deal="(\d+)"', page)[:7]
        assert [int(one) for one in numbers] == [Daily().number(today - dt.timedelta(n)) for n in reversed(range(7))]
        assert Daily().day(int(numbers[-1])) == today
        url = (await ada.post("/play", data={"game": "adaman", "deal": numbers[-1]})).headers["location"]
        assert f"of the day, {today.day} {today:%b}" in (await ada.get(url)).text
        assert f"des Tages, {today.day}.{today.month}." in (await ben.get(url)).text
        other = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        assert "of the day, " not in (await ada.get(other)).text


async def test_a_table_speaks_the_other_language_when_asked(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        for to in ("/play", "/tables"):
            url = (await ada.post(to, data={"game": "trailblaze"})).headers["location"]
            assert 'id="language"' in (await ada.get(url)).text
        await ada.post("/language", data={"lang": "de", "back": url})
        assert "Tisch" in (await ada.get(url)).text


async def test_who_plays_alone_stays_alone(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        mine = (await ada.get(url)).text
        assert "can watch with the code" in mine
        assert f"{url}/leave" not in mine
        await ada.post(f"{url}/leave")
        assert 'id="join-in"' not in (await ben.get(url)).text
        await ben.post(f"{url}/sit", data={"name": "Ben", "seat": "0"})
        assert "Ben" not in [chair.name for chair in (await site.services.host.table(code(url))).setup.chairs]
        assert "<kbd>h</kbd>" in mine
        assert "Objection" not in re.search(r'id="keys".*?</details>', mine, re.DOTALL)[0]


def test_a_game_lists_only_its_own_keys():
    keys = {name: set(package.page.keys) for name, package in games.packages().items()}
    assert keys["anno-domini"] == {"hand", "places", "doubt"}
    assert keys["hic-haec-hoc"] == {"hand", "contest"}
    assert keys["trailblaze"] == {"places"}


@pytest.mark.parametrize(
    "typed",
    [
        "{a}-{b}",
        "{code}.",
        "{a}\u200b{b}",
        " {low} ",
        "{a} {b}",
        "{wide}",
        "“{code}”",
        "{origin}/t/{code}",
        "{origin}/t/{low}?at=3#top",
        "Here we are: {origin}/t/{code}. See you!",
        "Code: {code}",
        "{a}\u2013{b}",
    ],
)
async def test_a_code_is_taken_out_of_what_is_pasted(tmp_path, typed):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/tables", data={"game": "trailblaze"})).headers["location"]
        name = code(url)
        wide = "".join(chr(ord(sign) + 0xFEE0) for sign in name)
        parts = {"a": name[:3], "b": name[3:], "low": name.lower(), "wide": wide, "origin": site.origin}
        answer = await ben.post("/join", data={"code": typed.format(code=name, **parts)})
        assert (answer.status_code, answer.headers["location"]) == (303, url)


async def test_what_is_no_code_comes_back_as_it_was_typed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        answer = await ada.post("/join", data={"code": "who knows <b>"})
        assert answer.status_code == 404
        assert 'value="who knows &lt;b&gt;"' in answer.text
        assert (await ada.post("/join", data={"code": " - "})).status_code == 422
        field = re.search(r'<input[^>]* name="code"[^>]*>', (await ada.get("/")).text)[0]
        assert int(re.search(r'maxlength="(\d+)"', field)[1]) >= 200  # a link is not cut


async def test_who_joins_a_race_is_asked_for_a_name(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/play", data={"game": "adaman", "race": "new"})).headers["location"]
        for browser in (ada, ben):  # whoever began it, too
            assert re.search(r'<input[^>]* name="name"[^>]* required>', (await browser.get(url)).text)
        said = {"seat": "0", "do": "name", "name": "Ada"}
        assert (await ada.post(f"{url.removesuffix('/race')}/chairs", data=said)).status_code == 303
        page = (await ada.get(url)).text
        assert "<b>Ada</b>" in page
        assert 'name="name"' not in page


async def test_rules_are_linked_only_where_there_are_some(tmp_path, toys):
    async with served(tmp_path) as site, site.browser("de") as ada:
        home = (await ada.get("/")).text
        linked = re.findall(r'href="(/rules/[^"]+)"', home)
        assert {(await ada.get(one)).status_code for one in linked} == {200}
        assert {f"/rules/{name}" for name in games.packages()} - {*linked} == {"/rules/bazaar", "/rules/highest"}
        url = (await ada.post("/tables", data={"game": "bazaar", "name": "Ada"})).headers["location"]
        pages = [(await ada.get(url)).text]
        await ada.post(f"{url}/start")
        pages.append((await ada.get(url)).text)
        assert (await site.services.host.table(code(url))).setup.stage == "playing"
        assert not [one for one in pages if "/rules/" in one]


async def test_the_title_of_a_box_is_translated(tmp_path, toys):
    async with served(tmp_path) as site:
        for lang, title in (("de", "Basar"), ("en", "Bazaar")):
            async with site.browser(lang) as ada:
                url = (await ada.post("/tables", data={"game": "bazaar", "name": "Ada"})).headers["location"]
                pages = [(await ada.get(one)).text for one in ("/", url)]
                await ada.post(f"{url}/start")
                pages.append((await ada.get(url)).text)
                assert all(title in one for one in pages)
                assert not [one for one in pages if {"Basar": "Bazaar", "Bazaar": "Basar"}[title] in one]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_our_own_titles_are_the_same_in_each_language(lang):
    for package in games.packages().values():
        assert catalog.title(package, package.translator(lang)) == package.box.title
