"""Text twice as large, as browsers can make it, at each moment of the games and on the main pages: nothing is cut or
lies over other text, no page is wider than its window, and the button that answers is in sight.
"""

import pytest

from browser.moments import MOMENTS, looked_at, shown
from browser.play import Person, quick_table
from browser.test_again import ended
from browser.test_class_report import counted_class
from browser.test_classes import led
from browser.test_heights import ANSWERS, DRAWN, LARGE, MISSING
from browser.test_sure import MANY
from matrix import many, sampled
from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.table.lesson import lesson
from web.site import code, finished

# The smallest phone, today's, one held sideways, a desktop.
SIZES = many(((320, 568), (667, 331), (1280, 800)), ((320, 568), (390, 664), (667, 331), (1280, 800)))
DOCK = 0.62  # of a desktop's height, at most: the rest is the table's

FAULTS = """() => {
  const found = new Set(), page = document.documentElement, texts = [];
  const words = (one) => `${one.id || one.className || one.tagName} “${one.textContent.trim().slice(0, 28)}”`;
  // what lies over the rest of the page, and does not scroll with it
  const layerOf = (one) => {
    while (one && !/sticky|fixed/.test(getComputedStyle(one).position)) one = one.parentElement;
    return one;
  };
  const over = page.scrollWidth - page.clientWidth;
  if (over > 0) {
    const wide = [...document.querySelectorAll('body *')].filter((one) =>
      one.getBoundingClientRect().right > page.clientWidth + 1 && !one.closest('.scroll-x, .seats, svg'));
    found.add(`the page is ${over} px too wide: ${wide.slice(0, 4).map((one) => one.className || one.tagName)}`);
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  text: for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest('svg, .vh, noscript, option')) continue;
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const line = parseFloat(getComputedStyle(one).fontSize) * 0.3;
    const {left, top, right, bottom} = range.getBoundingClientRect();
    const seen = {left: -1e9, top: -1e9, right: 1e9, bottom: 1e9};
    const told = [];
    for (let around = one; around && around !== page; around = around.parentElement) {
      const style = getComputedStyle(around), it = around.getBoundingClientRect();
      if (style.clipPath === 'inset(50%)' || (style.overflowY === 'hidden' && it.height < 1)) continue text; // hidden
      if (style.display === 'inline' || style.display === 'contents') continue;
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') continue text; // it says so
      if (around.matches('.where')) continue text; // what finds no room is left out
      const sideways = /auto|scroll/.test(style.overflowX), clips = /hidden|clip/.test(style.overflowX);
      if (!sideways && (left < it.left - 2 || right > it.right + 2))
        told.push(`${clips ? 'cut by' : 'out of'} ${around.id || around.className || around.tagName}: ${words(one)}`);
      if (/hidden|clip/.test(style.overflowY) && (top < it.top - line || bottom > it.bottom + line))
        told.push(`cut by ${around.id || around.className || around.tagName}: ${words(one)}`);
      if (style.overflowX !== 'visible') {
        seen.left = Math.max(seen.left, it.left);
        seen.right = Math.min(seen.right, it.right);
        seen.top = Math.max(seen.top, it.top);
        seen.bottom = Math.min(seen.bottom, it.bottom);
      }
      if (sideways || /absolute|fixed/.test(style.position)) break;
    }
    if (told.length) found.add(told[0]);
    for (const rect of range.getClientRects()) {
      const box = {
        left: Math.max(seen.left, rect.left), right: Math.min(seen.right, rect.right),
        top: Math.max(seen.top, rect.top + line), bottom: Math.min(seen.bottom, rect.bottom - line),
      };
      if (box.left < box.right && box.top < box.bottom) texts.push([node, layerOf(one), box]);
    }
  }
  for (const [n, [one, layer, a]] of texts.entries())
    for (const [other, beside, b] of texts.slice(n + 1))
      if (layer === beside && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2 && one !== other)
        found.add(`“${one.data.trim().slice(0, 24)}” over “${other.data.trim().slice(0, 24)}”`);
  return [...found];
}"""
# What a button speaks of and cannot be brought clear of the bars and the dock by scrolling.
COVERED = """(all) => all.flatMap((css) => [...document.querySelectorAll(css)]).filter((one) => {
  if (!one.checkVisibility()) return false;
  one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
  const {left, right, top, bottom} = one.getBoundingClientRect();
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !found || (!one.contains(found) && !found.contains(one));
}).map((one) => `${one.id || one.className} “${one.textContent.trim().slice(0, 28)}” cannot be seen`)"""
SHARE = "(document.querySelector('.dock')?.offsetHeight ?? 0) / innerHeight"


async def faults(page, sizes=SIZES, answers=(), about=()):
    """What is wrong at these sizes with text twice as large; `answers` have to be in sight, `about` within reach."""
    found = []
    await page.evaluate(LARGE)
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(DRAWN, True)
        wrong = await page.evaluate(FAULTS)
        wrong += await page.evaluate(MISSING, [list(answers), "", 0])
        if width >= 1000 and (share := await page.evaluate(SHARE)) > DOCK:
            wrong.append(f"the dock takes {share:.0%} of the height")
        wrong += await page.evaluate(COVERED, list(about))
        found += [f"{width} × {height}: {one}" for one in wrong]
    return found


# -- the games ---------------------------------------------------------------------------------------------------


