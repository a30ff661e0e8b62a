"""What cases are called and how they stand: as each person has learned it, on every page, and for nobody else."""

import re

import pytest

from spieltisch import games, i18n
from spieltisch.dice import FastDice
from spieltisch.games.hichaechoc.state import Play
from spieltisch.games.hichaechoc.wording import FULL, SHORT
from spieltisch.i18n import Terms
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.opening import open_table
from web.site import code, finished, served

ROOM = games.package("hic-haec-hoc")
GERMAN = ["Nominativ", "Genitiv", "Dativ", "Akkusativ", "Ablativ"]


def tr(lang, names="", order=""):
    return ROOM.translator(lang, ["Ada", "Bo"], terms=Terms(names, order))


def table_of(page):
    """The cases in the order in which the table of forms and the row of the declaration have them."""
    found = re.findall(r'<th\s+scope="row"\s+aria-label="(\w+)"', page)[:5]
    return found, re.findall(r'name="case"[^>]*?id="case-(\w+)"', page)[:5]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_term_has_a_name_in_each_tradition(lang):
    assert {*FULL.values(), *SHORT.values()} <= ROOM.page.terms.keys()
    for names, word in (("de", "Genitiv"), ("en", "genitive"), ("la", "genetivus"), ("", tr(lang)._("genitive"))):
        assert tr(lang, names)._("genitive") == word
    assert tr(lang, "la")._("Objection upheld.") == tr(lang)._("Objection upheld.")
    adaman = games.package("adaman")
    assert adaman.translator(lang, terms=Terms("la")).catalog is i18n.package_catalog(adaman.folder, lang)


def test_texts_are_told_in_these_terms():
    text = "Kasus (Nominativ, Genitiv, Dativ, Akkusativ, Ablativ): Singularisch ist kein Singular."
    assert ROOM.page.retold(text, ROOM.translator("de"), tr("de", "", "british")).startswith(
        "Kasus (Nominativ, Akkusativ, Genitiv, Dativ,"
    )
    latin = ROOM.page.retold(text, ROOM.translator("de"), tr("de", "la", "british"))
    assert latin.startswith("Kasus (nominativus, accusativus, genetivus, dativus, ablativus)")
    assert latin.endswith("Singularisch ist kein singularis.")
    assert ROOM.page.retold(text, ROOM.translator("de"), tr("de")) == text
    assert games.package("adaman").page.retold(text, games.package("adaman").translator("de"), tr("de", "la")) == text


async def her_turn(site, ada):
    """A table at which Ada can play a card: of one hand in eighty none fits, and no row of cases is there to choose."""
    while True:
        top: dict[str, object] = {"options": {"mode": "assisted"}}
        id_, key = await open_table(site.services, ROOM, Actor("", "de"), bots=1, name="Ada", top=top)
        if any(isinstance(action, Play) for action in (await site.services.host.table(id_)).legal(0)):
            ada.cookies.set(f"spieltisch-{id_}", site.services.seat_cookies.hold(id_, key, secure=False).value)
            return f"/t/{id_}"


@pytest.mark.anyio
async def test_each_reads_the_table_in_their_own_order(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser("en") as ben:
        url = await her_turn(site, ada)
        assert table_of((await ada.get(url)).text)[0] == GERMAN
        answer = await ada.post("/terms", data={"names": "la", "order": "british", "back": url})
        assert answer.headers["location"] == url
        page = (await ada.get(url)).text
        british = ["nominativus", "accusativus", "genetivus", "dativus", "ablativus"]
        assert table_of(page) == (british, ["nom", "acc", "gen", "dat", "abl"])
        assert "Genitiv<" not in page
        assert table_of((await ben.get(url)).text)[0] == ["nominative", "genitive", "dative", "accusative", "ablative"]
        rules = (await ada.get("/rules/hic-haec-hoc")).text
        assert "nominativus, accusativus, genetivus, dativus, ablativus" in rules
        assert "accusativus singularis, maskulin" not in rules
        assert "accusativus" in (await ada.get("/learn/hic-haec-hoc")).text
        await finished(site, await site.services.host.table(code(url)), FastDice(1))
        assert table_of((await ada.get(f"{url}/replay?step=2")).text)[0] == british


@pytest.mark.anyio
async def test_what_is_no_choice_is_refused_and_a_strange_cookie_does_nothing(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada:
        for form in ({"names": "sw"}, {"order": "american"}, {"names": "la" * 400}):
            assert (await ada.post("/terms", data=form)).status_code == 422
        ada.cookies.set("spieltisch_terms", "xx.yy")
        assert "Genitiv, Dativ" in (await ada.get("/rules/hic-haec-hoc")).text
        assert "/terms" not in (await ada.get("/rules/adaman")).text
        assert (await ada.post("/terms", data={"back": "//evil.example"})).headers["location"] == "/"
