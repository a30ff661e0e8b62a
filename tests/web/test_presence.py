"""Who is at a table, as everybody sees it: by sockets that answer, by requests; on the seats, in the waiting room, in
the offer of a bot.
"""

import asyncio
import contextlib
import re

import pytest

from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.web.core.announcement import Announcement
from spieltisch.web.core.chat import Chat, Voice
from spieltisch.web.core.presence import LONG, RELOAD, REQUEST, SCREEN, Absence, Presence
from spieltisch.web.wire.frames import LATE, PINGS, QuickLine
from web.silence import Silence
from web.site import code, playing, quick_only, served

MARKED = re.compile(r'class="(?:\w+ )?gone".*?data-away="(\d+)"[^>]*>([^<]*)<', re.DOTALL)


def setup_of(*keys, **more):
    chairs = [Chair(kind="person", key=key_of(key)) if key else Chair(kind="bot") for key in keys]
    return TableSetup("ABC234", "hic-haec-hoc", {}, tuple(chairs), stage="playing", **more)


def test_somebody_is_here_while_a_socket_is_open_and_a_moment_longer(clock):
    woken = []
    presence, table = Presence(clock, woken.append), setup_of("ada", "ben", "")
    with presence.looking("ABC234", "ada"), presence.looking("ABC234", "ben"), presence.looking("ABC234", "ben"):
        clock.time += 1000
        assert presence.absent(table) == ()
        assert presence.next_change(table) is None
    left = clock.time
    assert woken == ["ABC234", "ABC234"]  # once for Ben, though two pages of his are closed
    assert presence.next_change(table) == RELOAD
    clock.time += RELOAD
    assert presence.absent(table) == (Absence(0, left, long=False), Absence(1, left, long=False))
    assert presence.away_since(table, 0) == left
    assert presence.away_since(table, 2) is None  # a bot is never away
    assert presence.next_change(table) == LONG - RELOAD
    clock.time = left + LONG
    assert [one.long for one in presence.absent(table)] == [True, True]
    assert presence.next_change(table) is None
    with presence.looking("ABC234", "ben"):
        assert woken[2:] == ["ABC234"]
        assert [one.seat for one in presence.absent(table)] == [0]


def test_who_has_no_socket_is_here_for_a_minute_after_a_request(clock):
    woken = []
    presence, table = Presence(clock, woken.append), setup_of("ada", "ben", owner=key_of("owner"))
    assert presence.absent(table) == ()  # the server has just started: nobody is away for that
    clock.time += REQUEST
    assert [one.long for one in presence.absent(table)] == [True, True]
    presence.heard(table, "ada")
    presence.heard(table, "somebody")
    presence.heard(table, "")
    assert woken == ["ABC234"]
    assert [one.seat for one in presence.absent(table)] == [1]
    presence.heard(table, "owner")
    assert presence.is_here("ABC234", key_of("owner"))
    clock.time += REQUEST
    assert not presence.is_here("ABC234", key_of("owner"))


class Line:
    """Carries at once what parts of several servers tell each other, as soon as they are `joined`."""

    def __init__(self):
        self.joined = []
        self.made = 0

    def part(self, make):
        """A part: `make(tell)`."""
        i, self.made = self.made, self.made + 1
        one = make(lambda words: one in self.joined and self._carry(one, i, words))
        return one

    def _carry(self, teller, i, words):
        for other in self.joined:
            if other is not teller:
                other.hear_from(str(i), words)


def test_who_is_at_one_server_is_here_at_all_of_them(clock):
    woken, table = [], setup_of("ada", "ben")
    line = Line()
    one = line.part(lambda tell: Presence(clock, tell=tell))
    two = line.part(lambda tell: Presence(clock, woken.append, tell))
    line.joined = [one, two]
    with one.looking("ABC234", "ada"), one.looking("ABC234", "ada"), two.looking("ABC234", "ben"):
        assert woken == ["ABC234"]
        clock.time += 1_000
        assert one.absent(table) == two.absent(table) == ()
        with two.looking("ABC234", "ada"):
            pass
        clock.time += RELOAD
        assert two.absent(table) == ()  # a page of hers at the other one is still open
    clock.time += RELOAD
    assert [one.seat for one in two.absent(table)] == [one.seat for one in one.absent(table)] == [0, 1]
    two.heard(table, "ben")
    assert [one.seat for one in one.absent(table)] == [0]
    clock.time += REQUEST / 2 + 1
    two.heard(table, "ben")  # told again now and then
    clock.time += REQUEST / 2 + 1
    assert [one.seat for one in one.absent(table)] == [0]


