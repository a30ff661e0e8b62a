"""The public screen, a television that nobody touches: complete in every state, at every size."""

import asyncio
import contextlib
import socket
import time

import pytest
from msgspec.structs import replace

from browser.play import Person, add_bots, quick_join, quick_table, start
from matrix import many, sampled
from spieltisch.dice import FastDice
from spieltisch.table.log import Chair
from web.site import code as code_of
from web.site import finished, served

SEED = (11).to_bytes(16, "big")  # of a deal whose verdicts mark many forms
# A screen twice as large shows the same layout, so `make test` leaves 1920 × 1080 out.
SIZES = many(((1280, 720), (1024, 600)), ((1280, 720), (1920, 1080), (1024, 600)))
NAMES = ("Papa", "Mama", "Großmutter Annegret", "Opa", "Lotte", "Emil")
FAULTS = """(least) => {
  const table = document.querySelector('.tv'), found = new Set();
  const u = Math.min(innerWidth / 1920, innerHeight / 1080);
  const foot = table.querySelector('.tvf').getBoundingClientRect();
  const words = (one) => `${one.className || one.tagName} “${one.textContent.trim().slice(0, 24)}”`;
  for (const one of table.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, textarea'))
    found.add(`control: ${words(one)}`);
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) found.add('the page scrolls');
  const texts = [];
  const walk = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest('svg, .vh') || !one.checkVisibility({visibilityProperty: true})) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < least * u - 0.1) found.add(`${(size / u).toFixed(1)} u: ${words(one)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect(), line = size * 0.2;
    if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1)
      found.add(`outside the window: ${words(one)}`);
    for (let around = one; around !== table; around = around.parentElement) {
      const it = around.getBoundingClientRect();
      if (getComputedStyle(around).display === 'inline' || around.matches('.seat-mark *')) continue;
      const high = box.top < it.top - line || box.bottom > it.bottom + line;
      if (high || box.left < it.left - 2 || box.right > it.right + 2)
        found.add(`out of ${around.className || around.tagName}: ${words(one)}`);
    }
    if (one.closest('.tvm') && box.bottom > foot.top + 1) found.add(`behind the foot: ${words(one)}`);
    for (const rect of range.getClientRects())
      texts.push([node, rect.left, rect.top + line, rect.right, rect.bottom - line]);
  }
  for (const [n, [one, l, t, r, b]] of texts.entries())
    for (const [other, l2, t2, r2, b2] of texts.slice(n + 1))
      if (one !== other && Math.min(r, r2) - Math.max(l, l2) > 2 && Math.min(b, b2) - Math.max(t, t2) > 1)
        found.add(`“${one.data.trim()}” over “${other.data.trim()}”`);
  for (const one of table.querySelectorAll('.scene:not([hidden]) .tvm :is(li, td, .card, .blk, table, p)')) {
    if (!one.checkVisibility() || one.closest('.vh')) continue;
    const box = one.getBoundingClientRect();
    if (box.bottom > foot.top + 1 || box.right > innerWidth + 1 || box.left < -1 || box.top < -1)
      found.add(`cut off: ${words(one)}`);
  }
  return [...found];
}"""


def moment(table):
    """A moment to look at; each is looked at once."""
    p = table.view(None).public
    if table.result is not None:
        return "over"
    match table.package.name:
        case "anno-domini":
            if p.last is not None:
                return f"chain of {len(p.chain)}"
            return f"reveal of {len(p.revealed.rows)}" if p.revealed else "turned up"
        case "trailblaze":
            return f"{p.phase}, {'revealed' if p.revealed else 'first'}{', late' if p.round > 4 else ''}"
        case "hic-haec-hoc":
            if judged := [one for one in p.news if type(one).__name__ == "Judged"]:
                return f"verdict on {len(judged[0].readings)}, {'right' if judged[0].right else 'wrong'}"
            return "contest" if p.turn.pending else f"play {min(2, len(p.middle.played))}"
    return f"play {table.seq // 12}"


