"""A game over days: days for each turn, nobody is away, and a feed says whose turn it is and nothing else."""

import re
import time
from html import unescape
from xml.etree import ElementTree as ET

import pytest

import stores
from clock import Clock
from spieltisch.table.log import DAY
from web.site import code, playing, refused, served

pytestmark = pytest.mark.anyio
ATOM = "{http://www.w3.org/2005/Atom}"


async def slow(site, ada, ben, *, days=3, game="hic-haec-hoc"):
    """Ada and Ben play over days."""
    url = (await ada.post("/tables", data={"game": game, "name": "Ada"})).headers["location"]
    await ben.post(f"{url}/sit", data={"name": "Ben"})
    assert (await ada.post(f"{url}/options", data={"turn_seconds": str(round(days * DAY))})).status_code == 303
    assert (await ada.post(f"{url}/start")).status_code == 303
    return url, await site.services.host.table(code(url))


async def test_days_for_a_turn_are_chosen_like_seconds(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        url = (await ada.post("/tables", data={"game": "anno-domini", "name": "Ada"})).headers["location"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        for wrong in ("86401", "172800", "9999", "259200.0"):
            answer = await ada.post(f"{url}/options", data={"turn_seconds": wrong})
            assert "5 to 600 seconds" in answer.text, wrong
        assert (await ada.post(f"{url}/options", data={"turn_seconds": "259200"})).status_code == 303
        page = (await ada.get(url)).text
        assert "You play over days: nobody has to be there at the same time." in page
        assert "Time to object" not in page  # days count for every answer
        assert "3 Tage" in (await ben.get(url)).text


async def test_a_turn_has_its_days_however_often_the_table_is_read(tmp_path):
    clock = Clock(time.time())
    at = {"clock": clock, "pause": lambda: 60.0}
    async with served(tmp_path, **at) as site, site.browser() as ada, site.browser() as ben:
        url, table = await slow(site, ada, ben)
        (turn,) = table.turns
        assert turn.at == pytest.approx(clock.time + 3 * DAY, abs=60)
        page = (await ada.get(url)).text
        assert "data-until" not in page  # no ring counts seconds
        assert re.search(r'Time for this turn until\s<time datetime="[0-9T:-]+Z"', page)
        host = site.services.host
        clock.time += 700
        host.sweep()
        assert host.memory.known(table.id) is None  # it is in memory only while somebody looks
        again = await host.table(table.id)
        assert again.turns == (turn,)
    clock.time += 2 * DAY
    async with served(tmp_path, **at) as site:  # a server that starts again
        table = await site.services.host.table(code(url))
        assert table.turns == (turn,)
        assert (table.seq, table.to_act) == (1, (0,))


async def test_when_the_days_are_up_the_game_goes_on(tmp_path):
    clock = Clock(time.time())
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        _, table = await slow(site, ada, ben)
        with site.services.host.hub.listen(table.id) as news:
            clock.time += 3 * DAY + 60
            site.services.host.agenda.put(clock.time, table.id)
            await news.wait()
        assert (await site.services.host.table(table.id)).news[1].by == "clock"


async def test_nobody_is_away_at_a_slow_table(tmp_path):
    clock = Clock(time.time())
    async with (
        served(tmp_path, clock=clock, pause=lambda: 60.0) as site,
        site.browser() as ada,
        site.browser() as ben,
    ):
        url, table = await slow(site, ada, ben)
        clock.time += 2000.0
        page = (await ben.get(url)).text
        assert "A bot for Ada" not in page
        assert "data-away" not in page
        answer = await ben.post(f"{url}/chairs", data={"seat": "0", "do": "bot"})
        assert refused(answer.text) == "A bot can play for somebody after one minute away."
        assert table.setup.deputy == ""
        assert refused((await ada.post(f"{url}/pause")).text).startswith("A slow game has no pause.")
        assert 'id="pause"' not in (await ada.get(url)).text


@pytest.mark.parametrize("engine", stores.ENGINES)
async def test_names_stay_while_a_turn_has_time(engine, request, tmp_path):
    from test_privacy import canaries

    store = engine(request).open()
    setup = canaries("playing", 1)
    assert await store.create(setup)
    assert await store.append("T1", 1, b"{}", 40 * DAY, 0.0)
    await store.forget(30 * DAY)
    assert (await store.setup("T1")).chairs == setup.chairs
    await store.forget(41 * DAY)
    assert (await store.setup("T1")).chairs != setup.chairs
    await store.close()


# -- the feed ------------------------------------------------------------------------------------------------


def address(page):
    found = re.search(r'href="(http[^"]*/feed/[^"]*)"', unescape(page))
    return found and found[1]


async def read(reader, where):
    answer = await reader.get(where)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)


def texts(feed):
    """Its words, without times, numbers and addresses."""
    return [one.text for one in feed.iter() if one.tag in {ATOM + "title", ATOM + "summary", ATOM + "name"}]


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_a_feed_says_whose_turn_it_is_and_nothing_of_the_game(tmp_path, game):
    async with (
        served(tmp_path, pause=lambda: 60.0) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser() as reader,
    ):
        url, table = await slow(site, ada, ben, game=game)
        assert address((await ada.get(url)).text) is None
        for one in (ada, ben):
            assert (await one.post(f"{url}/feed", data={"do": "make"})).status_code == 303
        hers, his = address((await ada.get(url)).text), address((await ben.get(url)).text)
        key = next(one.value for one in ada.cookies.jar if one.name.startswith("spieltisch-")).partition(".")[0]
        assert key not in hers
        title = {"anno-domini": "Anno Domini", "hic-haec-hoc": "hic – haec – hoc", "trailblaze": "Trailblaze"}[game]
        mine, other = f"{title}, table {code(url)}, Ada", f"{title}, Tisch {code(url)}, Ben"
        feed = await read(reader, hers)
        assert texts(feed) == [mine, "Spieltisch", "Your turn.", mine]
        assert texts(await read(reader, his)) == [other, "Spieltisch"]
        links = {one.get("href") for one in feed.iter(ATOM + "link")}
        assert links == {hers, f"{site.origin}{url}"}
        # a question is an entry of its own, and the same each time it is read
        entry = feed.find(f"{ATOM}entry/{ATOM}id").text
        assert (await read(reader, hers)).find(f"{ATOM}entry/{ATOM}id").text == entry
        seen = {entry}
        for _ in range(12):
            seat = table.to_act[0]
            await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
            feed = await read(reader, hers)
            assert (feed.find(f"{ATOM}entry") is not None) == (0 in table.to_act)
            seen |= {one.text for one in feed.iterfind(f"{ATOM}entry/{ATOM}id")}
        assert len(seen) > 1


async def test_a_feed_is_sent_again_only_if_it_is_new(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as reader:
        url, table = await slow(site, ada, ben)
        await ada.post(f"{url}/feed", data={"do": "make"})
        where = address((await ada.get(url)).text)
        tag = (await reader.get(where)).headers["etag"]
        assert (await reader.get(where, headers={"if-none-match": tag})).status_code == 304
        await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        assert (await reader.get(where, headers={"if-none-match": tag})).status_code == 200


async def test_an_address_that_was_given_back_opens_nothing(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as reader:
        url, _ = await slow(site, ada, ben)
        gone = []
        for give_back in ("feed", "renew"):
            await ada.post(f"{url}/feed", data={"do": "make"})
            where = address((await ada.get(url)).text)
            assert (await reader.get(where)).status_code == 200
            gone.append(where)
            await ada.post(f"{url}/{give_back}", data={"do": "drop"})
            assert address((await ada.get(url)).text) is None
            assert {(await reader.get(one)).status_code for one in gone} == {404}
        assert len({*gone}) == 2
        assert (await reader.get(f"/feed/{code(url)}/en/{'x' * 22}")).status_code == 404
        assert "Ada" not in (await reader.get(gone[0])).text
        # who has no seat gets none
        assert (await reader.post(f"{url}/feed", data={"do": "make"})).status_code == 403


async def test_the_feed_goes_along_to_the_next_game(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as reader:
        url, table = await playing(site, ada, ben)  # any game for several has one
        await ada.post(f"{url}/feed", data={"do": "make"})
        where = address((await ada.get(url)).text)
        await site.services.host.close(table.id)
        assert (await ada.post(f"{url}/rematch")).status_code == 303
        assert (await ben.post(f"{url}-2/ready")).status_code == 303
        table = await site.services.host.table(f"{table.id}-2")
        seat = next(seat for seat, chair in enumerate(table.setup.chairs) if chair.name == "Ada")
        feed = await read(reader, where)
        assert (feed.find(f"{ATOM}entry") is not None) == (seat in table.to_act)
        assert texts(feed)[0].endswith(f"table {code(url)}, Ada")


async def test_alone_and_in_a_class_there_is_no_feed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        assert 'id="tell"' not in (await ada.get(url)).text
        assert refused((await ada.post(f"{url}/feed")).text) == "You play alone here: it is always your turn."
