"""Every page that is passed: axe, sizes, names, themes, widths; games without scripts; the weight of a page."""

import pytest

from browser import checks
from browser.play import MINDS, Person, Plain, add_bots, against_bots, join, open_table, start

GAMES = ("adaman", "anno-domini", "trailblaze", "hic-haec-hoc")
KB = 1000


class Looker:
    """Looks at each new state that a person comes through."""

    def __init__(self):
        self.found = []

    async def __call__(self, me, state):
        self.found += await checks.everything(me.page, state)


@pytest.mark.parametrize("game", GAMES)
async def test_every_state_of_a_game_is_for_everybody(site, visit, game):
    """axe without finding, nothing wider than the screen, no small text, no unnamed control, targets large enough."""
    async with visit(site.origin, width=1280) as page:
        me = Person(page, touch=False, seed=4)
        me.look = Looker()
        await against_bots(me, game)
        await me.game(MINDS[game])
        assert not me.look.found, "\n".join(me.look.found)


@pytest.mark.parametrize("lang", ["de", "en"])
async def test_home_rules_and_waiting_room_are_for_everybody(site, visit, lang):
    async with visit(site.origin, lang=lang) as page, visit(site.origin, lang=lang) as other:
        me, guest = Person(page, touch=False), Person(other, touch=False)
        found = []
        for game in GAMES[:2] if lang == "de" else GAMES[2:]:
            await page.goto(f"/rules/{game}")
            assert len(await page.locator("main").text_content()) > 800
            found += await checks.everything(page, f"rules of {game}")
        code = await open_table(me, "hic-haec-hoc")
        await join(guest, code, "Ben")
        found += await checks.everything(page, "waiting room")
        found += await checks.everything(other, "waiting room of a guest")
        await add_bots(me, 1, 3)
        await start(me)
        await other.locator("#table.table").wait_for()
        await page.locator("[popovertarget=menu]").first.click()
        found += await checks.everything(page, "menu")
        await page.goto("/")
        found += await checks.everything(page, "home")
        page.watch.expects = ("404",)
        await page.goto("/t/NONE99")
        found += await checks.everything(page, "no such table")
        await page.goto(f"/t/{code}/screen")
        found += await checks.everything(page, "screen")
        assert not found, "\n".join(found)


@pytest.mark.parametrize("game", GAMES)
async def test_without_scripts_all_is_playable(site, visit, game):
    """By plain forms: a whole Adaman, some moves of the others."""
    async with visit(site.origin, phone=True, java_script_enabled=False) as page:
        me = Plain(page, touch=True, seed=6)
        await against_bots(me, game)
        if game == "adaman":
            await me.game(MINDS[game])
        else:
            await me.turns(MINDS[game], 5)
        table = await site.house.host.table(page.url.rpartition("/")[2])
        assert table.seq > 4 or table.result is not None


@pytest.mark.parametrize("where", ["home", *GAMES])
async def test_a_first_page_weighs_little(site, visit, where):
    """All files together at most 150 kB as they are sent, scripts at most 60 kB."""
    async with visit(site.origin) as page:
        if where != "home":
            await against_bots(Person(page, touch=False), where)
        url = page.url if where != "home" else "/"
        line = await page.context.new_cdp_session(page)
        await line.send("Network.enable")
        await line.send("Network.setCacheDisabled", {"cacheDisabled": True})
        kinds, sent = {}, {}
        line.on("Network.responseReceived", lambda found: kinds.update({found["requestId"]: found["type"]}))
        line.on("Network.loadingFinished", lambda found: sent.update({found["requestId"]: found["encodedDataLength"]}))
        await page.goto(url, wait_until="networkidle")
        weight = sum(sent.values())
        scripts = sum(size for request, size in sent.items() if kinds.get(request) == "Script")
        print(f"{where}: {weight / KB:.1f} kB, scripts {scripts / KB:.1f} kB, {len(sent)} files")
        assert weight <= 150 * KB
        assert scripts <= 60 * KB