def choose(table, legal, dice, beliefs):
    """As a bot would; but the first chain of Anno Domini grows long."""
    p = table.view(None).public
    if table.package.name == "anno-domini" and p.round == 1:
        kind = "Doubt" if len(p.chain) > 16 else "Place"
        if found := [one for one in legal if type(one).__name__ == kind]:
            return dice.choice(found)
    return table.package.bot.choose(table.view(table.to_act[0]), legal, dice, beliefs)


async def seated(site, game, people, desk=0):
    """A table at which people sit; it has begun. `desk`: it is one of a class."""
    host = site.services.host
    chairs = tuple(Chair(name, "person", f"{n:064x}") for n, name in enumerate(NAMES[:people]))
    setup = await host.open(game, people)
    await host.change(setup.id, lambda setup: replace(setup, chairs=chairs, desk=desk))
    return await host.start(setup.id, seed=SEED)


async def look(page, found, what, least=28):
    """What is wrong with the picture, on every size. `least`: the smallest text, in pixels of 1920 × 1080."""
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{what}, {width}: {one}" for one in await page.evaluate(FAULTS, least)]


# With chains of these lengths, or of each.
SOME, EACH = many({6, 14, 17}, {1, 6, 10, 14, 17}), set(range(20))
AT_HOME = (
    ("anno-domini", "de", 4, 0, SOME),
    ("trailblaze", "de", 6, 0, EACH),
    ("hic-haec-hoc", "en", 4, 0, EACH),
    ("adaman", "en", 1, 0, EACH),
)
# To be read from the last row: 28 pixels on a projector of 1280 × 720.
IN_A_CLASS = (
    ("anno-domini", "de", 4, 7, EACH),
    ("trailblaze", "de", 6, 7, EACH),
    ("hic-haec-hoc", "de", 5, 7, EACH),
)
LONG = ("anno-domini", "de", 4, 0, EACH)


@pytest.mark.parametrize(
    ("game", "lang", "people", "desk", "chains"),
    sampled([*AT_HOME, LONG, *IN_A_CLASS], [AT_HOME[0], AT_HOME[3], IN_A_CLASS[2]]),
)
async def test_everything_is_whole_on_the_screen_for_all(site, visit, game, lang, people, desk, chains):
    async with visit(site.origin, lang=lang) as page:
        table, dice, seen, found = await seated(site, game, people, desk), FastDice(5), set(), []
        least = 42 if desk else 28
        while True:
            now = moment(table)
            left_out = now.startswith("chain") and len(table.view(None).public.chain) not in chains
            if now not in seen and not left_out:
                seen.add(now)
                await page.goto(f"/t/{table.id}/screen")
                await page.locator("#table[data-ready]").wait_for()
                staged, film = [await page.locator(css).count() for css in (".staging", ".staging .film")]
                if not film:  # its rows run past, more than find room
                    await look(page, found, now, least)
                if staged:
                    await page.keyboard.press("Escape")
                    await look(page, found, f"{now}, shown to its end", least)
            if table.result is not None:
                break
            seat = table.to_act[0]
            beliefs = await site.services.host.beliefs(table.id, seat)
            action = choose(table, table.legal(seat), dice, beliefs)
            await site.services.host.answer(table.id, seat, table.question(seat), action)
        scenes = page.locator(".scene")
        if await scenes.count() > 1:  # the last verdict, before who has won
            await scenes.last.wait_for()  # from now on nothing changes by itself
            await scenes.evaluate_all("(all) => all.forEach((one, n) => (one.hidden = n > 0))")
            await look(page, found, "the last verdict")
        assert not found, "\n".join(found)
        wanted = {
            "anno-domini": {"chain of 6", "chain of 14", "chain of 17", "reveal of 17"},
            "hic-haec-hoc": {"contest", "verdict on 6, wrong" if desk else "verdict on 3, right"},
        }
        assert wanted.get(game, set()) | {"over"} <= seen


