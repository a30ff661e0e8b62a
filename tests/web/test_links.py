"""Every link that a page offers leads somewhere: from home, a table, a finished game, a deck and a class."""

import html
import random
import re

import pytest

from spieltisch import games
from web.site import code, finished, playing, served
from web.test_classes import PLAN
from web.test_deckpages import sixty

pytestmark = pytest.mark.anyio
LINK = re.compile(r'<a\b[^>]*?\bhref="(/[^/"][^"#]*)')
# Codes of tables, days, numbers of steps and chains, and ways back: one of each kind is opened.
ALIKE = re.compile(r"[A-Z0-9]{8}|\b\d[\d-]*\b|\b[0-9a-f]{12}\b|back=[^&]*")


async def opened(browser, *begin):
    """Open these pages and all that they lead to. Returns how many there are, and the links that lead nowhere with the
    page that offers them.
    """
    todo, known, found = [(one, "") for one in begin], set(), []
    while todo:
        path, offered_by = todo.pop()
        if (kind := ALIKE.sub("#", path)) in known:
            continue
        known.add(kind)
        answer = await browser.get(path, follow_redirects=True)
        if answer.status_code >= 300:  # 202: a page that is still being made
            found.append((path, offered_by, answer.status_code))
        elif answer.headers.get("content-type", "").startswith("text/html"):
            todo += [(html.unescape(link), path) for link in LINK.findall(answer.text)]
    return len(known), found


@pytest.mark.slow
async def test_links_lead_somewhere(tmp_path):
    async with served(tmp_path, beside=True) as site, site.browser() as ada, site.browser() as ben:
        begin = ["/", (await ada.post("/decks", data={"title": "Rome", "text": sixty()})).headers["location"]]
        for game, one in games.packages().items():
            if one.rules.seats[-1] == 1:
                url = (await ada.post("/play", data={"game": game})).headers["location"]
                table = await site.services.host.table(code(url))
            else:
                url, table = await playing(site, ada, ben, game=game)
            _, nowhere = await opened(ada, url)
            assert not nowhere
            await finished(site, table, random.Random(1), blind=True)
            begin += [url, f"{url}/screen"]
        room = (await ada.post("/class/new", data=PLAN)).headers["location"]
        await ben.post(f"{room}/join")
        n, nowhere = await opened(ada, *begin, room, f"{room}/wall")
        assert not nowhere
        assert n > 60
        _, nowhere = await opened(ben, room, *begin[2:])
        assert not nowhere
