"""Numbered and daily deals: public, the same for everybody, proven winnable."""

import datetime as dt
import itertools
import random

import pytest

from spieltisch.dice import numbered_pile
from spieltisch.games.adaman import daily, rules
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.solver import Solver
from web.site import served

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]  # the first of them all compiles the kernels
DAY = dt.timedelta(1)


def test_every_day_for_two_years_has_one():
    days = [dt.date.fromisoformat(day) for day in daily.deals()]
    assert all(after - day == DAY for day, after in itertools.pairwise(days))
    assert len(set(daily.deals().values())) == len(days) == 800
    assert daily.Daily().number(days[-1] + DAY) == 0


def test_they_can_be_won():
    solver = Solver(decktet())
    for number in random.Random(5).sample(list(daily.deals().values()), 40):
        assert solver.solve(numbered_pile("adaman", number, 36), best=False).winnable, number


async def test_a_numbered_deal_is_laid_out_as_it_was_solved(tmp_path):
    deck = decktet()
    number = daily.Daily().number(dt.date(2027, 3, 1))
    pile = numbered_pile("adaman", number, len(deck.cards))
    dealt = rules.resolve_chance(rules.setup(1, rules.Options(), deck), pile).public
    async with served(tmp_path) as site, site.browser() as browser:
        for _ in range(2):
            answer = await browser.post("/play", data={"game": "adaman", "deal": str(number)})
            code = answer.headers["location"].rpartition("/")[2]
            public = (await site.services.host.table(code)).view(0).public
            for row in ("capital", "palace", "resources"):
                ids = [public.deck.cards[card].id for card in getattr(public, row)]
                assert ids == [deck.cards[card].id for card in getattr(dealt, row)]
            assert f"{number}" in (await browser.get(f"/t/{code}")).text
        seals = set()
        for _ in range(2):  # those without a number are sealed as ever
            answer = await browser.post("/play", data={"game": "adaman"})
            table = await site.services.host.table(answer.headers["location"].rpartition("/")[2])
            seals.add(table.seal)
            assert not table.setup.deal
        assert len(seals) == 2


async def test_no_numbers_for_several_and_no_nonsense(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        for fields in ({"game": "anno-domini", "deal": "7"}, {"game": "adaman", "deal": "x"}):
            answer = await browser.post("/play", data=fields)
            assert answer.status_code == 422
            assert 'role="alert"' in answer.text


async def test_todays_daily_plays_todays_deal(tmp_path):
    today = dt.datetime.now(dt.UTC).date()
    async with served(tmp_path) as site, site.browser() as browser:
        answer = await browser.post(f"/daily/adaman/{today}")
        code = answer.headers["location"].rpartition("/")[2]
        assert (await site.services.host.table(code)).setup.deal == daily.Daily().number(today)
