"""What one missed in a game that is over, as notes for Anki: one's own, and none before the end."""

import io
import sqlite3
import zipfile

import pytest

from games.annodomini.tables import deal, play
from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.games.annodomini.review import missed as of_events
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.hichaechoc.news import Judged, Played
from spieltisch.games.hichaechoc.review import missed as of_forms
from spieltisch.games.trailblaze.news import Revealed
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.opening import open_table
from web.site import code as code_of
from web.site import finished, served
from web.test_device import beside

pytestmark = pytest.mark.anyio


def tr(name, lang="en"):
    return games.package(name).translator(lang, ["Ada", "Bo", "Cy"])


def fronts(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        base = sqlite3.connect(":memory:")
        base.deserialize(archive.read("collection.anki2"))
    found = [fields.split("\x1f") for (fields,) in base.execute("select flds from notes")]
    base.close()
    return found


def test_the_cards_laid_wrong_and_the_error_let_pass():
    state = deal("1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900")
    news = list(state.public.news)
    for move in ((0, 1), (3, 2), "?"):  # 1000 is laid below 1150; then 1300, rightly
        state = play(state, move)
        news += state.public.news
    for seat in (0, 1):
        (note,) = of_events(state, news, seat, tr("anno-domini"))
        assert note.fields[1] == "1000"
    news = [one for one in news if type(one).__name__ != "Doubted"]
    assert of_events(state, news, 0, tr("anno-domini")) == []


def test_the_forms_misread_and_those_objected_to_without_reason():
    state = next(iter_strict())
    table, terms = state.hidden.table, state.public.terms
    hoc = table[CELLS.index(("abl", "sg", "m"))]
    wrong = CELLS.index(("dat", "sg", "m"))
    right = CELLS.index(("abl", "sg", "n"))
    unnoticed, fine = Played(0, hoc, wrong), Played(0, hoc, right)
    (note,) = of_forms(state, [unnoticed], 0, tr("hic-haec-hoc"))
    assert note.fields[0] == terms.forms[hoc]
    assert note.fields[1] == "ablative singular masculine, ablative singular neuter"
    assert note.fields[2] == "You said: dative singular masculine."
    assert of_forms(state, [unnoticed], 1, tr("hic-haec-hoc")) == []
    assert of_forms(state, [fine], 0, tr("hic-haec-hoc")) == []
    lost = Judged(0, 1, hoc, right, (), 0, None, (), right=True, table=b"")
    assert of_forms(state, [lost], 0, tr("hic-haec-hoc")) == []
    assert of_forms(state, [lost], 1, tr("hic-haec-hoc"))[0].fields[2] == "You objected to: ablative singular neuter."
    won = Judged(0, 1, hoc, right, (), 0, 3, (), right=False, table=b"")  # the reading is right, but does not fit
    assert len(of_forms(state, [fine, won], 0, tr("hic-haec-hoc"))) == 1


def iter_strict():
    from games.hichaechoc.test_page import games_of
    from spieltisch.games.hichaechoc.options import Options

    return games_of(Options("strict"), 1)


async def test_one_downloads_what_one_missed_oneself(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser() as ben:
        answer = await ada.post("/play", data={"game": "trailblaze", "seats": "2"})
        code = code_of(answer.headers["location"])
        assert (await ada.get(f"/t/{code}/missed")).status_code == 422  # nothing of it before the end
        table = await site.services.host.table(code)
        await finished(site, table, FastDice(3), blind=True)
        assert f"/t/{code}/missed" in (await ada.get(f"/t/{code}")).text
        assert "/missed" not in (await ben.get(f"/t/{code}")).text
        assert (await ben.get(f"/t/{code}/missed")).status_code == 403
        answer = await ada.get(f"/t/{code}/missed")
        assert answer.headers["content-disposition"] == f'attachment; filename="missed-{code}-1.apkg"'
        news = [one for told in (await site.services.host.replay(code)).news for one in told.news]
        mine = [one for one in news if isinstance(one, Revealed) and one.seat == 0]
        wrong = {one.card.text["de"] for one in mine for s in one.stones if s.pattern and s.column != one.column}
        found = fronts(answer.content)
        assert {front for front, *_ in found} == wrong
        assert 0 < len(wrong) <= len(mine)


async def test_each_of_several_on_one_device_gets_their_own(tmp_path):
    async with served(tmp_path) as site, site.browser() as phone, site.browser() as other:
        url, table = await beside(site, phone, "Mira", "Emre", game="trailblaze")
        await finished(site, table, FastDice(3), blind=True)
        page = (await phone.get(url)).text
        assert [f"{url}/missed?seat={seat}" in page for seat in range(3)] == [True, True, False]
        assert "Learn what Emre missed" in page
        told = [news for told in (await site.services.host.replay(code_of(url))).news for news in told.news]
        for seat in (0, 1):
            mine = [one for one in told if isinstance(one, Revealed) and one.seat == seat]
            wrong = {one.card.text["en"] for one in mine for s in one.stones if s.pattern and s.column != one.column}
            answer = await phone.get(f"{url}/missed?seat={seat}")
            assert wrong
            assert {front for front, *_ in fronts(answer.content)} == wrong
        assert (await phone.get(f"{url}/missed?seat=2")).status_code == 403
        assert (await other.get(f"{url}/missed?seat=0")).status_code == 403


async def test_a_game_with_nothing_to_learn_says_so(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        code, _ = await open_table(site.services, games.package("adaman"), Actor("", "en"), bots=0, name="Ada")
        assert "nothing to learn" in (await ada.get(f"/t/{code}/missed")).text
