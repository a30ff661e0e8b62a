"""The end of Trailblaze: points count up on phones and the screen; who wants it still has the sums at once."""

import pytest

from browser.test_frames import LAST, dealt, played
from matrix import sampled
from spieltisch.games.trailblaze.rules import scores

STEP = 900  # ms for each column of the score
# What the total of the score said, in the order in which it was seen; "" between two pictures.
TOTALS = """
window.totals = [];
window.changed = {};  // when the parts, and the total, changed last
const look = () => {
  const numbers = [...document.querySelectorAll('[data-count]:not([data-count="4"])')];
  const parts = numbers.map((one) => one.textContent).join();
  if (parts !== changed.parts?.[1]) changed.parts = [performance.now(), parts];
  const total = document.querySelector('.formula .tot b, .tvscore td b');
  const said = total?.checkVisibility({visibilityProperty: true, opacityProperty: true}) ? total.textContent : '';
  if (said > 0 && !changed.total) changed.total = performance.now();
  if (said && totals.at(-1) !== Number(said)) totals.push(Number(said));
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@pytest.mark.parametrize(("on_phone", "on_screen"), sampled([(True, False), (False, True)], [(True, False)]))
async def test_points_count_up_where_things_move(site, visit, on_phone, on_screen):
    seed, moves = await played(site, "trailblaze", lambda _news: True)
    table, host = await dealt(site, "trailblaze", seed), site.services.host
    async with (
        visit(site.origin, phone=True, moving=on_phone) as phone,
        visit(site.origin, width=1280, moving=on_screen) as screen,
    ):
        for seat, action in moves[:-LAST]:
            await host.answer(table.id, seat, table.question(seat), action)
        for page, address in ((phone, f"/t/{table.id}"), (screen, f"/t/{table.id}/screen")):
            await page.add_init_script(TOTALS)
            await page.goto(address)
            await page.locator("#table[data-ready]").wait_for()
        for seat, action in moves[-LAST:]:
            await host.answer(table.id, seat, table.question(seat), action)
        won = [parts.total for parts in scores(table.view(None).public)]
        # who watches a phone sees the best one's sum
        for page, total, moving in ((phone, max(won), on_phone), (screen, won[0], on_screen)):
            await page.wait_for_function("total => totals.at(-1) === total", arg=total, timeout=20_000, polling=100)
            seen = await page.evaluate("totals")
            assert seen == sorted({*seen})
            assert (len(seen) > 3) is moving
            assert (seen[0] == 0) is moving
            if moving:  # no empty column is waited for
                assert await page.evaluate("changed.total - changed.parts[0]") < STEP
        await phone.reload()  # the page has it whole
        await phone.locator("#table[data-ready]").wait_for()
        assert await phone.evaluate("totals.concat(Number(document.querySelector('.tot b').textContent))") in (
            [max(won)],
            [max(won), max(won)],
        )
