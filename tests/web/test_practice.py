"""Practising what went wrong: when a card comes back, among which others, and what the server tells of it."""

import datetime as dt
import html
import json
import re
from functools import cache
from itertools import pairwise

import pytest

from matrix import many
from spieltisch import games
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice
from spieltisch.web.practice.routes import task_of
from spieltisch.web.practice.spacing import LONGEST, due
from web.site import code as code_of
from web.site import finished, served
from web.test_deckchoice import sheet

pytestmark = pytest.mark.anyio
LIBRARY = Library()
MONDAY = dt.date(2026, 11, 30)
KINDS = {"events": "events", "firsts": "firsts", "hic": "forms"}  # by deck


@cache
def cards_of(deck):
    kind = kind_of(KINDS[deck])
    return kind.called(LIBRARY.deck(deck, kind))


def day(n):
    return MONDAY + dt.timedelta(n)


def test_a_card_that_went_wrong_comes_back_on_another_day():
    for went in (0, 1):
        assert due([(MONDAY, went)]) == day(1)
    tries = [(MONDAY, 0)]
    for _ in range(6):  # known for weeks, and forgotten then
        tries.append((due(tries), 3))
    forgotten = due(tries)
    back = due([*tries, (forgotten, 1)])
    assert forgotten < back < forgotten + (forgotten - tries[-1][0])


def test_a_card_that_is_known_comes_back_later_and_later():
    tries, waits = [(MONDAY, 0)], []
    for _ in range(12):
        back = due(tries)
        waits.append((back - tries[-1][0]).days)
        tries.append((back, 3))
    assert waits == sorted(waits)
    assert waits[-1] > 10 * waits[1]
    assert max(waits) <= LONGEST


def test_right_at_the_second_try_comes_back_sooner_than_at_once():
    known = [(MONDAY, 0), (day(1), 3), (day(4), 3)]
    wrong, helped, right = (due([*known, (day(10), went)]) for went in (1, 2, 3))
    assert day(10) < wrong < helped < right
    assert due([*known[::-1], (day(10), 3)]) == right  # in whatever order a device sends them


@pytest.mark.parametrize("deck", KINDS)
def test_each_time_a_card_lies_among_others(deck):
    for card in cards_of(deck)[:: many(20, 5)]:
        tasks = [task_of(LIBRARY, (deck,), card, n) for n in range(6)]
        assert all(task.right for task in tasks)
        for before, task in pairwise(tasks):
            assert task.shown != before.shown
        assert tasks[3] == task_of(LIBRARY, (deck,), card, 3)  # the answer is to the same task


async def ask(browser, deck, card, tries=((MONDAY, 0),), on=MONDAY, **more):
    said = json.dumps([[str(when), went] for when, went in tries])
    return await send(browser, {"deck": deck, "card": card, "tries": said, "day": str(on)} | more)


async def send(browser, fields):
    return await browser.post("/practice", data=fields, headers={"accept": "application/json"})


def mark(answer):
    return re.search(r'name="mark" value="(\w+)"', answer.json()["html"])[1]


