"""A reader's chain of languages: what one lacks comes from the next, message by message, text by text."""

from html import unescape

import pytest

from spieltisch import games, i18n, languages
from spieltisch.decks.library import Spoken
from spieltisch.decks.text import text_of
from spieltisch.game import Invalid
from spieltisch.i18n import Terms
from spieltisch.languages import LANGUAGES, po
from spieltisch.web.home.tongues import tongues
from web.site import served

KNOWN = (
    languages.chain, i18n.joined_catalog, i18n.common_catalog, i18n.package_catalog, i18n.catalog_in_terms,
    i18n.translated, i18n._catalogues, i18n.read_catalog,
)  # fmt: skip
HEADER = "Content-Type: text/plain; charset=utf-8\nPlural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\n"


@pytest.fixture
def silesian(tmp_path, monkeypatch):
    """A language with three messages, one plan, and the British order of cases."""
    folder = tmp_path / "szl"
    (folder / "messages").mkdir(parents=True)
    (folder / "plans").mkdir()
    (folder / "plans" / "latin.md").write_text("# Łacina", "utf-8")
    toml = (LANGUAGES["de"].folder / "language.toml").read_text("utf-8")
    changed = {"name": '"Ślōnski"', "falls_back": '["de"]', "cases": '"british"', "read_by": '""'}
    (folder / "language.toml").write_text(toml_of(toml, changed), "utf-8")
    cards = po.Message(("{n} card", "{n} cards"), ("karta", "karty", "kart"))
    for name, messages in {
        "spieltisch": [po.Message(("Join",), ("Dołōnczyć",)), cards],
        "hichaechoc": [po.Message(("nominative",), ("mianownik",)), po.Message(("genitive",), ("",))],
    }.items():
        said = po.written([po.Message(("",), (f"Language: szl\n{HEADER}",)), *messages])
        (folder / "messages" / f"{name}.po").write_text(said, "utf-8")
    monkeypatch.setitem(LANGUAGES, "szl", languages.read(folder))
    yield "szl"
    for one in KNOWN:
        one.cache_clear()


def toml_of(text, changed):
    """A language's settings with other values."""
    lines = (line for line in text.splitlines() if not line.startswith("column"))
    keys = ((line.partition(" =")[0], line) for line in lines)
    return "\n".join(f"{key} = {changed[key]}" if key in changed else line for key, line in keys)


def test_each_message_comes_from_the_first_language_that_has_it(silesian):
    own, german = i18n.common_catalog(silesian), i18n.common_catalog("de")
    assert own.gettext("Join") == "Dołōnczyć"
    assert own.gettext("Save") == german.gettext("Save") != "Save"
    assert [own.ngettext("{n} card", "{n} cards", n) for n in (1, 2, 7)] == ["karta", "karty", "kart"]
    assert own.counted("{n} player", "{n} players", 1) == german.counted("{n} player", "{n} players", 1)
    chosen = i18n.common_catalog("szl-x-en")
    assert (chosen.gettext("Join"), chosen.gettext("Save")) == ("Dołōnczyć", "Save")


def test_a_games_words_fall_back_and_its_cases_are_as_at_school(silesian):
    room = games.package("hic-haec-hoc")
    tr = room.translator(silesian)
    assert (tr._("nominative"), tr._("genitive"), tr._("Join")) == ("mianownik", "Genitiv", "Dołōnczyć")
    assert tr.catalog.order == "british"
    assert room.translator(silesian, terms=Terms("", "german")).catalog.order == "german"
    assert room.translator("de", terms=Terms(silesian))._("nominative") == "mianownik"
    assert room.rule_book(silesian) == room.rule_book("de")


def test_a_chain_names_each_language_once(silesian):
    assert languages.chain(silesian) == ("szl", "de", "en")
    assert languages.chain("szl-x-en") == ("szl", "en", "de")
    assert languages.chain("gone") == languages.chain("en")
    assert all(map(languages.is_known, ("szl", "szl-x-de")))
    assert not any(map(languages.is_known, ("szl-x-szl", "szl-x-qq", "qq", "")))
    with pytest.raises(Invalid, match=r"no language qq, only .*szl"):
        languages.require("qq")


def test_a_tag_finds_itself_or_its_base(silesian, monkeypatch):
    assert [languages.matching(tag) for tag in ("SZL-PL", "de_AT", "C", "", "d")] == ["szl", "de", "", "", ""]
    assert i18n.accepted("qq, szl-PL;q=0.9, de;q=0.8") == "szl"
    for setting, lang in {"szl_PL.UTF-8": "szl", "de_DE@euro": "de", "POSIX": "en"}.items():
        monkeypatch.setenv("LC_ALL", setting)
        assert i18n.system_language() == lang


def test_a_share_is_never_rounded_up(silesian):
    assert 0 < i18n.translated(silesian) < 0.01
    assert i18n.translated("de") == i18n.translated("en") == 1


@pytest.mark.anyio
async def test_readers_choose_a_language_and_what_stands_in_for_it(silesian, tmp_path):
    async with served(tmp_path) as site, site.browser("szl") as ada:
        page = (await ada.get("/credits")).text
        assert '<html lang="szl">' in page
        assert 'href="/languages?back=/credits"' in unescape(page)
        assert "Ślōnski" in page
        page = (await ada.get("/languages?back=/credits")).text
        assert 'name="lang" value="szl-x-en"' in page
        assert "0 %" in page.replace("\u00a0", " ")
        answer = await ada.post("/language", data={"lang": "szl-x-en", "back": "/plans/class"})
        assert answer.headers["location"] == "/plans/class"
        page = (await ada.get("/plans/class")).text
        assert '<html lang="szl-x-en">' in page
        assert '<div id="rules" lang="en">' in page
        assert "This text is not there in your language yet." in page
        page = (await ada.get("/plans/latin")).text
        assert '<div id="rules"><h1>Łacina' in page
        assert "not there in your language" not in page
        for wrong in ("szl-x-qq", "qq", "szl-x-szl"):
            assert (await ada.post("/language", data={"lang": wrong})).status_code == 400
        page = (await ada.get("/languages?back=//evil.example")).text
        assert "evil" not in page


def test_a_language_says_which_cards_it_has_and_what_stands_in(silesian):
    title, tr = text_of({"de": "Quer", "en": "Across"}), i18n.common_translator("de")
    decks = [
        Spoken(title, ((("de", "en"), 3), (("en", silesian), 2))),
        Spoken(title, ((("en",), 4),)),
        Spoken(title, (((), 30),)),
    ]
    cards = {one.tag: one.cards for one in tongues(decks, tr)}
    assert cards[silesian] == ("Quer: 2 von 5 Karten, die übrigen auf Deutsch", "Karten auf Englisch: Quer")
    assert cards["en"] == ()
