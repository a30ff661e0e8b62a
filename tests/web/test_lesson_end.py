"""The end of a lesson: by the clock or after so many minutes, and the last round that begins by itself."""

import time

import pytest

from clock import Clock
from spieltisch.classroom.classroom import LAST, Classroom, Plan
from spieltisch.web.core.chat import Chat, Voice
from web.site import refused, served
from web.test_classes import CODES, PLAN, browsers, lesson, prepared, room_of, seat_of

pytestmark = pytest.mark.anyio
NOON = 1_764_072_000.0  # of a day, in Greenwich


@pytest.mark.parametrize(
    ("until", "zone", "minutes"),
    [
        ("12:35", 0, 35),
        ("13:35", 60, 35),  # east of Greenwich it is later
        ("07:40", -5 * 60, 40),
        ("15:59", 0, 239),
        ("16:01", 0, 30),  # too far away: that was meant for another lesson
        ("11:00", 0, 30),
        ("", 0, 30),
    ],
)
def test_a_lesson_ends_when_the_clock_says_so(until, zone, minutes):
    room = Classroom("KM4T7", "7b", "en", Plan("hic-haec-hoc", {}, until=until, zone=zone, last=True), begun=NOON)
    assert room.ends() == NOON + 60 * minutes
    assert room.rings() == NOON + 60 * (minutes - LAST)


async def test_the_last_round_begins_by_itself_in_time_and_once(tmp_path):
    clock = Clock(time.time())
    async with (
        served(tmp_path, pause=lambda: 3600.0, clock=clock) as site,
        site.browser() as teacher,
        browsers(site, 4) as pupils,
    ):
        classes, host = site.services.classes, site.services.host
        url = await lesson(site, teacher, pupils, size="2", minutes="20", last="1", **{"hic-haec-hoc:level": ""})
        tables = [await host.table(one.id) for one in (await room_of(site, url)).tables]
        await host.close(tables[1].id)  # one that is over is in nobody's way
        clock.time += 60 * (20 - LAST) - 30
        await classes.ring()
        await classes.forget()
        assert tables[0].setup.last_round is None
        assert (await room_of(site, url)).tables
        clock.time += 60
        await classes.ring()
        assert tables[0].setup.last_round is not None
        assert tables[1].setup.last_round is None
        assert "last round" in (await teacher.get(url)).text
        room = await room_of(site, url)
        assert room.rung
        await classes.ring()
        await classes.forget()
        assert await room_of(site, url) == room
        # in the next lesson again
        await teacher.post(f"{url}/next")
        assert not (await room_of(site, url)).rung


async def test_a_game_that_ends_at_that_moment_does_not_keep_others_from_their_last_round(tmp_path, monkeypatch):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        host, call = site.services.host, site.services.host.call_last_round
        url = await lesson(site, teacher, pupils, size="2", **{"hic-haec-hoc:level": ""})
        first, second = [await host.table(one.id) for one in (await room_of(site, url)).tables]

        async def late(table):
            if table == first.id:
                await host.close(table)
            return await call(table)

        monkeypatch.setattr(host, "call_last_round", late)
        assert (await teacher.post(f"{url}/last")).status_code == 303
        assert (first.setup.stage, first.setup.last_round) == ("closed", None)
        assert second.setup.last_round is not None


