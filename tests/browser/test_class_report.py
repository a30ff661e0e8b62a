"""The report of a class in the browser: two taps from the class to the file, nothing for axe to find."""

import pytest
from msgspec.structs import replace

from browser import checks
from spieltisch.classroom.classroom import Plan
from spieltisch.classroom.counts import Tally


@pytest.mark.parametrize("lang", ["de", "en"])
async def test_the_report_of_a_class(site, visit, lang):
    room = await site.services.classes.make("Klasse 7b", lang, Plan("anno-domini", {}), 0)
    deck = site.services.host.library.one_of_events("events").cards
    taught = [card for card in deck if card.goals][:40]
    counts = [Tally("events", card.id, n % 4, n % 3, n % 2) for n, card in enumerate(taught)]
    counts += [Tally("events", card.id, 1, 1) for card in [one for one in deck if not one.goals][:4]]
    first = site.services.host.library.firsts("firsts").cards[0]
    counts += [Tally("hic", "huic", 2, 3, 1), Tally("firsts", first.id, 3, 3)]
    await site.services.classes.change(room.id, lambda old: replace(old, counts=tuple(counts), counted=2))
    key = site.services.class_keys.teacher_key(room.id)
    found = []
    for dark in (False, True):
        async with visit(site.origin, lang=lang, dark=dark) as lead:
            await lead.goto(f"/class/{room.id}/key#{key}")
            await lead.locator("#report").focus()
            await lead.keyboard.press("Enter")
            await lead.locator(".crgoals").wait_for()
            widths = checks.WIDTHS if lang == "de" else (320,)
            found += await checks.everything(lead, "report", widths)
            async with lead.expect_download() as waiting:
                await lead.get_by_role("link", name="ODS").click()
            assert (await waiting.value).suggested_filename == "klasse-7b.ods"
    assert not found, "\n".join(found)
