"""Whole games against bots through the page: by touch and by keyboard alone, light and dark, German and English."""

import pytest

from browser.play import MINDS, Person, add_bots, against_bots, number, open_table, option, start

TOUCH, KEYS = {"phone": True}, {"phone": False}
LIGHT, DARK = {"dark": False}, {"dark": True}
EN, DE = {"lang": "en"}, {"lang": "de"}

PAIRS = [
    ("adaman", TOUCH | LIGHT | DE),
    ("adaman", KEYS | DARK | EN),
    ("anno-domini", TOUCH | DARK | EN),
    ("anno-domini", KEYS | LIGHT | DE),
    ("trailblaze", TOUCH | LIGHT | EN),
    ("trailblaze", KEYS | DARK | DE),
    ("hic-haec-hoc", TOUCH | DARK | DE),
    ("hic-haec-hoc", KEYS | LIGHT | EN),
]


TAPS = {  # the least taps that a move needs, once the page is there
    "adaman": {"control": 2, "excuse": 2},
    "anno-domini": {"place": 3, "doubt": 2, "open": 3},  # placing is confirmed
    "trailblaze": {"swap": 1, "place": 2, "bonus": 2, "without bonus": 1, "replace": 1, "skip": 1},
    "hic-haec-hoc": {"play": 3, "accept or contest": 1, "draw or pass": 1},
}


def words(value):
    return value if isinstance(value, str) else "-".join(
        [("keys", "touch")[value["phone"]], ("light", "dark")[value["dark"]], value["lang"]]
    )  # fmt: skip


@pytest.mark.parametrize(("game", "way"), PAIRS, ids=words)
async def test_a_whole_game_against_bots(site, visit, game, way):
    async with visit(site.origin, **way) as page:
        me = Person(page, touch=way["phone"], seed=len(game))
        await against_bots(me, game)
        assert await page.locator("html").get_attribute("lang") == way["lang"]
        await me.game(MINDS[game])
        assert (await page.locator("#over").text_content()).strip()
        table = await site.house.host.table(page.url.rpartition("/")[2])
        assert table.result is not None
        print(game, words(way), me.taps, sorted(me.seen))
        assert all(taps <= TAPS[game][kind] for kind, taps in me.taps.items()), me.taps


async def test_a_whole_game_assisted(site, visit):
    """hic – haec – hoc with the tables of forms open: what is said to fit is taken, nobody objects."""
    async with visit(site.origin, phone=True, lang="en") as page:
        me = Person(page, touch=True, seed=5)
        await open_table(me, "hic-haec-hoc")
        await option(me, "mode", "assisted")
        await add_bots(me, 2, 3)
        await start(me)
        await me.game(MINDS["hic-haec-hoc"])
        assert "contest" not in me.seen


@pytest.mark.parametrize("phone", [True, False], ids=["touch", "keys"])
async def test_with_one_card_left_a_round_begins_with_an_order(site, visit, phone):
    """Anno Domini with a card each: whoever begins puts it in order with two of the pile, in three taps."""
    async with visit(site.origin, phone=phone) as page:
        me = Person(page, touch=phone, seed=8)
        await open_table(me, "anno-domini")
        await number(me, "cards_per_player", 1)
        await add_bots(me, 2, 3)
        await start(me)
        await me.turn(MINDS["anno-domini"])
        assert me.taps == {"open": 3}


async def test_with_motion_a_move_is_not_lost(site, visit):
    """Cards glide: the next tap does not wait for them, and nothing is lost by it."""
    async with visit(site.origin, phone=True, moving=True) as page:
        me = Person(page, touch=True, seed=3)
        await against_bots(me, "adaman")
        await me.turns(MINDS["adaman"], 4)
