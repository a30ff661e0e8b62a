"""A deck is made by hand in a browser: mended where it is wrong, played with; each page for everybody."""

import asyncio
import re
from pathlib import Path

import pytest

from browser import checks
from matrix import sampled

SHEET = Path(__file__).parents[1] / "decks" / "sheets" / "klasse-9b.csv"
"""What a teacher has: Windows' letters, semicolons, a title above, mixed dates, a double, sources for half of it."""

TABLE = "date;event\n44 BC;A general is stabbed.\n-490;A runner falls down dead.\n1969;Two people hop over the moon.\n"


async def test_a_deck_from_the_first_line_to_the_table(site, visit):
    async with visit(site.origin, width=390, dark=True) as page:
        found = []
        await page.goto("/")
        await page.get_by_role("link", name="Decks").click()
        await page.get_by_label("Title").fill("Running")
        await page.get_by_label("Spreadsheet", exact=True).fill(TABLE)
        found += await checks.everything(page, "decks")
        await page.get_by_role("button", name="Check it").click()
        await page.get_by_role("heading", name="Line 3").wait_for()
        assert all("422" in one for one in page.watch.complaints)  # the sheet has been refused, nothing else
        page.watch.complaints.clear()
        await page.get_by_label("date").fill("490 BC")
        await page.get_by_role("button", name="Check it again").click()
        await page.get_by_role("heading", name="Running").wait_for()
        for one in await page.locator("details").all():
            await one.locator("summary").click()
        found += await checks.everything(page, "deck")
        link = await page.locator(".seatlink a").get_attribute("href")
        await page.context.clear_cookies()
        await page.goto(link)
        await page.get_by_text("A runner falls down dead.").first.wait_for()
        assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("lang", "width", "scripts"),
    sampled(
        [("de", 390, True), ("de", 390, False), ("en", 1280, True), ("en", 1280, False)],
        [("de", 390, True)],  # `tests/web/test_deckpages.py` sends the same forms without scripts
    ),
)
async def test_a_teachers_sheet_becomes_a_deck_in_two_steps(site, visit, lang, width, scripts):
    words = {
        "de": ("Durchsehen", "Alle 8 Vorschläge übernehmen", "Damit spielen", "1 Zeile der Tabelle wurde weggelassen."),
        "en": ("Check it", "Accept all 8 suggestions", "Play with it", "1 line of the spreadsheet was left out."),
    }[lang]
    async with visit(site.origin, width=width, lang=lang, java_script_enabled=scripts) as page:
        found = []
        await page.goto("/decks")
        await page.locator("input[type=file]").set_input_files(SHEET)
        await page.get_by_role("button", name=words[0], exact=True).click()
        await page.get_by_role("button", name=words[1]).wait_for()
        page.watch.complaints.clear()  # of the status that says that something has to be mended
        if scripts:
            found += await checks.everything(page, "draft")
        assert await page.get_by_text("Läufer").count() >= 2  # the umlauts are right, and it is said how they were read
        longest = page.locator("textarea").filter(has_text="Schützengräben")
        assert await longest.evaluate("box => box.scrollHeight <= box.clientHeight + 2")  # shown whole
        await page.get_by_role("button", name=words[1]).click()
        await page.get_by_role("heading", name="klasse-9b").wait_for()
        await page.get_by_text(words[3]).wait_for()  # the test above looks at this page, with all of it unfolded
        await page.get_by_role("button", name=words[2]).click()
        await page.wait_for_url("**/t/*")
        if not scripts:
            page.watch.complaints.clear()  # that scripts are not loaded
        assert not found, "\n".join(found)


async def test_what_is_typed_is_kept_while_lines_come_and_go(site, visit):
    async with visit(site.origin, width=390, lang="de") as page:
        await page.goto("/decks")
        await page.get_by_label("Titel").fill("Rom & mehr")
        table = "Datum;Ereignis\n-44;Ein Feldherr fällt.\n1903?;Zwei fliegen.\n1000-1500;Die Pest kommt.\n"
        await page.get_by_label("Tabelle", exact=True).fill(table)
        await page.get_by_role("button", name="Durchsehen", exact=True).click()
        await page.get_by_role("heading", name="Zeile 4").wait_for()
        await page.locator("#line-2 textarea").fill("Ein Feldherr fällt im Senat.")
        await page.get_by_role("button", name=re.compile("Diese Zeile weglassen.*Zeile 3")).click()
        await page.get_by_text("1 Zeile bleibt weg").wait_for()
        assert await page.locator("#line-2 textarea").input_value() == "Ein Feldherr fällt im Senat."
        await page.get_by_role("button", name=re.compile("Zurückholen.*Zeile 3")).click()
        await page.get_by_role("button", name=re.compile("„um 1903“ übernehmen")).click()
        await page.get_by_role("button", name=re.compile("So ist es gemeint.*Zeile 4")).click()
        assert await page.get_by_label("Titel").input_value() == "Rom & mehr"
        await page.locator("#line-2 input").first.fill("44 v. Chr.")
        await page.locator("#line-2 input").first.press("Enter")  # looks it over again, as the first button does
        await page.get_by_role("heading", name="Rom & mehr").wait_for()
        page.watch.complaints.clear()
        assert await page.locator(".evcard").count() == 3


async def test_a_slow_form_or_file_says_that_it_is_being_worked_on(site, visit):
    async with visit(site.origin, width=390) as page:

        async def late(route):
            await asyncio.sleep(2)
            await route.fulfill(status=204)  # the page stays, as with a file that is saved

        await page.goto("/decks")
        await page.route("**/decks/*/print/*", late)
        await page.locator("#paper summary").click()
        link = page.locator("#paper a").first
        await link.click(no_wait_after=True)
        await page.locator("#paper output").get_by_text("This takes a few seconds.").wait_for()
        assert await link.get_attribute("aria-busy") == "true"
        assert not await checks.everything(page, "decks, busy")
        await page.locator("#paper output").wait_for(state="detached")
        assert await link.get_attribute("aria-busy") is None


async def test_mending_survives_a_reload_and_another_day(site, visit):
    async with visit(site.origin) as page:
        await page.goto("/decks")
        await page.get_by_label("Title").fill("Running")
        await page.get_by_label("Spreadsheet", exact=True).fill(TABLE)
        await page.get_by_role("button", name="Check it").click()
        await page.get_by_role("heading", name="Line 3").wait_for()
        await page.get_by_label("event").fill("A runner falls down dead at last.")
        await page.reload()
        assert await page.get_by_label("event").input_value() == "A runner falls down dead at last."
        page.watch.complaints.clear()  # of the status that says that something has to be mended
        await page.goto("/decks")
        await page.get_by_label("Spreadsheet", exact=True).fill("date;event\n1903;Two brothers fly.\n")
        await page.get_by_role("button", name="Check it").click()
        await page.get_by_role("heading", name="Keep this address").wait_for()  # another deck is made at once
        await page.goto("/decks")  # on another day
        await page.get_by_text("You have an unfinished spreadsheet: Running").wait_for()
        await page.get_by_role("button", name="Continue fixing it").click()
        assert await page.get_by_label("event").input_value() == "A runner falls down dead at last."
        await page.get_by_label("date").fill("490 BC")
        await page.get_by_role("button", name="Check it again").click()
        await page.get_by_role("heading", name="Keep this address").wait_for()
        assert await page.get_by_text("A runner falls down dead at last.").count()
        await page.goto("/decks")
        await page.get_by_role("heading", name="Make a deck of your own").wait_for()
        assert not await page.get_by_text("You have an unfinished spreadsheet").is_visible()
        page.watch.complaints.clear()