def test_a_server_that_comes_hears_who_is_here_and_who_was_on_one_that_died_has_gone(clock):
    table = setup_of("ada", "ben")
    line = Line()
    one, two = (line.part(lambda tell: Presence(clock, tell=tell)) for _ in range(2))
    with one.looking("ABC234", "ada"):
        assert two.absent(table) == ()  # it does not know yet
        clock.time += REQUEST
        line.joined = [one, two]
        one.repeat()
        clock.time += REQUEST
        assert [one.seat for one in two.absent(table)] == [1]
        two.keep({"0"})
        assert two.is_here("ABC234", key_of("ada"))
        two.keep(set())
        assert two.is_here("ABC234", key_of("ada"))  # who makes a new line is not away
        clock.time += RELOAD
        assert not two.is_here("ABC234", key_of("ada"))


def test_a_screen_for_all_is_known_at_all_servers_until_it_is_gone(clock):
    line, here, there = Line(), set(), set()
    one, two = line.joined = [
        line.part(lambda tell, known=known: Presence(clock, tell=tell, screens=known)) for known in (here, there)
    ]
    with one.looking("ABC234", SCREEN), one.looking("ABC234", "ada"):
        assert (here, there) == ({"ABC234"}, {"ABC234"})
        with two.looking("ABC234", SCREEN):
            pass
        assert (here, there) == ({"ABC234"}, {"ABC234"})
    assert (here, there) == (set(), set())
    with two.looking("ABC234", SCREEN):
        one.keep(set())  # that server died
        assert (here, there) == (set(), {"ABC234"})


@pytest.mark.anyio
async def test_phrases_and_announcements_are_heard_at_all_servers(clock):
    heard, shown = [], []
    voices, line = Line(), Line()
    chats = voices.joined = [voices.part(lambda tell: Chat(tell=tell)) for _ in range(2)]
    notices = [line.part(lambda tell, i=i: Announcement(clock, lambda: shown.append(i), tell)) for i in range(3)]
    line.joined = notices[:2]
    with chats[0].hear("ABC234", heard.append), chats[0].hear("ZZZ234", heard.append):
        assert chats[1].say("ABC234", Voice(1, 7))
    assert heard == [Voice(1, 7)]
    notices[0].restart(5)
    assert (notices[1].at, shown) == (clock.time + 300, [1, 0])
    line.joined = notices
    notices[1].repeat()  # for one that has just come
    assert notices[2].at == clock.time + 300
    clock.time += 301
    notices[2].at = None
    notices[1].repeat()
    assert notices[2].at is None  # which has just been started anew
    notices[2].restart(0)
    assert notices[0].at is None


def test_nobody_waits_for_who_plays_alone(clock):
    presence, table = Presence(clock), setup_of("ada")
    presence.heard(table, "ada")
    clock.time += 1000
    assert presence.absent(table) == ()


@pytest.mark.anyio
async def test_everybody_sees_who_has_gone_and_a_bot_is_offered_for_them_alone(tmp_path, clock):
    async with (
        served(tmp_path, pause=lambda: 60.0, clock=clock) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben)
        seat = table.to_act[0]
        gone, other, names = (ada, ben)[seat], (ben, ada)[seat], ("Ada", "Ben")
        async with (
            site.line(url, other) as line,
            site.line(url, eve) as watching,
            site.line(url, screen=True) as screen,
        ):
            async with site.line(url, gone):
                for one in (line, watching, screen):
                    await one.until(lambda m: "html" in m)
            left = clock.time
            clock.time += RELOAD
            site.services.host.hub.wake(table.id, 0)
            for one, words in ((line, "weg" if other is ben else "away"), (watching, "away"), (screen, "away")):
                page = await one.until(lambda m: MARKED.search(m.get("html", "")))
                assert MARKED.findall(page["html"]) == [(str(int(left)), words)]
                assert "botoffer" not in page["html"]
                assert names[seat] in page["say"]
            # after a minute a bot is offered, for the one who is to act and away, to who sits here
            clock.time = left + LONG
            site.services.host.hub.wake(table.id, 0)
            page = await line.until(lambda m: "botoffer" in m.get("html", ""))
            assert re.findall(r'id="standin-(\d)"', page["html"]) == [str(seat)]
            for one in (watching, screen):
                page = await one.until(lambda m: re.search("away for 1 min|seit 1 min weg", m.get("html", "")))
                assert "botoffer" not in page["html"]
            # who has no script sees it, too
            assert MARKED.search((await eve.get(url)).text)[2] == "away for 1 min"
            assert (await line.do("chairs", [["seat", str(seat)], ["do", "bot"]]))["ok"]
            assert table.setup.chairs[seat].away
            # back: with the first request, before there is a socket
            await gone.get(url)
            page = await line.until(lambda m: "html" in m and not MARKED.search(m["html"]))
            assert names[seat] in page["say"]


