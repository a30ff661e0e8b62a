"""People in films: they think for a moment, and look at what there is to see."""

import asyncio

from browser.play import Person

PACE = 0.8  # seconds that a person thinks
SAID = "(old) => (document.querySelector('#hinted')?.textContent ?? '') !== old"


class Patient(Person):
    """Watches every reveal to its end."""

    async def wanted(self):
        return await self.waits()

    async def turn(self, mind):
        await asyncio.sleep(PACE)
        return await super().turn(mind)


class Hinted(Patient):
    """Asks for hints until they have chosen a move, and makes it."""

    async def hint(self):
        while await self.there("#paybar.short"):
            before = "".join(await self.page.locator("#hinted").all_text_contents())
            await self.page.locator("#hint").click()
            await self.page.wait_for_function(SAID, arg=before)
            await asyncio.sleep(PACE / 2)


async def as_hinted(me):
    """Adaman by hints alone."""
    await me.hint()
    await me.send("#go")
    return "control"
