"""How sure? A chain is asked about without its answer, turned over by the next request, and the curve is drawn."""

import html
import json
import re

import pytest

from spieltisch.decks.library import Library, shipped
from web.site import served
from web.test_deckchoice import sheet

pytestmark = pytest.mark.anyio
FORMAT = "spieltisch-sure/1"


async def asked(browser, deck="events"):
    """The address of another chain, and the page that asks about it."""
    answer = await browser.get(f"/sure/{deck}")
    assert answer.status_code == 303, answer.text
    url = answer.headers["location"]
    return url, html.unescape((await browser.get(url)).text)


async def turned(browser, url, percent):
    answer = await browser.post(url, data={"percent": str(percent)})
    assert answer.status_code == 303, answer.text
    return html.unescape((await browser.get(answer.headers["location"])).text)


def laid(page):
    return re.findall(r'<li[^>]*>.*?<span class="serif">(.*?)</span>', page, re.DOTALL)


def drawing(claims):
    return {"json": {"format": FORMAT, "claims": {f"events/{n}": one for n, one in enumerate(claims)}}}


@pytest.mark.parametrize(("deck", "lang"), [("events", "de"), ("firsts", "en")])
async def test_the_page_that_asks_has_nothing_of_the_backs(tmp_path, deck, lang):
    kind, read = Library().read(deck)
    told = {card.front[lang]: card for card in kind.learned(read).values()}
    async with served(tmp_path) as site, site.browser(lang) as ada:
        for _ in range(20):
            url, page = await asked(ada, deck)
            cards = [told[front] for front in laid(page)]
            assert 3 <= len(cards) <= 5
            body = re.sub("<[^>]*>", " ", re.search("<main.*</main>", page, re.DOTALL)[0])
            for card in cards:
                for back in (card.back["de"], card.back["en"], card.comment["de"], card.comment["en"], card.source):
                    assert not back or not re.search(rf"\b{re.escape(back)}(?! ?%|\w)", body), (url, back)
            assert ' class="bad"' not in page


async def test_a_claim_is_paid_and_the_same_chain_turned_over(tmp_path):
    spans = {card.front["en"]: card.span for card in Library().read("events")[1].cards}
    outcomes = set()
    async with served(tmp_path) as site, site.browser() as ada:
        for _ in range(12):
            url, page = await asked(ada)
            after = await turned(ada, url, 80)
            assert laid(after) == laid(page)
            years = [spans[front].start for front in laid(page)]
            right = years == sorted(years)
            assert ("+84 points" if right else "−156 points") in after
            assert ("The chain was right." if right else "The chain was wrong.") in after
            assert after.count('<li class="bad"') == (not right)
            claim = json.loads(re.search(r'data-claim="(.*?)">', after)[1])
            assert claim[:2] == [80, right]
            outcomes.add(right)
    assert outcomes == {True, False}