async def test_the_end_by_the_clock_is_planned_and_shown(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        until = time.strftime("%H:%M", time.gmtime(time.time() + 7200))
        url = await lesson(site, teacher, pupils, size="2", until=until, zone="0")
        assert f"until {until}" in (await teacher.get(url)).text
        assert f"Until {until}." in (await pupils[0].get(f"{url}/wall")).text
        plan = (await room_of(site, url)).plan
        assert (plan.until, plan.zone, plan.last) == (until, 0, False)
        assert f'value="{until}"' in (await teacher.get(f"{url}/edit")).text
        for bad in ("25:00", "10", "10:60", "now"):
            answer = await teacher.post(f"{url}/plan", data=PLAN | {"until": bad})
            assert (answer.status_code, refused(answer.text)) == (422, "Enter the end as a time such as 10:35."), bad
        for odd in ("", "x", "99999", "-9000"):
            assert (await teacher.post(f"{url}/plan", data=PLAN | {"until": until, "zone": odd})).status_code == 303
            assert (await room_of(site, url)).plan.zone is None


def test_a_nudge_reaches_those_who_are_connected_to_another_server():
    there, heard = Chat(), []
    here = Chat(tell=lambda words: there.hear_from("a1b2c3d4", words))
    with there.hear("KM4T7ABC", heard.append):
        here.say("KM4T7ABC", Voice(None))
        here.say("KM4T7ABC", Voice(2, 11))
    assert heard == [Voice(None), Voice(2, 11)]
    assert there.nudged("KM4T7ABC") >= here.nudged("KM4T7ABC") > 0


async def test_who_leads_the_class_sees_that_a_table_was_nudged_until_it_moves(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 4) as pupils:
        url = await lesson(site, teacher, pupils, size="2", **{"hic-haec-hoc:level": ""})
        table = await site.services.host.table((await room_of(site, url)).tables[1].id)
        assert "nudged" not in (await teacher.get(url)).text
        await teacher.post(f"{url}/nudge", data={"table": "2"})
        first, second = (await teacher.get(url)).text.split('id="table-2"')
        assert "nudged" in second
        assert "nudged" not in first
        seat = table.to_act[0]
        await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
        assert "nudged" not in (await teacher.get(url)).text


async def test_phones_are_told_that_the_lesson_is_over_and_what_is_kept(tmp_path):
    """Those at a table, and those that wait for one; also where the class itself is gone."""
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 3) as pupils:
        url = await lesson(site, teacher, pupils[:2], size="2", strips="2")
        await pupils[2].post(f"{url}/join")
        for do in ("next", "delete"):
            seat = await seat_of(pupils[0], url)
            async with site.line(seat, pupils[0]) as line, site.line(url, pupils[2], screen="pupil") as waits:
                for one in (line, waits):
                    await one.until(lambda m: "html" in m)
                await teacher.post(f"{url}/{do}")
                for one in (line, waits):
                    assert (await one.until(lambda m: "goto" in m))["goto"] == "/class/over"
            if do == "next":
                for one in pupils[:2]:
                    await one.post(f"{url}/join")
                await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
                await teacher.post(f"{url}/resume")
                await pupils[2].post(f"{url}/join")
        told = (await pupils[0].get("/class/over")).text
        assert "This lesson is over." in told
        assert "counts" in told


@pytest.mark.parametrize("others", [0, 1])
async def test_pupils_sent_away_are_told_so_and_come_back(tmp_path, others):
    """One without a strip, one with: their pages, asleep or open, whether or not somebody stays."""
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 3) as pupils:
        url = await prepared(teacher, strips="2")
        strips = CODES.findall((await teacher.get(f"{url}/strips")).text)
        if others:
            await pupils[2].post(f"{url}/join")
            await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        guest, mine = pupils[:2]
        await guest.post(f"{url}/join")
        await mine.post(f"{url}/join", data={"strip": strips[0]})
        async with site.line(url, guest, screen="pupil") as one, site.line(url, mine, screen="pupil") as other:
            for line in (one, other):
                await line.until(lambda m: "html" in m)
            await teacher.post(f"{url}/send-away")
            for line in (one, other):
                told = await line.until(lambda m: "On another phone" not in m.get("html", "On another phone"))
                assert "removed everyone who was waiting" in told["html"]
        await teacher.post(f"{url}/door-close")
        for one in (guest, mine):
            assert "removed everyone who was waiting" in (await one.get(url)).text
        assert "is locked" in (await guest.get(url)).text
        assert (await mine.post(f"{url}/join")).status_code == 303  # a strip opens a locked class
        await teacher.post(f"{url}/door-open")
        assert (await guest.post(f"{url}/join")).status_code == 303
        assert [one.number for one in (await room_of(site, url)).here] == [*[3] * others, 1, 3 + others]
        for one in (guest, mine):
            assert "On another phone" in (await one.get(url)).text
        await teacher.post(f"{url}/send-away")
        await teacher.post(f"{url}/next")
        for one in (guest, mine):  # in the next lesson nobody has sent them away
            assert "removed" not in (await one.get(url)).text


async def test_a_pupil_whose_strip_was_renewed_is_told_so(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 1) as [pupil]:
        url = await prepared(teacher, strips="2")
        strips = CODES.findall((await teacher.get(f"{url}/strips")).text)
        await pupil.post(f"{url}/join", data={"strip": strips[0]})
        async with site.line(url, pupil, screen="pupil") as line:
            await line.until(lambda m: "html" in m)
            await teacher.post(f"{url}/renew", data={"pupil": "1"})
            await line.until(lambda m: "strip no longer works" in m.get("html", ""))
        assert "strip no longer works" in (await pupil.get(url)).text
