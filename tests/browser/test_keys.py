"""Single keys do what they say, where it can be done; and the ring of a contest counts down to nothing."""

import asyncio

import pytest
from msgspec.structs import replace

from browser.play import MINDS, Person, number, quick_bots, quick_start, quick_table, start

DECLARED = ("#case-nom", "#number-sg", "#gender-m")


# Whether there is another hint than this one, or it is said why not.
HINTED = """(old) => document.querySelector('#hinted')?.textContent !== old
  || document.querySelector('#table .refused')?.textContent.trim()"""


async def two_of_us(page, game):
    """Begin a game of two people at one page; nobody else moves."""
    await quick_start(Person(page, touch=False), game, "Mira", beside="Emre")


async def press(page, key, css, state="visible"):
    """Press a key, and check the result."""
    await page.locator("#table[data-ready]").wait_for()
    await page.keyboard.press(key)
    await page.locator(css).first.wait_for(state=state)


async def play(page):
    """Play the second card, chosen by its key, as something or other."""
    await page.locator("#lay").wait_for()
    await press(page, "2", ".lhand label:nth-of-type(2) input:checked", "attached")
    for css in DECLARED:
        await page.locator(f"label:has({css})").click()
    await page.locator("#lay").click()


async def test_keys_choose_object_and_accept(site, visit):
    async with visit(site.origin) as page:
        await two_of_us(page, "hic-haec-hoc")
        await page.keyboard.press("e")  # beneath the cover there is nothing to object to
        await page.locator("#lift").click()
        await play(page)
        await page.locator("#lift").click()
        await page.locator("#accept").wait_for()
        await press(page, "p", "#accept", "detached")
        await play(page)
        await page.locator("#lift").click()
        await page.locator("#contest").wait_for()
        await press(page, "e", "#verdict")
        assert not await page.locator("#contest").count()


async def test_the_keyboard_stays_where_it_is_among_the_options(site, visit):
    """Enter opens a folded part, even while somebody sits down. The focus stays on an option that is chosen."""
    async with visit(site.origin) as page, site.browser() as eve:
        me = Person(page, touch=False)
        code = await quick_table(me, "hic-haec-hoc", "Mira")
        more = page.locator("#more-options > summary")
        await more.focus()
        await eve.post(f"/t/{code}/sit", data={"name": "Eve", "seat": "1"})
        await page.locator(".wlist b.nm", has_text="Eve").wait_for()
        await page.keyboard.press("Enter")
        await page.locator(".opts [name=cards_per_player]").wait_for()
        await page.locator("#opt-mode-strict").focus()
        await page.keyboard.press("ArrowRight")
        await page.wait_for_function("() => document.querySelector('#opt-mode-assisted').defaultChecked")
        assert await page.evaluate("document.activeElement.id") == "opt-mode-assisted"
        assert await page.locator("#opt-mode-assisted").is_checked()


async def test_a_key_asks_whether_to_doubt_and_digits_choose_cards(site, visit):
    async with visit(site.origin) as page:
        us = Person(page, touch=False)
        await quick_table(us, "anno-domini", "Mira", beside="Emre")
        await number(us, "cards_per_player", 3)
        await start(us)
        await press(page, "3", ".hand9 label:nth-of-type(3) input:checked", "attached")
        await press(page, "9", ".hand9 label:nth-of-type(3) input:checked", "attached")  # there is no ninth card
        await page.locator("label:has(#at-0)").click()
        await page.locator("#place-0").click()
        await page.locator("#ask-doubt").wait_for()
        await press(page, "d", "#doubt")
        # what was asked of one is not open when the next one is asked
        host, code = site.services.host, page.url.rpartition("/")[2]
        table = await host.table(code)
        seat = table.to_act[0]
        await host.answer(code, seat, table.question(seat), next(a for a in table.legal(seat) if hasattr(a, "at")))
        await page.locator(f"#move [name=as][value='{1 - seat}']").wait_for(state="attached")
        await page.locator("#ask-doubt").wait_for()
        assert not await page.locator("#doubt").is_visible()


