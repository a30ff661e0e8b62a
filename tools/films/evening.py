"""An evening at one table of Anno Domini: a reveal, the win, the rematch, a lost connection."""

import asyncio

from msgspec.structs import replace

from browser.play import Person, join, open_table, start
from spieltisch.games.annodomini.state import Doubt, Place

PAGES = ("phone", "desktop", "screen")


class Evening:
    """Ada at a desk, Ben with a phone, and the public screen."""

    def __init__(self, studio, screen=""):
        self.studio, self.site, self.relay = studio, studio.site, studio.relay
        self.origins = {"phone": studio.relay.origin, "desktop": "", "screen": screen}

    async def begin(self, cards):
        """Seat everybody and deal this number of cards to each."""
        self.pages = {name: await self.studio.visitor(name, self.origins[name]) for name in PAGES}
        self.ada, self.ben = Person(self.pages["desktop"], touch=False), Person(self.pages["phone"], touch=True)
        self.code = await open_table(self.ada, "anno-domini", "Ada")
        await join(self.ben, self.code, "Ben")
        await self.site.services.host.change(
            self.code, lambda setup: replace(setup, top={**setup.top, "options": {"cards_per_player": cards}})
        )
        await start(self.ada)
        await self.pages["screen"].goto(f"/t/{self.code}/screen")
        for page in self.pages.values():
            await page.locator("#table[data-ready]").wait_for()

    async def answer(self, wanted):
        """Let whoever is asked take the first legal action of a wanted kind."""
        host = self.site.services.host
        table = await host.table(self.code)
        seat, events = table.to_act[0], host.memory.session(self.code).position.state.hidden.cards
        action = next(one for one in table.legal(seat) if wanted(one, events))
        await host.answer(self.code, seat, table.question(seat), action)

    async def end(self):
        for page in self.pages.values():
            await page.context.close()


def placed(one, _):
    return isinstance(one, Place)


def in_order(one, events):
    return sorted(one.cards, key=lambda card: events[card].span) == [*one.cards]


async def reveal(studio):
    """A doubted chain of five turns row by row, and somebody draws."""
    evening = Evening(studio)
    await evening.begin(5)
    for _ in range(4):
        await evening.answer(placed)
    await asyncio.sleep(1)
    async with studio.shot("reveal", evening.pages):
        await evening.answer(lambda one, _: isinstance(one, Doubt))
        await asyncio.sleep(7)


async def win(studio):
    """The last card is laid: is the last chain right, and who has won?"""
    evening = Evening(studio)
    await evening.begin(1)
    await asyncio.sleep(1)
    async with studio.shot("win", evening.pages):
        await evening.answer(in_order)
        await asyncio.sleep(16)


async def rematch(studio):
    """Ben wants to play again: the countdown, and the next game begins."""
    evening = Evening(studio)
    await evening.begin(1)
    await evening.answer(in_order)
    for page in (evening.pages["phone"], evening.pages["desktop"]):
        await page.locator(".table:not(.staging) #over").wait_for()
    await evening.pages["screen"].locator("#over").wait_for(timeout=30_000)
    async with studio.shot("rematch", evening.pages):
        await evening.ben.use("#rematch")
        await asyncio.sleep(15)


async def line(studio):
    """The phone's connection dies silently while Ben lays a card, and comes back."""
    evening = Evening(studio)
    await evening.begin(5)
    await evening.answer(placed)
    await evening.pages["phone"].locator("[name=card]").first.wait_for(state="attached")
    async with studio.shot("line", evening.pages):
        evening.relay.silent = True
        phone = evening.pages["phone"]
        for css in ("[form=move][name=card]", "[name=at]", ".gap:has(:checked) .go"):
            await evening.ben.use(css)
        await asyncio.sleep(20)
        evening.relay.silent = False
        await phone.locator("#line").wait_for(state="detached", timeout=30_000)
        await asyncio.sleep(3)
