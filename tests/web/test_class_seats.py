"""A class decides who sits at its tables, whatever pupils do with their keys; joining, and numbers."""

import random
import re

import pytest
from msgspec.structs import replace

from clock import Clock
from spieltisch.classroom.classroom import (
    NUMBERS,
    Classroom,
    Plan,
    Pupil,
    came,
    planned,
    with_pupil,
    without_waiting,
)
from spieltisch.game import Illegal
from spieltisch.table.log import key_of
from spieltisch.web.classroom.commands import seat_of_pupil
from spieltisch.web.core.http.client import Client
from web.site import refused, served
from web.test_classes import CODES, browsers, lesson, prepared, room_of, seat_of, setup_at

pytestmark = pytest.mark.anyio
STILL = {"pause": lambda: 3600.0}
THIEF = "s" * 22


async def seats(site, url):
    """Each seat of the lesson that is a pupil's: the number, and the table."""
    room = await room_of(site, url)
    found = []
    for one in room.tables:
        setup = await setup_at(site, one.id)
        found += [(chair.pupil, one.id) for chair in setup.chairs if chair.pupil]
    return found


async def test_a_pupil_cannot_make_the_key_anew(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        before = await setup_at(site, seat)
        answer = await pupils[0].post(f"{seat}/renew")
        assert answer.status_code == 422
        assert "new strip" in refused(answer.text)
        assert (await pupils[0].post(f"/api{seat.replace('/t/', '/tables/')}/renew", json={})).status_code >= 400
        assert await setup_at(site, seat) == before
        assert 'id="renew"' not in (await pupils[0].get(seat)).text


@pytest.mark.parametrize(
    ("to", "fields"),
    [
        ("sit", {"name": "Herr Schmitz (Lehrer)"}),
        ("chairs", {"do": "name", "name": "Herr Schmitz"}),
        ("chairs", {"do": "person", "name": "Somebody"}),
        ("chairs", {"do": "free"}),
        ("chairs", {"do": "offer"}),
        ("chairs", {"do": "more"}),
    ],
)
async def test_a_pupil_changes_no_name_and_no_chair(tmp_path, to, fields):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        chairs = (await setup_at(site, seat)).chairs
        mine = next(i for i, one in enumerate(chairs) if one.pupil == 1)
        answer = await pupils[0].post(f"{seat}/{to}", data={"seat": str(mine), **fields})
        assert answer.status_code == 422
        assert re.search("class|teacher", refused(answer.text))
        now = (await setup_at(site, seat)).chairs
        assert [(one.name, one.key, one.pupil) for one in now] == [(one.name, one.key, one.pupil) for one in chairs]


async def stolen(site, seat, number, key=THIEF):
    """The key of this pupil's seat is another one, as somebody could make it before November 2026."""

    def steal(setup):
        mine = (replace(one, key=key_of(key)) if one.pupil == number else one for one in setup.chairs)
        return replace(setup, chairs=tuple(mine))

    await site.services.host.change(seat.rpartition("/")[2], steal)


async def opens(site, seat, key):
    """Whether the key shows a hand at this table."""
    async with site.program(key) as program:
        return (await program.get(f"/api{seat.replace('/t/', '/tables/')}")).json().get("seat") is not None


@pytest.mark.parametrize("do", ["remove", "renew", "move", "swap", "deal"])
async def test_a_seat_is_found_whatever_its_key_is(tmp_path, do):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 8) as pupils:
        url = await lesson(site, teacher, pupils, **{"hic-haec-hoc:level": "discipula", "size": "5"})
        seat = await seat_of(pupils[0], url)
        await stolen(site, seat, 1)
        assert await opens(site, seat, THIEF)
        dealt = (await room_of(site, url)).tables[0].id
        forms = {"move": {"pupil": "1", "to": "2"}, "deal": {"way": "number", "dealt": dealt}}
        answer = await teacher.post(f"{url}/{do}", data={"pupil": "1", "with": "8"} | forms.get(do, {}))
        assert answer.status_code == 303, refused(answer.text)
        assert not await opens(site, seat, THIEF)
        found = await seats(site, url)
        assert len([one for one in found if one[0] == 1]) == (do != "remove")
        if do == "renew":
            [code] = CODES.findall((await teacher.get(answer.headers["location"])).text)
            await pupils[0].post(f"{url}/join", data={"strip": code[6:]})
            assert await seat_of(pupils[0], url) == seat