@pytest.mark.timeout(600)  # the kernels are compiled
async def test_keys_give_a_hint_and_take_back(site, visit):
    async with visit(site.origin) as page:
        me = Person(page, touch=False)
        await quick_bots(me, "adaman")
        while not await page.locator(".res label input").count():  # some deals are lost before the first move
            await quick_bots(me, "adaman")
        await press(page, "1", ".res label:nth-of-type(1) input:checked", "attached")
        await press(page, "h", "#hinted")
        for _ in range(2):  # the last step of the hint has chosen a move
            step = await page.locator("#hinted").text_content()
            while await page.locator("#hinted").text_content() == step:
                await page.keyboard.press("h")  # again, where it is still being worked out
                await page.wait_for_function(HINTED, arg=step)
        question = await me.question()
        await page.locator("#go").click()
        await page.locator("#undo").wait_for()
        assert await me.question() != question
        await press(page, "u", "#undo", "detached")


async def focus(page):
    return await page.evaluate("document.activeElement.id || document.activeElement.name")


async def test_a_key_goes_from_the_cards_to_the_places_and_back(site, visit):
    """The focus goes to the chosen place, or else to the first one; the choice stays."""
    async with visit(site.origin) as page:
        await two_of_us(page, "anno-domini")
        await press(page, "2", ".hand9 label:nth-of-type(2) input:checked", "attached")
        chosen = await focus(page)
        await page.keyboard.press("g")
        assert await focus(page) == "at-0"
        await page.keyboard.press("ArrowDown")
        assert await focus(page) == "at-1"
        await page.keyboard.press("g")
        assert await focus(page) == chosen
        await page.keyboard.press("g")
        assert await focus(page) == "at-1"
        await page.keyboard.press("?")
        assert "g" in await page.locator("#keys kbd").all_inner_texts()
    async with visit(site.origin) as page:
        me = Person(page, touch=False)
        await quick_bots(me, "trailblaze")
        await me.wanted()  # looked at only while it is one's own turn: others' turns show no patterns
        while not await page.locator("[name=pattern]").count():
            assert await me.turn(MINDS["trailblaze"])
            await me.wanted()
        await page.locator("#menu").evaluate("one => one.hidePopover()")
        for css in ("[name=pattern]", ".board input", "[name=pattern]"):
            await page.keyboard.press("g")
            assert await page.evaluate("css => document.activeElement.matches(css)", css)


async def test_the_ring_of_a_contest_counts_down_and_says_so(site, visit):
    """The page has a clock of its own, so that the speed of the machine does not matter."""
    async with visit(site.origin) as page, visit(site.origin, moving=True) as other:
        ada, ben = Person(page, touch=False), Person(other, touch=False)
        await other.clock.install()
        code = await quick_start(ada, "hic-haec-hoc", "Ada", (ben, "Ben"))
        await site.services.host.change(code, lambda setup: replace(setup, answer_seconds=600.0))
        await other.locator("#table.table[data-ready]").wait_for()
        await play(page)
        await other.locator(".ringbtn .ring").wait_for()
        left = "Number(document.querySelector('.ringbtn b').textContent)"
        before = await other.evaluate(left)
        assert 0 < before <= 600
        drawn = "(one) => getComputedStyle(one)"
        circle = other.locator(".ringbtn circle + circle")
        assert await circle.evaluate(f"{drawn}.animationName") == "ring"
        await other.clock.fast_forward(60_000)
        assert await other.evaluate(left) <= before - 60
        assert await other.locator(".ring.last").count() == 0
        await other.clock.fast_forward(1000 * (await other.evaluate(left) - 12))
        said = set()
        for _ in range(10):  # in steps in which the line can show that it lives
            await asyncio.sleep(0.05)
            await other.clock.run_for(1_300)
            said.add(await other.locator("#polite").text_content())
        assert {"10 seconds left", "5 seconds left"} <= said
        assert await other.evaluate(left) == 0
        assert await other.locator("#polite").text_content() == "5 seconds left"
        assert await other.locator(".ring.last").count() == 1
