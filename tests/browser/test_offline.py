"""Adaman goes on while its line is gone: with the cards that lie open, and no others."""

import pytest

from browser import checks
from matrix import sampled
from web.site import code

# What is chosen first that can be paid, by its number; null if nothing can.
CHOICE = """() => {
  const rank = (one) => Number(one.dataset.rank);
  const paid = (one) => one.dataset.preset.split(' ').map((n) => document.getElementById('w-' + n));
  const found = [...document.querySelectorAll('[name=target]:not(:disabled)')].find((one) => one.dataset.preset &&
    paid(one).reduce((all, each) => all + rank(each), 0) >= rank(one));
  return found ? found.id : null;
}"""
ROWS = """() => [...document.querySelectorAll('.zone .five')].map((row) =>
  [...row.querySelectorAll('.dcard')].map((one) => one.dataset.card))"""
DEAL, ENDING = 2, 24  # four moves with the cards dealt; four more once the pile is used up
WORDS = {
    "en": (
        "Connection lost. Play on with the open cards. Your moves are kept.",
        "Connection lost. Moves waiting: {n}. They will be sent later.",
        "The game goes on when you are connected again.",
        "Your waiting moves from here on were not made. This has already been answered.",
    ),
    "de": (
        "Verbindung unterbrochen. Spiel mit den offenen Karten weiter. Deine Züge bleiben erhalten.",
        "Verbindung unterbrochen. Wartende Züge: {n}. Sie werden später gesendet.",
        "Es geht weiter, sobald du wieder verbunden bist.",
        "Deine wartenden Züge gelten ab hier nicht. Das ist schon beantwortet.",
    ),
}


class Away:
    """Somebody whose line goes while they play a deal of Adaman."""

    def __init__(self, site, page):
        self.site, self.page = site, page
        page.watch.expects = ("WebSocket", "ERR_INTERNET_DISCONNECTED")

    async def open(self, deal):
        page, site = self.page, self.site
        sent = {"game": "adaman", "deal": str(deal)}
        answer = await page.request.post("/play", form=sent, headers={"origin": site.origin})
        self.table = await site.services.host.table(code(answer.url))

    async def look(self):
        await self.page.goto(f"/t/{self.table.id}")
        await self.page.locator("#table[data-ready]").wait_for()

    async def lose_line(self):
        await self.page.context.set_offline(True)
        await self.page.locator("#line").wait_for()

    async def find_line(self):
        await self.page.context.set_offline(False)
        await self.page.locator("#line").wait_for(state="detached")
        await self.page.locator("#table:not([data-ahead])").wait_for()

    async def move(self):
        """Make a move; False if there is none to make."""
        page = self.page
        if (choice := await page.evaluate(CHOICE)) is None:
            return False
        question = await page.locator("#move [name=question]").get_attribute("value")
        await page.locator(f"label:has(#{choice})").click()
        await page.locator("#go").click()
        await self.asks(int(question) + 1)
        return True

    async def asks(self, question):
        await self.page.wait_for_function(
            "(n) => document.querySelector('#move [name=question]').value === String(n)", arg=question
        )

    async def play_on(self):
        """Make moves while there are any; how many."""
        made = 0
        while await self.move():
            made += 1
        return made

    def rows(self):
        public = self.table.view(0).public
        ids = [card.id for card in public.deck.cards]
        return [[ids[card] for card in row] for row in (public.palace, public.capital, public.resources)]

    async def shows_the_table(self):
        await self.asks(self.table.seq)
        assert await self.page.evaluate(ROWS) == self.rows()
        assert await self.page.locator(".unturned").count() == 0


@pytest.mark.parametrize(("lang", "phone"), sampled([("en", True), ("de", False)], [("de", False)]))
async def test_adaman_without_a_line_goes_on_with_the_open_cards(site, visit, lang, phone):
    begin, kept, stuck, _ = WORDS[lang]
    async with visit(site.origin, lang=lang, phone=phone) as page:
        me = Away(site, page)
        await me.open(DEAL)
        await me.look()
        await me.lose_line()
        assert await page.locator("#line").text_content() == begin
        found = await checks.everything(page, "lost", (320, 390, 1280))
        before = {card for row in me.rows() for card in row}
        made = await me.play_on()
        assert made > 1
        assert me.table.seq == 1
        assert await page.locator("#line").text_content() == kept.format(n=made)
        assert await page.locator("#dock .turn > b").text_content() == stuck
        assert {card for row in await page.evaluate(ROWS) for card in row} < before
        assert await page.locator(".unturned").count() > 0
        assert await page.locator("#undo, #hint").count() == 0
        found += await checks.everything(page, "ahead", (320, 390, 1280))
        await me.find_line()
        assert me.table.seq == 1 + made
        await me.shows_the_table()
        assert not found, "\n".join(found)


async def test_the_end_of_adaman_without_a_line_is_played_to_its_end(site, visit):
    async with visit(site.origin) as page:
        me = Away(site, page)
        await me.open(ENDING)
        table = me.table
        while table.view(0).public.pile:
            await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        await me.look()
        left = table.seq
        await me.lose_line()
        made = await me.play_on()
        assert made > 1
        assert await page.locator(".unturned").count() == 0
        assert table.seq == left
        await me.find_line()
        await page.locator("#over").wait_for()
        assert table.seq == left + made
        assert table.result is not None


async def test_kept_moves_of_a_page_that_has_gone_are_sent_by_the_next(site, visit):
    async with visit(site.origin) as page:
        me = Away(site, page)
        await me.open(DEAL)
        await me.look()
        await me.lose_line()
        made = await me.play_on()
        await page.goto("about:blank")
        await page.context.set_offline(False)
        assert me.table.seq == 1
        await me.look()
        await me.asks(1 + made)
        await me.shows_the_table()
        await me.look()
        assert me.table.seq == 1 + made


@pytest.mark.parametrize("lang", sampled(["en", "de"], ["en"]))
async def test_kept_moves_after_a_refused_one_are_not_made(site, visit, lang):
    async with visit(site.origin, lang=lang) as page:
        me = Away(site, page)
        await me.open(DEAL)
        await me.look()
        await me.lose_line()
        assert await me.play_on() > 1
        table = me.table
        await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[-1])
        await me.find_line()
        await me.shows_the_table()
        assert table.seq == 2
        assert await page.locator(".dock .refused").text_content() == WORDS[lang][3]
