"""Trailblaze and hic – haec – hoc with two phones and the public screen: in what order they show what happens."""

import asyncio
import contextlib

from msgspec.structs import replace
from people import Patient

from browser.play import MINDS, join, open_table, start
from spieltisch.dice import FastDice
from spieltisch.table.log import Chair

# What phones and the screen have in common: the question of a reveal, its rows one by one, the verdict, who has won.
LOOKS = {
    "asks": "shown('.asks :is(h1, h2), h2.asks').length ? STAGED?.dataset.staged : ''",
    "row": """shown('[data-staged] [data-at]').length ?
      STAGED?.dataset.staged + ': ' + STAGED?.querySelectorAll('[data-at]:not(.unseen)').length : ''""",
    "verdict": "STAGED?.checkVisibility() && !STAGED.closest('.staging') ? STAGED.dataset.staged : ''",
    "contest": "text('.contest .side-b .f, .tvcon > .lcard .f')",
    "top": "text('.ltop .under > .card:last-child .f, .tvl .onjoker > .lcard:first-child .f')",
    "stones": "document.querySelectorAll('.board .stone:not(.pick *)').length || ''",
    "won": "shown('#over, .won').length ? 'won' : ''",
}
LOOKS = {kind: what.replace("STAGED", "document.querySelector('[data-staged]')") for kind, what in LOOKS.items()}
LAST = 4  # moves of the end
LONG = 120  # seconds of the beginning


async def _until(host, table, wanted):
    with host.hub.listen(table.id) as news:
        while not wanted(table):
            await news.wait()


async def _dealt(site, game, options, seed):
    host = site.services.host
    setup = await host.open(game, 2)
    chairs = tuple(Chair(name, "person", f"{n:064x}") for n, name in enumerate(("Ada", "Ben")))
    await host.change(setup.id, lambda setup: replace(setup, chairs=chairs, top={**setup.top, "options": options}))
    return await host.start(setup.id, seed=seed.to_bytes(16))


async def _whole(site, game, options, ends):
    """A seed, and the moves of a whole game whose last ones are as `ends` wants them."""
    host = site.services.host
    for seed in range(1, 60):
        table, dice, moves = await _dealt(site, game, options, seed), FastDice(seed), []
        while table.result is None:
            seat = table.to_act[0]
            action = dice.choice(table.legal(seat))
            if game == "trailblaze":
                action = table.package.bot.choose(table.view(seat), table.legal(seat), dice, None)
            moves.append((seat, action))
            await host.answer(table.id, seat, table.question(seat), action)
        if ends([type(one).__name__ for entry in table.news[-LAST:] for one in entry.news]):
            return seed, moves
    raise AssertionError("no game ends so")


async def _end(studio, game, options, ends):
    """The last moves of a game, one a second."""
    site, host, name = studio.site, studio.site.services.host, f"{game}-end"
    seed, moves = await _whole(site, game, options, ends)
    table = await _dealt(site, game, options, seed)
    for seat, action in moves[:-LAST]:
        await host.answer(table.id, seat, table.question(seat), action)
    pages = {who: await studio.visitor(who, looks=LOOKS) for who in ("phone", "other", "screen")}
    for who, page in pages.items():
        await page.goto(f"/t/{table.id}" + ("/screen" if who == "screen" else ""))
        await page.locator("#table[data-ready]").wait_for()
    async with studio.shot(name, pages) as say:
        for seat, action in moves[-LAST:]:
            await asyncio.sleep(1)
            say(type(action).__name__)
            await host.answer(table.id, seat, table.question(seat), action)
        await asyncio.sleep(16)
    studio.compare(pages, "screen")
    for page in pages.values():
        await page.context.close()


async def _begin(studio, game, options, until):
    """A game from its first move, played by taps."""
    pages = {who: await studio.visitor(who, looks=LOOKS) for who in ("phone", "other", "screen")}
    ada, ben = (Patient(pages[who], touch=True, seed=n) for n, who in enumerate(("phone", "other")))
    code = await open_table(ada, game, "Ada")
    host = studio.site.services.host
    await join(ben, code, "Ben")
    await host.change(code, lambda setup: replace(setup, top={**setup.top, "options": options}))
    await pages["screen"].goto(f"/t/{code}/screen")
    await pages["screen"].locator("#table[data-ready]").wait_for()
    table = await host.table(code)
    async with studio.shot(game, pages) as say:
        say("begins")
        await start(ada)
        playing = [asyncio.create_task(one.game(MINDS[game])) for one in (ada, ben)]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONG):
                await _until(host, table, until)
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.sleep(6)
    studio.compare(pages, "screen")
    for page in pages.values():
        await page.context.close()


async def trailblaze(studio):
    """The first rounds with their reveals, and the end of a game."""
    await _begin(studio, "trailblaze", {}, lambda table: table.view(None).public.round > 2)
    await _end(studio, "trailblaze", {}, lambda _: True)


async def latin(studio):
    """A strict game: contests and a verdict; and the end of a game by an objection."""
    few = {"cards_per_player": 3}
    await _begin(studio, "hic-haec-hoc", few, lambda table: table.result is not None or table.seq > 24)
    await _end(studio, "hic-haec-hoc", few, lambda news: "Judged" in news)