ROWS = "[...document.querySelectorAll('.er')].filter((one) => one.checkVisibility()).map((one) => one.textContent)"
SIZE = "getComputedStyle(document.querySelector('.erevs:not(.film) p')).fontSize"


async def test_what_was_left_out_is_there_again_where_there_is_room(site, visit):
    """A folded chain unfolds in a higher window; pages that are turned are fitted as a whole when awards come."""
    table, dice, host = await seated(site, "anno-domini", 4, 7), FastDice(5), site.services.host
    async with visit(site.origin) as page:
        while table.view(None).public.revealed is None:
            if len(table.view(None).public.chain) == 17:
                await page.set_viewport_size({"width": 1280, "height": 720})
                await page.goto(f"/t/{table.id}/screen")
                await page.locator("#table[data-ready]").wait_for()
                folded = await page.locator(".ec").count()
                await page.set_viewport_size({"width": 1280, "height": 1500})
                await page.wait_for_function("(n) => document.querySelectorAll('.ec').length > n", arg=folded)
                await page.set_viewport_size({"width": 1280, "height": 720})
                await page.wait_for_function("(n) => document.querySelectorAll('.ec').length === n", arg=folded)
            seat = table.to_act[0]
            await host.answer(table.id, seat, table.question(seat), choose(table, table.legal(seat), dice, None))
        await page.locator(".staging").wait_for()
        await page.keyboard.press("Escape")
        rows, size = await page.evaluate(ROWS), await page.evaluate(SIZE)
        await page.evaluate("dispatchEvent(new Event('told'))")
        assert (await page.evaluate(ROWS), await page.evaluate(SIZE)) == (rows, size)


@pytest.mark.parametrize("seed", sampled([1, 3, 4], [1]))
async def test_cards_that_are_being_dealt_are_measured_where_they_will_lie(site, visit, seed):
    """More of them seemed to fit while they came from above, when the window changed."""
    host, found = site.services.host, []
    chairs = tuple(Chair(name, "person", f"{n:064x}") for n, name in enumerate(NAMES))
    setup = await host.open("trailblaze", len(NAMES))
    await host.change(setup.id, lambda setup: replace(setup, chairs=chairs, desk=7))
    await host.start(setup.id, seed=seed.to_bytes(16))
    async with visit(site.origin, lang="de") as page:
        await page.goto(f"/t/{setup.id}/screen")
        await page.locator("#table[data-ready]").wait_for()
        await look(page, found, "the deal", 42)
        assert not found, "\n".join(found)


async def test_a_television_follows_by_itself(site, visit):
    """From the waiting room over a game and its end to the rematch; and the verdict stays when bots go on at once."""
    async with visit(site.origin, phone=True) as phone, visit(site.origin, width=1920) as page:
        await page.set_viewport_size({"width": 1280, "height": 720})
        me = Person(phone, touch=True, seed=1)
        code = await quick_table(me, "hic-haec-hoc", "Ada")
        await page.goto(f"/t/{code}/screen")
        await page.locator("#table[data-ready]").wait_for()
        found = []
        assert "missing" in await page.locator(".missing").text_content()
        assert (await page.locator(".qrbox svg").bounding_box())["height"] >= 0.4 * 720
        await look(page, found, "waiting room")
        async with visit(site.origin) as other:
            popped = page.locator(".pop .in", has_text="Ben").wait_for()
            await asyncio.gather(popped, quick_join(Person(other, touch=False), code, "Ben"))
        await add_bots(me, 1, 3)
        await page.locator(".pop li", has_text="Bot").wait_for()
        await look(page, found, "waiting room, all there")
        await start(me)
        await page.locator(".tvs li[aria-current]").wait_for()
        table = await site.services.host.table(code)
        await finished(site, table, FastDice(1))
        await page.locator("#over").wait_for(timeout=60_000)  # the reveal, and what it says, come first
        await phone.reload()
        await phone.locator("#rematch").click()
        await page.wait_for_url(f"**/t/{code}-2/screen")
        await page.locator(".tvnext .ring").wait_for()
        await look(page, found, "countdown")
        await page.locator("#table:not([data-stage=waiting]) .tvs").wait_for(timeout=60_000)
        await page.goto(f"/t/{code}/screen")  # who opens the old address gets there, too
        await page.wait_for_url(f"**/t/{code}-2/screen")
        assert not found, "\n".join(found)

        await page.set_viewport_size({"width": 390, "height": 664})  # as a spectator's phone shows it
        await page.wait_for_url("**/screen?small=1")
        await page.locator("#table.table .seats").wait_for()


