"""The longest German compounds: no card cuts a word."""

import pytest

from browser.test_screen import seated
from spieltisch.games.trailblaze.state import Keep, LeaveBonus
from spieltisch.games.trailblaze.state import Place as Stone

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
# Every text of a card is this one now; which of them reaches beyond its card, or a box that cuts it off?
CUT = """(word) => {
  const all = [...document.querySelectorAll('.evcard, .ev, .tbcard, .bigcard, .rcard')];
  const cards = all.filter((one) => one.checkVisibility());
  const told = [];
  for (const card of cards) {
    const texts = [...card.querySelectorAll('p, .serif, .tx')].filter((one) => !one.querySelector('p'));
    for (const text of texts.length ? texts : [card]) {
      const node = [...text.childNodes].find((one) => one.nodeType === 3 && one.data.trim());
      if (!node) continue;
      node.data = word;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects())
        if (line.right > card.getBoundingClientRect().right + 0.5) told.push(`${card.className}: ${text.className}`);
    }
  }
  return [cards.length > 0, [...new Set(told)]];
}"""


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze"])
async def test_no_word_is_cut_on_a_card(site, visit, game):
    table, host = await seated(site, game, 2), site.services.host
    if game == "trailblaze":
        for kind in (Keep, Keep, LeaveBonus, Stone, Stone):  # to a reveal
            seat = table.to_act[0]
            action = next(one for one in table.legal(seat) if isinstance(one, kind))
            await host.answer(table.id, seat, table.question(seat), action)
    async with visit(site.origin, lang="de") as page:
        for width in (320, 390, 1280):
            await page.set_viewport_size({"width": width, "height": 800})
            await page.goto(f"/t/{table.id}")
            await page.locator("#table[data-ready]").wait_for()
            found, told = await page.evaluate(CUT, WORD)
            assert found
            assert not told, (width, told)