@pytest.mark.anyio
async def test_the_waiting_room_shows_who_has_gone(tmp_path, clock):
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        async with site.line(url, ada) as line:
            assert not MARKED.search((await line.until(lambda m: "html" in m))["html"])
            clock.time += 125
            site.services.host.hub.wake(code(url), 0)
            page = await line.until(lambda m: MARKED.search(m.get("html", "")))
            assert [words for _, words in MARKED.findall(page["html"])] == ["away for 2 min"]


@pytest.mark.anyio
async def test_a_socket_that_answers_no_more_is_nobody(tmp_path, clock):
    """It never closes, as in a lift: the server asks and gets no answer."""
    async with (
        served(tmp_path, pause=lambda: 60.0, clock=clock, ping=0.5) as site,
        site.browser() as ada,
        site.browser() as ben,
        Silence(site.port) as relay,
    ):
        url, table = await playing(site, ada, ben)
        presence, opened = site.services.presence, site.line(url, ben, origin=relay.origin, port=relay.port)
        lift = await opened.__aenter__()
        await lift.until(lambda m: "html" in m)
        await lift.ws.send('{"ping": 7}')
        assert await lift.until(lambda m: "pong" in m) == {"pong": 7}
        await asyncio.sleep(1.2)  # it would have been taken for dead by now
        clock.time += 1000
        assert presence.away_since(table.setup, 1) is None  # it answers
        relay.silent = True
        async with asyncio.timeout(60):
            while presence.next_change(table.setup) is None:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
        left = clock.time
        clock.time += RELOAD
        assert presence.away_since(table.setup, 1) == left
        lift.ws.transport.abort()
        with contextlib.suppress(Exception):
            await opened.__aexit__(None, None, None)


@quick_only
@pytest.mark.anyio
async def test_pages_are_asked_at_the_same_moments_whether_they_are_there(tmp_path, monkeypatch):
    """However they have come: so the server, and each process of many, wakes up for several of them."""
    moments, real = [], QuickLine.schedule_ping

    def schedule(line):
        real(line)
        moments.append(line.ping_timer.when())

    monkeypatch.setattr(QuickLine, "schedule_ping", schedule)
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        begun = asyncio.get_running_loop().time()
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            for line in (hers, his):
                await line.until(lambda m: "html" in m)
    assert len(moments) == 2
    assert all(moment / PINGS == pytest.approx(round(moment / PINGS), abs=1e-6) for moment in moments)
    assert all(moment - begun >= 20.0 - LATE for moment in moments)


@pytest.mark.anyio
async def test_what_a_page_sends_again_is_done_once(tmp_path):
    """A phrase whose answer was lost is not said twice; another page's first message is another one."""
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        message = '{"id": 1, "to": "say", "fields": [["phrase", "1"]]}'
        async with site.line(url, ben) as hearing:
            for page, heard in (("a", 1), ("a", 1), ("b", 2)):
                async with site.line(url, ada, page=page) as line:
                    await line.ws.send(message)
                    assert (await line.until(lambda m: m.get("id") == 1))["ok"]
                await hearing.ws.send('{"ping": 1}')
                await hearing.until(lambda m: "pong" in m)
                await hearing.drain()
                assert sum("voice" in m for m in hearing.heard) == heard