async def test_the_answer_is_in_no_page_that_asks(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        for deck in KINDS:
            card = cards_of(deck)[7]
            task = task_of(LIBRARY, (deck,), card, 1)
            found = LIBRARY.read(deck)
            back = found[0].learned(found[1], {card})[card].back["en"]
            asked = await ask(ada, deck, card)
            assert {*asked.json()} == {"html"}
            wrong = next(n for n in range(task.choices) if n not in task.right)
            again = await ask(ada, deck, card, mark=mark(asked), choice=wrong)
            assert {*again.json()} == {"html"}
            for page in (asked, again):  # a reading is one of the answers to choose from
                assert deck == "hic" or back not in html.unescape(page.json()["html"])
            assert again.json()["html"].count(" disabled") == 1
            for first, choice, went in ((None, task.right[0], 3), (wrong, task.right[0], 2), (wrong, wrong, 1)):
                more = {} if first is None else {"first": first}
                told = (await ask(ada, deck, card, mark=mark(asked), choice=choice, **more)).json()
                assert told["went"] == went
                assert told["due"] == str(due([(MONDAY, 0), (MONDAY, went)]))
                assert back in html.unescape(told["html"])
                assert ("Right!" in told["html"]) == (went > 1)


async def test_what_is_no_more_leaves_the_list_with_a_sentence(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        for deck, card in (("gone", "x"), ("events", "no-such-card"), ("../decks/events", "x"), ("decktet", "x")):
            told = (await ask(ada, deck, card)).json()
            assert told["gone"]
            assert "nicht mehr in ihrem Deck" in told["html"]
        card = cards_of("events")[0]
        task = task_of(LIBRARY, ("events",), card, 1)
        told = await ask(ada, "events", card, mark="0" * 12, choice=task.right[0])  # an answer to another task
        assert "inzwischen geändert" in told.json()["html"]
        assert {*told.json()} == {"html"}


async def test_a_private_deck_is_asked_of_its_maker_alone(tmp_path):
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "ours.csv").write_text(sheet(more="#private\n"))
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        ada.cookies.set("spieltisch_deck_ours", site.services.deck_keys.key("ours"))
        assert "Event aad" in (await ask(ada, "ours", "c3")).json()["html"]
        assert (await ask(ben, "ours", "c3")).json()["gone"]


@pytest.mark.parametrize(
    "broken",
    [
        {"tries": "x"}, {"tries": "{}"}, {"tries": '[["2026-11-30"]]'}, {"tries": '[["2026-11-30", 4]]'},
        {"tries": '[["9999-12-31", 3]]'}, {"tries": '[["0001-01-01", 3]]'}, {"tries": "[" * 5000},
        {"tries": json.dumps([["2026-11-30", 3]] * 101)}, {"day": ""}, {"day": "today"}, {"day": "9999-12-31"},
        {"deck": ""}, {"card": ""}, {"card": "x" * 81}, {"deck": "e" * 5000},
    ],
)  # fmt: skip
async def test_a_foreign_list_gets_a_sentence(tmp_path, broken):
    async with served(tmp_path) as site, site.browser() as ada:
        fine = {"deck": "events", "card": cards_of("events")[0], "tries": '[["2026-11-30", 0]]', "day": "2026-11-30"}
        assert (await send(ada, fine)).status_code == 200
        answer = await send(ada, fine | broken)
        assert answer.status_code == 422
        assert answer.json()["detail"] == "This entry of your list can’t be read."


async def test_a_choice_that_is_none_is_refused(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        card = cards_of("events")[0]
        asked = await ask(ada, "events", card)
        for choice in ("4", "-1", "x", "999999999"):
            answer = await ask(ada, "events", card, mark=mark(asked), choice=choice)
            assert answer.json()["detail"] == "This is not one of the choices."


async def test_what_one_got_wrong_oneself_after_the_end(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        table = code_of((await ada.post("/play", data={"game": "anno-domini", "seats": "2"})).headers["location"])
        assert (await ada.get(f"/t/{table}/practice")).status_code == 422  # nothing of it before the end
        await finished(site, await site.services.host.table(table), FastDice(3), blind=True)
        assert f"/t/{table}/practice" in (await ada.get(f"/t/{table}")).text
        assert (await ben.get(f"/t/{table}/practice")).status_code == 403
        assert (await ada.get(f"/t/{table}/practice?seat=1")).status_code == 403
        page = (await ada.get(f"/t/{table}/practice")).text
        found = json.loads(html.unescape(re.search(r'data-cards="([^"]*)"', page)[1]))
        game = await site.services.host.replay(table)
        told = [news for entry in game.news for news in entry.news]
        laid = {one.card.number for one in told if type(one).__name__ in {"Placed", "Opened"} and one.seat == 0}
        assert found
        assert laid
        claimed = (await ada.get(f"/t/{table}/claims")).json()["marks"]
        assert len(found) <= claimed.count("✗") + len(game)
        for deck, card in found:
            assert deck == "events"
            assert card in cards_of("events")


@pytest.mark.parametrize(
    ("deck", "why"), [("hic", "fits nowhere"), ("events", "So a doubt is right in"), ("decktet", "of 100 such games")]
)
async def test_a_puzzle_of_the_day_says_why(tmp_path, deck, why):
    card = f"day/{MONDAY}"
    task = task_of(LIBRARY, (deck,), card, 0)
    async with served(tmp_path) as site, site.browser() as ada:
        assert f'data-deck="{deck}"' in (await ada.get("/practice")).text
        asked = await ask(ada, deck, card, tries=())
        assert why not in asked.json()["html"]
        wrong = next(n for n in range(task.choices) if n not in task.right)
        for choice, went in ((task.right[0], 3), (wrong, 1)):
            more = {} if went == 3 else {"first": wrong}
            told = (await ask(ada, deck, card, tries=(), mark=mark(asked), choice=choice, **more)).json()
            assert told["went"] == went
            assert told.get("due") == (str(day(1)) if went == 1 else None)  # what is solved is on no list
            assert why in told["html"]


@pytest.mark.slow
async def test_a_payment_that_was_a_mistake_is_asked_again(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        code = code_of((await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"])
        await finished(site, await site.services.host.table(code), FastDice(1), blind=True)
        while (answer := await ada.get(f"/t/{code}/practice")).status_code == 202:
            pass
        found = json.loads(html.unescape(re.search(r'data-cards="([^"]*)"', answer.text)[1]))
        assert found
        deck, card = found[0]
        asked = await ask(ada, deck, card)
        assert "what do you pay?" in asked.json()["html"]
        assert "of 100 such games" not in asked.json()["html"]
        made = card.partition("/")[2]
        task = await site.services.analysis.task(games.package("adaman"), card, f"{card}/1")
        own = task.shown.index(made)
        assert own not in task.right
        told = (await ask(ada, deck, card, mark=mark(asked), choice=own, first=own)).json()
        assert told["went"] == 1
        assert "of 100 such games" in told["html"]
        for foreign in ("." * 36, "c" * 36 + "/1:2", card[:40]):
            assert (await ask(ada, deck, foreign)).json()["gone"]
