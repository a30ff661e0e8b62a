"""What a class knew: counted when no table plays any more, by card for the lessons to come, for who leads it alone."""

import csv
import datetime as dt
import io

import msgspec
import pytest
from python_calamine import CalamineWorkbook

from clock import Clock
from spieltisch.classroom.counts import Decided, Tally, added, share
from spieltisch.games.annodomini.cards import wrong_pairs
from spieltisch.games.annodomini.state import Doubt, Place
from spieltisch.paper.class_report import typeset
from spieltisch.web.classroom import report
from web.site import served
from web.test_classes import browsers, lesson, prepared, room_of

pytestmark = pytest.mark.anyio


def test_of_few_claims_no_share_is_told_and_of_more_the_interval():
    assert share(4, 4) is None
    assert [round(one, 3) for one in share(5, 10)] == [0.5, 0.237, 0.763]  # as tables of Wilson's interval have it
    assert share(5, 5)[0] == share(5, 5)[2] == 1.0
    assert round(share(5, 5)[1], 3) == 0.566


def test_decisions_add_up_by_card():
    said = {"table": 1, "number": 1, "game": "g", "name": "n", "deck": "d", "off": None, "said": "", "bot": False}
    told = [("laid", "a", True), ("doubted", "a", False), ("passed", "a", False), ("laid", "b", True)]
    rows = [msgspec.convert(said | {"deed": deed, "card": card, "right": right}, Decided) for deed, card, right in told]
    assert added(added((), rows), rows[:1]) == (Tally("d", "a", 2, 1, 1), Tally("d", "b", 1))


async def play(site, room, moves):
    """So many moves at every table: one laid wrong, one right, then a doubt, and so on."""
    host = site.services.host
    for one in room.tables:
        for n in range(moves):
            table = await host.table(one.id)
            seat = table.to_act[0]
            await host.answer(one.id, seat, table.question(seat), chosen(table, seat, n))


def chosen(table, seat, n):
    if n % 3 == 2:
        return Doubt()
    chain = [table.deck.cards[laid.card.number].span for laid in table.view(None).public.chain]

    def errors(action):
        laid = (*chain[: action.at], table.deck.cards[action.card].span, *chain[action.at :])
        return len(wrong_pairs(laid))

    return (max if n % 3 == 0 else min)((one for one in table.legal(seat) if isinstance(one, Place)), key=errors)


def rows_of(answer):
    assert answer.status_code == 200, answer.text[:500]
    assert answer.text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(answer.text[1:]), delimiter=";"))


HISTORY = {
    "game": "anno-domini", "size": "3", "anno-domini:level": "", "anno-domini:series": ["schule"], "minutes": "45",
    "strips": "0", "title": "Größe 7b",
}  # fmt: skip


async def test_a_lesson_is_reported_when_no_table_plays_and_the_next_one_adds_up(tmp_path):  # noqa: PLR0915
    async with (
        served(tmp_path, pause=lambda: 3600.0) as site,
        site.browser() as teacher,
        browsers(site, 6, "de") as pupils,
    ):
        url = await lesson(site, teacher, pupils, **HISTORY)
        room = await room_of(site, url)
        assert len(room.tables) == 2
        # nobody else gets it, in no form
        for form in ("", "/csv", "/grades", "/ods", "/pdf", "/moodle"):
            assert (await pupils[0].get(f"{url}/report{form}")).status_code == 403
        assert 'id="report"' in (await teacher.get(url)).text
        await play(site, room, moves=9)
        running = (await teacher.get(f"{url}/report")).text
        assert "2 tables are still playing." in running
        assert "By goal" not in running
        for form in ("csv", "grades", "ods", "pdf", "moodle"):
            assert "nothing to report yet" in (await teacher.get(f"{url}/report/{form}")).text
        await teacher.post(f"{url}/stop", data={"table": "1"})
        assert "1 table is still playing." in (await teacher.get(f"{url}/report")).text
        await teacher.post(f"{url}/stop", data={"table": "2"})  # broken off, and counted all the same
        page = (await teacher.get(f"{url}/report")).text
        assert "By goal" in page
        found = rows_of(await teacher.get(f"{url}/report/csv"))
        names = {one.name for one in room.pupils}
        assert {row["Name"] for row in found} <= names
        assert {row["Table no."] for row in found} == {"1", "2"}
        assert {row["Result"] for row in found} >= {"right", "wrong"}
        assert all(row["Goal"] and row["Text on the card"] for row in found)
        # each laid card once: as many as were laid
        laid = sum(one["Decision"] == "laid" for one in found)
        assert laid == await placed(site, room)
        german = (await teacher.get(f"{url}/report/csv", headers={"accept-language": "de"})).text
        assert german[1:].startswith("Name;Tisch;Partie;")
        book = CalamineWorkbook.from_filelike(io.BytesIO((await teacher.get(f"{url}/report/ods")).content))
        assert book.sheet_names == ["Goals", "Cards", "Decisions"]
        assert len(book.get_sheet_by_name("Decisions").to_python()) == 1 + len(found)
        cards = book.get_sheet_by_name("Cards").to_python()
        assert sum(row[3] + row[4] + row[5] for row in cards[1:]) == len(found)
        assert (await teacher.get(f"{url}/report/pdf")).content.startswith(b"%PDF")
        graded = rows_of(await teacher.get(f"{url}/report/grades"))
        assert [row["Name"] for row in graded] == sorted({row["Name"] for row in found})
        for row in graded:
            own = [one for one in found if one["Name"] == row["Name"] and one["Decision"] != "said nothing"]
            right = sum(one["Result"] == "right" for one in own)
            assert (int(row["right"]), int(row["Claims"])) == (right, len(own))
            assert row["Right in %"] == (str(round(100 * right / len(own))) if len(own) >= 5 else "")
        count = await site.services.classes.decided(room)
        sheet = report.as_file(site.services.host.library, (), room, count, False, "sheet", "de")
        about = msgspec.json.decode(sheet)["about"]
        assert all(words in about for words in ("6 Lernende", "Anno Domini", str(dt.date.today().year)))  # noqa: DTZ011
        questions = (await teacher.get(f"{url}/report/moodle")).text
        missed = {row["Text on the card"] for row in found if row["Result"] != "right"}
        assert missed
        assert questions.count('type="numerical"') == len(missed)  # each once with its year
        # the lesson ends: only the class's counts stay, without a name or a number
        await teacher.post(f"{url}/next")
        room = await room_of(site, url)
        assert not room.tables
        assert room.counted == 1
        assert sum(one.claims + one.passed for one in room.counts) == len(found)
        again = (await teacher.get(f"{url}/report")).text
        assert "1 lesson in all" in again
        assert not any(name in again for name in names)
        assert len(rows_of(await teacher.get(f"{url}/report/csv"))) == 0
        # a second lesson adds to it
        for one in pupils:
            await one.post(f"{url}/join")
        await teacher.post(f"{url}/deal", data={"way": "random", "dealt": ""})
        await teacher.post(f"{url}/resume")
        room = await room_of(site, url)
        await play(site, room, moves=6)
        await teacher.post(f"{url}/stop")
        both = (await teacher.get(f"{url}/report?of=all")).text
        assert "2 lessons in all" in both
        second = rows_of(await teacher.get(f"{url}/report/csv?of=lesson"))
        await teacher.post(f"{url}/next")
        room = await room_of(site, url)
        assert room.counted == 2
        assert sum(one.claims + one.passed for one in room.counts) == len(found) + len(second)


