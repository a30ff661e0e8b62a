"""A game alone: statistics, marks of help, keys, dragging, uncut faces."""

import datetime as dt
import json

import pytest
from msgspec.structs import replace

from browser import checks
from matrix import many, sampled
from spieltisch.dice import FastDice
from spieltisch.games.adaman.daily import Daily
from web.site import code, finished

ROWS = 8  # fields of a row
SIZES = ((1280, 800), (1000, 700), (768, 1024), (844, 390), (390, 664), (320, 568))
SUITS = """() => [...document.querySelectorAll(".dcard")].flatMap((card) => {
  const whole = card.getBoundingClientRect();
  return [...card.querySelectorAll(".su svg, .dn, .art")]
    .filter((one) => one.checkVisibility() && !one.matches(".place .art"))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left < whole.left || box.right > whole.right || one.scrollWidth > one.clientWidth + 1;
    })
    .map((one) => `${card.dataset.card}: ${one.className.baseVal ?? one.className}`);
})"""


async def opened(site, page, **sent):
    """A new game on this page; its table."""
    answer = await page.request.post("/play", form={"game": "adaman"} | sent, headers={"origin": site.origin})
    table = await site.services.host.table(code(answer.url))
    await page.goto(f"/t/{table.id}")
    await page.locator("#table[data-ready]").wait_for()
    return table


async def kept(page):
    """The rows that this device keeps, by table."""
    return json.loads(await page.evaluate("localStorage['games-adaman'] ?? '{}'"))


async def keep(page, rows):
    await page.goto("/")
    await page.evaluate("(rows) => { localStorage['games-adaman'] = JSON.stringify(rows) }", rows)


@pytest.mark.parametrize("helped", sampled([True, False], [True]))  # test_deals.py shares a text without help
async def test_help_leaves_its_mark_everywhere(site, visit, helped):
    """In the tick, the row of wins, the shared text and the statistics, by one rule."""
    daily = Daily()
    today, *past = (daily.number(dt.date(2027, 3, day)) for day in (3, 2, 1))
    async with visit(site.origin, lang="de", phone=True) as page:
        before = {"OLD": [1, "yes", 0, past[1]], "NEW": [1, "yes", int(helped), past[0]]}
        await keep(page, before)
        table = await opened(site, page, deal=str(today))
        if helped:
            await site.services.host.change(table.id, lambda setup: replace(setup, hinted=True))
        await finished(site, table, FastDice(1))
        await page.locator("#daily [data-copy][data-copy*=Adaman]").wait_for()
        won = table.result.end == "won"
        last = page.locator(".ticks7 li").last
        assert ("helped" in await last.get_attribute("class")) == helped
        assert ("mit Hilfe" in await last.text_content()) == helped
        sign = "✓" if won else "✗"
        said, signs, _ = (await page.locator("#daily [data-copy]").get_attribute("data-copy")).splitlines()
        assert signs == f"– – – – ✓ {'(✓)' if helped else '✓'} {f'({sign})' if helped else sign}"
        assert said.endswith(" Mit Hilfe.") == helped
        row = 1 if helped else 3 if won else 0
        most = 1 if helped else 3 if won else 2
        assert await page.locator("#row").text_content() == f"Siege in Folge: {row}. Längste Serie: {most}."
        await page.goto("/deals/adaman")
        await page.locator("#stats").wait_for()
        assert await page.locator("#sums [data-what=row]").text_content() == str(row)
        assert await page.locator("#sums [data-what=most]").text_content() == str(most)
        assert await page.locator("[data-kind=helped] [data-what=played]").text_content() == ("2" if helped else "0")


# Before landing, the test after the next one takes this way.
@pytest.mark.parametrize("phone", sampled([True, False], []))
async def test_statistics_are_one_tap_from_the_game(site, visit, phone):
    """`test_deals.py` looks at them."""
    async with visit(site.origin, phone=phone, lang="de") as page:
        await opened(site, page, preset="excuse")
        await page.locator("a.tostats:visible").click()
        await page.locator("#stats").wait_for()
        assert await page.locator("#stats h2").is_visible()


async def test_statistics_tell_average_best_time_and_decks_and_go_along_as_a_file(site, visit, tmp_path):
    rows = {
        "AAAA": [1, "yes", 0, 1, 70, 300, "basic", 1],
        "BBBB": [0, "open", 0, 2, 31, 180, "excuse", 2],
        "CCCC": [1, "yes", 1, 3, 99, 100, "basic", 3],
        "DDDD": [1, "yes", 0, 4, 52, 241, "excuse", 4],
    }
    async with visit(site.origin, phone=True) as page, visit(site.origin) as other:

        async def told(page):
            await page.locator("#stats").wait_for()
            sums = {
                name: await page.locator(f"#sums [data-what={name}]").text_content()
                for name in ("played", "won", "row", "most", "average", "best", "time")
            }
            decks = await page.locator("[data-cards]:visible").evaluate_all(
                "(rows) => rows.map((row) => [row.dataset.cards, row.querySelector('[data-what=played]').textContent])"
            )
            return sums, dict(decks)

        await keep(page, rows)
        await page.goto("/deals/adaman")
        wanted = (
            {"played": "3", "won": "2", "row": "1", "most": "1", "average": "51", "best": "70", "time": "4:00"},
            {"basic": "1", "excuse": "2"},
        )
        assert await told(page) == wanted
        async with page.expect_download() as saved:
            await page.locator("[data-take]").tap()
        await (await saved.value).save_as(tmp_path / "games.json")
        (tmp_path / "other.json").write_text('{"format": "spieltisch-games/1", "game": "go", "games": {}}')
        (tmp_path / "broken.json").write_text("{")

        await keep(other, {"BBBB": rows["BBBB"], "DDDD": [-1, "", 0, 4, 0, 0, "excuse", 4]})
        await other.goto("/deals/adaman")
        for wrong in ("other.json", "broken.json"):
            await other.locator("#bring").set_input_files(tmp_path / wrong)
            await other.locator("#brought:has-text('has no games')").wait_for()
        await other.locator("#bring").set_input_files(tmp_path / "games.json")
        await other.locator("#brought:has-text('3')").wait_for()
        assert await told(other) == wanted
        assert list(await kept(other)) == list(rows)


