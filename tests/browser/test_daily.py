"""The dailies in a browser: the day of one's time zone, two taps from home, a tick, a text, a wrong clock."""

import datetime as dt
import re

import pytest

from browser import checks
from matrix import sampled
from spieltisch import daily, games
from spieltisch.decks.library import Library, released
from spieltisch.dice import FastDice
from spieltisch.games.hichaechoc import puzzle as latin
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.trailblaze import puzzle as six
from web.site import code, finished, served

EVENING = dt.datetime(2026, 12, 24, 22, 30, tzinfo=dt.UTC).timestamp()  # in Berlin half an hour before midnight


@pytest.fixture
async def late(tmp_path):
    async with served(tmp_path, clock=lambda: EVENING) as running:
        yield running


@pytest.mark.parametrize(
    ("zone", "day"),
    sampled(
        [("Europe/Berlin", 24), ("Asia/Tokyo", 25), ("Pacific/Kiritimati", 25), ("America/Los_Angeles", 24)],
        [("Pacific/Kiritimati", 25)],
    ),
)
async def test_the_day_is_that_of_ones_own_time_zone(late, visit, zone, day):
    async with visit(late.origin, phone=True, timezone_id=zone) as page:
        await page.goto("/daily/anno-domini")
        await page.locator(f"#day[data-day='2026-12-{day}']").wait_for()
        await page.goto("/")
        link = page.locator("#dailies a[href*=anno-domini]")
        await page.locator("#dailies a[data-deal]").first.wait_for()
        assert await link.get_attribute("data-deal") == str(daily.number(dt.date(2026, 12, day)))


async def test_a_clock_that_is_wrong_is_told(late, visit):
    async with visit(late.origin, lang="de") as page:
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING + 3 * 86_400, dt.UTC))
        await page.goto("/daily/anno-domini")
        await page.locator("#clock:visible").wait_for()
        assert "3 Tage" in await page.locator("#clock").text_content()
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING + 60, dt.UTC))
        await page.reload()
        await page.locator("#row:not(:empty)").wait_for()
        assert not await page.locator("#clock").is_visible()


async def test_a_run_goes_on_until_a_day_has_passed_without_a_win(late, visit):
    async with visit(late.origin, timezone_id="Europe/Berlin") as page:
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING, dt.UTC))
        await page.goto("/daily/anno-domini")
        number = daily.number(dt.date(2026, 12, 24))
        for days, row in (([1, 2], 2), ([0, 1, 2], 3), ([2, 3], 0)):
            kept = {f"T{n}": [1, "", 0, number - n, 9, 60, "", 1000 * (9 - n)] for n in days}
            await page.evaluate("(all) => localStorage.setItem('games-anno-domini', JSON.stringify(all))", kept)
            await page.reload()
            await page.locator("#row", has_text=f"Wins in a row: {row}.").wait_for()


async def test_anno_domini_is_two_taps_from_home_and_ends_with_a_text(late, visit):
    day = dt.date(2026, 12, 24)
    async with visit(late.origin, phone=True, timezone_id="Europe/Berlin") as page:
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING, dt.UTC))
        await page.goto("/")
        await page.locator("#dailies a[data-deal][href*=anno-domini]").tap()
        for found in await checks.everything(page, "the day", (320, 390, 1280)):
            pytest.fail(found)
        await page.locator("#play").tap()
        await page.locator("#table[data-ready]").wait_for()
        table = await late.services.host.table(code(page.url))
        assert table.setup.day == day.isoformat()
        await finished(late, table, FastDice(1))
        await page.locator("[data-claimed]:not(:empty)").wait_for()
        text = await page.locator("#daily [data-copy]").get_attribute("data-copy")
        said, words, marks, ticks, address = text.splitlines()
        assert re.fullmatch(r"Anno Domini of the day, 24 Dec: place [1-4] of 4\.", said)
        assert words == await page.locator("[data-claimed]").text_content()
        assert {*marks} <= {"✓", "✗"}
        assert re.fullmatch("(– ){6}[✓✗]", ticks)
        assert address == f"{late.origin}/daily/anno-domini/{day}"
        fronts = {front for card in Library().read("events")[1].cards for front in (card.front["de"], card.front["en"])}
        assert not any(front in text for front in fronts)
        for found in await checks.everything(page, "its end", (320, 390, 1000, 1280)):
            pytest.fail(found)
        won = "won" if "place 1 " in said else "lost"
        await page.goto(f"/daily/anno-domini/{day}")
        for shown in ("#daily [aria-current]", "#days [aria-current]"):
            await page.locator(f"{shown}.{won}").wait_for()


async def test_trailblazes_puzzle_by_taps(late, visit):
    day = dt.date(2026, 12, 24)
    plays, deck, rel = games.package("trailblaze").daily, Library().read("firsts")[1], released("firsts")
    of = plays.cards("trailblaze", day, rel), daily.seed("trailblaze", day, rel.hash)
    async with visit(late.origin, phone=True, lang="de", dark=True, timezone_id="Europe/Berlin") as page:
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING, dt.UTC))
        await page.goto("/daily/trailblaze")
        await page.locator("#play").tap()
        for n, card in enumerate(six.cards_of(deck, *of)):
            await page.locator(f"label:has(#column-{n}-{six.column(deck.periods, card.year)})").tap()
            await page.locator(f"label:has(#row-{n}-{n + 1})").tap()
        for found in await checks.everything(page, "six cards", (320, 390, 1280)):
            pytest.fail(found)
        await page.locator("#turn").tap()
        await page.locator("#daily .won").wait_for()
        for found in await checks.everything(page, "six cards turned over", (320, 390, 1280)):
            pytest.fail(found)
        text = await page.locator("#daily [data-copy]").get_attribute("data-copy")
        assert text.splitlines()[:2] == ["Trailblaze des Tages, 24.12.: 26 von 26 Punkten.", "✓✓✓✓✓✓"]


async def test_the_latin_puzzle_by_keyboard(late, visit):
    day = dt.date(2026, 12, 24)
    whole = latin.layout(Library().read("hic")[1], daily.seed("hic-haec-hoc", day, released("hic").hash))
    async with visit(late.origin, timezone_id="Europe/Berlin") as page:
        await page.clock.set_fixed_time(dt.datetime.fromtimestamp(EVENING, dt.UTC))
        await page.goto(f"/daily/hic-haec-hoc/{day}/puzzle")
        for found in await checks.everything(page, "a hand to shed", (320, 390, 1280)):
            pytest.fail(found)
        for n in range((whole.best - latin.HAND) // 2):
            await page.locator("#take").press("Enter")
            await page.locator(f"#puzzle[data-moves='{'-'.join(['t'] * (n + 1))}']").wait_for()
        for card, reading in latin.way(whole):
            case, number, gender = CELLS[reading]
            for one in (f"#h-{card}", f"#case-{case}", f"#number-{number}", f"#gender-{gender}"):
                await page.locator(one).press("Space")
            await page.locator("#lay").press("Enter")
            await page.locator(f"#puzzle[data-moves$='{card}.{reading}']").wait_for()
            if card == latin.way(whole)[2][0]:  # it goes on where it was left
                await page.goto(f"/daily/hic-haec-hoc/{day}/puzzle")
                await page.locator(f"#puzzle[data-moves$='{card}.{reading}']").wait_for()
        await page.locator("#daily .won").wait_for()
        assert "the fewest possible" in await page.locator(".over > h2").text_content()
        for found in await checks.everything(page, "a hand that is shed", (320, 390, 1280)):
            pytest.fail(found)
