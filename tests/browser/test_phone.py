"""A phone in the hand: the page stands still under a finger."""

import base64

import pytest

from browser.play import CHANGING, Person, drawn, quick_bots, quick_start
from matrix import sampled
from spieltisch.games.annodomini.state import Doubt
from spieltisch.games.hichaechoc.state import Contest, Play

# Middles of what a finger can choose in a row of cards, where it is seen: not beneath the bar or the dock.
CHOICES = """(css) => [...document.querySelectorAll(css)].map((one) => {
  const box = (one.closest('label') ?? one).getBoundingClientRect();
  return [box.x + Math.min(box.width / 2, 40), box.y + Math.min(box.height / 2, 40), one];
}).filter(([x, y, one]) => {
  const label = one.closest('label') ?? one;
  return x > 0 && x < innerWidth && y > 0 && y < innerHeight && label.contains(document.elementFromPoint(x, y));
}).map(([x, y]) => [x, y])"""
SCROLLED = "() => Math.round(scrollY)"
# A chain as long as it gets: more than a phone shows.
LONG = """() => {
  const chain = document.querySelector('.chain'), row = chain.lastElementChild;
  for (let n = 0; n < 12; n++) row.before(row.cloneNode(true));
}"""


async def tapped(page, css, most=4):
    """Tap what a finger finds there, one after the other; where the page stands after each tap."""
    stands = [await page.evaluate(SCROLLED)]
    found = await page.evaluate(CHOICES, css)
    assert found, css
    for x, y in found[:most]:
        await page.touchscreen.tap(x, y)
        await page.wait_for_timeout(120)
        stands.append(await page.evaluate(SCROLLED))
    return stands


async def long_page(page, game):
    """A table of two at one phone, drawn longer than the phone is, and moved to its middle."""
    us = Person(page, touch=True)
    if game == "adaman":
        await page.goto("/")
        await us.use("form[action$='/play'] [value='adaman']")
    else:
        await quick_start(us, game, "Mira", beside="Emre")
    await page.locator("#table[data-ready]").wait_for()
    if game == "hic-haec-hoc":
        await page.locator("#lift").tap()
        await page.locator("#lay").wait_for()
    if game == "trailblaze":
        while not await page.locator(".board .pick").count():
            await page.locator("#keep, #leave").first.tap()
            await page.wait_for_timeout(200)
    if game == "anno-domini":
        await page.evaluate(LONG)
    await page.set_viewport_size({"width": 390, "height": 600})
    await page.evaluate("scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2)")
    await page.wait_for_timeout(100)


@pytest.mark.parametrize(
    ("game", "chosen"),
    sampled(
        [
            ("anno-domini", ".hand9 input"),
            ("adaman", "[name=payment]:enabled, [name=target], [name=card]"),
            ("trailblaze", ".stones input, .board input"),
            ("hic-haec-hoc", ".lhand input, .decl input"),
        ],
        [("hic-haec-hoc", ".lhand input, .decl input")],
    ),
)
async def test_the_page_stands_still_under_a_tap(site, visit, game, chosen):
    async with visit(site.origin, phone=True) as page:
        await long_page(page, game)
        stands = await tapped(page, chosen)
        assert len(set(stands)) == 1
        assert not await page.evaluate("document.activeElement === document.body")


# Hold the change from picture to picture at a moment of it.
HOLD = """(time) => {
  const all = document.getAnimations().filter((one) => one.effect.pseudoElement?.startsWith('::view-transition'));
  for (const one of all) { one.pause(); one.currentTime = time; }
  return all.length;
}"""
# How many pixels of one picture are not as in the other, and how many of it are ink on paper.
COMPARE = """async ([one, other]) => {
  const [a, b] = await Promise.all([one, other].map(async (png) => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height).data;
  }));
  let differ = 0, ink = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    differ += Math.abs(a[i] - b[i]) > 60;
    ink[0] += a[i] < 90;
    ink[1] += b[i] < 90;
  }
  return [differ, ...ink];
}"""
QUIET = f"() => !({CHANGING})()"
BOX = """(css) => {
  const box = document.querySelector(css).getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
}"""


async def laid(site, code, moves):
    """So many cards come into the chain, each at its top."""
    host = site.services.host
    for _ in range(moves):
        table = await host.table(code)
        seat = table.to_act[0]
        action = next(one for one in table.legal(seat) if getattr(one, "at", None) == 0)
        await host.answer(code, seat, table.question(seat), action)


@pytest.fixture
async def watched(site, visit):
    """Ada's turn in a long chain; Ben looks on with a phone, on which things move."""
    async with visit(site.origin) as page, visit(site.origin, phone=True, moving=True) as other:
        ada, ben = Person(page, touch=False), Person(other, touch=True)
        code = await quick_start(ada, "anno-domini", "Ada", (ben, "Ben"))
        await other.goto("about:blank")
        await laid(site, code, 9 + ((await site.services.host.table(code)).to_act[0] == 1))
        await drawn(other, f"/t/{code}")
        await laid(site, code, 1)
        await other.locator(".chain > li:nth-of-type(11)").wait_for()
        await other.wait_for_function(QUIET)
        await other.wait_for_timeout(1200)  # what was new has been shown
        yield page, other, code


