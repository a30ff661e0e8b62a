"""Pages without scripts, by plain forms; and what a first page weighs."""

import pytest

from browser.play import MINDS, Person, Plain, against_bots, quick_bots
from matrix import sampled

GAMES = ("adaman", "anno-domini", "trailblaze", "hic-haec-hoc")
KB = 1000


@pytest.mark.parametrize("game", sampled(GAMES, ["hic-haec-hoc"]))
async def test_without_scripts_all_is_playable(site, visit, game):
    """By plain forms: a whole Adaman, some moves of the others."""
    async with visit(site.origin, phone=True, java_script_enabled=False) as page:
        page.watch.expects = (" csp",)  # a preload of a script that may not run
        me = Plain(page, touch=True, seed=6)
        await against_bots(me, game)
        if game == "adaman":
            await me.game(MINDS[game])
        else:
            await me.turns(MINDS[game], 5)
        # what was answered by somebody else meanwhile is answered with a page of its own: …/t/CODE/move
        table = await site.services.host.table(page.url.partition("/t/")[2].partition("/")[0])
        assert table.seq > 4 or table.result is not None


# Before landing, `test_pages.py` weighs the home page.
@pytest.mark.parametrize("where", sampled(["home", *GAMES], ["hic-haec-hoc"]))
async def test_a_first_page_weighs_little(site, visit, where):
    """All files together at most 150 kB as they are sent, scripts at most 60 kB."""
    async with visit(site.origin) as page:
        if where != "home":
            await quick_bots(Person(page, touch=False), where)
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
