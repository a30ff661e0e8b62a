"""A lesson over real sockets: prepared, pupils come, are dealt to tables, moved, paused, forgotten; nobody gets more
than is theirs.
"""

import asyncio
import contextlib
import random
import re
import time
from html import unescape

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from clock import Clock
from leaks.markers import marks
from lesson.eyes import Eyes
from lesson.lesson import whole_lesson
from spieltisch import games
from spieltisch.classroom.classroom import MOST
from spieltisch.table.log import key_of
from spieltisch.table.session import TableSession
from spieltisch.web.classroom.commands import LEADING
from web.site import finished, forms, playing, refused, served

pytestmark = pytest.mark.anyio

PLAN = {"game": "hic-haec-hoc", "size": "4", "minutes": "45", "hic-haec-hoc:level": "discipula", "strips": "0"}
CODES = re.compile(r'class="num code">([A-Z0-9]{5} [A-Z0-9]{5})<')


@contextlib.asynccontextmanager
async def browsers(site, n, lang="en"):
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(site.browser(lang)) for _ in range(n)]


async def prepared(teacher, **plan):
    answer = await teacher.post("/class/new", data=PLAN | plan)
    assert answer.status_code == 303, refused(answer.text)
    return answer.headers["location"]


async def lesson(site, teacher, pupils, way="number", **plan):
    """The address of a class whose pupils sit at tables."""
    url = await prepared(teacher, **plan)
    for one in pupils:
        assert (await one.post(f"{url}/join")).status_code == 303
    assert (await teacher.post(f"{url}/deal", data={"way": way, "dealt": ""})).status_code == 303
    await teacher.post(f"{url}/resume")
    return url


async def room_of(site, url):
    return await site.services.classes.get(url.rpartition("/")[2])


async def seat_of(pupil, url):
    """The address of the table where a pupil sits: their page leads there."""
    found = (await pupil.get(f"{url}/seat")).headers["location"]
    assert "/t/" in found
    return found


async def setup_at(site, address):
    return (await site.services.host.table(address.rpartition("/")[2])).setup


async def test_a_class_of_28_is_prepared_seated_paused_and_goes_on(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 28) as pupils:
        url = await prepared(teacher, title="Class 7b")
        assert "Class 7b" in (await teacher.get("/class/new")).text
        async with site.line(url, teacher, screen="lead") as lead, site.line(url, teacher, screen="wall") as wall:
            for one in pupils:
                await one.post(f"{url}/join")
            for line in (lead, wall):
                await line.until(lambda m: "28 pupils are here" in m.get("html", ""))
        names = [one.name for one in (await room_of(site, url)).pupils]
        assert len(set(names)) == 28
        page = (await teacher.get(url)).text
        assert all(name in page for name in names)
        wall = (await teacher.get(f"{url}/wall")).text
        assert all(name in wall for name in names)
        await teacher.post(f"{url}/deal", data={"way": "random", "dealt": ""})
        await teacher.post(f"{url}/resume")
        room = await room_of(site, url)
        assert [len(table.pupils) for table in room.tables] == [4] * 7
        tables = [await site.services.host.table(table.id) for table in room.tables]
        assert all(table.seq for table in tables)
        # who sits there is told at once, and nobody can go on but who leads the class
        seats = [await seat_of(one, url) for one in pupils]
        async with contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(site.line(seats[i], pupils[i])) for i in range(0, 28, 4)]
            for line in lines:
                await line.until(lambda m: "html" in m)
            assert (await teacher.post(f"{url}/pause")).status_code == 303
            for line in lines:
                await line.until(lambda m: "paused" in m.get("html", ""))
            assert "7 tables are paused" in (await teacher.get(url)).text
        assert (await pupils[0].post(f"{seats[0]}/resume")).status_code == 403
        assert 'id="resume"' not in (await pupils[0].get(seats[0])).text
        await teacher.post(f"{url}/resume", data={"table": "3"})
        assert [table.setup.paused for table in tables] == [True, True, False, True, True, True, True]
        await teacher.post(f"{url}/resume")
        assert not any(table.setup.paused for table in tables)
        page = (await teacher.get(url)).text
        assert 'id="do-last"' in page
        await teacher.post(f"{url}/stop")
        assert {table.setup.stage for table in tables} == {"closed"}


