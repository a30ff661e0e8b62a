"""The same cards at every table of a lesson, and what a class looks at together when all of its games are over."""

import csv
import io
import random
import re
from collections import Counter
from html import unescape

import pytest

from matrix import sampled
from spieltisch import games
from spieltisch.game import Illegal
from spieltisch.table.session import TableSession
from web.site import finished, refused, served
from web.test_classes import browsers, lesson, room_of

pytestmark = pytest.mark.anyio


async def tables_at(site, url):
    room = await room_of(site, url)
    return [await site.services.host.table(table.id) for table in room.tables]


def secrets_of(monkeypatch):
    """What the tables' seeds are, by their codes, from now on."""
    seeds, begin = {}, TableSession.begin

    def begun(self, setup, seed, body):
        begin(self, setup, seed, body)
        seeds[setup.id] = seed

    monkeypatch.setattr(TableSession, "begin", begun)
    return seeds


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_the_same_cards_lie_at_every_table_also_at_those_of_other_sizes_and_late_ones(
    tmp_path, monkeypatch, game
):
    seeds = secrets_of(monkeypatch)
    plan = {"game": game, "size": "3", "same": "1", f"{game}:level": ""}
    async with (
        served(tmp_path, pause=lambda: 3600.0) as site,
        site.browser() as teacher,
        browsers(site, 7) as pupils,
    ):
        url = await lesson(site, teacher, pupils[:5], **plan)  # 3 and 2
        for late in pupils[5:]:  # one gets the bot's seat, one a table of their own
            await late.post(f"{url}/join")
        await teacher.post(f"{url}/seat-waiting")
        tables = await tables_at(site, url)
        assert [len(one.setup.chairs) for one in tables] == [3, 3, 3]
        assert [sum(chair.kind == "bot" for chair in one.setup.chairs) for one in tables] == [0, 0, 2]
        first, *others = (see_all(one) for one in tables)
        assert all(other == first for other in others)
        assert len(set(seeds.values())) == 1
        # dealt anew: other cards, again the same at all tables
        room = await room_of(site, url)
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": room.tables[0].id})
        await teacher.post(f"{url}/resume")
        assert len(set(seeds.values())) == 2
        again = [see_all(one) for one in await tables_at(site, url)]
        assert all(one == again[0] for one in again)
        assert again[0] != first


def see_all(table):
    """What lies open and in all hands."""
    return [table.view(seat) for seat in range(len(table.setup.chairs))]


async def test_without_the_option_every_table_has_cards_of_its_own(tmp_path, monkeypatch):
    seeds = secrets_of(monkeypatch)
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        await lesson(site, teacher, pupils, size="2")
        assert len(set(seeds.values())) == 2


async def test_who_is_over_first_tells_nothing_of_cards_with_which_others_still_play(tmp_path, monkeypatch):
    seeds = secrets_of(monkeypatch)
    async with served(tmp_path) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        url = await lesson(site, teacher, pupils, size="2", same="1", **{"hic-haec-hoc:level": ""})
        ahead, behind = await tables_at(site, url)
        assert ahead.seal == behind.seal
        await finished(site, ahead, random.Random(1))
        assert ahead.setup.stage == "over"
        seat = pupils[0]  # dealt by number: at the first table
        for path in ("replay", "review", "stories", "record", "record.json", "picture.svg", "missed"):
            answer = await seat.get(f"/t/{ahead.id}/{path}")
            assert answer.status_code >= 400, path
        page = (await seat.get(f"/t/{ahead.id}")).text
        assert seeds[ahead.id].hex() not in page
        assert "once all games are over" in page
        with pytest.raises(Illegal, match="same cards"):
            await site.services.host.replay(ahead.id)
        with pytest.raises(Illegal, match="same cards"):
            await site.services.host.record(ahead.id)
        assert refused_of(await teacher.get(f"{url}/debrief")) == 422
        await teacher.post(f"{url}/stop")
        assert (await seat.get(f"/t/{ahead.id}/replay")).status_code == 200
        assert (await site.services.host.record(ahead.id))["tags"]["seed"] == seeds[ahead.id].hex()
        assert (await teacher.get(f"{url}/debrief")).status_code == 200


def refused_of(answer):
    """The status of a refusal, which stands on the page of the class."""
    assert "still running" in refused(answer.text)
    assert 'id="report"' in answer.text
    return answer.status_code


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_a_class_looks_back_on_all_games_and_nobody_is_named(tmp_path, game):
    level = next(iter(games.package(game).bot.levels))
    plan = {"game": game, "size": "2", f"{game}:level": level, f"{game}:way": "quick"}
    async with served(tmp_path) as site, browsers(site, 5) as (teacher, *pupils):
        url = await lesson(site, teacher, pupils, **plan)
        assert refused_of(await teacher.get(f"{url}/debrief")) == 422
        assert (await pupils[0].get(f"{url}/debrief")).status_code == 403
        assert 'id="debrief"' not in (await teacher.get(url)).text
        done, broken_off = await tables_at(site, url)
        await finished(site, done, random.Random(3))
        await played(site, broken_off, 60)
        await teacher.post(f"{url}/stop")
        assert 'id="debrief"' in (await teacher.get(url)).text
        page = (await teacher.get(f"{url}/debrief")).text
        room = await room_of(site, url)
        assert not any(one.name in page for one in room.pupils)
        assert not any(chair.name in page for one in (done, broken_off) for chair in one.setup.chairs)
        german = (await teacher.get(f"{url}/debrief", headers={"accept-language": "de"})).text
    slides, other = (len(re.findall(r'<section class="slide', one)) for one in (page, german))
    assert page.count("<td") - slides == german.count("<td") - other > 0  # each has an empty corner
    assert slides == other or game == "anno-domini"  # a chain takes more slides where its texts are longer
    cards = page.count('class="front"')
    assert 1 <= cards <= 5  # random players err
    assert "Worin sich die Klasse irrte" in german
    if game == "trailblaze":
        assert slides == 2 + cards
        assert "Where the class placed each period" in page
    elif game == "hic-haec-hoc":
        assert slides == 2 + cards
        assert "What the class is sure of" in page
    else:
        assert "Round 1, table 1" in page
        assert "Source: " in page