@pytest.mark.parametrize(("game", "people"), sampled([("anno-domini", 4), ("trailblaze", 6)], [("anno-domini", 4)]))
async def test_who_is_remembered_for_what_stands_beside_the_podium(tmp_path, visit, game, people):
    """As many awards as there is room for; nothing else of what phones show. The podium stays where it is when they
    come.
    """
    later, told = 0, asyncio.Event()

    async def late(route):
        await told.wait()
        await route.continue_()

    async with served(tmp_path, clock=lambda: time.time() + later) as site:
        table, dice = await seated(site, game, people), FastDice(5)
        await finished(site, table, dice)
        later = 60  # the last reveal has been seen
        async with visit(site.origin) as page:
            await page.route("**/stories", late)
            await page.goto(f"/t/{table.id}/screen")
            await page.locator("#table[data-ready]").wait_for()
            before = await page.locator(".podium").bounding_box()
            told.set()
            await page.locator(".podium ~ .beside .awards li").first.wait_for()
            assert (await page.locator(".podium").bounding_box())["x"] == before["x"]
            assert await page.locator(".tvwin :is(.lines, button, a)").count() == 0
            found = []
            await look(page, found, "podium")
            assert not found, "\n".join(found)


async def test_a_verdict_stays_however_quick_the_next_one_is(site, visit):
    """Old and new chain are never together: the new one waits until the old one has been read."""
    table, host, dice = await seated(site, "anno-domini", 2), site.services.host, FastDice(1)

    async def do(kind):
        seat = table.to_act[0]
        action = dice.choice([one for one in table.legal(seat) if type(one).__name__ == kind])
        await host.answer(table.id, seat, table.question(seat), action)

    async with visit(site.origin) as page:
        await page.clock.install()
        await page.goto(f"/t/{table.id}/screen")
        for kind in ("Place", "Place"):
            await do(kind)
        await page.locator(".ec[data-place='3']").wait_for()
        await do("Doubt")
        await page.clock.run_for(1000)
        await page.locator(".erevs").wait_for()
        await do("Place")
        await page.clock.run_for(5000)
        assert await page.locator(".erevs").is_visible()
        assert await page.locator(".ech").count() == 0
        await page.clock.run_for(6000)
        await page.locator(".ec.new").wait_for()
        assert await page.locator(".erevs").count() == 0


