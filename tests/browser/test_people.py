"""People and bots at one table: by code, away and back, a killed server, another device, offline, watching."""

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys

import pytest

from browser.play import MINDS, Person, more_options, quick_join, quick_start, quick_table, start
from matrix import sampled
from ports import free_port

GAMES = ("anno-domini", "trailblaze", "hic-haec-hoc")


class Program:
    """`spieltisch serve` as people start it."""

    def __init__(self, data):
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.data = data

    def run(self):
        where = ("--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data))
        command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", *where]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    async def start(self):
        self.process = await asyncio.to_thread(self.run)
        while "http" not in await asyncio.to_thread(self.process.stdout.readline):
            assert self.process.poll() is None
        await self.answers()

    async def answers(self):
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                return

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def log(self, code):
        """The entries that are on disk."""
        with sqlite3.connect(self.data / "tables.sqlite") as store:
            rows = store.execute("select seq, entry from log where id = ? order by seq", (code,)).fetchall()
        store.close()
        return [(seq, json.loads(entry)) for seq, entry in rows]


@pytest.fixture
async def program(tmp_path):
    running = Program(tmp_path / "data")
    await running.start()
    yield running
    running.kill()


async def play_on(game, *people):
    """All play at the same time until each has made a move (or the game is over)."""
    done, through = dict.fromkeys(people, 0), asyncio.Event()

    async def one(person):
        while not through.is_set():  # whoever is through goes on, so that nobody waits for them
            want = await either(person.waits(), through.wait())
            if want == "over":
                through.set()
            elif want is not True:
                done[person] += await person.turn(MINDS[game]) and want == "turn"
                if all(done.values()):
                    through.set()

    async with asyncio.timeout(60):
        await asyncio.gather(*(one(person) for person in people))


async def either(*awaited):
    """What the first of them brings; the others are given up."""
    tasks = [asyncio.ensure_future(one) for one in awaited]
    try:
        (first, *_), _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return first.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until_turn(game, me, other):
    """The other one plays until it is my turn; whether that comes before the end."""
    async with asyncio.timeout(60):
        while (want := await me.maybe()) not in {"turn", "over"}:
            if want:
                await me.turn(MINDS[game])
            elif await other.maybe() in {"turn", "go on"}:
                await other.turn(MINDS[game])
            await asyncio.sleep(0.05)
    return want == "turn"


def sent_by(log, seat):
    return sum(entry.get("seat") == seat and entry.get("by", "seat") == "seat" for _, entry in log)


async def through_a_tunnel(program, code, ben, mind):
    """The move that is made without a network arrives once."""
    await ben.page.context.set_offline(True)
    made = sent_by(program.log(code), 1)
    asked = await ben.maybe() == "turn"  # nobody has been faster
    if asked:
        move = asyncio.create_task(ben.turn(mind))
        await ben.page.locator("[aria-busy=true]").wait_for(state="attached")
        assert sent_by(program.log(code), 1) == made  # it waits on the device
    await ben.page.context.set_offline(False)
    if asked:
        await move


@pytest.mark.parametrize("game", sampled(GAMES, ["hic-haec-hoc"]))
async def test_two_people_and_a_bot_through_thick_and_thin(program, visit, chromium, game):
    async with (
        visit(program.origin, phone=True, lang="de") as first,
        visit(program.origin) as second,
        visit(program.origin) as watching,
        visit(program.origin) as screen,
    ):
        ada, ben = Person(first, touch=True, seed=1), Person(second, touch=False, seed=2)
        code = await quick_start(ada, game, "Ada", (ben, "Ben"), bots=1)

        # a spectator and the screen follow, and have nothing to answer
        await watching.goto(f"/t/{code}")
        await screen.goto(f"/t/{code}/screen")
        await play_on(game, ada, ben)
        for page, seats in ((watching, "nav.seats"), (screen, ".tvs")):
            assert await page.locator("[form=move]:not(:disabled)").count() == 0
            assert "Ada" in await page.locator(seats).text_content()

        # Ben closes his browser; the cookie is kept, and home says where he was
        await second.watch.answered()
        kept = await second.context.storage_state()
        await second.context.close()
        async with visit(program.origin, storage_state=kept, dark=True) as again:
            ben.page = again
            await again.goto("/")
            await again.locator(f"a.cont[href$='/t/{code}']").click()
            await play_on(game, ada, ben)

            # the server dies in the middle and comes back
            seen = int(await first.evaluate("document.querySelector('#move [name=question]').value"))
            for page in (first, again, watching, screen):
                page.watch.expects = ("WebSocket", "ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED")
            before = program.log(code)
            assert len(before) >= seen
            program.kill()
            await program.start()
            assert program.log(code)[: len(before)] == before
            for page in (first, again, watching, screen):
                await page.locator("#line").wait_for(state="hidden")
            for page in (watching, screen):  # which have seen what they were to see
                await page.context.close()
            await play_on(game, ada, ben)

            # Ben goes on with another device, by his personal link
            await again.locator("[popovertarget=menu]").first.click()
            link = (await again.locator("#menu details .seatlink a").first.get_attribute("href")) or ""
            assert re.fullmatch(rf"{program.origin}/t/{code}/seat#\S+", link)
            async with visit(program.origin, phone=True) as device:
                await device.goto(link)
                await device.wait_for_url(f"**/t/{code}")
                device.watch.expects = again.watch.expects
                ben.page, ben.touch = device, True
                if await until_turn(game, ben, ada):
                    await through_a_tunnel(program, code, ben, MINDS[game])
                await play_on(game, ada, ben)
                for page in (first, again, device):
                    await page.watch.answered()

        # what the pages were told was taken is in the log, each once (an objection makes somebody else's “fine” moot)
        log = program.log(code)
        assert [seq for seq, _ in log] == list(range(1, len(log) + 1))
        assert sent_by(log, 0) == first.watch.taken() > 3
        assert sent_by(log, 1) == sum(page.watch.taken() for page in (second, again, device)) > 3


async def test_what_is_being_written_outlives_who_comes(site, visit):
    """A number half written when somebody sits down is still there, and is sent when the field is left."""
    async with visit(site.origin) as mine, visit(site.origin) as theirs:
        me, they = Person(mine, touch=False), Person(theirs, touch=False)
        code = await quick_table(me, "anno-domini", "Ada")
        await more_options(me)
        await me.use(".opts [name=cards_per_player]")
        await mine.locator(".opts [name=cards_per_player]").fill("3")
        await quick_join(they, code, "Ben")
        await mine.locator(".wlist b.nm", has_text="Ben").wait_for()
        assert await mine.locator(".opts [name=cards_per_player]").get_attribute("value") != "3"  # not sent yet
        await mine.keyboard.press("Tab")
        await mine.wait_for_function("() => document.querySelector('[name=cards_per_player]').defaultValue === '3'")


async def test_who_chooses_a_seat_sits_there_and_the_page_stays_where_it_is(site, visit):
    """What is half written or chosen outlives who else comes; a seat that was taken meanwhile is chosen no more. A
    number among the options is sent without a jump; a pause ends the menu.
    """
    async with visit(site.origin, phone=True) as mine, visit(site.origin, phone=True) as theirs, site.browser() as eve:
        me = Person(mine, touch=True)
        code = await quick_table(me, "anno-domini", "Ada")
        await theirs.goto(f"/t/{code}")
        await theirs.locator(".pick:has(#sit-3)").tap()
        await theirs.locator("#take").tap()  # not without a name
        await theirs.wait_for_function("() => document.activeElement.id === 'name'")
        await theirs.keyboard.type("Be")
        await eve.post(f"/t/{code}/sit", data={"name": "Eve", "seat": "1"})
        await theirs.locator(".sitting", has_text="Eve").wait_for()
        assert await theirs.locator("[name=seat]:checked").get_attribute("value") == "3"
        await eve.post(f"/t/{code}/leave")
        await eve.post(f"/t/{code}/sit", data={"name": "Eve", "seat": "3"})
        await theirs.locator("#sit-3").wait_for(state="detached")
        assert await theirs.locator("[name=seat]:checked").get_attribute("value") == "1"
        await eve.post(f"/t/{code}/leave")
        await theirs.locator(".pick:has(#sit-3)").tap()
        await theirs.locator("#name").focus()
        await theirs.keyboard.press("End")
        await theirs.keyboard.type("n")
        await theirs.keyboard.press("Enter")
        await theirs.locator(".wseat:nth-child(4) b.nm", has_text="Ben").wait_for()
        assert (await site.services.host.table(code)).names == ("Ada", "", "", "Ben")
        # the name stands in the seat's row, and is changed there
        await theirs.locator("#change").tap()
        await theirs.locator("#name").fill("Benno")
        await theirs.locator("#take").tap()
        await theirs.locator(".wseat.mine b.nm", has_text="Benno").wait_for()

        await mine.locator(".wseat:nth-child(4) b.nm", has_text="Benno").wait_for()
        await more_options(me)
        field = mine.locator(".opts [name=cards_per_player]")
        await field.tap()
        before = await mine.evaluate("scrollY")
        assert before > 0
        await field.fill("3")
        await mine.keyboard.press("Tab")
        await mine.wait_for_function("() => document.querySelector('[name=cards_per_player]').defaultValue === '3'")
        assert abs(await mine.evaluate("scrollY") - before) < 60  # to the next field, at most

        # a pause closes the menu it was begun from, and the others'
        await start(me)
        await theirs.locator("#table.table[data-ready]").wait_for()
        for page in (mine, theirs):
            await page.locator("[popovertarget=menu]").first.tap()
        await mine.locator("#pause").tap()
        for page in (mine, theirs):
            await page.locator(".paused").wait_for()
            assert not await page.locator(":popover-open").count()
        assert await mine.locator("#resume").count() == 1
        assert await theirs.locator("#resume").count() == 0  # it would be refused: Ada is here


async def test_what_is_read_in_the_menu_outlives_what_others_do(site, visit):
    """Sections stay open, and the focus where it was, also of what has no name of its own."""
    async with visit(site.origin) as page, site.browser() as eve:
        me = Person(page, touch=False)
        code = await quick_table(me, "hic-haec-hoc", "Ada")
        await page.get_by_text("Continue on another device").click()
        link = page.locator(".seatlink a[href*='#']")
        await link.focus()
        await eve.post(f"/t/{code}/sit", data={"name": "Eve"})
        await page.locator(".wlist b.nm", has_text="Eve").wait_for()
        assert await link.evaluate("(one) => one === document.activeElement")

        await page.locator("#start").click()
        await page.locator("[popovertarget=menu]").first.click()
        sections = page.locator("#menu details:not([id]) > summary")
        assert await sections.count() > 1
        for n in range(await sections.count()):
            await sections.nth(n).click()
        focused = page.locator("#menu .seatlink a")
        await focused.focus()
        host, table = site.services.host, await site.services.host.table(code)
        seat = table.to_act[0]
        await host.answer(code, seat, table.question(seat), table.legal(seat)[0])
        await page.locator(f"#news[data-seq='{table.seq}']").wait_for()
        assert await page.locator("#menu details[open]").count() == await sections.count()
        assert await focused.evaluate("(one) => one === document.activeElement")
