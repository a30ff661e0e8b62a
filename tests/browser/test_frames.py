"""Frame by frame: text in its final size from the first one, a deal one can see, and who has won everywhere at once."""

import asyncio

import pytest
from msgspec.structs import replace

from browser.play import Person, add_bots, open_table, start
from browser.test_screen import choose, moment, seated
from matrix import many, sampled
from spieltisch.dice import FastDice
from spieltisch.table.log import Chair
from web.site import served

# The sizes in which each text that is fitted was seen.
SIZES_SEEN = """
window.sizes = {};
const look = () => {
  for (const one of document.querySelectorAll('.tvm [data-fit] p, .tvm ul[data-fit] > li')) {
    if (!one.checkVisibility({visibilityProperty: true}) || !one.textContent.trim()) continue;
    const picture = document.querySelector('.tvm').textContent.replace(/\\s+/g, ' ').slice(0, 400);
    const seen = sizes[`${one.textContent.trim()} in ${picture}`] ??= [];
    const size = getComputedStyle(one).fontSize;
    if (!seen.includes(size)) seen.push(size);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
JUMPS = "Object.entries(sizes).filter(([, seen]) => seen.length > 1).map(([text, seen]) => text + ': ' + seen)"


CHAINS = many({1, 7, 13}, set(range(20)))  # lengths at which a chain is looked at

TOP = "document.querySelector('.scene:not([hidden]) .tvm').getBoundingClientRect().top"


def late(seconds):
    """The script comes after some frames, as on a slow television."""

    async def route(one):
        await asyncio.sleep(seconds)
        await one.continue_()

    return route


@pytest.mark.parametrize(("game", "people"), sampled([("anno-domini", 4), ("trailblaze", 6)], [("anno-domini", 4)]))
async def test_text_has_its_size_from_the_first_frame(site, visit, game, people):
    """Also when a reveal has come to its end, and another head stands above it."""
    table, dice, seen = await seated(site, game, people), FastDice(5), set()
    async with visit(site.origin, width=1280) as page:
        await page.add_init_script(SIZES_SEEN)
        await page.route("**/static/fit.js*", late(0.4))
        for _ in range(14):
            now = moment(table)
            left_out = now.startswith("chain") and len(table.view(None).public.chain) not in CHAINS
            if now not in seen and not left_out:
                seen.add(now)
                await page.goto(f"/t/{table.id}/screen")
                await page.locator("#table[data-ready]").wait_for()
                await page.wait_for_function("Object.keys(sizes).length > 0")
                top = await page.evaluate(TOP)
                if await page.locator(".staging").count():
                    await page.keyboard.press("Escape")
                await page.wait_for_timeout(100)
                assert not await page.evaluate(JUMPS), now
                assert await page.evaluate(TOP) == top, now
            seat = table.to_act[0]
            beliefs = await site.services.host.beliefs(table.id, seat)
            action = choose(table, table.legal(seat), dice, beliefs)
            await site.services.host.answer(table.id, seat, table.question(seat), action)
        assert len(seen) > 2


async def test_text_waits_for_a_script_that_comes_very_late(site, visit):
    table = await seated(site, "anno-domini", 4)
    async with visit(site.origin, width=1280) as page:
        await page.add_init_script(SIZES_SEEN)
        await page.route("**/static/fit.js*", late(5))
        await page.goto(f"/t/{table.id}/screen")
        await page.locator("#table[data-ready]").wait_for()
        await page.wait_for_function("Object.keys(sizes).length > 0")
        assert not await page.evaluate(JUMPS)


@pytest.mark.parametrize("comes", ["never", "broken"])
async def test_a_screen_whose_script_never_comes_shows_all(site, visit, comes):
    table = await seated(site, "anno-domini", 4)
    async with visit(site.origin, width=1280) as page:
        page.watch.expects = ("ERR_FAILED", "Failed to fetch dynamically imported module")
        await page.clock.install()
        await page.route("**/static/fit.js*", lambda route: None if comes == "never" else route.abort())
        await page.goto(f"/t/{table.id}/screen", wait_until="commit")
        chain = page.locator(".ech")
        await chain.wait_for(state="attached")
        if comes == "never":
            assert not await chain.is_visible()
            await page.clock.fast_forward(20_000)
        await chain.wait_for()
        assert await page.locator("#table[data-ready]").count() == 0


# A reveal whose time is over before the timer that ends it has come.
LATE_TIMER = """async () => {
  const { stage, staged } = await import('/static/staging.js');
  const table = document.createElement('div');
  table.innerHTML = `<div data-staged="1" data-since="${Date.now() / 1000}" data-ends="30"></div>`;
  document.body.append(table);
  stage(table, 0);
  for (const until = Date.now() + 60; Date.now() < until; );
  return [table.classList.contains('staging'), staged() > 0];
}"""


async def test_a_reveal_runs_until_its_end_is_shown(site, visit):
    """On a slow television timers are late. What is fitted meanwhile would be fitted to the picture before."""
    async with visit(site.origin) as page:
        await page.goto("/")
        assert await page.evaluate(LATE_TIMER) == [True, True]


# The deal as it is seen: how many cards move, in how many frames, and when the last one lies.
DEAL_SEEN = """
window.dealt = {cards: 0, frames: 0, end: 0};
const watch = () => {
  const cards = document.getAnimations().filter((one) => /^(deal|into-hand)$/.test(one.animationName) &&
    one.effect.target.checkVisibility({visibilityProperty: true}));
  const timings = cards.map((one) => one.effect.getComputedTiming());
  dealt.end = Math.max(dealt.end, ...timings.map((one) => one.endTime));
  dealt.cards = Math.max(dealt.cards, timings.filter((one) => one.endTime > 100).length);
  dealt.frames += timings.some((one) => one.progress > 0 && one.progress < 1);
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""
DEALT = "[dealt.cards, dealt.frames, dealt.end]"


DEALS = [("anno-domini", 9, 1, True), ("trailblaze", 2, 2, True), ("hic-haec-hoc", 5, 1, True)]
STILL = [(*deal[:-1], False) for deal in DEALS]
OFTEN = [DEALS[2]]  # `test_motion.py` deals without motion


@pytest.mark.parametrize(("game", "hand", "open_cards", "moving"), sampled([*DEALS, *STILL], OFTEN))
async def test_the_deal_is_seen_on_phones_and_the_screen(tmp_path, visit, game, hand, open_cards, moving):
    async with (
        served(tmp_path, pause=lambda: 5.0) as site,
        visit(site.origin, phone=True, moving=moving) as phone,
        visit(site.origin, width=1280, moving=moving) as screen,
    ):
        me = Person(phone, touch=True)
        code = await open_table(me, game)
        await add_bots(me, 2, 4)
        await screen.goto(f"/t/{code}/screen")
        await screen.locator("#table[data-ready]").wait_for()
        for page in (phone, screen):
            await page.add_init_script(DEAL_SEEN)
        await start(me)
        seats = 0 if game == "trailblaze" else 2 * 3  # there no cards are held
        for page, cards in ((phone, hand), (screen, open_cards + seats)):
            await page.locator("#table:not([data-stage=waiting])[data-ready]").wait_for()
            await page.wait_for_timeout(1_500)
            count, frames, end = await page.evaluate(DEALT)
            if moving:
                assert count >= cards, (page is phone, frames, end)
                assert frames > 2
                assert end <= 1_200
            else:
                assert (count, end < 1) == (0, True)


# When this page names who has won, by the clock that all pages of this machine share.
NAMED = """
window.named = 0;
const find = () => {
  const seen = [...document.querySelectorAll('#over, .won')].some((one) => one.textContent.trim() &&
    one.checkVisibility({visibilityProperty: true, opacityProperty: true}));
  if (seen) window.named = Date.now();
  else requestAnimationFrame(find);
};
requestAnimationFrame(find);
"""
LAST = 4  # moves that are seen, with the time that quick people take for them


def judged(entry):
    return any(type(one).__name__ == "Judged" for one in entry.news)


async def played(site, game, ends):
    """A game of bots' and chance's moves that `ends` so: its seed and its moves."""
    host = site.services.host
    for seed in range(1, 60):
        table, dice, moves = await dealt(site, game, seed), FastDice(seed), []
        while table.result is None:
            seat = table.to_act[0]
            legal = table.legal(seat)
            action = dice.choice(legal) if game != "trailblaze" else choose(table, legal, dice, None)
            moves.append((seat, action))
            await host.answer(table.id, seat, table.question(seat), action)
        if ends([judged(one) for one in table.news][-LAST:]):
            return seed, moves
    raise AssertionError("no game ends so")


async def dealt(site, game, seed):
    host = site.services.host
    chairs = tuple(Chair(name, "person", f"{n:064x}") for n, name in enumerate(("Ada", "Ben", "Cy")))
    setup = await host.open(game, 3)
    await host.change(setup.id, lambda setup: replace(setup, chairs=chairs))
    return await host.start(setup.id, seed=seed.to_bytes(16))


@pytest.mark.parametrize(
    ("game", "ends"),
    [
        # `test_staging.py` shows the end of a reveal, and of a last one, on a phone and the screen before landing
        pytest.param("anno-domini", lambda _news: True, marks=pytest.mark.whole),
        pytest.param("trailblaze", lambda _news: True, marks=pytest.mark.whole),
        pytest.param("hic-haec-hoc", lambda news: news[-1], marks=pytest.mark.whole),
        ("hic-haec-hoc", lambda news: any(news[:-1]) and not news[-1]),  # while a verdict is still being read
    ],
    ids=["anno-domini", "trailblaze", "by a verdict", "after a verdict"],
)
async def test_the_screen_names_who_has_won_as_phones_do(site, visit, game, ends):
    seed, moves = await played(site, game, ends)
    table, host = await dealt(site, game, seed), site.services.host
    async with (
        visit(site.origin, phone=True, moving=True) as phone,
        visit(site.origin, width=1280, moving=True) as screen,
    ):
        for seat, action in moves[:-LAST]:
            await host.answer(table.id, seat, table.question(seat), action)
        for page, address in ((phone, f"/t/{table.id}"), (screen, f"/t/{table.id}/screen")):
            await page.add_init_script(NAMED)
            await page.goto(address)
            await page.locator("#table[data-ready]").wait_for()
        for seat, action in moves[-LAST:]:
            await page.wait_for_timeout(1_000)
            await host.answer(table.id, seat, table.question(seat), action)
        for page in (phone, screen):
            await page.wait_for_function("() => named > 0", timeout=60_000)
        on_phone, on_screen = [await page.evaluate("named") for page in (phone, screen)]
        assert on_screen - on_phone <= 300
