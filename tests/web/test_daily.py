"""The dailies on a server: the same cards on each, open once the day has begun somewhere, and no secret in a page."""

import asyncio
import datetime as dt
import html
import json
import re

import pytest

from spieltisch import daily, games
from spieltisch.decks.library import Library, released
from spieltisch.dice import FastDice
from spieltisch.games.trailblaze import puzzle as six
from web.site import code, finished, served

pytestmark = pytest.mark.anyio

DAY = dt.date(2026, 12, 24)
NOON = dt.datetime(2026, 12, 24, 12, tzinfo=dt.UTC).timestamp()


def at(hours=0.0):
    return lambda: NOON + hours * 3600


def folder(path, name):
    (path / name).mkdir()
    return path / name


async def opened(site, browser, game="anno-domini", day=DAY, **fields):
    answer = await browser.post(f"/daily/{game}/{day}", data=fields)
    assert answer.status_code == 303, answer.text
    return await site.services.host.table(code(answer.headers["location"]))


async def test_two_servers_deal_the_same_week(tmp_path):
    async with (
        served(folder(tmp_path, "one"), clock=at()) as one, served(folder(tmp_path, "other"), clock=at(30)) as other,
        one.browser() as ada, other.browser("de") as ben,
    ):  # fmt: skip
        for n in range(7):
            tables = [
                await opened(site, browser, day=DAY - dt.timedelta(n)) for site, browser in ((one, ada), (other, ben))
            ]
            first, second = (table.view(0).public for table in tables)
            assert first.hands == second.hands
            assert first.chain == second.chain
            assert tables[0].seal == tables[1].seal
            assert [chair.level for chair in tables[0].setup.chairs] == ["", "novice", "connoisseur", "chronicler"]
            assert [len(hand) for hand in first.hands] == [8] * 4


async def test_a_day_is_open_as_soon_as_it_has_begun_somewhere(tmp_path):
    for hours, there in ((-2.1, False), (-1.9, True), (24, True)):  # 14 hours before it begins in UTC, and after
        async with served(folder(tmp_path, str(hours)), clock=at(hours)) as site, site.browser() as ada:
            answer = await ada.get(f"/daily/anno-domini/{DAY + dt.timedelta(1)}")
            assert (answer.status_code == 200) == there
    async with served(folder(tmp_path, "early"), clock=at()) as site, site.browser() as ada:
        assert (await ada.get(f"/daily/anno-domini/{daily.FIRST}")).status_code == 200
        for none in (daily.FIRST - dt.timedelta(1), "yesterday", "2026-13-01"):
            assert (await ada.get(f"/daily/anno-domini/{none}")).status_code == 404
        assert (await ada.get("/daily/no-game")).status_code == 404


