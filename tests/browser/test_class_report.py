"""The report of a class in the browser: two taps from the class to the file, nothing for axe to find."""

import pytest
from msgspec.structs import replace

from browser import checks
from matrix import sampled
from spieltisch.classroom.classroom import Plan
from spieltisch.classroom.counts import Tally
from spieltisch.decks.base_kind import kind_of


async def counted_class(site, lang):
    """A class with errors in all decks; the address that lets its teacher in."""
    room = await site.services.classes.make("Klasse 7b", lang, Plan("anno-domini", {}), 0)
    deck = site.services.host.library.deck("events", kind_of("events")).cards
    taught = [card for card in deck if card.goals][:40]
    counts = [Tally("events", card.id, n % 4, n % 3, n % 2) for n, card in enumerate(taught)]
    counts += [Tally("events", card.id, 1, 1) for card in [one for one in deck if not one.goals][:4]]
    first = site.services.host.library.deck("firsts", kind_of("firsts")).cards[0]
    counts += [Tally("hic", "huic", 2, 3, 1), Tally("firsts", first.id, 3, 3)]
    await site.services.classes.change(room.id, lambda old: replace(old, counts=tuple(counts), counted=2))
    return f"/class/{room.id}/key#{site.services.class_keys.teacher_key(room.id)}"


@pytest.mark.slow
@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_the_report_of_a_class(site, visit, lang):
    async with visit(site.origin, lang=lang) as lead:
        await lead.goto(await counted_class(site, lang))
        await lead.locator("#report").focus()
        await lead.keyboard.press("Enter")
        await lead.locator(".crgoals").wait_for()
        widths = checks.WIDTHS if lang == "de" else (320,)
        look = checks.everything if lang == "de" else checks.sizes  # what axe finds hangs on no language
        found = await look(lead, "report", widths)
        async with lead.expect_download() as waiting:
            await lead.get_by_role("link", name="ODS").click()
        assert (await waiting.value).suggested_filename == "klasse-7b.ods"
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_a_warm_up_on_a_phone(site, visit, lang):
    room = await site.services.classes.make("Klasse 7b", lang, Plan("anno-domini", {}), 0)
    library = site.services.host.library
    event = next(card for card in library.deck("events", kind_of("events")).cards if card.goals)
    missed = [("events", event.id), ("firsts", library.deck("firsts", kind_of("firsts")).cards[0].id), ("hic", "huic")]
    counts = tuple(Tally(deck, card, 1, 5 - n) for n, (deck, card) in enumerate(missed))
    await site.services.classes.change(room.id, lambda old: replace(old, counts=counts, counted=1))
    found = []
    dark = lang == "en"
    async with (
        visit(site.origin, lang=lang) as lead,
        visit(site.origin, lang=lang, phone=True, dark=dark) as phone,
    ):
        await phone.goto(f"/class/{room.id}")
        await phone.locator("#join").click()
        await phone.locator("#name").wait_for()
        await lead.goto(f"/class/{room.id}/key#{site.services.class_keys.teacher_key(room.id)}")
        await lead.locator("#report").click()
        await lead.locator("[name=kind][value=warm-up]").click()
        await lead.locator("#slip").wait_for()
        found += await checks.everything(lead, "a slip is open", (320,))
        for n in (1, 2, 3):
            await phone.locator(f"#slip-{n}").wait_for()
            look = checks.everything if lang == "de" else checks.sizes
            found += await look(phone, f"task {n}", (320, 1280))
            await phone.locator("[name=choice]").first.focus()
            await phone.keyboard.press("Enter")
        await phone.locator("#slip-4").wait_for()
        found += await checks.everything(phone, "through", (320,))
        await lead.locator("#slip .num", has_text="1").wait_for()
        await lead.locator("#do-slip-end").click()
        await lead.locator("#slip").wait_for(state="detached")
        await phone.locator("#name").wait_for()
    assert not found, "\n".join(found)
