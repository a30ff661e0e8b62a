"""People in films: they think for a moment, and look at what there is to see."""

import asyncio
from contextlib import suppress

from playwright.async_api import TimeoutError as TooLong

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
    """Asks for all three steps of a hint, and does what it says."""

    async def hint(self):
        for _ in range(3):
            if await self.there("#hint"):
                before = "".join(await self.page.locator("#hinted").all_text_contents())
                await self.page.locator("#hint").click()
                with suppress(TooLong):  # the second step may have said all
                    await self.page.wait_for_function(SAID, arg=before, timeout=3_000)
                await asyncio.sleep(PACE / 2)


async def as_hinted(me):
    """Adaman by hints alone."""
    await me.hint()
    await me.send("#go")
    return "control"