async def placed(site, room):
    n = 0
    for table in room.tables:
        game = await site.services.host.replay(table.id, broken_off=True)
        n += sum(type(one).__name__ in {"Placed", "Opened"} for entry in game.news for one in entry.news)
    return n


async def test_what_a_bot_or_the_clock_did_is_nobodys_and_a_demonstration_is_shown_but_not_kept(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as teacher:
        url = await prepared(teacher, game="hic-haec-hoc", **{"hic-haec-hoc:mode": "strict"})
        await teacher.post(f"{url}/demo")
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        room = await room_of(site, url)
        for one in room.tables:
            with site.services.host.hub.listen(one.id) as news:
                while (await site.services.host.table(one.id)).seq < 12:
                    await news.wait()
        await teacher.post(f"{url}/stop")
        page = (await teacher.get(f"{url}/report")).text
        assert "nur Bots" in page
        assert "Dativ" in page or "Ablativ" in page or "Nominativ" in page
        await teacher.post(f"{url}/next")
        room = await room_of(site, url)
        assert (room.counts, room.counted) == ((), 0)


async def test_who_was_moved_is_named_for_what_they_did_before(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 7) as pupils:
        plan = HISTORY | {"size": "4", "anno-domini:level": "chronicler"}
        url = await lesson(site, teacher, pupils, **plan)  # 4, and 3 with a bot
        room, host = await room_of(site, url), site.services.host
        first = room.tables[0].id
        table = await host.table(first)
        seat = table.to_act[0]
        name = table.setup.chairs[seat].name
        number = next(one.number for one in room.pupils if one.name == name)
        await host.answer(first, seat, table.question(seat), table.legal(seat)[0])
        assert (await teacher.post(f"{url}/move", data={"pupil": str(number), "to": "2"})).status_code == 303
        await teacher.post(f"{url}/stop")
        found = rows_of(await teacher.get(f"{url}/report/csv"))
        assert [(row["Name"], row["Table no."]) for row in found] == [(name, "1")]


async def test_a_class_that_is_forgotten_is_counted_and_one_that_cannot_be_counted_is_forgotten(tmp_path, monkeypatch):
    clock = Clock(1000.0)
    async with (
        served(tmp_path, pause=lambda: 3600.0, clock=clock, class_hours=1.0) as site,
        site.browser() as teacher,
        browsers(site, 3) as pupils,
    ):
        for broken in (False, True):
            url = await lesson(site, teacher, pupils, **HISTORY)
            room = await room_of(site, url)
            await play(site, room, moves=5)
            clock.time += 4 * 3600
            if broken:
                monkeypatch.setattr(site.services.classes, "decided", None)
            await site.services.classes.forget()
            room = await room_of(site, url)
            assert room.pupils == room.tables == ()
            assert room.counted == (not broken)


def test_a_report_is_one_page_however_many_goals_there_are():
    long = "Mittelalter: Konflikte um Kirche, Krone und Kreuzzug beurteilen, auch #mit $Zeichen$ [und] mehr " * 3
    goal = {
        "name": long,
        "claims": 9,
        "right": 4,
        "passed": 2,
        "share": 44,
        "low": 19,
        "high": 73,
        "told": "44 % (19–73)",
    }
    card = {"front": long, "back": long, "source": long, "told": "5 von 9 falsch"}
    words = dict.fromkeys(("title", "about", "missed", "foot"), "Größe")
    made = typeset({
        "lang": "de", **words, "heads": ["a"] * 6, "more": "{n} mehr",
        "goals": [goal] * 30, "cards": [card] * 30,
    })  # fmt: skip
    assert b"/Type/Pages/Count 1/" in made
