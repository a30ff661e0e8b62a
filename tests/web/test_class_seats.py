"""A class decides who sits at its tables, whatever pupils do with their keys; its door and its numbers."""

import random

import pytest
from msgspec.structs import replace

from spieltisch.classroom.classroom import NUMBERS
from spieltisch.table.log import key_of
from web.site import refused, served
from web.test_classes import CODES, browsers, lesson, prepared, room_of, seat_of, setup_at

pytestmark = pytest.mark.anyio
STILL = {"pause": lambda: 3600.0}


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
        await pupils[0].post(f"{seat}/{to}", data={"seat": str(mine), **fields})
        now = (await setup_at(site, seat)).chairs
        assert [(one.name, one.key, one.pupil) for one in now] == [(one.name, one.key, one.pupil) for one in chairs]


@pytest.mark.parametrize("do", ["remove", "renew", "move", "deal"])
async def test_a_seat_is_found_whatever_its_key_is(tmp_path, do):
    """A thief of a strip, or a pupil at a table of a former version, had made the key anew."""
    async with served(tmp_path, **STILL) as site, site.browser() as teacher, browsers(site, 8) as pupils:
        url = await lesson(site, teacher, pupils, **{"hic-haec-hoc:level": "discipula", "size": "5"})
        seat = await seat_of(pupils[0], url)
        stolen = "s" * 22

        def steal(setup):
            mine = (replace(one, key=key_of(stolen)) if one.pupil == 1 else one for one in setup.chairs)
            return replace(setup, chairs=tuple(mine))

        await site.services.host.change(seat.rpartition("/")[2], steal)
        loop = await pupils[0].get(f"{url}/seat")
        assert loop.status_code == 409  # a page, and no way round in a circle
        dealt = (await room_of(site, url)).tables[0].id
        forms = {"move": {"pupil": "1", "to": "2"}, "deal": {"way": "number", "dealt": dealt}}
        answer = await teacher.post(f"{url}/{do}", data=forms.get(do, {"pupil": "1"}))
        assert answer.status_code == 303, refused(answer.text)
        async with site.program(stolen) as thief:
            look = (await thief.get(f"/api{seat.replace('/t/', '/tables/')}")).json()
            assert look.get("seat") is None
        found = await seats(site, url)
        assert len([one for one in found if one[0] == 1]) == (do != "remove")
        if do == "renew":
            [code] = CODES.findall((await teacher.get(answer.headers["location"])).text)
            await pupils[0].post(f"{url}/join", data={"strip": code[6:]})
            assert await seat_of(pupils[0], url) == seat


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
                    to = dice.choice(["remove", "admit", "move", "swap", "renew", "seat-waiting", "send-away"])
                    data = {"pupil": str(number), "with": str(other), "to": str(dice.randint(1, 3))}
                    await teacher.post(f"{url}/{to}", data=data)
                case 1:
                    to = dice.choice(["renew", "sit", "leave", "chairs", "admit"])
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
        assert "door" in refused(answer.text)
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
    now = [1_000.0]
    async with served(tmp_path, clock=lambda: now[0], **STILL) as site, site.browser() as teacher:
        url, day, classes = await prepared(teacher), 24 * 3600, site.services.classes
        code = url.rpartition("/")[2]
        now[0] += 29 * day
        assert (await teacher.get(url)).status_code == 200  # which is a use
        now[0] += 29 * day
        await classes.forget()
        room = await classes.change(code, lambda old: replace(old, counted=1))
        now[0] += 300 * day  # one that was taught outlives the holidays
        await classes.forget()
        assert await classes.get(code) == room
        now[0] += 101 * day
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