async def test_a_pupil_who_comes_back_ends_what_a_thief_had(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        await stolen(site, seat, 1)
        assert (await pupils[0].get(seat)).headers["location"] == f"{url}/seat"
        assert await seat_of(pupils[0], url) == seat
        assert (await pupils[0].get(seat)).status_code == 200
        assert not await opens(site, seat, THIEF)


async def test_a_void_strip_that_asks_for_its_seat_does_not_get_it(tmp_path):
    """The page of the seat has seen the class as it was before the strip was made void."""
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        keys, before = site.services.class_keys, await room_of(site, url)
        await teacher.post(f"{url}/renew", data={"pupil": "1"})
        client = Client("en", cookies=dict(pupils[0].cookies))
        await seat_of_pupil(site.services, client, before)
        assert not await opens(site, seat, keys.pupil_key(before, 1))
        assert await opens(site, seat, keys.pupil_key(await room_of(site, url), 1))


async def test_a_circle_of_pages_ends_with_a_page(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        await site.services.host.change(seat.rpartition("/")[2], lambda setup: replace(setup, called=True))
        assert (await pupils[0].get(seat)).headers["location"] == f"{url}/seat"
        end = await pupils[0].get(f"{url}/seat")
        assert end.status_code == 409
        assert "ask your teacher" in refused(end.text)
        assert "class.js" not in end.text  # the script would lead back to the seat
        assert f'href="{url}/seat"' in end.text


@pytest.mark.parametrize("do", ["remove", "renew", "move", "swap", "deal"])
async def test_a_void_key_opens_no_game_by_any_way(tmp_path, do):
    """In the second game of the evening: a browser, its personal link, another phone, a program, and an open page."""
    async with (
        served(tmp_path, **STILL) as site,
        site.browser() as teacher,
        site.browser() as linked,
        browsers(site, 4) as pupils,
    ):
        url = await lesson(site, teacher, pupils, **{"hic-haec-hoc:level": "discipula", "size": "3"})
        first = await seat_of(pupils[0], url)
        await site.services.host.close(first.rpartition("/")[2])
        await pupils[0].post(f"{first}/rematch")
        seat = await seat_of(pupils[0], url)
        await site.services.host.begin(seat.rpartition("/")[2])
        assert seat == f"{first}-2"
        key = site.services.class_keys.pupil_key(await room_of(site, url), 1)
        assert (await linked.post(f"{seat}/seat", data={"token": key})).status_code == 303
        dealt = (await room_of(site, url)).tables[0].id
        forms = {"move": {"pupil": "1", "to": "2"}, "deal": {"way": "number", "dealt": dealt}}
        async with site.line(seat, pupils[0]) as mine, site.line(seat, token=key) as program:
            await mine.until(lambda m: "html" in m)
            answer = await teacher.post(f"{url}/{do}", data={"pupil": "1", "with": "4"} | forms.get(do, {}))
            assert answer.status_code == 303, refused(answer.text)
            for line in (mine, program):
                assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
                for to in ("move", "say", "leave", "rematch", "sit"):
                    assert not (await line.do(to, [["phrase", "0"]]))["ok"]
        games = await site.services.host.store.games(first.rpartition("/")[2])
        assert len(games) == 2
        for game in games:
            assert not await opens(site, f"/t/{game}", key)
            assert (await linked.post(f"/t/{game}/seat", data={"token": key})).status_code == 403
            setup = await setup_at(site, game)
            assert all(one.key != key_of(key) for one in setup.chairs)
        for browser in (pupils[0], linked):
            assert (await browser.get(seat)).headers["location"] == f"{url}/seat"
            assert (await browser.post(f"{seat}/move", data={"question": "1"})).status_code == 403


async def test_a_bot_plays_the_next_game_for_a_removed_pupil(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await lesson(site, teacher, pupils)
        seat = await seat_of(pupils[0], url)
        assert await seat_of(pupils[1], url) == seat
        await site.services.host.close(seat.rpartition("/")[2])
        await teacher.post(f"{url}/remove", data={"pupil": "1"})
        assert (await pupils[0].post(f"{seat}/rematch")).status_code == 403
        assert (await pupils[1].post(f"{seat}/rematch")).status_code == 303
        chairs = (await setup_at(site, f"{seat}-2")).chairs
        assert sorted(one.pupil for one in chairs if one.kind == "person") == [2]
        assert all(one.kind == "bot" for one in chairs if not one.pupil)


@pytest.mark.parametrize(("keys", "renamed"), [({2: "t" * 22, 3: "u" * 22}, {3}), ({2: "t" * 22, 5: "v" * 22}, set())])
async def test_numbers_are_found_at_a_former_versions_table(tmp_path, keys, renamed):
    """Pupils had made their keys anew there, also one who was taken out then (5)."""
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 5) as pupils:
        url = await lesson(site, teacher, pupils, size="5")
        [table] = (await room_of(site, url)).tables
        before = {one.pupil: seat for seat, one in enumerate((await setup_at(site, table.id)).chairs)}
        await teacher.post(f"{url}/remove", data={"pupil": "5"})

        def former(setup):
            found = list(setup.chairs)
            for number, seat in before.items():
                found[seat] = replace(found[seat], pupil=0, name="X" if number in renamed else found[seat].name)
                if number in keys:
                    found[seat] = replace(found[seat], kind="person", key=key_of(keys[number]))
            return replace(setup, chairs=tuple(found))

        await site.services.host.change(table.id, former)
        assert await seat_of(pupils[0], url) == f"/t/{table.id}"
        chairs = (await setup_at(site, table.id)).chairs
        del before[5]
        assert {one.pupil: seat for seat, one in enumerate(chairs) if one.pupil} == before
        for key in keys.values():
            assert not await opens(site, f"/t/{table.id}", key)
        for one in pupils[:4]:
            assert await seat_of(one, url) == f"/t/{table.id}"


def class_of(*numbers, **more):
    """A class with these numbers."""
    pupils = tuple(Pupil(n, f"Pupil {n}") for n in numbers)
    return Classroom("ABCDE", "7b", "en", Plan("hic-haec-hoc", {}), pupils=pupils, **more)


def test_a_number_that_is_free_again_inherits_nothing():
    dice = random.Random(1)
    room = class_of(1, 2, 3, 4, strips=2, before=(((1, 3), (2, 4)), ((3, 4),)))
    room = with_pupil(room, 3, label="A", answers=(1,))
    after = without_waiting(room)
    assert after.before == (((1,), (2,)),)  # whom a strip has met stays known
    assert after.editions == {3: 1, 4: 1}
    after, new = came(after, None, dice)
    assert (new.number, new.label, new.answers) == (3, "", ())
    names = {one.name for one in room.pupils}
    for _ in range(20):
        after, new = came(after, None, dice)
        assert new.name not in names
        names.add(new.name)
        after = without_waiting(after)


def test_a_pupil_with_a_strip_who_was_taken_out_stays_out():
    room = with_pupil(with_pupil(class_of(1, 2, 3, 4, strips=2), 1, removed=True), 3, removed=True)
    assert [one.number for one in without_waiting(room).pupils] == [1]


def test_strips_that_are_added_or_put_away_open_no_guests_seat():
    room = class_of(1, 3, strips=2)
    with pytest.raises(Illegal, match="without strips"):
        planned(room, room.plan, "7b", 3)
    fewer = planned(room, room.plan, "7b", 0)
    assert fewer.editions == {2: 1}  # the next guest may get this number
    assert planned(fewer, room.plan, "7c", 0).title == "7c"


@pytest.mark.parametrize("seed", range(3))
async def test_each_pupil_has_one_seat_at_most_whatever_is_done(tmp_path, seed):
    dice = random.Random(seed)
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 6) as pupils:
        url = await lesson(site, teacher, pupils, size="3")
        keys = [(await seat_of(one, url)) for one in pupils]
        for _ in range(40):
            number, other = dice.sample(range(1, 7), 2)
            match dice.randrange(3):
                case 0:
                    to = dice.choice(["remove", "admit", "move", "swap", "renew", "seat-waiting", "send-away", "stop"])
                    data = {"pupil": str(number), "with": str(other), "to": str(dice.randint(1, 3))}
                    await teacher.post(f"{url}/{to}", data=data)
                case 1:
                    to = dice.choice(["renew", "sit", "leave", "chairs", "admit", "rematch"])
                    data = {"name": "X", "do": dice.choice(["bot", "free", "offer", "wait"]), "seat": "0"}
                    await pupils[number - 1].post(f"{keys[number - 1]}/{to}", data=data)
                case _:
                    await pupils[number - 1].post(f"{url}/join")
            found = await seats(site, url)
            assert len({one for one, _ in found}) == len(found)
            room = await room_of(site, url)
            assert sorted(found) == sorted((n, one.id) for one in room.tables for n in one.pupils)


async def test_a_closed_door_lets_strips_in_and_nobody_else(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 3) as pupils:
        url = await prepared(teacher, strips="2")
        strip = CODES.findall((await teacher.get(f"{url}/strips")).text)[0]
        await pupils[0].post(f"{url}/join")
        await teacher.post(f"{url}/door-close")
        answer = await pupils[1].post(f"{url}/join")
        assert answer.status_code == 422
        assert "is locked" in refused(answer.text)
        assert (await pupils[2].post(f"{url}/join", data={"strip": strip[6:]})).status_code == 303
        assert (await pupils[0].post(f"{url}/join")).status_code == 303  # who is here comes back
        assert (await pupils[1].post(f"{url}/door-open")).status_code == 403
        await teacher.post(f"{url}/door-open")
        assert (await pupils[1].post(f"{url}/join")).status_code == 303


async def test_a_full_class_has_room_again_when_fakes_are_taken_out(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as pupils:
        url = await prepared(teacher)
        await pupils[0].post(f"{url}/join")
        for _ in range(NUMBERS - 1):
            async with site.browser() as fake:
                assert (await fake.post(f"{url}/join")).status_code == 303
        answer = await pupils[1].post(f"{url}/join")
        assert answer.status_code == 422
        assert "full" in refused(answer.text)
        await teacher.post(f"{url}/remove", data={"pupil": "7"})
        assert (await pupils[1].post(f"{url}/join")).status_code == 303
        assert [one.number for one in (await room_of(site, url)).pupils][-1] == 7
        await teacher.post(f"{url}/send-away")
        assert (await room_of(site, url)).pupils == ()
        key = site.services.class_keys.pupil_key(await room_of(site, url), 1)
        await pupils[1].post(f"{url}/join")
        assert (await pupils[0].get(url)).text.count('id="join"') == 1  # their old number is another pupil's now
        assert key == site.services.class_keys.pupil_key(await room_of(site, url), 1)


async def test_a_class_that_nobody_uses_goes_after_its_days(tmp_path):
    clock = Clock(1_000.0)
    async with served(tmp_path, clock=clock, **STILL) as site, site.browser() as teacher:
        url, day, classes = await prepared(teacher), 24 * 3600, site.services.classes
        code = url.rpartition("/")[2]
        clock.time += 29 * day
        assert (await teacher.get(url)).status_code == 200  # which is a use
        clock.time += 29 * day
        await classes.forget()
        room = await classes.change(code, lambda old: replace(old, counted=1))
        clock.time += 300 * day  # one that was taught outlives the holidays
        await classes.forget()
        assert await classes.get(code) == room
        clock.time += 101 * day
        await classes.forget()
        assert (await teacher.get(url)).status_code == 404


async def test_60_wrong_codes_shut_nobody_out(tmp_path):
    async with served(tmp_path, limits=True, **STILL) as site, site.browser() as teacher, browsers(site, 64) as pupils:
        site.services.limits._clock = lambda: 0.0
        url = await prepared(teacher)
        for n in range(60):
            async with site.browser() as eve:
                await eve.get(f"/class/ZZZ{n:02}".replace("0", "Y").replace("1", "X"))
        for one in pupils:
            assert (await one.post(f"{url}/join")).status_code == 303
            assert (await one.get(url)).status_code == 200
        for _ in range(600):  # whoever has a key of the class is at home there, whatever others have guessed
            site.services.limits.take("guess", "127.0.0.1")
        assert (await teacher.get(url)).status_code == 200
        assert (await pupils[0].get(url)).status_code == 200
        async with site.browser() as eve:
            eve.cookies.set("spieltisch_pupil", f"{url.rpartition('/')[2]}.1.made-up")
            assert (await eve.get(url)).status_code == 429


async def test_who_floods_the_door_keeps_no_strip_out(tmp_path):
    async with served(tmp_path, limits=True, **STILL) as site, site.browser() as teacher, browsers(site, 3) as pupils:
        site.services.limits._clock = lambda: 0.0
        url = await prepared(teacher, strips="2")
        strips = CODES.findall((await teacher.get(f"{url}/strips")).text)
        await teacher.post(f"{url}/door-close")
        for _ in range(160):
            assert (await pupils[0].post(f"{url}/join")).status_code == 422
        await teacher.post(f"{url}/door-open")
        assert (await pupils[0].post(f"{url}/join")).status_code == 303  # refusals have cost no place
        for _ in range(200):
            site.services.limits.take("join", url.rpartition("/")[2])
        assert (await pupils[1].post(f"{url}/join")).status_code == 429
        assert (await pupils[1].post(f"{url}/join", data={"strip": strips[0][6:]})).status_code == 303


async def test_a_pupil_guesses_no_strip(tmp_path):
    async with served(tmp_path, limits=True, **STILL) as site, site.browser() as teacher, browsers(site, 1) as [pupil]:
        site.services.limits._clock = lambda: 0.0
        url = await prepared(teacher, strips="2")
        strips = [one[6:] for one in CODES.findall((await teacher.get(f"{url}/strips")).text)]
        await pupil.post(f"{url}/join", data={"strip": strips[0]})
        for _ in range(600):
            site.services.limits.take("guess", "127.0.0.1")
        assert (await pupil.post(f"{url}/join", data={"strip": "22222"})).status_code == 429
        assert (await pupil.post(f"{url}/join", data={"strip": strips[1]})).status_code == 429
        assert (await pupil.post(f"{url}/join", data={"strip": strips[0]})).status_code == 303


async def with_strips(site, teacher):
    """A class with strips: its address, and their codes."""
    url = await prepared(teacher, strips="3")
    return url, [one[6:] for one in CODES.findall((await teacher.get(f"{url}/strips")).text)]


@pytest.mark.parametrize("way", ["typed", "scanned", "from home"])
@pytest.mark.parametrize("came_before", [False, True])
async def test_a_strip_takes_the_place_of_the_way_without(tmp_path, way, came_before):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as [phone, other]:
        url, strips = await with_strips(site, teacher)
        if came_before:
            await other.post(f"{url}/join", data={"strip": strips[0]})
        await phone.post(f"{url}/join")
        first = (await room_of(site, url)).pupils[-1]
        code = url.rpartition("/")[2] + strips[0]
        forms = {"typed": {"strip": strips[0]}, "scanned": {"token": f"#{code}"}, "from home": {"code": code}}
        answer = await phone.post("/join" if way == "from home" else f"{url}/join", data=forms[way])
        assert answer.status_code == 303
        room = await room_of(site, url)
        assert [one.number for one in room.pupils] == [1]
        assert (room.pupils[0].name == first.name) != came_before  # a name is kept unless the strip has one
        assert room.pupils[0].name in (await phone.get(url)).text
        assert site.services.class_keys.number_of(room, code) == 1
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        assert [one.pupils for one in (await room_of(site, url)).tables] == [(1,)]


async def test_a_seated_pupil_who_brings_a_strip_keeps_the_seat(tmp_path):
    async with served(tmp_path, **STILL) as site, browsers(site, 4) as [teacher, phone, other, new]:
        url, strips = await with_strips(site, teacher)
        for one in (phone, other):
            await one.post(f"{url}/join")
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        seat, before = await seat_of(phone, url), await room_of(site, url)
        asked = await phone.post(f"{url}/join", data={"strip": strips[1]})
        assert asked.status_code == 409
        assert "You already sit at table 1." in asked.text
        assert await room_of(site, url) == before
        answer = await phone.post(f"{url}/join", data={"strip": strips[1], "same": "yes"})
        assert answer.status_code == 303
        room = await room_of(site, url)
        assert [(one.number, one.name) for one in room.pupils] == [
            (2, before.pupils[0].name),
            (5, before.pupils[1].name),
        ]
        assert room.before == (((2, 5),),)
        assert sorted(await seats(site, url)) == [(2, room.tables[0].id), (5, room.tables[0].id)]
        await new.post(f"{url}/join", data={"strip": strips[1]})  # on any phone
        for one in (phone, new):
            assert await seat_of(one, url) == seat
            assert 'id="move"' in (await one.get(seat)).text


async def test_another_pupil_at_the_device_of_a_seated_one_takes_nobodys_seat(tmp_path):
    async with served(tmp_path, **STILL) as site, browsers(site, 3) as [teacher, device, other]:
        url, strips = await with_strips(site, teacher)
        await device.post(f"{url}/join")
        await other.post(f"{url}/join", data={"strip": strips[1]})
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        answer = await device.post(f"{url}/join", data={"strip": strips[1], "same": "yes"})  # that cannot be
        assert answer.status_code == 409
        assert "already joined with this strip" in answer.text
        assert (await device.post(f"{url}/join", data={"strip": strips[0], "same": "no"})).status_code == 303
        room = await room_of(site, url)
        assert [one.number for one in room.pupils] == [4, 2, 1]
        assert [one.number for one in room.waiting] == [1]
        # with strips, one after the other: each stays
        assert (await device.post(f"{url}/join", data={"strip": strips[2]})).status_code == 303
        assert [one.number for one in (await room_of(site, url)).waiting] == [1, 3]


async def test_the_code_of_the_class_is_no_strip(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 1) as [phone]:
        url, _ = await with_strips(site, teacher)
        for fields in ({"strip": url.rpartition("/")[2]}, {"strip": ""}, {"token": "", "strip": " "}):
            answer = await phone.post(f"{url}/join", data=fields)
            assert answer.status_code == 422
            assert "on your strip" in refused(answer.text)
        assert not (await room_of(site, url)).pupils
        await phone.post(f"{url}/join")
        assert 'name="strip"' in (await phone.get(url)).text  # it can be given afterwards


async def test_a_removed_pupils_strip_takes_nobody_out(tmp_path):
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 2) as [phone, other]:
        url, strips = await with_strips(site, teacher)
        await other.post(f"{url}/join", data={"strip": strips[0]})
        await teacher.post(f"{url}/remove", data={"pupil": "1"})
        await phone.post(f"{url}/join")
        assert (await phone.post(f"{url}/join", data={"strip": strips[0]})).status_code == 403
        assert [one.number for one in (await room_of(site, url)).here] == [4]
