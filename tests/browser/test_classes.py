"""A lesson in the browser: the teacher by keyboard alone, a pupil with a phone, the wall on a projector."""

import pytest

from browser import checks
from matrix import sampled

# Text below 28 px, which nobody reads from the last row where the projector has 1280 × 720.
TV = """() => [...document.querySelectorAll('.tv *')].filter((one) => one.checkVisibility() && !one.closest('svg, .vh')
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  && parseFloat(getComputedStyle(one).fontSize) < 27.9).map((one) => one.textContent.slice(0, 30))"""
# Whether a name is cut beside its table.
CUT = """(name) => {
  const one = document.querySelector('.cseats li li');
  const before = one.textContent;
  one.textContent = name;
  const cut = one.scrollWidth > one.clientWidth;
  one.textContent = before;
  return cut;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("lang", sampled(["de", "it"], ["de"]))
async def test_a_lesson_from_home_to_the_break(site, visit, lang):  # noqa: PLR0915 - step by step
    found = []
    de = lang == "de"  # what axe finds hangs on no language

    async def look(page, where, widths):
        return await (checks.everything(page, where, widths) if de else checks.sizes(page, where, widths[:1]))

    async with (
        visit(site.origin, lang=lang) as lead,
        visit(site.origin, lang=lang, phone=True) as phone,
        visit(site.origin, lang=lang, phone=True) as other,
        visit(site.origin, lang=lang, dark=True) as wall,
    ):
        # four taps from home: lead a class, the game, prepare
        await lead.goto("/")
        await lead.locator("[href$='/class/new']").click()
        await lead.locator("label:has(#game-hic-haec-hoc)").click()
        found += await look(lead, "a new lesson", (320, 390, 1280))
        await lead.locator("#strips").fill("12")
        await lead.locator(".classform .btn.main").click()
        await lead.locator("#class").wait_for()
        code = lead.url.rpartition("/")[2]
        await wall.set_viewport_size({"width": 1280, "height": 720})
        await wall.goto(f"/class/{code}/wall")
        # a strip by its QR code, another one comes without
        printed = await lead.context.new_page()
        await printed.goto(f"/class/{code}/strips")
        found += await look(printed, "strips", (320, 390, 1280))
        strip = (await printed.locator(".strips .code").first.text_content()).replace(" ", "")
        await printed.close()
        await phone.goto(f"/class/{code}/strip#{strip}")
        await phone.wait_for_url(f"**/class/{code}")
        await phone.locator("#name").wait_for()
        await other.goto(f"/class/{code}")
        found += await look(other, "the way in", (320, 390))
        await other.locator("#join").click()
        first = await other.locator("h1").text_content()
        await other.locator("#name").click()
        await other.wait_for_function("(name) => document.querySelector('h1').textContent !== name", arg=first)
        found += await look(other, "a pupil who waits", (320, 390))
        name = await other.locator("h1").text_content()
        await wall.get_by_text(name).wait_for()
        assert not await wall.evaluate(TV)
        # by keyboard: deal, move a pupil to the other table, pause
        await lead.get_by_role("link", name=name).wait_for()
        for _ in range(2):  # two more, so that there are two tables
            async with visit(site.origin) as one:
                await one.goto(f"/class/{code}")
                await one.locator("#join").click()
                await one.locator("#name").wait_for()
        await lead.goto(f"/class/{code}/edit")
        await lead.locator("label:has(input[name=size][value='2'])").click()
        await lead.locator(".classform .btn.main").first.click()
        await lead.locator("#deal-number").focus()
        await lead.keyboard.press("Enter")
        await lead.locator(".ct").nth(1).wait_for()
        for page in (phone, other):
            await page.wait_for_url("**/t/*")
            await page.locator("#table.table").wait_for()
        await wall.locator(".cseats li").nth(1).wait_for()
        assert not await wall.evaluate(TV)
        assert not await wall.evaluate(CUT, "Pinguino della pioggia")
        found += await look(lead, "overview", (320, 390, 1280))
        found += await look(wall, "wall", (1280,))
        here = phone.url
        await lead.locator(".ct .mk a").first.focus()
        await lead.keyboard.press("Enter")
        await lead.locator("#move").wait_for()
        found += await look(lead, "a pupil", (320, 390, 1280))
        await lead.locator(".cback").click()
        # all sit and wait; then all begin
        await lead.locator("#do-resume").click()
        for page in (phone, other):
            await page.locator(".paused").wait_for(state="detached")
        await lead.locator("#do-pause").focus()
        await lead.keyboard.press("Enter")
        await phone.locator(".paused").wait_for()
        await other.locator(".paused").wait_for()
        await lead.locator("#do-resume").click()
        await phone.locator(".paused").wait_for(state="detached")
        # loaded anew, and with the strip on another phone: the same seat
        await phone.reload()
        assert phone.url == here
        async with visit(site.origin, phone=True) as new:
            await new.goto(f"/class/{code}/strip#{strip}")
            await new.wait_for_url(here)
    assert not found, "\n".join(found)


async def test_phones_say_their_table_until_all_begin(site, visit):
    async with visit(site.origin) as lead, visit(site.origin, phone=True, lang="de") as phone:

        async def post(page, path, **fields):
            return await page.request.post(path, form=fields, headers={"origin": site.origin}, max_redirects=0)

        plan = {"game": "hic-haec-hoc", "size": "2", "minutes": "45", "hic-haec-hoc:level": "discipula"}
        url = (await post(lead, "/class/new", **plan, strips="0")).headers["location"]
        await post(phone, f"{url}/join")
        await post(lead, f"{url}/deal", way="number", dealt="")
        await phone.goto(f"{url}/seat")
        await phone.locator(".bar .paused").wait_for()
        for width in (390, 320):
            await phone.set_viewport_size({"width": width, "height": 568})
            table = phone.locator(".bar .where > span").first
            assert await table.inner_text() == "Tisch 1"
            assert (await table.bounding_box())["width"] > 30
            assert not await phone.evaluate(checks.WIDER)


async def led(site, page):
    """Let this page lead a class with a long name, which plays."""

    async def post(path, **fields):
        return await page.request.post(path, form=fields, headers={"origin": site.origin}, max_redirects=0)

    plan = {"game": "hic-haec-hoc", "size": "4", "minutes": "45", "hic-haec-hoc:level": "discipula"}
    url = (await post("/class/new", **plan, strips="3", title="Geschichte 7b")).headers["location"]
    await post(f"{url}/demo")
    await post(f"{url}/deal", way="number", dealt="")
    await post(f"{url}/resume")
    await page.goto(url)
    await page.locator("#do-pause").wait_for()


async def test_the_name_of_a_class_is_whole_beside_all_its_buttons(site, visit):
    async with visit(site.origin, lang="de") as page:
        await led(site, page)
        for width in (1000, 1280, 1366):
            await page.set_viewport_size({"width": width, "height": 768})
            lines = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
            assert await page.locator("h1").evaluate(lines) < 1.5, width


# What lies over something else on the wall: the heading, the way in, the tables, the footer.
LIES_OVER = """() => {
  const box = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, top, bottom, is: one.className || one.tagName };
  };
  const boxes = [...document.querySelectorAll('h1, .cway, .cseats, .cpop, .tvf')].map(box);
  return boxes.flatMap((one, n) => boxes.slice(n + 1)
    .filter((other) => one.left < other.right - 1 && other.left < one.right - 1
      && one.top < other.bottom - 1 && other.top < one.bottom - 1)
    .map((other) => `${one.is} and ${other.is}`))
    .concat(boxes.filter(({ right }) => right > innerWidth).map((one) => `${one.is} and the edge`));
}"""
ELSEWHERE = """(host) => {
  const words = document.querySelector('.scan span');
  words.textContent = words.textContent.replace(location.host, host);
}"""


@pytest.mark.parametrize("lang", sampled(["de", "en", "fr", "it"], ["de"]))
async def test_on_the_wall_nothing_lies_over_the_name_of_the_class(site, visit, lang):
    """With 36 pupils, names of 40 letters, and the longest address that has words around it."""
    found = []
    async with visit(site.origin, lang=lang) as page:

        async def post(path, **fields):
            answer = await page.request.post(path, form=fields, headers={"origin": site.origin}, max_redirects=0)
            return answer.headers["location"]

        for title in ("Geschichte 8b (Frau Müller)", "Donaudampfschifffahrtsgesellschaftskapit"):
            plan = {"game": "hic-haec-hoc", "size": "4", "minutes": "45", "hic-haec-hoc:level": "discipula"}
            url = await post("/class/new", **plan, strips="3", title=title)
            for steps in (["demo", "demo"], ["deal", "demo", "seat-waiting"]):
                for to in steps:
                    await post(f"{url}/{to}", way="random")
                for size in ((1024, 768), (1280, 720), (1920, 1080)):
                    await page.set_viewport_size({"width": size[0], "height": size[1]})
                    await page.goto(f"{url}/wall")
                    await page.locator("#class[data-ready]").wait_for()
                    found += [(title, size, one) for one in await page.evaluate(LIES_OVER)]
                    await page.evaluate(ELSEWHERE, "aula.musterstadt.example")
                    found += [(title, size, one) for one in await page.evaluate(LIES_OVER)]
    assert not found, found
