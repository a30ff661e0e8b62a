"""Every press of a main button answers: without a choice it leads to what is missing, and says so."""

import pytest

from browser.play import Person, add_bots, number, quick_start, quick_table, start

# What is said, where it can be seen, and whether the focus is on something that can be seen, too.
SAID = """() => {
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.bottom > 0 && box.top < innerHeight;
  };
  const all = [...document.querySelectorAll('[role=alert]:not(.vh)')];
  const said = all.filter((one) => one.textContent.trim() && seen(one)).map((one) => one.textContent.trim());
  const focus = document.activeElement;
  return [said.join(' '), focus !== document.body && seen(focus.closest('label') ?? focus)];
}"""


async def pressed(page, css):
    """Press it where it lies, as a finger would. Returns the message once the page is at rest."""
    await page.locator(css).tap()  # looks for it again where it is drawn anew meanwhile
    await page.wait_for_function(f"() => ({SAID})().every(Boolean)")
    words, _ = await page.evaluate(SAID)
    return words


async def at_a_table(page, game, cards=0):
    """Two people at one phone, the first of them asked."""
    us = Person(page, touch=True)
    if cards:
        await quick_table(us, game, "Mira", beside="Emre")
        await number(us, "cards_per_player", cards)
        await start(us)
    else:
        await quick_start(us, game, "Mira", beside="Emre")
    await page.locator("#table.table[data-ready]").wait_for()


async def test_who_begins_alone_is_told_who_is_missing(site, visit):
    """In the button itself; it leads to the free seats. With a bot it begins."""
    async with visit(site.origin, phone=True, lang="de") as page:
        me = Person(page, touch=True)
        await quick_table(me, "anno-domini", "Mira")
        assert "Es fehlt noch eine Person oder ein Bot." in await page.locator("#start").text_content()
        assert await pressed(page, "#start") == "Es fehlt noch eine Person oder ein Bot."
        assert await page.evaluate("document.activeElement.value") == "bot"
        await add_bots(me, 1, 2)
        await start(me)


@pytest.mark.parametrize(
    ("game", "button", "words"),
    [
        ("trailblaze", "#lay", "Wähl zuerst ein Feld."),
        ("hic-haec-hoc", "#lay", "Wähl zuerst eine Karte."),
        ("adaman", "#go", "Wähl ein Ziel"),
    ],
)
async def test_a_move_that_is_not_complete_says_what_is_missing(site, visit, game, button, words):
    async with visit(site.origin, phone=True, lang="de") as page:
        if game == "adaman":
            me = Person(page, touch=True)
            while not await page.locator("#paybar").count():  # some deals are lost before the first move
                await page.goto("/")
                await me.use("form[action$='/play'] [value='adaman']")
                await page.locator("#table[data-ready]").wait_for()
        else:
            await at_a_table(page, game)
        if game == "hic-haec-hoc":
            await page.locator("#lift").tap()
        for _ in range(3):
            if game == "trailblaze" and not await page.locator("#lay").count():
                await page.locator("#keep, #leave").first.tap()
                await page.wait_for_timeout(300)
        await page.locator(button).wait_for()
        assert await pressed(page, button) == words
        # what is done about it takes the words away; what is missing next is said next
        if game == "hic-haec-hoc":
            await page.locator(".lhand label").first.tap()
            assert not (await page.locator(".dock .refused").text_content()).strip()
            assert await pressed(page, button) == "Wähl auch Kasus, Numerus und Genus."


async def test_the_order_of_the_last_chain(site, visit):
    """A tap on a card that got its number by itself keeps the order; beside it one begins anew."""
    async with visit(site.origin, phone=True, lang="de") as page:
        await at_a_table(page, "anno-domini", cards=1)
        await page.locator(".tapper").wait_for()
        assert (await pressed(page, "#open")).startswith("Tipp zuerst die Karten")
        cards = page.locator(".tapper .card")
        for n in (2, 0):
            await cards.nth(n).tap()
        numbers = lambda: page.locator(".tapper .card .node").all_text_contents()  # noqa: E731
        assert await numbers() == ["2", "3", "1"]
        await cards.nth(1).tap()
        assert await numbers() == ["2", "3", "1"]
        await page.locator("#again").tap()
        assert await numbers() == ["", "", ""]
        assert not await page.locator("#again").is_visible()
        for n in (1, 2):
            await cards.nth(n).tap()
        await page.locator("#open").tap()
        await page.locator(".tapper").wait_for(state="hidden")


async def test_a_field_of_a_form_says_it_in_the_language_of_the_page(site, visit):
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.goto("/")
        assert await pressed(page, ".join button") == "Hier fehlt noch etwas."
        assert await page.evaluate("document.activeElement.id") == "code"
