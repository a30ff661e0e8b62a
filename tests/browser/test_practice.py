"""Practising in a browser: from a lost game to the list, not due on the same day, asked on another one."""

import datetime as dt
import json

import pytest

from browser import checks
from matrix import sampled
from spieltisch.dice import FastDice
from spieltisch.web.practice.routes import task_of
from web.site import code, finished, served

EVENING = dt.datetime(2026, 12, 24, 18, tzinfo=dt.UTC)


@pytest.fixture
async def late(tmp_path):
    async with served(tmp_path, clock=EVENING.timestamp) as running:
        yield running


async def put_forward(page, days):
    await page.clock.set_fixed_time(EVENING + dt.timedelta(days))


async def looked_at(page, where):
    for found in await checks.everything(page, where, (320, 390, 1280)):
        pytest.fail(found)


async def kept(page):
    return json.loads(await page.evaluate("localStorage.practice ?? '[]'"))


@pytest.mark.parametrize("game", sampled(["anno-domini", "trailblaze"], ["anno-domini"]))
async def test_from_a_lost_game_to_the_next_day(late, visit, game):
    library = late.services.host.library
    async with visit(late.origin, phone=True, timezone_id="Europe/Berlin") as page:
        await put_forward(page, 0)
        await page.goto("/")
        await page.locator("#practise").tap()
        assert "Nothing to practise yet" in await page.locator("#empty").text_content()
        await looked_at(page, "an empty list")
        await page.goto("/")
        await page.locator(f"form[action='/play'] button[value={game}]").tap()
        await page.locator("#table[data-ready]").wait_for()
        table = await late.services.host.table(code(page.url))
        await finished(late, table, FastDice(3), blind=True)
        await page.locator("#practise-0").tap()
        await page.locator("#added:not(:empty)").wait_for()
        await looked_at(page, "what was wrong")
        rows = await kept(page)
        assert rows
        assert {(row["due"], *map(tuple, row["tries"])) for row in rows} == {("2026-12-25", ("2026-12-24", 0))}
        await page.reload()  # it is added once
        assert await kept(page) == rows
        await page.goto("/practice")
        await page.locator("#next:visible").wait_for()
        assert "Friday 25 December" in (await page.locator("#next").text_content()).replace(",", "")
        assert not await page.locator("#task form").count()

        await put_forward(page, 1)
        await page.reload()
        await page.locator("#task form").wait_for()
        await looked_at(page, "a task")
        row = rows[0]
        task = task_of(library, (row["deck"],), row["card"], 1)
        wrong = [n for n in range(task.choices) if n not in task.right]
        await page.locator(f"#task button[value='{wrong[0]}']").tap()
        await page.locator(f"#task button[value='{wrong[0]}'][disabled]").wait_for()
        await page.locator(f"#task button[value='{wrong[1]}']").tap()
        await page.locator("#task [data-next]").wait_for()
        await looked_at(page, "what was right")
        after = next(one for one in await kept(page) if one["card"] == row["card"])
        assert after["tries"] == [["2026-12-24", 0], ["2026-12-25", 1]]
        assert after["due"] > "2026-12-25"
        for row in rows[1:8]:
            await page.locator("#task [data-next]").press("Enter")
            task = task_of(library, (row["deck"],), row["card"], 1)
            await page.locator(f"#task button[value='{task.right[0]}']:not([disabled])").press("Enter")
            await page.locator("#task .ok").wait_for()
        await page.locator("#task [data-next]").press("Enter")
        await page.locator("#done:visible").wait_for()
        after = {one["card"]: one for one in await kept(page)}
        assert all(after[row["card"]]["due"] > "2026-12-26" for row in rows[1:8])
        assert await page.locator("#enough").is_visible() == (len(rows) > 8)


async def test_a_list_that_cannot_be_read_and_cards_that_are_gone(late, visit):
    fine = {"game": "anno-domini", "deck": "gone", "card": "x", "due": "2026-12-24", "tries": [["2026-12-23", 0]]}
    async with visit(late.origin, lang="de") as page:
        await put_forward(page, 0)
        await page.goto("/practice")
        for broken in ("{", "7", json.dumps([{"deck": "events"}, None, "<b>x</b>"])):
            await page.evaluate("(list) => localStorage.setItem('practice', list)", broken)
            await page.reload()
            await page.locator("#lost:visible").wait_for()
            await page.locator("#empty:visible").wait_for()
        page.watch.expects = ("422",)
        odd = fine | {"deck": "events", "tries": [["1212-12-12", 0]]}  # the server cannot read it
        await page.evaluate("(list) => localStorage.setItem('practice', list)", json.dumps([odd]))
        await page.reload()
        await page.locator("#empty:visible").wait_for()
        assert await page.locator("#lost").is_visible()
        await page.evaluate("(list) => localStorage.setItem('practice', list)", json.dumps([fine]))
        await page.reload()
        assert "nicht mehr in ihrem Deck" in await page.locator("#task [role=status]").text_content()
        assert await kept(page) == []
        await page.locator("#task [data-next]").click()
        await page.locator("#empty:visible").wait_for()