async def test_it_is_two_taps_from_home(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        assert 'href="/sure/events">Wie sicher bist du?' in (await ada.get("/")).text
        url, page = await asked(ada)
        assert page.count(f'action="{url}"') == 2
        assert re.findall(r'name="percent" value="(\d+)"', page) == ["5", "25", "50", "75", "95"]


async def test_what_is_no_claim_is_refused_and_what_is_no_chain_leads_to_one(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url, _ = await asked(ada)
        for wrong in ("", "101", "-5", "x", "1e1"):
            assert (await ada.post(url, data={"percent": wrong})).status_code == 422
        assert (await ada.get(f"{url}/101")).status_code == 422
        other = url[:-1] + ("0" if url[-1] != "0" else "1")
        for gone in (other, f"{other}/80", "/sure/events/x"):
            assert (await ada.get(gone)).headers["location"] == "/sure/events"
        assert (await ada.get("/sure/nothing")).status_code == 404


async def test_own_decks_are_judged_by_those_who_may_play_with_them(tmp_path):
    (tmp_path / "decks").mkdir()
    text = shipped()["events"].read_text("utf-8")
    (tmp_path / "decks" / "mine.csv").write_text("#private\n" + text, "utf-8")
    (tmp_path / "decks" / "ours.csv").write_text(text, "utf-8")
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        ada.cookies.set("spieltisch_deck_mine", site.services.deck_keys.key("mine"))
        for browser, deck, status in ((ada, "mine", 303), (ben, "mine", 404), (ben, "ours", 303), (ben, "hic", 404)):
            assert (await browser.get(f"/sure/{deck}")).status_code == status, deck
        assert "/sure/mine" in (await ada.get("/sure")).text
        assert "/sure/mine" not in (await ben.get("/sure")).text


async def test_each_deck_that_it_offers_has_chains(tmp_path):
    """Also one of three years, in which cards lie closer together than a chain otherwise asks."""
    async with served(tmp_path) as site, site.browser() as ada:
        decks = re.findall(r'href="/sure/([^"/]+)"', (await ada.get("/sure")).text)
        assert "recent" in decks
        for deck in decks:
            _, page = await asked(ada, deck)
            assert len(laid(page)) >= 3


async def test_a_chain_whose_cards_have_changed_is_not_turned_over(tmp_path):
    (tmp_path / "decks").mkdir()
    deck = tmp_path / "decks" / "ours.csv"
    lines = shipped()["events"].read_text("utf-8").splitlines(keepends=True)
    deck.write_text("".join(lines), "utf-8")
    async with served(tmp_path) as site, site.browser() as ada:
        url, _ = await asked(ada, "ours")
        deck.write_text("".join(lines[:-700]), "utf-8")
        assert (await ada.get(f"{url}/80")).headers["location"] == "/sure/ours"


async def test_a_deck_that_is_too_small_says_so(tmp_path):
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "tiny.csv").write_text(sheet(2), "utf-8")
    async with served(tmp_path) as site, site.browser() as ada:
        answer = await ada.get("/sure/tiny")
        assert answer.status_code == 422
        assert "too few cards" in answer.text


async def test_a_curve_is_drawn_from_25_claims_on(tmp_path):
    claims = [[80, n % 20 < 11, ["recent"], ["music", "unheard-of"]] for n in range(40)]
    async with served(tmp_path) as site, site.browser("de") as ada:
        early = (await ada.post("/sure", **drawing(claims[:24]))).text
        assert "Noch 1 Schätzung, dann" in early
        assert "<svg" not in early
        page = html.unescape((await ada.post("/sure", **drawing(claims))).text)
        assert "Wenn du 80 % sagst, stimmt es in 55 %." in page
        assert "Du bist dir zu sicher: Sag kleinere Zahlen." in page
        assert page.count("<circle") == 1
        assert "ab 2001" in page
        assert "Musik" in page
        assert "unheard-of" not in page


@pytest.mark.parametrize(
    "sent",
    [
        b"x",
        b"[]",
        b'{"format": "other", "claims": {}}',
        b'{"format": "spieltisch-sure/1", "claims": {"a": [101, true]}}',
        b'{"format": "spieltisch-sure/1", "claims": {"a": [80, 1]}}',
        json.dumps({"format": FORMAT, "claims": {str(n): [80, True] for n in range(501)}}).encode(),
    ],
)
async def test_what_has_no_claims_is_refused(tmp_path, sent):
    async with served(tmp_path) as site, site.browser("de") as ada:
        answer = await ada.post("/sure", content=sent, headers={"content-type": "application/json"})
        assert answer.status_code == 422
        assert "keine Schätzungen" in answer.text


async def test_nothing_of_the_claims_is_kept(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url, _ = await asked(ada)
        await turned(ada, url, 65)
        await ada.post("/sure", **drawing([[65, True, [], []]] * 30))
        assert not ada.cookies
        assert await site.services.host.store.ids() == []
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} <= {"tables.sqlite", "decks"}
