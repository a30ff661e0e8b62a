"""Presses while the server cannot be reached: the page stays, says that the press is kept, and sends it once."""

from browser import checks
from browser.moments import MOMENTS, shown
from web.test_classes import room_of

WORDS = "Deine Eingabe bleibt erhalten."
OFFLINE = ("WebSocket", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
REVEAL = next(moment for moment in MOMENTS if moment.id == "anno-domini-reveal")
SAID = """() => document.querySelector("form.report output").textContent
  === 'Keine Verbindung. Bitte versuch es noch einmal.'"""
PLAN = {"game": "anno-domini", "size": "4", "minutes": "45", "strips": "2"}


async def post(page, path, **fields):
    return await page.request.post(path, form=fields, headers={"origin": page.watch.origin}, max_redirects=0)


async def led(page):
    """The address of a class that this page leads."""
    page.watch.expects = OFFLINE
    return (await post(page, "/class/new", **PLAN)).headers["location"]


async def leading(page):
    """Lead a class on this page. Returns its address."""
    url = await led(page)
    await page.goto(url)
    await page.locator("#class[data-ready]").wait_for()
    return url


async def lose_line(page):
    await page.context.set_offline(True)
    await page.locator("#line").wait_for()


async def kept(page):
    """The press is kept, and the page says so."""
    await page.locator("[role=alert] #line", has_text=WORDS).wait_for()


async def test_a_teachers_press_is_sent_when_the_line_is_back(site, visit):
    async with visit(site.origin, lang="de") as lead:
        url = await leading(lead)
        await lose_line(lead)
        await lead.locator("#do-door-close").click()
        await kept(lead)
        found = await checks.everything(lead, "a press that waits", (320, 390, 1280))
        await lead.locator("#do-demo").click()  # only one is kept, and the page says so once more
        await lead.locator("#line.lacks").wait_for()
        await lead.context.set_offline(False)
        await lead.locator("#do-door-open").wait_for()
        await lead.locator("#line").wait_for(state="detached")
        room = await room_of(site, url)
        assert (room.closed, room.pupils) == (True, ())
        assert not found, "\n".join(found)


async def test_a_link_is_followed_when_the_line_is_back(site, visit):
    async with visit(site.origin, lang="de") as lead:
        await leading(lead)
        await lose_line(lead)
        await lead.locator("main a[href$='/strips']").click()
        await kept(lead)
        await lead.context.set_offline(False)
        await lead.locator(".strips").wait_for()


async def test_a_press_on_a_line_that_has_died_unnoticed_is_kept(site, visit):
    async with visit(site.origin, lang="de") as lead:
        url = await leading(lead)
        await lead.route("**/health", lambda route: route.abort())
        await lead.locator("#do-door-close").click()
        await kept(lead)
        assert not (await room_of(site, url)).closed
        await lead.unroute("**/health")
        await lead.locator("#do-door-open").wait_for()


async def test_a_pupils_answer_and_strip_are_sent_when_the_line_is_back(site, visit):
    async with visit(site.origin) as lead, visit(site.origin, phone=True, lang="de") as phone:
        url = await led(lead)
        phone.watch.expects = OFFLINE
        await phone.goto(url)
        await phone.locator("#join").click()
        await phone.locator("#class[data-ready]").wait_for()
        room = await room_of(site, url)
        await lose_line(phone)
        await phone.locator("#strip").fill(site.services.class_keys.strip(room, 1))
        await phone.locator("#strip").press("Enter")
        await kept(phone)
        await phone.context.set_offline(False)
        await phone.locator("#strip").wait_for(state="detached")
        assert [one.number for one in (await room_of(site, url)).pupils] == [1]
        await post(lead, f"{url}/slip", kind="quick")
        await phone.locator("#slip-1").wait_for()
        await lose_line(phone)
        await phone.locator("#slip-1 button").last.tap()
        await kept(phone)
        await phone.context.set_offline(False)
        await phone.locator("#slip-2").wait_for()
        assert len((await room_of(site, url)).pupils[0].answers) == 1


async def test_a_press_at_a_table_is_sent_when_the_line_is_back(site, visit):
    async with visit(site.origin, lang="de") as page:
        page.watch.expects = OFFLINE
        url = (await post(page, "/tables", game="anno-domini", name="Ada")).headers["location"]
        await post(page, f"{url}/chairs", do="bot")
        await page.goto(url)
        await page.locator("#table[data-ready]").wait_for()
        await lose_line(page)
        await page.locator("#start").click()
        await kept(page)
        await page.context.set_offline(False)
        await page.locator("#table.table[data-ready]").wait_for()


async def test_a_report_that_cannot_be_sent_is_refused_in_words(site, visit):
    async with visit(site.origin, lang="de") as page:
        page.watch.expects = OFFLINE
        await shown(site, page, REVEAL, "de")
        form = page.locator("form.report").first
        await lose_line(page)
        await form.evaluate("(one) => { one.elements.words.value = 'Das war früher.'; one.requestSubmit(); }")
        await page.wait_for_function(SAID)
        assert await form.locator("[name=words]").input_value() == "Das war früher."