async def test_a_verdict_gives_way_to_a_newer_one(site, visit):
    """What bots do meanwhile makes no queue: each verdict can be read for a moment, and the last one comes at once."""
    table, host, dice = await seated(site, "anno-domini", 2), site.services.host, FastDice(1)

    async def do(*kinds):
        for kind in kinds:
            seat = table.to_act[0]
            action = dice.choice([one for one in table.legal(seat) if type(one).__name__ == kind])
            await host.answer(table.id, seat, table.question(seat), action)

    async with visit(site.origin) as page, visit(site.origin, phone=True) as phone:
        await page.clock.install()
        for one, address in ((page, f"/t/{table.id}/screen"), (phone, f"/t/{table.id}")):
            await one.goto(address)
            await one.locator("#table[data-ready]").wait_for()
        verdict = page.locator(".tvm[data-verdict]")
        await do("Place", "Place", "Doubt")
        await verdict.wait_for()
        first, ends = [await verdict.get_attribute(name) for name in ("data-verdict", "data-ends")]
        await page.clock.run_for(int(ends))
        assert await verdict.get_attribute("data-verdict") == first
        await do("Place", "Place", "Doubt")
        await page.clock.run_for(3000)
        await page.locator(f".tvm[data-verdict]:not([data-verdict='{first}'])").wait_for(timeout=2000)
        await finished(site, table, dice)
        await page.clock.run_for(int(await verdict.get_attribute("data-ends")))
        won = page.locator(".scene:not([hidden]) .won")
        while not await won.count():
            await page.clock.run_for(100)
        assert await page.locator(".scene #over").is_hidden()  # the verdict is still there, and names who has won
        ends = await verdict.get_attribute("data-ends")
        await page.clock.run_for(int(ends))
        assert await won.is_visible() or await page.locator("#over").is_visible()


async def test_a_contest_shows_what_has_to_match_and_one_clock(site, visit):
    async with visit(site.origin) as page:
        table, host = await seated(site, "hic-haec-hoc", 2), site.services.host

        async def do(kind, **more):
            seat = table.to_act[0]
            found = [one for one in table.legal(seat) if type(one).__name__ == kind]
            action = next(one for one in found if all(getattr(one, name) == what for name, what in more.items()))
            await host.answer(table.id, seat, table.question(seat), action)

        await page.goto(f"/t/{table.id}/screen")
        await do("Play")
        await page.locator(".tvcon .matched .lcard").wait_for()
        below = table.view(None).public
        assert below.terms.forms[below.middle.top] in await page.locator(".matched .lcard").text_content()
        assert await page.locator(".matched .esay").is_visible()
        assert await page.locator(".ring:visible").count() == 1
        found = []
        await look(page, found, "contest")
        assert not found, "\n".join(found)
        await do("Contest")
        await page.locator(".staging").wait_for()
        await page.keyboard.press("Escape")
        assert "Objection upheld." in await page.locator("h1:visible").text_content()
        assert await page.locator(".vicon use[href='#icon-check']").first.is_visible()
        assert await page.locator(".vicon.bad").count() == 0


async def test_in_a_home_network_it_stays_awake_and_addresses_can_be_copied(tmp_path, visit):
    """On http:// and a number no browser has a wake lock, a clipboard or a way to share."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as out:
        try:
            out.connect(("203.0.113.1", 9))  # nothing is sent
            address = out.getsockname()[0]
        except OSError:
            pytest.skip("this machine is in no network")
    async with served(tmp_path, at="0.0.0.0") as site:
        origin = f"http://{address}:{site.port}"
        async with visit(origin) as phone, visit(origin, width=1920) as page:
            for one in (phone, page):
                one.watch.expects = ("Cross-Origin-Opener-Policy",)  # heeded on secure lines only
            me = Person(phone, touch=False)
            code = await quick_table(me, "anno-domini", "Ada")
            assert not await phone.evaluate("isSecureContext || 'clipboard' in navigator || 'share' in navigator")
            await phone.locator("[data-copy]").first.click()
            await phone.locator("[data-copy].done").wait_for()
            assert await phone.locator("[data-share]").first.is_hidden()
            await page.goto(f"/t/{code}/screen")
            film = page.locator("video.awake")
            await film.wait_for(state="attached")
            assert not await page.evaluate("isSecureContext || 'wakeLock' in navigator")
            await page.wait_for_function(
                "() => (({paused, muted, currentTime, videoWidth}) => !paused && muted && currentTime && videoWidth)"
                "(document.querySelector('video.awake'))"
            )
            box = await film.bounding_box()
            assert box["width"] * box["height"] > 0.9 * 1920 * 800
            assert not await page.locator(".asleep").is_visible()
            assert code_of(page.url.removesuffix("/screen")) == code