def every(these, langs=("de", "en", "fr", "it")):
    return [(one, lang) for one in these for lang in langs]


IDS = [moment.id for moment in MOMENTS]
USUAL = ["anno-domini-turn", "trailblaze-field", "hic-haec-hoc-turn", "adaman-target"]


@pytest.mark.parametrize(("moment", "lang"), sampled(every(IDS), every(USUAL, ["de"])))
async def test_a_question_is_whole(site, visit, moment, lang):
    moment = next(one for one in MOMENTS if one.id == moment)
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.set_viewport_size({"width": 390, "height": 664})
        await shown(site, page, moment, lang)
        answers = [css for css in moment.wanted if css in ANSWERS]
        about = [css for css in (*moment.wanted, moment.rows[0]) if css and css not in ANSWERS]
        assert not await faults(page, answers=answers, about=about)


GAMES = sorted(games.packages())
ENDS = many(SIZES, (*SIZES, (844, 390)))


@pytest.mark.parametrize(("game", "lang"), sampled(every(GAMES), [("hic-haec-hoc", "en")]))
async def test_the_end_of_a_game_is_whole(site, visit, game, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await looked_at(site, page, lang, lambda me: ended(site, me, game))
        assert not await faults(page, ENDS, answers=["#rematch"])


STEPS = {game: len(lesson(games.package(game)).game) for game in GAMES}
LAST = [(game, STEPS[game], lang) for game, lang in every(GAMES)]
ALL_STEPS = [(game, step, "de") for game in GAMES for step in range(1, STEPS[game])] + LAST


@pytest.mark.parametrize(("game", "step", "lang"), sampled(ALL_STEPS, [("adaman", STEPS["adaman"], "de")]))
async def test_a_step_of_a_lesson_is_whole(site, visit, game, step, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.goto(f"/learn/{game}/{step}")
        await page.locator("#table[data-ready]").wait_for()
        asked = ["#lesson-play"] if step == STEPS[game] else []
        assert not await faults(page, ENDS, answers=asked, about=["#lesson p"])


# -- the pages ---------------------------------------------------------------------------------------------------


async def statistics(_site, page):
    decks = ("basic", "excuse")
    rows = {f"T{n}": [int(n % 3 > 0), "yes", n % 2, n, 30 + n, 200 + n, decks[n % 2], n] for n in range(9)}
    await page.goto("/")
    await page.evaluate("(rows) => { localStorage['games-adaman'] = JSON.stringify(rows) }", rows)
    await page.goto("/deals/adaman")
    await page.locator("#sums").wait_for()


async def curve(_site, page):
    await page.goto("/sure")
    claims = MANY | {f"events/{99:012x}": [60, True, [], []]}
    await page.evaluate("(all) => localStorage.setItem('sure', JSON.stringify(all))", claims)
    await page.reload()
    await page.locator("#curve svg").wait_for()


async def report(site, page):
    await page.goto(await counted_class(site, "de"))
    await page.locator("#report").click()
    await page.locator(".crgoals").wait_for()


async def lobby(_site, page):
    await quick_table(Person(page, touch=True), "anno-domini")
    await page.evaluate("document.querySelectorAll('.wait details').forEach((one) => { one.open = true })")


def reviewed(game, part):
    async def go(site, page):
        answer = await page.request.post("/play", form={"game": game}, headers={"origin": site.origin})
        table = await site.services.host.table(code(answer.url))
        await finished(site, table, FastDice(1))
        await page.goto(f"/t/{table.id}/{part}")
        while await page.locator("p > a.main[href$='/review']").count():  # it is being computed
            await page.wait_for_timeout(300)
            await page.reload()

    return go


def at(path):
    async def go(_site, page):
        await page.goto(path)

    return go


PAGES = {
    "home": at("/"),
    "rules": at("/rules/anno-domini"),
    "rules of Latin": at("/rules/hic-haec-hoc"),
    "rules of Trailblaze": at("/rules/trailblaze"),
    "rules of Adaman": at("/rules/adaman"),
    "decks": at("/decks"),
    "a deck": at("/decks/events"),
    "deals": at("/deals/adaman"),
    "the day": at("/daily/anno-domini"),
    "how sure": at("/sure"),
    "a chain": at("/sure/events"),
    "practice": at("/practice"),
    "privacy": at("/privacy"),
    "credits": at("/credits"),
    "languages": at("/languages"),
    "a new lesson": at("/class/new"),
    "the plan of a lesson": at("/plans/history"),
    "lobby": lobby,
    "statistics": statistics,
    "curve": curve,
    "report": report,
    "class": led,
    "review of Adaman": reviewed("adaman", "review"),
    "review of Anno Domini": reviewed("anno-domini", "review"),
    "review of Latin": reviewed("hic-haec-hoc", "review"),
    "review of Trailblaze": reviewed("trailblaze", "review"),
    "replay": reviewed("anno-domini", "replay"),
    "evening": reviewed("trailblaze", "evening"),
}
# One of tables, one of forms, one of text and figures.
OFTEN = [("home", "de"), ("statistics", "de"), ("curve", "de"), ("report", "de")]


@pytest.mark.parametrize(("name", "lang"), sampled(every(PAGES), OFTEN))
async def test_a_page_is_whole(site, visit, name, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.context.add_cookies([{"name": "spieltisch_lang", "value": lang, "url": site.origin}])
        await PAGES[name](site, page)
        assert not await faults(page)