async def test_home_leads_to_each_daily_and_its_page_has_all_days(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser("de") as ada:
        home = (await ada.get("/")).text
        for name, package in games.packages().items():
            assert f'href="/daily/{name}"' in home
            page = (await ada.get(f"/daily/{name}")).text
            assert "des Tages" in page
            assert len(re.findall(f'href="/daily/{name}/2026-[0-9-]+"', page)) == (DAY - daily.FIRST).days + 1
            numbers = re.findall(r'<li data-deal="(\d+)"', page)
            assert str(package.daily.number(DAY)) in numbers
            assert str(package.daily.number(daily.FIRST)) in numbers


async def test_a_days_page_and_home_tell_nothing_of_its_cards(tmp_path):
    cards = {card.id: card for card in Library().read("events")[1].cards}
    of_day = games.package("anno-domini").daily.cards("anno-domini", DAY, released("events"))
    async with served(tmp_path, clock=at()) as site, site.browser("de") as ada:
        for address in ("/", "/daily/anno-domini", f"/daily/anno-domini/{DAY}"):
            page = html.unescape((await ada.get(address)).text)
            for card in of_day:
                assert cards[card].front["de"] not in page
                assert cards[card].front["en"] not in page


async def test_its_end_has_a_tick_a_week_and_what_one_claimed(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada, site.browser() as ben:
        table = await opened(site, ada)
        assert (await ada.get(f"/t/{table.id}/claims")).status_code != 200  # not before the end
        await finished(site, table, FastDice(1))
        page = html.unescape((await ada.get(f"/t/{table.id}")).text)
        number = games.package("anno-domini").daily.number(DAY)
        assert re.search(rf'data-ended="{table.id}"[^>]* data-deal="{number}"', page)
        said = re.search(r'data-said="([^"]*)"', page)[1]
        assert re.fullmatch(r"Anno Domini of the day, 24 Dec: place [1-4] of 4\.", said)
        told = (await ada.get(f"/t/{table.id}/claims")).json()
        assert re.fullmatch(r"Right \d+ times out of \d+\.", told["words"])
        assert {*told["marks"]} <= {"✓", "✗"}
        assert (await ben.get(f"/t/{table.id}/claims")).status_code == 403
        assert "data-deal" not in re.search(r'<section class="over".*?>', (await ben.get(f"/t/{table.id}")).text)[0]


async def test_a_family_sits_down_first_and_cannot_change_the_cards(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada, site.browser() as ben:
        table = await opened(site, ada, family="1")
        assert table.setup.stage == "waiting"
        assert "Nothing can be changed" in (await ada.get(f"/t/{table.id}")).text
        refused = await ada.post(f"/t/{table.id}/options", data={"cards_per_player": "5"})
        assert "same for everybody" in html.unescape(refused.text)
        await ben.post(f"/t/{table.id}/sit", data={"name": "Ben"})
        assert (await ada.post(f"/t/{table.id}/start")).status_code == 303
        table = await site.services.host.table(table.id)
        alone = await opened(site, ben)
        assert {card.front for card in table.view(0).public.hands[0]} <= {
            card.front for hand in alone.view(0).public.hands for card in hand
        }


async def test_the_next_game_is_an_ordinary_one(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada:
        table = await opened(site, ada)
        await finished(site, table, FastDice(2))
        for _ in range(1000):  # the end is written a moment after it has come
            if (await site.services.host.table(table.id)).setup.stage == "over":
                break
            await asyncio.sleep(0.01)
        answer = await ada.post(f"/t/{table.id}/rematch")
        assert answer.status_code == 303, answer.text
        following = (await site.services.host.table(table.id)).setup.rematch
        setup = (await site.services.host.table(following)).setup
        assert (setup.day, setup.deal) == ("", 0)


async def test_trailblazes_puzzle_is_answered_at_once(tmp_path):
    package, rel = games.package("trailblaze"), released("firsts")
    of = package.daily.cards("trailblaze", DAY, rel), daily.seed("trailblaze", DAY, rel.hash)
    deck = Library().read("firsts")[1]
    cards = six.cards_of(deck, *of)
    async with served(tmp_path, clock=at()) as site, site.browser("de") as ada:
        address = f"/daily/trailblaze/{DAY}"
        page = html.unescape((await ada.get(f"{address}/puzzle")).text)
        for card in cards:
            assert card.front["de"] in page
            assert card.comment["de"] not in page
            assert card.source not in page
        fields = {}
        for n, card in enumerate(cards):
            fields |= {f"column-{n}": str(six.column(deck.periods, card.year)), f"row-{n}": "1"}
        twice = await ada.get((await ada.post(address, data=fields)).headers["location"])
        assert "nimmt nur eine" in twice.text
        assert twice.text.count(" checked") == 12  # what was chosen is still there
        fields |= {f"row-{n}": str(n + 1) for n in range(6)}
        over = html.unescape((await ada.get((await ada.post(address, data=fields)).headers["location"])).text)
        assert "26 von 26 Punkten." in over
        assert all(card.comment["de"] in over for card in cards)
        number = package.daily.number(DAY)
        assert f'data-ended="daily-{number}"' in over
        assert 'data-marks="✓✓✓✓✓✓"' in over


async def test_the_latin_puzzle_goes_move_by_move(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada:
        address = f"/daily/hic-haec-hoc/{DAY}"
        start = await ada.get(f"{address}/puzzle")
        assert "0 moves made" in start.text
        cards = re.findall(r'name="card"[^>]*value="(\d+)"', start.text)
        assert len(cards) == 7
        taken = await ada.get((await ada.post(address, data={"moves": "", "do": "take"})).headers["location"])
        assert "1 move made" in taken.text
        assert len(re.findall(r'name="card"', taken.text)) == 8
        refused = await ada.post(address, data={"moves": "t", "do": "lay"})
        assert refused.status_code == 422
        assert "Choose a card" in refused.text
        assert "1 move made" in refused.text
        assert (await ada.get(f"{address}/puzzle?moves=nonsense")).status_code == 422


async def test_a_day_is_reckoned_once_five_have_played_it(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada, site.browser() as ben:
        address = f"/daily/trailblaze/{DAY}"
        answers = ["0.1-1.2-2.3-3.4-4.5-5.6"] * 4
        for moves in answers:
            assert (await ada.post(f"{address}/here", data={"moves": moves})).json() == {"words": ""}
        unfinished = await ada.post(f"{address}/here", data={"moves": "0.1-.-.-.-.-."})
        assert unfinished.json() == {"words": ""}
        words = (await ada.post(f"{address}/here", data={"moves": answers[0]})).json()["words"]
        assert re.fullmatch(r"5 people have played this day here, median \d+ points?\.", words)
        assert (await ben.get(f"{address}/here")).json()["words"] == words
        assert words in (await ben.get(address)).text
        assert (await ben.get(f"/daily/trailblaze/{DAY - dt.timedelta(1)}/here")).json() == {"words": ""}


async def test_a_table_counts_for_its_own_day_and_its_own_seats_alone(tmp_path):
    async with served(tmp_path, clock=at()) as site, site.browser() as ada, site.browser() as ben:
        table = await opened(site, ada)
        address = f"/daily/anno-domini/{DAY}/here"
        await ada.post(address, data={"table": table.id})  # it is not over
        await finished(site, table, FastDice(1))
        store = site.services.host.store
        assert (await ben.post(address, data={"table": table.id})).status_code == 403
        other = f"/daily/anno-domini/{DAY - dt.timedelta(1)}/here"
        await ada.post(other, data={"table": table.id})
        for day in (DAY, DAY - dt.timedelta(1)):
            assert await store.document(f"daily/anno-domini/{day}") is None
        await ada.post(address, data={"table": table.id})
        marks = (await ada.get(f"/t/{table.id}/claims")).json()["marks"]
        kept = await store.document(f"daily/anno-domini/{DAY}")
        assert json.loads(kept)["figures"] == [marks.count("✗")]
