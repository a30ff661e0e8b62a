"""A fifth game in one folder outside the package brings all that a game can bring, and is played in a browser."""

import pytest

from browser import checks
from browser.play import Person, add_bots, look_back, open_table, start
from matrix import sampled
from spieltisch.table.lesson import lesson

WORDS = {
    "de": {
        "take": "3 Hölzer nehmen", "level": "Meisterschaft", "left": "Noch 11 Hölzer.", "option": "Hölzer",
        "review": "Wo es gewonnen wurde", "look": "Von dort aus verliert jede Antwort.", "rules": "Nehmt reihum",
    },
    "en": {
        "take": "Take 3 matches", "level": "Expert", "left": "11 matches are left.", "option": "Matches",
        "review": "Where it was won", "look": "From there every answer loses.", "rules": "In turn, take",
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def _with_the_toy(toys, monkeypatch):
    monkeypatch.setenv("SPIELTISCH_GAMES", str(toys["matches"].folder.parent))  # for the process of analyses


@pytest.mark.parametrize("lang", sampled(WORDS, ["de"]))
async def test_it_brings_all_that_a_game_can_bring(site, visit, lang):
    words = WORDS[lang]
    async with visit(site.origin, lang=lang) as page:
        me = Person(page, touch=False)
        code = await open_table(me, "matches")
        assert await page.locator("#lid-matches").count() == 0
        assert words["option"] in await page.locator(".opts").text_content()
        await add_bots(me, 1, 2)
        await page.locator("#level-1").select_option(label=words["level"])
        chosen = "document.querySelector('#level-1 option[selected]')?.value === 'expert'"
        await page.wait_for_function(chosen)
        await start(me)
        table = await site.services.host.table(code)
        assert table.setup.chairs[1].level == "expert"

        await page.locator("#take-1").wait_for()
        left = table.view(0).public.left
        shown = page.locator(".matchrow .match")
        assert await shown.count() == left
        assert await shown.first.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(201, 154, 90)"
        assert words["take"] in await page.locator("#take-3").text_content()
        await page.locator("#take-3").focus()
        assert await page.locator(".match.going").count() == 3
        found = await checks.everything(page, "fifth game", (320, 390, 1280))
        assert not found, "\n".join(found)

        while table.result is None:
            await page.locator("#take-1, #over").first.wait_for()
            if await page.locator("#take-1").count():
                left = await page.locator(".match").count()
                await page.locator("#take-1").click()
                await page.wait_for_function("(n) => document.querySelectorAll('.match').length < n", arg=left)
        await page.locator("#over").wait_for()
        assert words["review"] in await page.locator("#review").text_content()
        await look_back(page)
        looks = await page.locator("#looks li").all_text_contents()
        taken = [entry for entry in (await site.services.host.replay(code)).entries if entry.seat is not None]
        assert len(looks) == len(taken)
        assert any(words["look"] in look for look in looks)

        await page.goto("/rules/matches")
        assert words["rules"] in await page.locator("#rules").text_content()


async def test_its_lesson_is_played(site, visit, toys):
    found, tr = lesson(toys["matches"]), toys["matches"].translator("de")
    async with visit(site.origin, lang="de", phone=True) as page:
        await page.goto("/")
        await page.locator("#lid-matches").wait_for(state="attached")
        await page.locator("a[href='/learn/matches']").tap()
        for step in range(1, len(found.game)):
            assert tr._(found.said[step - 1]) in await page.locator("#lesson p").text_content()
            awaited = found.awaited(step)
            await page.locator(f"#take-{awaited.action.n}" if awaited.seat == 0 else "#lesson-on").tap()
            await page.wait_for_url(f"**/learn/matches/{step + 1}")
        assert tr._(found.said[-1]) in await page.locator("#lesson p").text_content()