async def test_a_game_that_is_left_ends_a_row_of_wins(site, visit):
    async with visit(site.origin, lang="de") as page:
        await keep(page, {"AAAA": [1, "yes", 0, 1, 70, 300, "basic", 1]})
        left = await opened(site, page)
        await site.services.host.answer(left.id, 0, left.question(0), left.legal(0)[0])
        await page.wait_for_function("(id) => (localStorage['games-adaman'] ?? '').includes(id)", arg=left.id)
        for begun, row in ((False, "1"), (True, "0")):
            if begun:
                next_one = await opened(site, page)
                await site.services.host.answer(next_one.id, 0, next_one.question(0), next_one.legal(0)[0])
                await page.wait_for_function("(id) => localStorage['games-adaman'].includes(id)", arg=next_one.id)
            await page.locator("a.tostats:visible").click()
            await page.locator("#stats h2").wait_for()
            assert await page.locator("#sums [data-what=row]").text_content() == row
        await page.goto(f"/t/{left.id}")
        await page.locator("#table[data-ready]").wait_for()
        await finished(site, left, FastDice(1))
        await page.locator("#over").wait_for()
        await page.wait_for_function("(id) => JSON.parse(localStorage['games-adaman'])[id][0] >= 0", arg=left.id)
        row = (await kept(page))[left.id]
        assert len(row) == ROWS
        assert row[4] == left.result.scores[0]
        assert row[6] == "basic"


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_no_suit_of_a_card_is_cut(site, visit, lang):
    """These deals show all cards with suits, at every width at which their names are shown, and below."""
    async with visit(site.origin, lang=lang) as page:
        cut, seen = [], set()
        for deal in ("16", "4", "137", "63", "9"):
            await opened(site, page, deal=deal, preset="extended")
            for width, height in many((SIZES[0], SIZES[2], SIZES[-1]), SIZES):
                await page.set_viewport_size({"width": width, "height": height})
                cut += [f"{width} × {height}, {what}" for what in await page.evaluate(SUITS)]
            seen |= set(await page.locator(".dcard").evaluate_all("(all) => all.map((one) => one.dataset.card)"))
        assert len(seen) >= 44
        assert not cut, "\n".join(cut)


async def test_targets_have_number_keys_and_cards_can_be_dragged_to_them(site, visit):
    async with visit(site.origin, lang="de") as page:
        table = await opened(site, page, deal="1")
        targets, resources = page.locator("[name=target]"), page.locator("[name=payment]")
        for n in range(await targets.count()):
            await page.keyboard.press(f"Shift+Digit{(n + 1) % 10}")
            assert await targets.nth(n).is_checked()
        await page.reload()
        await page.locator("#table[data-ready]").wait_for()
        pairs = await page.evaluate(
            """() => {
              const suits = (one) => [...one.closest(".dcard").classList].filter((name) => name.startsWith("m-"));
              return [...document.querySelectorAll("[name=target]")].flatMap((target) =>
                [...document.querySelectorAll("[name=payment]")].map((paid) =>
                  [target.id, paid.id, suits(target).some((suit) => suits(paid).includes(suit))]));
            }"""
        )
        wrong = next(pair for pair in pairs if not pair[2])
        target = wrong[0]
        right = [paid for onto, paid, fits in pairs if onto == target and fits]

        async def drag(paid, onto):
            boxes = [await page.locator(f"label:has(#{one})").bounding_box() for one in (paid, onto)]
            (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
            await page.mouse.move(x, y)
            await page.mouse.down()
            await page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
            await page.mouse.move(to_x, to_y, steps=3)
            await page.mouse.up()

        await drag(wrong[1], target)
        assert not await page.locator("[name=target]:checked").count()
        for n, paid in enumerate(right, 1):
            await drag(paid, target)
            assert await page.locator(f"#{target}").is_checked()
            assert await page.locator("[name=payment]:checked").count() == n
        await page.locator(f"label:has(#{right[0]})").click()  # a tap is a tap
        assert not await page.locator(f"#{right[0]}").is_checked()
        await page.keyboard.press("?")
        await page.locator("#keys dt", has_text="Ziel wählen").wait_for()
        assert await resources.count() == 5
        assert table.seq == 1


async def test_the_guided_game_has_a_hint_and_takes_back(site, visit):
    async with visit(site.origin, lang="de", phone=True) as page:
        await page.goto("/learn/adaman")
        await page.locator("#hint").tap()
        assert "Es gibt einen Zug" in await page.locator("#hinted").text_content()
        await page.locator("#hint").tap()
        await page.locator("label.hinted").first.wait_for()
        assert "Ende" in await page.locator("#hinted").text_content()
        await page.locator("#hint").tap()
        assert "mit Mühle 8 und Ursprung 2" in await page.locator("#hinted").text_content()
        assert not await page.locator("#undo").count()
        await page.locator("#go").tap()
        await page.locator("#lesson b:has-text('2/')").wait_for()
        await page.locator("#undo").tap()
        await page.locator("#lesson b:has-text('1/')").wait_for()
        found = await checks.everything(page, "the guided game", (320, 390, 1280))
        assert not found, "\n".join(found)
