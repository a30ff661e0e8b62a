"""Checks for every page: axe finds nothing, and no control is too small, unnamed, or wider than the screen."""

from axe_playwright_python.async_playwright import Axe

from matrix import many

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What holds at 320 px nearly always holds at 390 px, and what holds at 1280 px at 1920 px.
WIDTHS = many((320, 768, 1280), (320, 390, 768, 1280, 1920))
BOTH = ("light", "dark")
OWN = ("",)  # the theme that the page has
THEMES = many(OWN, BOTH)  # `test_games.py` looks at both before landing; all pages share their colours

SMALL_TEXT = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest('svg, .vh, noscript')) continue;
    if (!one.checkVisibility({visibilityProperty: true})) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < 12) found.add(`${size} px: ${one.className || one.tagName} “${node.data.trim().slice(0, 30)}”`);
  }
  return [...found];
}"""
WIDER = """() => {
  const page = document.documentElement, over = page.scrollWidth - page.clientWidth;
  if (over <= 0) return [];
  const wide = [...document.querySelectorAll('body *')].filter((one) =>
    one.getBoundingClientRect().right > page.clientWidth + 1 && !one.closest('.scroll-x, .seats, svg'));
  const names = wide.slice(0, 4).map((one) => one.className || one.tagName);
  return [`${over} px wider than ${page.clientWidth}: ${names.join(', ')}`];
}"""
# Controls: their names and sizes. A radio or box counts as large as its label.
CONTROLS = """() => {
  const found = new Set(), page = document.documentElement;
  const all = 'a[href], button, summary, input:not([type=hidden]), select, textarea';
  for (const one of document.querySelectorAll(all)) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest('.skip')) continue;
    const label = one.closest('label') ?? one;
    const ids = (one.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
    const named = [one.getAttribute('aria-label'), ...ids.map((id) => document.getElementById(id)?.textContent),
      ...[...(one.labels ?? [])].map((label) => label.textContent), one.textContent].join('').trim();
    const what = `${one.tagName.toLowerCase()}#${one.id}.${label.className} “${named.slice(0, 30)}”`;
    if (!named) found.add(`unnamed: ${what}`);
    const box = label.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const inText = one.tagName === 'A' && getComputedStyle(one).display === 'inline';
    // a short page has less room: the line of news is as wide as the page, and picks lie side by side
    const short = innerHeight <= 780;
    const slim = short && one.id === 'news' ? 32 : short && label.matches('.pick') ? 40 : 44;
    const least = one.closest('.gap, .board, details:not(.nextround):not(.goon), .side, .text') ? 24 : slim;
    if (!inText && (box.height < least - .5 || box.width < least - .5) && !one.disabled)
      found.add(`${Math.round(box.width)} × ${Math.round(box.height)} px, not ${least}: ${what}`);
  }
  return [...found];
}"""

# Nothing covers the controls of the bar and the dock, and the bar's title is readable to its end.
COVERED = """() => {
  const sheet = document.querySelector(':popover-open');
  if (sheet) return sheet.getBoundingClientRect().top < 0 ? [`cut off: sheet #${sheet.id}`] : [];
  const found = new Set();
  for (const one of document.querySelectorAll(':is(.bar, .dock, .startbar) :is(a[href], button, summary, label)')) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest('.skip')) continue;
    const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (top && !one.contains(top) && !top.contains(one))
      found.add(`covered: ${one.id || one.className} by ${top.id || top.className || top.tagName}`);
  }
  const title = document.querySelector('.bar h1');
  if (title && title.scrollWidth > title.clientWidth + 1) found.add(`cut off: “${title.textContent}”`);
  return [...found];
}"""

AXE = """async (options) => (await axe.run(options)).violations.map(({id, nodes}) =>
  nodes.slice(0, 3).map((node) => `axe ${id}: ${node.target} ${(node.failureSummary ?? '').slice(0, 160)}`)).flat()"""

# Wait until nothing moves. (Inside closed details, finished transitions may remain listed.)
SETTLED = """async () => {
  const moves = () => document.getAnimations().some((one) => one.playState === 'running');
  for (let still = 0; still < 4; still = moves() ? 0 : still + 1)
    await new Promise((done) => requestAnimationFrame(done));
}"""


# Words that are broken again and again, in a column that is too narrow for them.
SQUEEZED = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement, words = node.data.trim().split(/\\s+/);
    const most = words.reduce((sum, word) => sum + Math.ceil(word.length / 10), 0); // addresses are broken, too
    if (words.length < 2 || one.closest('svg, noscript') || !one.checkVisibility({visibilityProperty: true})) continue;
    let around = one;
    while (around && getComputedStyle(around).position !== 'absolute') around = around.parentElement;
    if (around?.offsetWidth <= 1) continue; // for screen readers
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
    if (lines > 3 && lines > most)
      found.add(`squeezed: ${one.className || one.tagName} “${node.data.trim().slice(0, 30)}”`);
  }
  return [...found];
}"""

ALL = f"() => [{', '.join((SMALL_TEXT, WIDER, CONTROLS, COVERED, SQUEEZED))}].flatMap((look) => look())"
OBSCURED = "partially obscured"  # axe's words


async def axe(page, *, contrast=False):
    """axe's findings against WCAG 2.2 AA, or about contrast alone, the only part that depends on the theme."""
    only = {"type": "rule", "values": ["color-contrast"]} if contrast else {"type": "tag", "values": TAGS}
    if await page.evaluate("!window.axe"):
        await page.evaluate(Axe().axe_script)
    asked = {"runOnly": only, "resultTypes": ["violations"], "preload": False, "elementRef": False}
    found = await page.evaluate(AXE, asked)
    if any(OBSCURED in one for one in found):  # by sticky parts, such as “Play again”; scrolling uncovers it
        await page.evaluate("scrollTo({top: document.documentElement.scrollHeight, behavior: 'instant'})")
        still = {one.partition(" Fix ")[0] for one in await page.evaluate(AXE, asked)}
        found = [one for one in found if OBSCURED not in one or one.partition(" Fix ")[0] in still]
    return found


async def sizes(page, where="", widths=WIDTHS):
    """Controls that are too small, too wide, covered or unnamed, at every width, with their place."""
    found = {}
    before = page.viewport_size
    for width in widths:
        await page.set_viewport_size({"width": width, "height": 664 if width < 1000 else 800})
        await page.evaluate(SETTLED)
        for one in await page.evaluate(ALL):
            found.setdefault(one, []).append(str(width))
    await page.set_viewport_size(before)
    return [f"{where} at {', '.join(at)}: {one}" for one, at in found.items()]


async def everything(page, where, widths=WIDTHS, themes=THEMES):
    """All checks; returns the findings, with their place. Of the second theme, only contrast."""
    found = await sizes(page, where, widths)
    for theme in themes:
        if theme:
            await page.emulate_media(color_scheme=theme)
        await page.evaluate(SETTLED)
        found += [f"{where} {theme}: {one}" for one in await axe(page, contrast=theme != themes[0])]
    return found