async def played(site, table, moves):
    """So many random moves of whoever is asked."""
    dice = random.Random(2)
    for _ in range(moves):
        if not table.to_act or table.result is not None:
            return
        seat = table.to_act[0]
        action = dice.choice(table.legal(seat))
        await site.services.host.answer(table.id, seat, table.question(seat), action)


async def test_there_is_nothing_to_look_back_on_before_a_lesson(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher:
        url = (await teacher.post("/class/new", data={"game": "hic-haec-hoc", "size": "4", "minutes": "45"})).headers[
            "location"
        ]
        answer = await teacher.get(f"{url}/debrief")
        assert (answer.status_code, "No game of this lesson has finished yet." in answer.text) == (422, True)


TOLD = re.compile(r"Missed by the class: ([^<]*)</p>\s*<h2[^>]*>([^<]*)</h2>")
ROWS = re.compile(r"<tr>\s*<th scope=\"row\">(.*?)</tr>", re.DOTALL)
OF = re.compile(r"(\d+) of (\d+)")
GAMES = ["anno-domini", "hic-haec-hoc", "trailblaze"]


@pytest.mark.parametrize("seed", sampled(range(50), range(len(GAMES))))
async def test_look_back_and_report_of_any_lesson_count_the_same(tmp_path, seed):
    dice = random.Random(seed)
    game = GAMES[seed % 3]
    level = dice.choice(["", next(iter(games.package(game).bot.levels))])
    plan = {"game": game, "size": str(dice.randint(2, 4)), f"{game}:level": level, "same": dice.choice(["", "1"])}
    async with served(tmp_path) as site, site.browser() as teacher, browsers(site, dice.randint(2, 8)) as pupils:
        url = await lesson(site, teacher, pupils, **plan)
        for table in await tables_at(site, url):
            await wander(site, table, dice, dice.randint(0, 90))
        if dice.random() < 0.3:  # dealt anew in the lesson: what was decided before counts, too
            room = await room_of(site, url)
            await teacher.post(f"{url}/deal", data={"way": "random", "dealt": room.tables[0].id})
            await teacher.post(f"{url}/resume")
            for table in await tables_at(site, url):
                await wander(site, table, dice, dice.randint(0, 60))
        await teacher.post(f"{url}/stop")
        page = (await teacher.get(f"{url}/debrief")).text
        report = (await teacher.get(f"{url}/report")).text
        answer = await teacher.get(f"{url}/report/csv")
    told = answer.text[1:] if answer.text.startswith("\ufeff") else ""  # of nothing there is no file
    found = list(csv.DictReader(io.StringIO(told), delimiter=";"))
    assert [(unescape(front), unescape(words)) for words, front in TOLD.findall(page)] == worst(found)[:5]
    for front, words in worst(found)[:1]:
        assert words in unescape(report), front
    at_tables = [row for row in found if row["Table no."]]
    if game == "trailblaze":
        boards = page.partition("Right stones")[2].partition("</table>")[0]
        counted = [(int(right), int(stood)) for right, stood in OF.findall(boards)]
        assert sum(stood for _, stood in counted) == len(at_tables)
        assert sum(right for right, _ in counted) == sum(row["Result"] == "right" for row in at_tables)
    elif game == "hic-haec-hoc" and found:
        grid = page.partition("Objections at all")[2].partition("</table>")[0]
        figures = [[int(n) for n in re.findall(r"<span>(\d+)</span>", row)] for row in ROWS.findall(grid)]
        laid = [row["Result"] for row in at_tables if row["Decision"] == "laid"]
        contested = [row["Result"] for row in at_tables if row["Decision"] == "contested"]
        expected = [len(laid), laid.count("wrong"), len(contested), contested.count("right")]
        assert [sum(column) for column in zip(*figures, strict=True)] == expected


async def wander(site, table, dice, moves):
    """So many random moves of people; bots go on meanwhile."""
    for _ in range(moves):
        people = [seat for seat in table.to_act if table.setup.chairs[seat].kind == "person"]
        if table.result is not None or not people:
            return
        question, action = table.question(people[0]), dice.choice(table.legal(people[0]))
        await site.services.host.answer(table.id, people[0], question, action)


def worst(found):
    """By the single decisions: the cards that were missed, most first, with what is said of each."""
    cards = {row["Card"]: row["Text on the card"] for row in found}
    counted = {card: Counter(row["Result"] for row in found if row["Card"] == card) for card in cards}
    missed = [card for card, n in counted.items() if n["wrong"] + n["unnoticed"]]
    missed.sort(key=lambda card: (-counted[card]["wrong"] - counted[card]["unnoticed"], counted[card]["right"], card))
    return [(cards[card], said(counted[card])) for card in missed]


def said(n):
    claims = n["right"] + n["wrong"]
    words = [f"{n['wrong']} of {claims} wrong"] if claims else []
    return ", ".join(words + ([f"unnoticed {n['unnoticed']} ×"] if n["unnoticed"] else []))