async def test_all_sit_down_first_and_begin_together(tmp_path):
    clock = Clock()
    async with (
        served(tmp_path, clock=clock) as site,
        site.browser() as teacher,
        browsers(site, 4) as pupils,
    ):
        url = await prepared(teacher, size="2")
        for one in pupils:
            await one.post(f"{url}/join")
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        page = (await teacher.get(url)).text
        assert "Start all games" in page
        assert "minutes left" not in page
        assert "Sit down at your table" in (await teacher.get(f"{url}/wall")).text
        seat = await seat_of(pupils[0], url)
        assert "Sit down together. Your teacher starts the game." in (await pupils[0].get(seat)).text
        clock.time += 600  # the teacher explains
        room = await room_of(site, url)
        tables = [await site.services.host.table(one.id) for one in room.tables]
        assert not room.begun
        assert not any(one.to_act for one in tables)
        await teacher.post(f"{url}/resume")
        assert all(one.to_act for one in tables)
        assert (await room_of(site, url)).begun == clock.time
        page = (await teacher.get(url)).text
        assert "45 minutes left" in page or "44 minutes left" in page
        # who comes late plays at once
        async with browsers(site, 2) as late:
            for one in late:
                await one.post(f"{url}/join")
            await teacher.post(f"{url}/seat-waiting")
            for one in (await room_of(site, url)).tables:
                assert not (await setup_at(site, f"/t/{one.id}")).paused


async def test_a_strip_is_the_same_pupil_and_seat_on_any_phone_until_it_is_void(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 5) as phones:
        url = await prepared(teacher, strips="4")
        printed = (await teacher.get(f"{url}/strips")).text
        strips = CODES.findall(printed)
        assert len(set(strips)) == 4
        for phone, strip in zip(phones, strips[:3], strict=False):
            await phone.post("/join", data={"code": strip.lower()})
        await phones[4].post(f"{url}/join")  # without a strip: a number after all strips
        room = await room_of(site, url)
        assert [one.number for one in room.pupils] == [1, 2, 3, 5]
        assert "1 strip is missing" in (await teacher.get(url)).text
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        seat = await seat_of(phones[0], url)
        mine = (await phones[0].get(seat)).text
        # another phone with the same strip: the same seat; typed in its own page without the code of the class
        assert (await phones[3].post(f"{url}/join", data={"strip": strips[0][6:]})).status_code == 303
        assert await seat_of(phones[3], url) == seat
        own = re.compile(r'seat#([\w-]+)"')
        assert own.search(mine)[1] == own.search((await phones[3].get(seat)).text)[1]
        assert [one.number for one in (await room_of(site, url)).pupils] == [1, 2, 3, 5]
        # void: the old one opens nothing any more, and the seat waits for the new one
        async with site.line(seat, phones[0]) as line:
            await line.until(lambda m: "html" in m)
            answer = await teacher.post(f"{url}/renew", data={"pupil": "1"})
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        again = CODES.findall((await teacher.get(answer.headers["location"])).text)
        assert len(again) == 1
        assert again[0] not in strips
        assert (await phones[0].get(seat)).headers["location"] == f"{url}/seat"
        assert (await phones[0].get(f"{url}/seat")).headers["location"] == url
        assert (await phones[0].post(f"{url}/join", data={"strip": strips[0]})).status_code == 403
        assert (await phones[1].post(f"{url}/join", data={"strip": again[0]})).status_code == 303
        assert await seat_of(phones[1], url) == seat
        assert own.search((await phones[1].get(seat)).text)[1] != own.search(mine)[1]


