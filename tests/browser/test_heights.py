"""Every question at the heights that phones' pages have: its button, its clock and what it is about are in sight."""

import pytest
from msgspec.structs import replace

from browser.checks import WIDER
from browser.moments import MOMENTS, shown
from browser.play import Person, quick_table
from browser.webkit import WebKitPage, phone_programs, webkit
from matrix import sampled
from spieltisch.table.log import Anew

# An iPhone's page in Safari with its bars, an iPhone SE's, two Androids', an old SE's; the same held sideways.
SIZES = ((390, 664), (375, 553), (360, 616), (320, 568), (412, 732), (844, 390), (750, 342), (667, 331))

# The page is as wide as it will be, and at its top. (A clock that runs never comes to rest.)
DRAWN = """(top) => {
  if (top) scrollTo(0, 0);
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# What is not in sight whole, without scrolling: no bar, no dock and no edge of the page lies over it.
MISSING = """([wanted, rows, number]) => {
  const over = (one) => {
    const {left, top, right, bottom} = one.getBoundingClientRect();
    if (top < -1 || bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1) return 'the edge';
    for (const x of [left + 4, (left + right) / 2, right - 4]) for (const y of [top + 4, bottom - 4]) {
      const found = document.elementFromPoint(x, y);
      if (!found) return 'the edge';
      if (!one.contains(found) && !found.contains(one) && !one.closest('.stage')?.contains(found))
        return found.id || found.className || found.tagName;
    }
  };
  const found = [];
  for (const css of wanted) {
    const all = [...document.querySelectorAll(css)].filter((one) => one.checkVisibility());
    if (!all.length) found.push(`${css} is not there`);
    for (const one of all.filter(over)) {
      const box = one.getBoundingClientRect();
      found.push(`${css}: ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${innerHeight}, under ${over(one)}`);
    }
  }
  const all = rows ? [...document.querySelectorAll(rows)] : [], whole = all.filter((one) => !over(one)).length;
  if (whole < Math.min(number, all.length)) found.push(`${whole} of ${rows}, not ${number}`);
  return found;
}"""


# Text that is wider than what holds it, where nothing scrolls: it is cut, or lies over its neighbour.
CUT = """() => {
  const texts = ':is(.dock, .stage) :is(p:not(.turn), h2, button, .f, td, th, .tag, .pick)';
  const cut = (one) => one.checkVisibility() && !one.closest('.vh, .scroll-x, .board, .news, .lhand') &&
    getComputedStyle(one).clipPath === 'none' && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 2;
  return [...document.querySelectorAll(texts)].filter(cut).map((one) =>
    `${one.id || one.className || one.tagName} is cut: ${one.textContent.trim().slice(0, 40)}`);
}"""
LARGE = "document.documentElement.style.fontSize = '200%'"


async def missing(page, moment, sizes):
    """What is not in sight at these sizes."""
    found = []
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(DRAWN, not moment.taps)
        all_of_it = await page.evaluate(MISSING, [list(moment.wanted), *moment.rows])
        found += [f"{width} × {height}: {one}" for one in all_of_it]
    return found


# The same buttons and clocks as another moment, or seen by WebKit, with large text or by a stranger.
LIKE_OTHERS = {"anno-domini-turn", "anno-domini-waiting", "trailblaze-take", "trailblaze-field", "trailblaze-replace",
               "trailblaze-reveal", "hic-haec-hoc-turn", "hic-haec-hoc-assisted", "adaman-turn", "adaman-target",
               "adaman-excuse"}  # fmt: skip
IDS = [moment.id for moment in MOMENTS]


@pytest.mark.parametrize("moment", sampled(IDS, [one for one in IDS if one not in LIKE_OTHERS]))
async def test_a_question_is_in_sight_on_the_lowest_pages(site, visit, moment):
    """With text twice as large nothing is cut, and the button that answers is in sight; whatever else scrolls."""
    moment = next(one for one in MOMENTS if one.id == moment)
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.set_viewport_size({"width": 390, "height": 664})
        await shown(site, page, moment, "de")
        assert not await missing(page, moment, ((375, 553), (667, 331)))
        if not moment.taps:
            await page.set_viewport_size({"width": 390, "height": 664})
            await page.evaluate(LARGE)
            await page.evaluate(DRAWN, True)
            answers = [css for css in moment.wanted if css in ANSWERS]
            found = await page.evaluate(MISSING, [answers, "", 0])
            assert not found + await page.evaluate(CUT)


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.id)
async def test_a_question_is_in_sight_at_every_height(site, visit, moment, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.set_viewport_size({"width": 390, "height": 664})
        await shown(site, page, moment, lang)
        assert not await missing(page, moment, SIZES)


@pytest.fixture(scope="session")
async def phone_webkit(anyio_backend, tmp_path_factory):
    async with webkit(phone_programs(), tmp_path_factory.mktemp("webkit")) as driver:
        yield driver


def in_webkit(moments):
    reason = (
        "no WebKit with a phone's window (Debian: apt install webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1)"
    )
    marks = pytest.mark.skipif(phone_programs() is None, reason=reason)
    return pytest.mark.parametrize("moment", [pytest.param(one, id=one.id, marks=marks) for one in moments])


async def missing_in_webkit(site, driver, moment, lang, sizes):
    page = WebKitPage(driver, site.origin)
    await page.set_viewport_size({"width": 390, "height": 664})
    await shown(site, page, moment, lang)
    assert not await page.evaluate("window.complaints ?? []")
    return await missing(page, moment, sizes)


@in_webkit([one for one in MOMENTS if one.id in {"hic-haec-hoc-turn", "adaman-turn"}])
async def test_webkit_has_it_in_sight_on_the_lowest_pages(site, phone_webkit, moment):
    assert not await missing_in_webkit(site, phone_webkit, moment, "de", ((375, 553), (667, 331)))


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["de", "en"])
@in_webkit(MOMENTS)
async def test_webkit_has_it_in_sight_at_every_height(site, phone_webkit, moment, lang):
    assert not await missing_in_webkit(site, phone_webkit, moment, lang, SIZES)


@pytest.mark.parametrize("moment", sampled(["hic-haec-hoc-contest", "hic-haec-hoc-turn"], ["hic-haec-hoc-contest"]))
async def test_a_proposed_new_start_leaves_the_answer_in_sight(site, visit, moment):
    """Everybody reads it with its answer, and the clock of the question runs on."""
    moment = next(one for one in MOMENTS if one.id == moment)
    wanted = ["#anew-yes", "#anew-no", *(css for css in moment.wanted if css in ANSWERS or ".ring" in css)]
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.set_viewport_size({"width": 375, "height": 553})
        await shown(site, page, moment, "de")
        code = page.url.rpartition("/")[2]
        proposed = Anew("mode", "assisted", ("somebody",))
        await site.services.host.change(code, lambda setup: replace(setup, anew=proposed))
        await page.locator("#anew").wait_for()
        assert not await page.evaluate(MISSING, [wanted, "", 0])


ANSWERS = {"#ask-doubt", "#do-doubt", "#begin", "#open", "#keep", "#swap", "#leave", "#take", "#lay", "#without",
           "#accept", "#contest", "#goon", ".pass", "#go"}  # fmt: skip


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_a_lobby_with_text_twice_as_large_keeps_its_button(site, visit, lang):
    """Also with everything unfolded the page is no wider than the screen, which would push the bar below its edge."""
    found = []
    async with visit(site.origin, phone=True, lang=lang) as page:
        await quick_table(Person(page, touch=True), "anno-domini")
        await page.evaluate(LARGE)
        for unfolded in (False, True):
            await page.evaluate(
                "(open) => document.querySelectorAll('.wait details').forEach((one) => { one.open = open })", unfolded
            )
            for width, height in ((390, 664), (375, 553), (320, 568), (844, 390)):
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate(DRAWN, True)
                missing = await page.evaluate(MISSING, [["#start"], "", 0])
                found += [f"{width} × {height}: {one}" for one in missing + await page.evaluate(WIDER)]
    assert not found


# `test_large_text.py` does this before landing, and more.
@pytest.mark.parametrize("path", sampled(["/", "contest"], []))
async def test_text_twice_as_large_widens_no_page(site, visit, path):
    found = []
    async with visit(site.origin, phone=True, lang="de") as page:
        if path == "contest":
            await shown(site, page, next(one for one in MOMENTS if one.id == "hic-haec-hoc-contest"), "de")
        else:
            await page.goto(path)
        await page.evaluate(LARGE)
        for width, height in ((390, 664), (320, 568), (844, 390)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, True)
            found += await page.evaluate(WIDER) + await page.evaluate(CUT)
    assert not found


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_a_guided_game_shows_the_cards_that_it_speaks_of(site, visit, lang):
    found = []
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.goto("/learn/adaman")
        await page.locator("#table[data-ready]").wait_for()
        for width, height in ((390, 664), (375, 553), (844, 390)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, True)
            found += [(width, one) for one in await page.evaluate(MISSING, [[".zone .dcard", "#lesson", "#go"], "", 0])]
    assert not found


async def test_a_hint_leaves_all_cards_in_sight(site, visit):
    async with visit(site.origin, phone=True, lang="de") as page:
        await shown(site, page, next(one for one in MOMENTS if one.id == "adaman-turn"), "de")
        await page.locator("#hint").tap()
        await page.locator("#hinted").wait_for()
        for width, height in ((390, 664), (375, 553)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, True)
            assert not await page.evaluate(MISSING, [[".zone .dcard", "#hinted", "#go"], "", 0]), width


OVER = """(css) => {
  const [one, other] = ['#line', css].map((one) => document.querySelector(one).getBoundingClientRect());
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}"""


@pytest.mark.parametrize("moment", sampled(["anno-domini-turn", "adaman-turn"], ["anno-domini-turn"]))
async def test_a_lost_line_hides_no_word_of_the_turn(site, visit, moment):
    async with visit(site.origin, phone=True, lang="de") as page:
        await shown(site, page, next(one for one in MOMENTS if one.id == moment), "de")
        await page.context.set_offline(True)
        await page.locator("#line").wait_for()
        for width, height in ((390, 664), (844, 390), (667, 331)):
            await page.set_viewport_size({"width": width, "height": height})
            assert not await page.evaluate(OVER, ".turn"), width
        for width, height in ((1000, 700), (1366, 768)):
            await page.set_viewport_size({"width": width, "height": height})
            line = await page.locator("#line").evaluate(
                "(one) => [one.scrollWidth - one.clientWidth, one.clientHeight]"
            )
            assert line[0] <= 0, (width, line)
        await page.context.set_offline(False)
        await page.locator("#line").wait_for(state="detached")
        page.watch.complaints.clear()


async def test_the_head_of_a_page_is_one_line_on_the_narrowest_phone(site, visit):
    middles = "[...document.querySelectorAll('.pagehead > *')].map((one) => one.getBoundingClientRect()).map("
    middles += "(box) => box.y + box.height / 2)"
    async with visit(site.origin, phone=True, width=320) as page:
        for lang in ("de", "en", "fr", "it"):
            await page.context.add_cookies([{"name": "spieltisch_lang", "value": lang, "url": site.origin}])
            await page.goto("/")
            found = await page.evaluate(middles)
            assert max(found) - min(found) < 3, lang


# Text that leaves no room to the edge of its button, or of the page.
TIGHT = """() => {
  const texts = document.createTreeWalker(document.querySelector('#table'), NodeFilter.SHOW_TEXT), found = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const one = node.parentElement.closest('.swapacts .btn, .board thead th');
    if (!one || !node.data.trim() || node.parentElement.closest('.vh')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect(), around = one.getBoundingClientRect();
    const room = one.matches('.btn') ? 3 : -6;
    if (box.left < around.left + room || box.right > around.right - room || box.right > innerWidth - 1)
      found.push(node.data.trim());
  }
  return found;
}"""
# What a chosen card's mark hides of the suits that one pays with.
HIDDEN = """() => [...document.querySelectorAll('.dcard:has(> :checked)')].filter((card) => {
  const {top, left, width} = card.getBoundingClientRect(), mark = getComputedStyle(card, '::after');
  const at = {left: left + parseFloat(mark.left), top: top + parseFloat(mark.top)};
  const size = parseFloat(mark.width);
  return [...card.querySelectorAll('.su svg, .su')].some((suit) => {
    const box = suit.getBoundingClientRect();
    return box.left < at.left + size && box.right > at.left && box.top < at.top + size && box.bottom > at.top;
  });
}).map((card) => card.dataset.card)"""


@pytest.mark.parametrize("moment", ["trailblaze-take", "trailblaze-bonus", "adaman-target"])
async def test_nothing_touches_the_edge_or_hides_a_suit(site, visit, moment):
    moment, found = next(one for one in MOMENTS if one.id == moment), []
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.set_viewport_size({"width": 390, "height": 664})
        await shown(site, page, moment, "de")
        for width, height in ((390, 664), (375, 553), (320, 568), (750, 342)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, False)
            found += [(width, one) for script in (TIGHT, HIDDEN) for one in await page.evaluate(script)]
    assert not found


async def test_latin_grows_with_the_text(site, visit):
    size = "() => parseFloat(getComputedStyle(document.querySelector('.lhand .f')).fontSize)"
    moment = next(one for one in MOMENTS if one.id == "hic-haec-hoc-turn")
    async with visit(site.origin, phone=True) as page:
        await shown(site, page, moment, "en")
        before = await page.evaluate(size)
        await page.evaluate(LARGE)
        assert await page.evaluate(size) > 1.5 * before


# Fields in which one writes, smaller than an iPhone lets be without zooming in on them.
SMALL_FIELDS = """() => [...document.querySelectorAll('input, select, textarea')].filter((one) =>
  !['hidden', 'radio', 'checkbox', 'range', 'file', 'submit'].includes(one.type) &&
  parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.id || one.name)"""


async def test_no_field_makes_an_iphone_zoom(site, visit):
    async with visit(site.origin, phone=True) as page:
        for path in ("/", "/decks", "/class/new", "/deals/adaman", "/rules/anno-domini", "table"):
            if path == "table":
                await quick_table(Person(page, touch=True), "anno-domini")
            else:
                await page.goto(path)
            assert not await page.evaluate(SMALL_FIELDS), path
            touch = await page.evaluate("getComputedStyle(document.documentElement).touchAction")
            assert touch == "manipulation", path


# Names whose letters are higher than the line that shows them: their accents are cut.
ACCENTS = """() => [...document.querySelectorAll('.seat .nm')].filter((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const letters = [...text.getClientRects()], line = one.getBoundingClientRect();
  return getComputedStyle(one).overflowY !== 'visible' &&
    letters.some(({top, bottom}) => top < line.top - 0.5 || bottom > line.bottom + 0.5);
}).map((one) => one.textContent.trim())"""


async def test_names_at_the_seats_keep_their_accents(site, visit):
    found = []
    async with visit(site.origin, phone=True, lang="de") as page:
        await shown(site, page, next(one for one in MOMENTS if one.id == "anno-domini-turn"), "de")
        for width, height in ((390, 844), *SIZES):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, True)
            found += [(width, one) for one in await page.evaluate(ACCENTS)]
    assert not found


ON_TOP = """(css) => [...document.querySelectorAll(css)].filter((one) => one.getClientRects().length).every((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y)));
})"""


async def test_in_a_new_round_the_hand_lies_over_no_words(site, visit):
    async with visit(site.origin, phone=True, lang="de") as page:
        await shown(site, page, next(one for one in MOMENTS if one.id == "anno-domini-reveal"), "de")
        await page.locator("#begin").tap()
        await page.locator(".nextround[open]").wait_for()
        for width, height in ((390, 664), (844, 390), (667, 331), (932, 430)):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate(ON_TOP, ".dock .turn > b, .dock .news a"), (width, height)
