"""What sticks on a page (bar, seats, dock, the button that answers) covers nothing that is tapped or asked about, once
that has been scrolled into view as a browser does it for the keyboard.
"""

import itertools

import pytest

from browser.moments import MOMENTS, shown
from browser.test_heights import ANSWERS, DRAWN, MISSING, SIZES
from matrix import many, sampled
from spieltisch import games
from spieltisch.table.lesson import lesson

# Each control, and what these selectors find, is scrolled into view from the top and from the end. What is too high to
# be seen at once has to show its beginning, then its end.
UNDER = """(texts) => {
  const sticking = (one) => {
    while (one && !/sticky|fixed/.test(getComputedStyle(one).position)) one = one.parentElement;
    return one;
  };
  // what lies over this line of it: at its left, in its middle, at its right
  const over = (one, y) => {
    const box = one.getBoundingClientRect();
    const left = Math.max(box.left, 0) + 3, right = Math.min(box.right, innerWidth) - 3;
    if (y < 0 || y >= innerHeight) return 'the edge';
    for (const x of [left, (left + right) / 2, right]) {
      const found = document.elementFromPoint(x, y), sticks = found && sticking(found);
      if (sticks && !sticks.contains(one) && !one.contains(found)) return sticks.id || sticks.className;
    }
  };
  const found = [], page = document.scrollingElement;
  const beneath = page.scrollHeight - scrollY - document.body.getBoundingClientRect().bottom;
  if (beneath > 8) found.push(`${Math.round(beneath)} px of nothing beneath the page`);
  const controls = 'a[href], button, summary, input:not([type=hidden]), select, textarea';
  const all = new Set([...document.querySelectorAll(controls)].map((one) => one.closest('label') ?? one));
  for (const css of texts) for (const one of document.querySelectorAll(css)) all.add(one);
  const sheet = document.querySelector('[popover]:popover-open');
  const scrollers = [page, ...document.querySelectorAll('.dock, .stage, .sheet')];
  for (const one of all) {
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    if (one.closest('.skip, .vh') || (sheet && !sheet.contains(one))) continue;
    if (one.clientHeight < 2 || getComputedStyle(one).clipPath !== 'none') continue;
    const high = one.getBoundingClientRect().height > innerHeight / 3, wrong = new Set();
    for (const from of [0, 1e6])
      for (const block of high ? ['start', 'end'] : ['nearest']) {
        for (const box of scrollers) box.scrollTo({top: from, behavior: 'instant'});
        one.scrollIntoView({block, inline: 'nearest', behavior: 'instant'});
        const {top, bottom} = one.getBoundingClientRect();
        const lines = {start: [top + 3], end: [bottom - 3], nearest: [top + 3, (top + bottom) / 2, bottom - 3]};
        for (const y of lines[block])
          if (over(one, y)) wrong.add(`${over(one, y)} (${Math.round(top)} to ${Math.round(bottom)})`);
      }
    const words = `${one.id || one.className || one.tagName} “${one.textContent.trim().slice(0, 28)}”`;
    if (wrong.size) found.push(`${words} under ${[...wrong]}`);
  }
  return found;
}"""
ASKED = (".dock p", ".dock h2", "#lesson p")  # besides what a moment is about
USUAL = ["anno-domini-doubt", "trailblaze-turn", "hic-haec-hoc-assisted", "adaman-turn"]
BY_ID = {moment.id: moment for moment in MOMENTS}
LANGS = ("de", "en", "fr", "it")
LOWEST = ((320, 568), (667, 331))  # the least room there is


async def covered(page, about):
    """What is covered, at every size of a phone's page (before landing, at the lowest ones)."""
    found = []
    for width, height in many(LOWEST, SIZES):
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(DRAWN, True)
        found += [f"{width} × {height}: {one}" for one in await page.evaluate(UNDER, [*ASKED, *about])]
    return found


@pytest.mark.parametrize(
    ("moment", "lang"), sampled(itertools.product(BY_ID, LANGS), [(moment, "de") for moment in USUAL])
)
async def test_nothing_asked_about_is_beneath_what_sticks(site, visit, moment, lang):
    moment = BY_ID[moment]
    async with visit(site.origin, phone=True, lang=lang) as page:
        await shown(site, page, moment, lang)
        about = [css for css in (*moment.wanted, moment.rows[0]) if css and css not in ANSWERS]
        assert not await covered(page, about)


@pytest.mark.parametrize(
    ("game", "lang"), sampled(itertools.product(sorted(games.packages()), LANGS), [("adaman", "de")])
)
async def test_no_step_of_a_lesson_is_beneath_what_sticks(site, visit, game, lang):
    found = []
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.context.add_cookies([{"name": "spieltisch_lang", "value": lang, "url": site.origin}])
        for step in range(1, len(lesson(games.package(game)).game) + 1):
            await page.goto(f"/learn/{game}/{step}")
            await page.locator("#table[data-ready]").wait_for()
            found += [f"step {step}, {one}" for one in await covered(page, [])]
    assert not found


@pytest.mark.parametrize(("step", "lang"), sampled(itertools.product((1, 5, 9), LANGS), [(9, "de")]))
async def test_a_lesson_of_latin_shows_all_that_a_card_needs(site, visit, step, lang):
    """The hand, the rows of what is said and the button stand in sight together, beneath the words of the step."""
    found = []
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.context.add_cookies([{"name": "spieltisch_lang", "value": lang, "url": site.origin}])
        await page.goto(f"/learn/hic-haec-hoc/{step}")
        await page.locator("#table[data-ready]").wait_for()
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(DRAWN, True)
            wanted = ["#lesson p", ".lhand .lcard", ".decl .pick", "#lay"]
            found += [f"{width} × {height}: {one}" for one in await page.evaluate(MISSING, [wanted, "", 0])]
    assert not found
