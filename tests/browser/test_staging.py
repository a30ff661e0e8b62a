"""A reveal runs step by step, on all pages at the same moments; until its end nothing says how it ends."""

import asyncio

import pytest
from msgspec.structs import replace

from browser.play import drawn, submitted
from spieltisch.games.annodomini import staging
from spieltisch.games.annodomini.state import Doubt, Place
from spieltisch.table.log import LastRound

# Writes down when what became visible: rows by their place, "verdict" when the staging is over. Also the rows whose
# time had passed when the picture arrived: a busy machine does not see these turn.
WATCH = """() => {
  window.seen = [];
  window.passed = [];
  const place = (one) => [...one.parentElement.children].indexOf(one);
  new MutationObserver((all) => all.forEach(({ target, oldValue }) => {
    const had = (name) => (oldValue ?? '').split(' ').includes(name);
    const was = (name) => had(name) && !target.classList.contains(name);
    const scene = !had('staging') && target.classList.contains('staging') && target.querySelector('[data-staged]');
    if (scene) passed.push(...[...scene.querySelectorAll('[data-at]')]
      .filter((one) => Number(one.dataset.at) <= Date.now() - 1000 * scene.dataset.since).map(place));
    if (was('unseen')) seen.push([Date.now(), place(target)]);
    if (was('staging')) seen.push([Date.now(), 'verdict']);
  })).observe(document.getElementById('table'),
    { subtree: true, attributes: true, attributeFilter: ['class'], attributeOldValue: true });
}"""
# Writes down each card that glides, and what its seat counts when it is sent.
FLYING = """() => {
  window.flying = [];
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((one) => {
    if (one.className !== 'flying') return;
    flying.width = one.offsetWidth / innerWidth;
    flying.push([...document.querySelectorAll('.tvs .cn')].map((n) => n.textContent));
  }))).observe(document.getElementById('table'), { childList: true });
}"""
# What can be seen of how it ends.
TELLS = """() => [...document.querySelectorAll(
  '[data-after], .vtitle, #over, #begin, .pair, .ebr, :is(.rev, .er).bad:not(.unmarked), .story, .seats small')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim())
  .map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture
async def evening(site, visit, monkeypatch):
    """Ada at a desk, Ben with a phone, on which things move, and the screen for all; `lay` lays cards."""
    monkeypatch.setattr(staging, "QUESTION", 4000)  # ms: on a busy machine, too, one looks before the first row turns
    async with (
        visit(site.origin) as desk,
        visit(site.origin, phone=True, lang="de", moving=True) as phone,
        visit(site.origin, lang="de", moving=True) as big,
    ):
        url = await submitted(desk, "/tables", game="anno-domini", name="Ada")
        await submitted(phone, f"{url}/sit", name="Ben")
        host, code = site.services.host, url.rpartition("/")[2]

        async def answer(wanted):
            table = await host.table(code)
            seat, events = table.to_act[0], host.memory.session(code).position.state.hidden.cards
            action = next(one for one in table.legal(seat) if wanted(one, events))
            await host.answer(code, seat, table.question(seat), action)

        async def begin(cards):
            await host.change(
                code, lambda setup: replace(setup, top={**setup.top, "options": {"cards_per_player": cards}})
            )
            await submitted(desk, f"{url}/start")
            for page, address in ((desk, url), (phone, url), (big, f"{url}/screen")):
                await drawn(page, address)
                await page.evaluate(WATCH)

        yield desk, phone, big, begin, answer


async def test_rows_turn_one_after_the_other_and_then_comes_the_verdict(evening):
    desk, phone, big, begin, answer = evening
    await begin(5)
    for _ in range(4):
        await answer(lambda one, _: isinstance(one, Place))
    await big.evaluate(FLYING)
    await answer(lambda one, _: isinstance(one, Doubt))
    logs = []
    for page in (phone, big):
        await page.locator(".staging").wait_for()
        assert await page.locator(".asks").first.is_visible()
        told, turned = await page.evaluate(f"() => [({TELLS})(), seen.length]")
        assert told == [] or turned > 0  # on a busy machine the first rows may have turned before one looks
        assert "Anno Domini" in await page.title()
    assert await desk.locator(".staging #hurry").is_visible()  # who wants less motion learns it no earlier than others
    await desk.keyboard.press("Escape")
    await desk.locator(".vtitle").wait_for()
    hurried = (await desk.evaluate("seen"))[-1][0]
    for page in (phone, big):
        await page.wait_for_function("() => seen.some(([, what]) => what === 'verdict')")
        logs.append(await page.evaluate("seen"))
        assert logs[-1][-1][0] >= hurried - 300  # one hurries for oneself
        assert await page.locator(".asks").first.is_hidden()
    for log in logs:
        rows = [what for _, what in log if what != "verdict" and what < 5]
        assert rows == [*range(5)][-len(rows) :]  # whoever gets the picture late begins where the others are
        assert len(rows) >= 3
        assert log[-1][1] == "verdict"
    one, other = ({what: at for at, what in log} for log in logs)
    apart = [abs(one[what] - other[what]) for what in one.keys() & other]
    assert min(apart) <= 300  # of six moments one is not held up by a busy machine
    head = big.locator("[data-draws]")
    draws, seat = [int(await head.get_attribute(name)) for name in ("data-draws", "data-to")]
    await big.wait_for_function("(n) => flying.length === n && !document.querySelector('.flying')", arg=draws)
    assert await big.evaluate("flying.width") > 0.05  # seen from the sofa
    begun = int((await big.evaluate("flying"))[0][seat])
    assert await big.locator(".tvs .cn").nth(seat).text_content() == str(begun + draws)  # each counts as it arrives
    assert await phone.locator("#begin").is_visible()
    assert "Kette" in await phone.locator("#polite").text_content()


async def test_no_reveal_is_passed_over_however_quick_the_next_move_is(evening):
    """A busy phone gets the reveal together with the next card; so do spectators."""
    _, phone, big, begin, answer = evening
    await begin(5)
    await answer(lambda one, _: isinstance(one, Place))
    for page in (phone, big):
        await page.locator("[data-place='2'], .chain > li:nth-child(2)").first.wait_for()
    busy = [page.evaluate("() => { for (const end = Date.now() + 400; Date.now() < end; ); }") for page in (phone, big)]
    busy = asyncio.gather(*busy)
    await answer(lambda one, _: isinstance(one, Doubt))
    await asyncio.sleep(0.05)  # longer than a frame of the server, shorter than anybody is
    await answer(lambda one, _: isinstance(one, Place))
    await busy
    for page in (phone, big):
        await page.keyboard.press("Escape")
        await page.wait_for_function("() => seen.some(([, what]) => what === 'verdict')")  # it has been staged
    await phone.locator(".chain > li:nth-child(2)").wait_for(state="attached")  # then comes what came after it


async def test_a_pause_is_seen_while_a_reveal_runs_and_does_not_end_it(evening, site, monkeypatch):
    """On phones that have the next card already, too; what concerns the table as a whole waits for no row."""
    desk, phone, _, begin, answer = evening
    monkeypatch.setattr(staging, "QUESTION", 3_600_000)  # until somebody hurries

    async def change(**what):
        await site.services.host.change(code, lambda setup: replace(setup, **what))

    await begin(5)
    code = phone.url.rpartition("/")[2]
    await answer(lambda one, _: isinstance(one, Place))
    await answer(lambda one, _: isinstance(one, Doubt))
    await phone.locator(".staging .asks").first.wait_for()
    await answer(lambda one, _: isinstance(one, Place))
    await change(paused=True)
    await phone.locator(".staging .paused", has_text="Pause").wait_for()
    await phone.locator("#polite", has_text="Pause").wait_for(state="attached")
    await change(paused=False)
    await phone.locator(".staging .bar:not(:has(.paused))").wait_for()
    await change(last_round=LastRound(0, 0, 0))
    await phone.locator(".staging .lastround").wait_for()
    assert not [what for _, what in await phone.evaluate("seen")]
    await phone.keyboard.press("Escape")
    await phone.wait_for_function("() => seen.some(([, what]) => what === 'verdict')")
    await phone.locator(".chain > li:nth-child(2)").wait_for(state="attached")
    assert await phone.locator(".lastround").is_visible()

    # the next reveal does not hold up a player who is called away
    for page in (desk, phone):
        page.watch.expects = ("404",)  # there is no such class
    await answer(lambda one, _: isinstance(one, Doubt))
    await phone.locator(".staging .asks").first.wait_for()
    await change(classroom="3333", called=True)
    for page in (desk, phone):
        await page.wait_for_url("**/class/3333/seat")


async def test_the_win_is_saved_for_last(evening):
    _, phone, big, begin, answer = evening
    await begin(1)
    await answer(lambda one, events: sorted(one.cards, key=lambda card: events[card].span) == [*one.cards])
    for page, heading in ((phone, ".asks h2"), (big, ".asks h1")):
        await page.locator(".staging").wait_for()
        assert await page.locator(heading).text_content() == "Stimmt die letzte Kette?"
        told, turned = await page.evaluate(f"() => [({TELLS})(), seen.length]")
        assert told == [] or turned > 0
        assert "gewinn" not in await page.title()
    for page, won in ((phone, "#over"), (big, ".asks + .tvq h1")):
        await page.wait_for_function("() => seen.some(([, what]) => what === 'verdict')")
        assert await page.locator(won).is_visible()
        assert await page.locator(heading).is_hidden()
    await big.locator("#over").wait_for(timeout=6_000)  # a look at the last chain, not as long as at others
    assert "gewinnt" in await phone.locator("#over").text_content()
    assert "Das Spiel ist aus." in await phone.locator("#polite").text_content()