async def test_rows_glide_beneath_the_bars_and_the_page_never_dips(site, watched, chromium):
    """Looked at frame by frame, while time stands still."""
    _, ben, code = watched
    blank = await chromium.new_page()
    x, y, width, _ = await ben.evaluate(BOX, "#dock")
    before = await ben.screenshot(clip={"x": x, "y": 53, "width": width, "height": y - 53})
    time = await ben.context.new_cdp_session(ben)
    await time.send("Animation.enable")
    await time.send("Animation.setPlaybackRate", {"playbackRate": 0})
    await laid(site, code, 1)
    await ben.wait_for_function(CHANGING)
    x, y, width, height = await ben.evaluate(BOX, "#dock")
    parts = {  # what is looked at, and whether it may change meanwhile
        "dock": {"x": x, "y": y + 64, "width": width, "height": height - 64},  # beneath the line of news
        "chain": {"x": x, "y": 53, "width": width, "height": y - 53},
    }
    frames = []
    for moment in (1, 100, 240, 400):
        assert await ben.evaluate(HOLD, moment)
        frames.append([await ben.screenshot(clip=clip) for clip in parts.values()])
    await time.send("Animation.setPlaybackRate", {"playbackRate": 1})
    await ben.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
    await ben.wait_for_function(QUIET)
    end = [await ben.screenshot(clip=clip) for clip in parts.values()]
    shown = base64.b64encode(before).decode()
    _, ink_before, _ = await blank.evaluate(COMPARE, [shown, shown])
    for frame in frames:
        pairs = [[base64.b64encode(one).decode() for one in pair] for pair in zip(frame, end, strict=True)]
        (differ, *_), (_, ink, all_ink) = [await blank.evaluate(COMPARE, pair) for pair in pairs]
        assert differ < 50
        assert ink > 0.5 * min(ink_before, all_ink)  # a new card may say more than all before it; rows glide away
    await blank.close()


SEEN = """() => {
  const box = document.querySelector('#newest').getBoundingClientRect();
  return box.top >= 52 && box.bottom <= document.querySelector('#dock').getBoundingClientRect().top;
}"""


# Whether the words of the news and those beneath are apart.
APART = """() => {
  const box = (css) => document.querySelector(css).getBoundingClientRect();
  return Math.min(box('#begin .when-round').top, box('.dock .turn > b').top) >= box('#news').bottom;
}"""


async def test_who_looks_on_sees_what_is_new(site, watched):
    """It is moved into view and pulses; a line over the hand says it and leads back there."""
    ada, ben, code = watched
    line = ben.locator("#news")
    assert (await line.text_content()).endswith("placed number 1")
    await ben.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    await ben.wait_for_timeout(100)
    assert not await ben.evaluate(SEEN)
    there = await ada.evaluate("scrollY + document.getElementById('stage').scrollTop")
    table = await site.services.host.table(code)
    action = next(one for one in table.legal(0) if getattr(one, "at", None) == 0)
    await site.services.host.answer(code, 0, table.question(0), action, by="clock")
    await ben.locator("#newest.pulse").wait_for()
    await ben.wait_for_function(SEEN)
    assert await line.text_content() == "ATime was up: Ada placed number 1"
    box = await line.bounding_box()
    assert box["height"] >= 32
    await ben.evaluate("scrollTo({top: document.documentElement.scrollHeight, behavior: 'instant'})")
    await ben.locator("#news[data-where=above]").wait_for()
    await line.tap()
    await ben.wait_for_function(SEEN)
    # on Ada's own page nothing moves: it was her move
    await ada.locator("#newest").wait_for()
    assert await ada.evaluate("scrollY + document.getElementById('stage').scrollTop") == there

    # in a new round nothing lies over the news
    await laid(site, code, 1)
    await site.services.host.answer(code, 0, table.question(0), Doubt())
    await ben.locator("#begin").tap()
    await line.wait_for()
    for width in (320, 390, 768):
        await ben.set_viewport_size({"width": width, "height": 664})
        assert await ben.evaluate(APART)


# Of the tables of forms in a verdict: how many cells hold a form, and what does not fit into its cell.
FORMS = """() => {
  const cells = [...document.querySelectorAll('#verdict td')];
  return [cells.filter((one) => one.textContent.trim()).length,
    cells.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)];
}"""


async def test_a_verdict_shows_all_forms_on_a_phone(site, visit):
    """Thirty of them, none cut, side by side where there is room; and one sentence that says why."""
    async with visit(site.origin) as page, visit(site.origin, phone=True, lang="de") as other:
        ada, ben = Person(page, touch=False), Person(other, touch=True)
        code = await quick_start(ada, "hic-haec-hoc", "Ada", (ben, "Ben"))
        host = site.services.host
        table = await host.table(code)
        plays = [one for one in table.legal(0) if isinstance(one, Play)]
        await host.answer(code, 0, table.question(0), plays[0])
        await host.answer(code, 1, (await host.table(code)).question(1), Contest())
        await other.locator("#verdict").wait_for()
        for width in (320, 390):
            await other.set_viewport_size({"width": width, "height": 664})
            assert await other.evaluate(FORMS) == [30, []]
        tops = await other.locator("#verdict table").evaluate_all("(all) => all.map((one) => one.offsetTop)")
        assert tops[0] == tops[1]


async def test_on_a_short_phone_the_table_is_seen_when_it_is_ones_turn(site, visit):
    """The line of news takes two lines at most there, and the question about a sound waits for a better moment."""
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.set_viewport_size({"width": 320, "height": 640})
        me = Person(page, touch=True, seed=1)
        await quick_bots(me, "anno-domini")
        await me.wanted()
        assert not await page.locator("#ask-sound").is_visible()
        assert (await page.locator("#news").bounding_box())["height"] <= 52
        seats, dock = [await page.locator(css).bounding_box() for css in (".seats", "#dock")]
        assert dock["y"] - seats["y"] - seats["height"] > 120