async def test_the_qr_code_of_a_strip_holds_its_code_where_no_server_sees_it(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher, site.browser() as phone:
        url = await prepared(teacher, strips="2")
        room = await room_of(site, url)
        strip = site.services.class_keys.strip(room, 2)
        assert 'id="exchange"' in (await phone.get(f"{url}/strip")).text
        assert (await phone.post(f"{url}/join", data={"token": f"#{strip}"})).status_code == 303
        assert [one.number for one in (await room_of(site, url)).pupils] == [2]
        wrong = strip[:-1] + ("A" if strip[-1] != "A" else "B")
        for bad in (wrong, "?", "AAAAA" + strip[5:], "A" * 400):
            assert (await phone.post(f"{url}/join", data={"strip": bad})).status_code == 403
        assert [one.number for one in (await room_of(site, url)).pupils] == [2]


async def test_a_pupil_is_moved_a_bot_takes_the_old_seat_and_nobody_else_notices(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 7) as pupils:
        url = await lesson(site, teacher, pupils)  # 4 at the first table, 3 and a bot at the second one
        room = await room_of(site, url)
        before = [(await site.services.host.table(table.id)).setup for table in room.tables]
        assert [sum(chair.kind == "bot" for chair in one.chairs) for one in before] == [0, 1]
        seat = await seat_of(pupils[0], url)
        assert seat.endswith(room.tables[0].id)
        async with site.line(seat, pupils[0]) as line:
            await line.until(lambda m: "html" in m)
            assert (await teacher.post(f"{url}/move", data={"pupil": "1", "to": "2"})).status_code == 303
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        new = await seat_of(pupils[0], url)
        assert new.endswith(room.tables[1].id)
        assert 'id="move"' in (await pupils[0].get(new)).text
        after = [(await site.services.host.table(table.id)).setup for table in room.tables]
        key = key_of(site.services.class_keys.pupil_key(room, 1))
        assert [[chair.key == key for chair in one.chairs].count(True) for one in after] == [0, 1]
        assert [sum(chair.kind == "bot" for chair in one.chairs) for one in after] == [1, 0]
        for old, now in zip(before, after, strict=True):
            both = zip(old.chairs, now.chairs, strict=True)
            assert all(a == b for a, b in both if a.kind == "person" and a.key != key)
        # there is no room any more: it is said, and nothing changes
        answer = await teacher.post(f"{url}/move", data={"pupil": "2", "to": "2"})
        assert refused(answer.text) == "No bot sits at this table, so no seat is free. Swap two pupils instead."
        assert (await room_of(site, url)).table_of(2) == room.tables[0].id


async def test_at_full_tables_two_pupils_swap_and_each_finds_the_others_hand(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        url = await lesson(site, teacher, pupils, size="2", **{"hic-haec-hoc:level": ""})  # 1 and 2, 3 and 4
        page = (await teacher.get(f"{url}/pupil/1")).text
        assert 'id="with-3"' in page
        assert 'id="with-2"' not in page
        assert 'id="to-2"' not in page  # there is no seat
        seats = [await seat_of(one, url) for one in pupils]
        keys = [key_of(site.services.class_keys.pupil_key(await room_of(site, url), n)) for n in range(1, 5)]
        before = {chair.key: seat for at in seats[::2] for seat, chair in enumerate((await setup_at(site, at)).chairs)}
        async with site.line(seats[2], pupils[2]) as line:
            await line.until(lambda m: "html" in m)
            assert (await teacher.post(f"{url}/swap", data={"pupil": "1", "with": "3"})).status_code == 303
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        room = await room_of(site, url)
        assert [table.pupils for table in room.tables] == [(2, 3), (1, 4)]
        assert [await seat_of(one, url) for one in pupils] == [seats[2], seats[1], seats[0], seats[3]]
        for table, one, other in ((seats[2], 0, 2), (seats[0], 2, 0)):  # each has the other's hand, and no other
            chairs = [chair.key for chair in (await setup_at(site, table)).chairs]
            assert chairs[before[keys[other]]] == keys[one]
            assert keys[other] not in chairs
        for other in ("1", "4", "9", ""):  # oneself, at the same table, nobody
            answer = await teacher.post(f"{url}/swap", data={"pupil": "1", "with": other})
            assert answer.status_code == 422, other
        await teacher.post(f"{url}/stop")
        answer = await teacher.post(f"{url}/swap", data={"pupil": "1", "with": "3"})
        assert refused(answer.text) == "The game at this table is over."
        assert await room_of(site, url) == room
        assert 'id="swap"' not in (await teacher.get(f"{url}/pupil/1")).text


async def test_who_comes_late_and_who_was_taken_out_come_in(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 8) as pupils:
        url = await lesson(site, teacher, pupils[:5], size="3")  # 3 and 2, and a bot
        late = pupils[5]
        await late.post(f"{url}/join")
        async with site.line(url, late) as line:  # their page waits, and turns by itself
            await line.until(lambda m: "html" in m)
            await teacher.post(f"{url}/seat-waiting")
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        room = await room_of(site, url)
        assert not room.waiting
        assert len(room.tables) == 2
        for one in pupils[6:]:
            await one.post(f"{url}/join")
        await teacher.post(f"{url}/seat-waiting")
        room = await room_of(site, url)
        assert [len(table.pupils) for table in room.tables] == [3, 3, 2]  # no bot was left: a table of their own
        # taken out: a bot plays on, the name is gone from the wall, the code lets nobody in; then let in again
        name = room.pupil(1).name
        seat = await seat_of(pupils[0], url)
        await teacher.post(f"{url}/remove", data={"pupil": "1"})
        assert name not in (await teacher.get(f"{url}/wall")).text
        assert [chair.kind for chair in (await setup_at(site, seat)).chairs].count("bot") == 1
        assert (await pupils[0].get(seat)).headers["location"] == f"{url}/seat"
        assert (await pupils[0].post(f"{url}/join")).status_code == 403
        assert "no longer in this lesson" in (await pupils[0].get(url)).text
        await teacher.post(f"{url}/admit", data={"pupil": "1"})
        await teacher.post(f"{url}/seat-waiting")
        assert name in (await teacher.get(f"{url}/wall")).text


async def test_phones_and_the_screen_say_which_table_it_is_also_for_late_pupils_and_in_a_rematch(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 5) as pupils:
        url = await lesson(site, teacher, pupils[:4], **{"hic-haec-hoc:level": ""})
        await pupils[4].post(f"{url}/join")
        await teacher.post(f"{url}/seat-waiting")
        for n, pupil in ((1, pupils[0]), (2, pupils[4])):
            seat = await seat_of(pupil, url)
            assert f"<span>Table {n}</span>" in (await pupil.get(seat)).text
            assert f"<h1>Table {n} · hic\u00a0– haec\u00a0– hoc</h1>" in (await teacher.get(f"{seat}/screen")).text
        table = await site.services.host.table((await room_of(site, url)).tables[1].id)
        await site.services.host.close(table.id)
        after = await site.services.host.open_next(table.id, lambda empty: replace(empty, chairs=table.setup.chairs))
        assert after.desk == 2


async def test_the_wall_says_how_much_time_is_left_and_that_it_is_the_last_round(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await prepared(teacher, minutes="20", size="2", **{"hic-haec-hoc:level": ""})
        assert "left" not in (await teacher.get(f"{url}/wall")).text  # it runs from the moment all are dealt
        for one in pupils:
            await one.post(f"{url}/join")
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        wall = (await pupils[0].get(f"{url}/wall")).text
        assert re.search("(19|20) minutes left", wall)
        assert "Last round" not in wall
        await teacher.post(f"{url}/last")
        assert "Last round. Play it to the end." in (await pupils[0].get(f"{url}/wall")).text


async def test_dealing_twice_at_once_deals_once_and_dealing_anew_closes_what_was(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 6) as pupils:
        url = await prepared(teacher)
        assert refused((await teacher.post(f"{url}/deal", data={"way": "random", "dealt": ""})).text)
        for one in pupils:
            await one.post(f"{url}/join")
        sent = [teacher.post(f"{url}/deal", data={"way": "random", "dealt": ""}) for _ in range(3)]
        assert sorted(answer.status_code for answer in await asyncio.gather(*sent)) == [303, 422, 422]
        first = await room_of(site, url)
        assert await site.services.host.store.count() == len(first.tables)
        for way in ("before", "label", "mixer"):
            last = await room_of(site, url)
            await teacher.post(f"{url}/deal", data={"way": way, "dealt": last.tables[0].id})
            await teacher.post(f"{url}/resume")
        room = await room_of(site, url)
        assert len(room.former) == 3 * len(first.tables)
        for table in room.former:
            assert (await site.services.host.table(table)).setup.stage == "closed"
        assert {n for table in room.tables for n in table.pupils} == set(range(1, 7))
        for n, table in enumerate(room.tables, 1):  # as who leads the class and the wall call it
            assert (await site.services.host.table(table.id)).setup.desk == n
        assert (await pupils[0].get(f"{url}/seat")).headers["location"].endswith(room.table_of(1))
        held = [name for name in pupils[0].cookies if name.startswith("spieltisch-")]
        await seat_of(pupils[0], url)
        assert held == [f"spieltisch-{room.table_of(1)}"]


@pytest.mark.parametrize("stopped", [False, True])
async def test_whoever_looks_at_a_table_goes_along_when_all_are_dealt_anew(tmp_path, stopped):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        url = await lesson(site, teacher, pupils)
        table = await seat_of(pupils[0], url)
        if stopped:
            await teacher.post(f"{url}/stop")
        room = await room_of(site, url)
        async with site.line(table, pupils[0]) as line:
            await teacher.post(f"{url}/deal", data={"way": "random", "dealt": room.tables[0].id})
            await teacher.post(f"{url}/resume")
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        assert (await pupils[0].get(table)).headers["location"] == f"{url}/seat"  # who was away meanwhile
        assert await seat_of(pupils[0], url) != table


FILLED = {  # too few cards for four
    "game": "anno-domini", "size": "4", "minutes": "30", "until": "10:35", "zone": "60", "same": "1", "strips": "7",
    "title": "7b", "anno-domini:way": "classic", "anno-domini:series": "schule", "anno-domini:filter-goal": "rome",
    "anno-domini:level": "novice", "hic-haec-hoc:paradigm": "ille",
}  # fmt: skip


def choices(text):
    """What the form that prepares a lesson has chosen: the fields as a browser would send them."""
    found = []
    for one in next(form for form in forms(text) if "size" in str(form["controls"]))["controls"]:
        if one["tag"] == "select":
            found.append((one["name"], one["chosen"]))
        elif one["tag"] == "input" and (one.get("type") not in {"radio", "checkbox"} or "checked" in one):
            found.append((one["name"], one.get("value", "")))
    return found


async def test_a_plan_that_is_refused_comes_back_as_it_was_filled_in_with_the_reason_in_the_readers_words(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as teacher:
        answer = await teacher.post("/class/new", data=FILLED)
        assert answer.status_code == 422
        assert "4 Personen brauchen mindestens 38 Karten" in refused(answer.text)
        assert set(FILLED.items()) <= set(choices(answer.text))
        assert "last" not in dict(choices(answer.text))
        assert [value for name, value in choices(answer.text) if name == "anno-domini:series"] == ["schule"]
        # so does a change of the plan
        url = (await teacher.post("/class/new", data=FILLED | {"anno-domini:way": "quick", "size": "2"})).headers[
            "location"
        ]
        assert "Rom · " not in (shown := (await teacher.get(url)).text)
        assert "Schule · Rom<" in shown  # of a goal its topic
        answer = await teacher.post(f"{url}/plan", data=FILLED | {"game": "hic-haec-hoc", "size": "6"})
        assert "Bei diesem Spiel ist an einem Tisch Platz für höchstens 5" in refused(answer.text)
        assert {("game", "hic-haec-hoc"), ("size", "6"), ("hic-haec-hoc:paradigm", "ille")} <= set(choices(answer.text))
        assert dict(choices((await teacher.get(f"{url}/edit")).text))["size"] == "2"  # what counts is the old plan


async def test_a_code_that_is_typed_wrong_stands_there_to_be_mended(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher, site.browser() as pupil:
        url = await prepared(teacher, strips="2")
        strip = CODES.findall((await teacher.get(f"{url}/strips")).text)[0]
        wrong = strip[:-1] + ("A" if strip[-1] != "A" else "B")
        answer = await pupil.post("/join", data={"code": wrong})
        assert "Check each character" in refused(answer.text)
        assert f'value="{wrong}"' in answer.text
        answer = await pupil.post("/join", data={"code": strip[6:]})
        assert "type all ten characters" in refused(answer.text)


async def test_nobody_else_leads_the_class_and_strangers_get_no_seat(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as people:
        pupils, eve = people[:3], people[3]
        url = await lesson(site, teacher, pupils)
        for one in (pupils[0], eve):
            for to in LEADING:
                fields = PLAN | {"way": "random", "dealt": "", "pupil": "1", "to": "1"}
                assert (await one.post(f"{url}/{to}", data=fields)).status_code == 403, to
            for path in ("strips", "edit", "pupil/1"):
                assert (await one.get(f"{url}/{path}")).status_code == 403, path
            assert 'id="do-pause"' not in (await one.get(url)).text
            async with site.line(url, one, screen="lead") as line:
                with pytest.raises(ConnectionClosed):
                    await line.receive()
        assert (await eve.post(f"{url}/key", data={"token": "x" * 22})).status_code == 403
        seat = await seat_of(pupils[0], url)
        assert (await eve.post(f"{seat}/sit", data={"name": "Eve"})).status_code == 422
        assert (await eve.post(f"{seat}/sit", data={"name": "Eve", "seat": "3"})).status_code == 422
        assert "seat#" not in (await eve.get(seat)).text
        assert (await eve.get("/class/AAAAA")).status_code == 404
        assert (await eve.post("/join", data={"code": "AAAAA"})).status_code == 404
        # the link for another device of who leads the class
        key = re.search(r"/key#([\w-]{22})", unescape((await teacher.get(url)).text))[1]
        assert (await eve.post(f"{url}/key", data={"token": key})).status_code == 303
        assert 'id="do-pause"' in (await eve.get(url)).text


async def test_a_lesson_can_be_tried_alone_with_bots_for_pupils(tmp_path):
    async with served(tmp_path) as site, browsers(site, 2) as (teacher, pupil):
        url = await prepared(teacher, size="3")
        assert 'id="do-demo"' in (await teacher.get(url)).text
        await teacher.post(f"{url}/demo")
        await pupil.post(f"{url}/join")  # a real one may join in
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        room = await room_of(site, url)
        assert [len(table.pupils) for table in room.tables] == [4, 3, 3, 3]
        setups = [(await site.services.host.table(table.id)).setup for table in room.tables]
        assert sum(chair.kind == "person" for one in setups for chair in one.chairs) == 1
        names = {one.name for one in room.pupils}
        assert {chair.name for one in setups for chair in one.chairs} == names
        page = (await teacher.get(url)).text
        assert all(f"/pupil/{one.number}" in page for one in room.pupils)
        # one is moved as a pupil is: their seat is a bot's then, and no other of them is put out
        await teacher.post(f"{url}/move", data={"pupil": "1", "to": "2"})
        assert refused((await teacher.post(f"{url}/move", data={"pupil": "1", "to": "2"})).text)
        await teacher.post(f"{url}/remove", data={"pupil": "5"})
        await teacher.post(f"{url}/move", data={"pupil": "1", "to": "2"})
        room = await room_of(site, url)
        assert room.table_of(1) == room.tables[1].id
        strip = site.services.class_keys.strip(room, 2)
        assert (await pupil.post(f"{url}/join", data={"strip": strip})).status_code == 422


async def test_other_tables_are_what_they_were(tmp_path):
    async with served(tmp_path) as site, browsers(site, 4) as (teacher, ada, ben, cem):
        await lesson(site, teacher, [cem])
        url, _ = await playing(site, ada, ben)
        assert (await cem.post(f"{url}/sit", data={"name": "Cem"})).status_code == 422  # all seats are taken
        assert (await cem.get(url)).status_code == 200


async def test_names_are_gone_after_the_hours_from_the_class_and_from_its_tables(tmp_path):
    clock = Clock(time.time())
    async with (
        served(tmp_path, pause=lambda: 3600.0, clock=clock, class_hours=24) as site,
        site.browser() as teacher,
        browsers(site, 3) as pupils,
    ):
        url = await lesson(site, teacher, pupils[:2], strips="2", minutes="45")
        await teacher.post(f"{url}/label", data={"pupil": "3", "label": "A"})
        room = await room_of(site, url)
        old_strip = site.services.class_keys.strip(room, 3)
        names = [one.name for one in room.pupils]
        clock.time += 45 * 60 + 23 * 3600
        await site.services.classes.forget()
        assert await room_of(site, url) == room
        clock.time += 3700
        await site.services.classes.forget()
        after = await room_of(site, url)
        assert (after.pupils, after.tables, after.former) == ((), (), ())
        assert (after.strips, after.before) == (2, ())  # who had no strip has another number next time
        assert await site.services.host.store.count() == 0
        await site.services.host.store.check()
        body = await site.services.host.store.document(f"class/{after.id}")
        assert not any(name.encode() in body for name in names)
        # a number without a strip is somebody else's next time
        assert site.services.class_keys.strip(after, 3) != old_strip
        assert (await pupils[0].get(f"{url}/seat")).headers["location"] == url


async def test_what_cannot_be_planned_is_said(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher:
        for bad, why in {
            ("game", "adaman"): "a game for one",
            ("game", "chess"): "There is no game",
            ("size", "9"): "not one of the choices",
            ("minutes", "-5"): "not one of the choices",
            ("strips", "1"): "2 to 63",
            ("strips", "64"): "2 to 63",
            ("hic-haec-hoc:level", "genius"): "no such level",
        }.items():
            answer = await teacher.post("/class/new", data=PLAN | dict([bad]))
            assert (answer.status_code, why in refused(answer.text)) == (422, True), bad
        # too few cards for so many: the rules' own reason
        few = PLAN | {"game": "anno-domini", "anno-domini:filter-goal": "greece", "anno-domini:way": "classic"}
        assert "need a deck of at least" in refused((await teacher.post("/class/new", data=few)).text)
        url = (await teacher.post("/class/new", data=PLAN)).headers["location"]
        changed = PLAN | {"title": "7b", "size": "3", "strips": str(MOST), "hic-haec-hoc:mode": "assisted"}
        assert (await teacher.post(f"{url}/plan", data=changed)).status_code == 303
        room = await room_of(site, url)
        assert (room.plan.size, room.strips, room.title) == (3, MOST, "7b")
        assert room.plan.top["options"]["mode"] == "assisted"
        answer = await teacher.post(f"{url}/plan", data=PLAN | {"size": "x"})
        assert (answer.status_code, refused(answer.text)) == (422, "This is not one of the choices.")
        await teacher.post(f"{url}/join")  # also beside a full set of strips somebody comes in without one
        assert [one.number for one in (await room_of(site, url)).pupils] == [MOST + 1]
        assert (await teacher.post(f"{url}/delete")).headers["location"] == "/class/new"
        assert (await teacher.get(url)).status_code == 404


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_the_last_round_is_played_to_its_end_and_stands_as_the_rules_count(tmp_path, game):
    laps = {}

    async with served(tmp_path) as site, browsers(site, 3) as (teacher, *pupils):
        host, package = site.services.host, games.package(game)
        plan = {"game": game, f"{game}:level": next(iter(package.bot.levels))}
        url = await lesson(site, teacher, pupils, size="3", **plan)
        room = await room_of(site, url)
        table = await host.table(room.tables[0].id)
        publish = TableSession.publish

        def published(self, position, entry):
            publish(self, position, entry)
            laps[position.seq] = (package.lap(position.state.public) if package.lap else 0, position.to_act, entry.seat)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TableSession, "publish", published)
            assert (await teacher.post(f"{url}/last")).status_code == 303
            called = table.setup.last_round
            assert "This is the last round." in (await pupils[0].get(f"/t/{table.id}")).text
            playing_ = asyncio.create_task(finished(site, table, random.Random(4)))
            with host.hub.listen(table.id) as news:
                while table.setup.stage == "playing":
                    await asyncio.wait_for(news.wait(), 60)
            playing_.cancel()
            await asyncio.gather(playing_, return_exceptions=True)
    assert table.setup.stage == "closed"
    public = table.view(None).public
    assert package.standings is not None
    assert table.setup.places == package.standings(public)
    assert sorted(seat for place in table.setup.places for seat in place) == [0, 1, 2]
    assert table.result is None  # nobody has won: it was broken off
    before = [lap for seq, (lap, _, _) in laps.items() if seq < table.seq]
    if package.lap:
        assert {*before} <= {called.lap}
        assert laps[table.seq][0] == called.lap + 1
    else:  # once around: everybody has had a turn, and who was to act has not had a second one
        assert {seat for _, _, seat in laps.values()} == {0, 1, 2}
        assert laps[table.seq][1] == (called.seat,)
    if game != "trailblaze":
        held = public.hands if game == "hic-haec-hoc" else [len(hand) for hand in public.hands]
        assert [min(held[seat] for seat in place) for place in table.setup.places] == sorted({*held})


@pytest.mark.slow
async def test_in_a_whole_lesson_nobody_loses_a_seat_or_sees_anothers_hand(tmp_path, monkeypatch):
    """All at once, as in a school's network: `make lesson` does so with 28 pupils and 280 changes."""
    found = await whole_lesson(tmp_path, monkeypatch, 8, 24, pace=0.05)
    assert not found.failures(), "\n".join(found.lines())
    assert found.changes.total() == 24
    assert all((found.moves["socket"], found.heard, found.slides, found.rows))
    assert found.slipped in {0, 8}  # nothing may have been missed


@pytest.mark.slow
async def test_a_class_in_another_language_plays_to_the_end(tmp_path, monkeypatch):
    """The table ends by the game's rules. The words that the teacher waits for are the language's own."""
    found = await whole_lesson(tmp_path, monkeypatch, 4, 0, pace=0.05, lang="it", to_the_end=True)
    assert not found.failures(), "\n".join(found.lines())
    assert found.ended == 1
    assert all((found.moves["socket"], found.heard, found.slides, found.rows))
    assert found.slipped in {0, 4}  # nothing may have been missed


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hic-haec-hoc", "trailblaze", "anno-domini"])
async def test_no_secret_of_any_table_reaches_who_leads_the_class_or_the_wall(tmp_path, monkeypatch, game):
    """Marked decks are played by bots and people: all that the overview and the wall hold lay open on a table."""
    eyes, heard, keys = Eyes(monkeypatch), [], set()
    level = next(iter(games.package(game).bot.levels))
    plan = {"game": game, f"{game}:level": level, f"{game}:way": "quick", "size": "3"}
    async with served(tmp_path) as site, browsers(site, 5) as (teacher, *pupils):
        url = await lesson(site, teacher, pupils, **plan)
        room = await room_of(site, url)
        keys |= {site.services.class_keys.pupil_key(room, n) for n in range(1, 5)}

        async def listen(screen):
            async with site.line(url, teacher, screen=screen) as line:
                while True:
                    heard.append((await line.receive()).get("html", ""))

        listening = [asyncio.create_task(listen(screen)) for screen in ("lead", "wall")]
        tables = [await site.services.host.table(table.id) for table in room.tables]

        async def play(table):
            with contextlib.suppress(TimeoutError):  # a part of a game is enough
                async with asyncio.timeout(3):
                    await finished(site, table, random.Random(1))

        playing_ = [asyncio.create_task(play(table)) for table in tables]
        while not all(task.done() for task in playing_) or len(heard) <= 10:  # a busy machine draws few pages meanwhile
            for path in (url, f"{url}/wall", f"{url}/pupil/1"):
                heard.append((await teacher.get(path)).text)
            await asyncio.sleep(0.05)
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    assert len(heard) > 10
    assert eyes.everybody
    for text in heard:
        assert not marks(text) - eyes.everybody
        assert not any(secret in text for secret in eyes.seeds | keys)
