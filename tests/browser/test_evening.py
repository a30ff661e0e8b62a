"""A whole evening as people have it: three of them, two games and the beginning of another, a phone that is lost and
found, and a television that nobody touches.
"""

import asyncio

import pytest

from browser.play import MINDS, Person, join, number, open_table, quick_join, start
from spieltisch.dice import FastDice
from spieltisch.table import evening
from web.site import finished

GAME = "anno-domini"
NAMES = ("Papa", "Mama", "Opa")


async def played(people):
    """All play at the same time, and watch each reveal to its end."""

    async def one(person):
        while await person.waits() != "over":
            await person.turn(MINDS[GAME])

    async with asyncio.timeout(250):
        await asyncio.gather(*(one(person) for person in people))


async def soon_over(site, people, game):
    """The server plays for all, who watch the last reveal."""
    await finished(site, await site.services.host.table(game), FastDice(3))
    await played(people)


async def gone_on(page, address):
    """The page has gone there by itself. (Two ways may lead there at once, and one of them is broken off.)"""
    for _ in range(1200):
        if page.url.endswith(f"/t/{address}"):
            return await page.locator("#table[data-ready]").wait_for()
        await asyncio.sleep(0.05)
    raise AssertionError(page.url)


async def at(people, game):
    """All pages are at this game, and it has begun."""
    for person in people:
        await gone_on(person.page, game)
        await person.page.locator("#table.table[data-ready]:not(:has(#over))").wait_for()


async def lost_and_found(site, lost, papa, tv, code):
    """A phone without a line: all see it, nothing is lost, and it plays on."""
    await lost.page.context.set_offline(True)
    for page in (papa.page, tv):
        await page.locator(":is(.seats, .tvs) .gone", has_text="Opa").wait_for()
    await lost.page.locator("#line").wait_for()
    await lost.page.context.set_offline(False)
    for page in (papa.page, tv):
        await page.locator(":is(.seats, .tvs) .gone").wait_for(state="detached")
    assert not (await site.services.host.table(code)).setup.chairs[2].away


async def counted(site, papa, code):
    """The evening is counted, each game can be looked back at, and its record is its own."""
    assert "Heute: " in await papa.page.locator(".tally").text_content()
    told = await (await papa.page.request.get(f"/t/{code}/evening")).text()
    ids = (code, f"{code}-2")
    assert all(f"/t/{game}/replay" in told for game in ids)
    assert await papa.page.locator("#evening").is_visible()
    assert sum(chair.wins for chair in (await site.services.host.table(ids[-1])).setup.chairs) >= 1
    records = [await site.services.host.record(game) for game in ids]
    assert [record["seats"][0] for record in records] == ["Papa", "Mama"]
    assert len({record["tags"]["seal"] for record in records}) == 2


@pytest.mark.timeout(900)  # two games are played to their ends, each with its reveals
async def test_an_evening(site, visit, monkeypatch):
    monkeypatch.setattr(evening, "SECONDS", 90.0)  # the next game begins as soon as all are ready; nobody is late
    async with (
        visit(site.origin, phone=True, lang="de") as one,
        visit(site.origin, phone=True, lang="de") as two,
        visit(site.origin, phone=True, width=320, dark=True) as three,
        visit(site.origin, lang="de") as tv,
    ):
        pages = (one, two, three)
        people = [Person(page, touch=True, seed=seed) for seed, page in enumerate(pages)]
        papa, mama, opa = people
        three.watch.expects = ("WebSocket", "ERR_INTERNET_DISCONNECTED")
        code = await open_table(papa, GAME, "Papa")
        await tv.goto(f"/t/{code}/screen")
        for name, value in (("cards_per_player", 2), ("max_rounds", 1)):
            await number(papa, name, value)
        for person, name in zip(people[1:], NAMES[1:], strict=True):
            await (join if person is mama else quick_join)(person, code, name)
        await start(papa)
        await at(people, code)
        await lost_and_found(site, opa, papa, tv, code)
        await played(people)
        await tv.locator("#over").wait_for()

        # Papa wants to play again. Opa says yes. Mama's browser is closed, and found again at home; then all are ready.
        await papa.use("#rematch")
        for page in pages:
            await gone_on(page, f"{code}-2")
        await gone_on(tv, f"{code}-2/screen")
        assert "Papa will noch einmal." in await tv.locator("main").text_content()
        assert 0 < int(await opa.page.locator(".ring b").text_content()) <= 90
        await opa.use("#ready")
        kept = await two.context.storage_state()
        await two.context.close()
        async with visit(site.origin, phone=True, lang="de", storage_state=kept) as again:
            mama.page = again
            await again.goto("/")
            await again.locator(f"a.cont[href$='/t/{code}-2']").tap()
            await gone_on(again, f"{code}-2")
            await mama.use("#ready")
            await at(people, f"{code}-2")
            await tv.locator("#table:not([data-stage=waiting]) .tvs").wait_for()
            second = await site.services.host.table(f"{code}-2")
            assert second.names == ("Mama", "Opa", "Papa")
            assert evening.marks_of(second.setup.chairs) == [1, 2, 0]
            assert "Partie 2" in await papa.page.locator(".bar .where").text_content()
            await soon_over(site, people, f"{code}-2")
            await tv.locator("#over").wait_for()

            await counted(site, papa, code)

            # something else, with the same people
            await papa.use("#others-games summary")
            await papa.use("#play-hic-haec-hoc")
            for person in people:
                await gone_on(person.page, f"{code}-3")
            await start(papa)
            await at(people, f"{code}-3")
            await gone_on(tv, f"{code}-3/screen")
            await one.goto(f"/t/{code}")  # the code that hangs on the wall
            await gone_on(one, f"{code}-3")
