"""The lint of decks, rule by rule, without complaints about correct cards."""

import datetime as dt
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.decks.check import checked
from spieltisch.decks.dates import LONG, parse, read_date
from spieltisch.decks.findings import errors, message, say
from spieltisch.decks.library import shipped
from spieltisch.decks.lint.alike import MORE_THAN, alike, likeness, words
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.lint.phrases import language, plain
from spieltisch.decks.lint.spoilers import spoilers
from spieltisch.decks.lint.suggestions import suggestions
from spieltisch.decks.lint.whole import rank_correlation
from spieltisch.decks.table import Row, Table, read_table, write_table
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.games.annodomini.events import COLUMNS, read_events
from spieltisch.games.trailblaze.firsts import COLUMNS as FIRST_COLUMNS

ABOUT = {"title": [["Klein", "Small"]], "series": [["a", "Altes", "Old things"]], "licence": [["CC0"]]}
GOOD = {
    "id": "k7", "series": "a", "date": "1903", "de": "Zwei Brüder fliegen über den Sand und landen sanft.",
    "en": "Two brothers fly over the sand and land softly.", "comment_de": "Am längsten dauerte der vierte Flug.",
    "comment_en": "The fourth flight was the longest.", "source": "https://example.org/flight", "fact": "Q1",
    "field": "technology", "region": "north-america", "level": "1", "review": "read",
}  # fmt: skip
FIRST = {
    "id": "f1", "year": "1903", "de": "Erste Frau mit einem Nobelpreis", "en": "First woman to receive a Nobel Prize",
    "who": "Marie Curie", "place": "Stockholm", "country": "Sweden", "field": "science", "comment_de": "Für Physik.",
    "comment_en": "For physics.", "source": "https://example.org", "fact": "x", "checked": "", "review": "read",
}  # fmt: skip


def table(*cards, about=ABOUT, good=GOOD):
    return Table(about, [Row(line, good | card) for line, card in enumerate(cards, start=5)])


def found(*cards, about=ABOUT):
    return lint(table(*cards, about=about), "events")


def rules(*cards, about=ABOUT):
    return {(one.severity, one.rule) for one in found(*cards, about=about)}


def of_firsts(*cards):
    return {(one.severity, one.rule) for one in lint(table(*cards, good=FIRST), "firsts")}


def test_a_good_card_is_not_complained_of():
    assert found({}) == []
    assert of_firsts({}) == set()


# -- what a text gives away ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("Kolumbus landet 1492 in der Karibik.", "error"),
        ("In 1492 Columbus reaches the Caribbean.", "error"),
        ("Im Jahr 79 bricht ein Vulkan aus.", "error"),
        ("A volcano erupts in the year 79.", "error"),
        ("Im neunzehnten Jahrhundert wird ein Kanal gegraben.", "error"),
        ("Im 19. Jh. wird ein Kanal gegraben.", "error"),
        ("A canal is dug in the nineteenth century.", "error"),
        ("A canal of the 19th century opens.", "error"),
        ("Ein Roman über neunzehnhundertvierundachtzig erscheint.", "error"),
        ("A novel about nineteen eighty-four appears.", "error"),
        ("Women vote for the first time in nineteen oh six.", "error"),
        ("Zweitausendzwölf geht die Welt nicht unter.", "error"),
        ("Caesar wird vor Christus ermordet.", "error"),
        ("Caesar is murdered in 44 BC.", "error"),
        ("Caesar wird 44 v. Chr. ermordet.", "error"),
        ("Man tanzt in den wilden Zwanzigerjahren.", "warning"),
        ("People dance in the roaring twenties.", "warning"),
        ("Mode der 60er kommt wieder.", "warning"),
        ("Ludwig XIV. zieht nach Versailles um.", "warning"),
        ("Louis XIV moves to Versailles.", "warning"),
        ("Ludwig der Vierzehnte tanzt.", "warning"),
        ("Elizabeth the First is crowned.", "warning"),
        ("Elizabeth I, the queen, is crowned.", "warning"),
        ("Wilhelm I. wird Kaiser.", "warning"),
        ("Ein Jahrhundert lang wird gebaut.", "warning"),
        ("Nel XVIII secolo si balla in piazza.", "error"),
        ("All’inizio dell’Ottocento si balla in piazza.", "error"),
        ("Nel millenovecentoquattordici scoppia la guerra.", "error"),
        ("Negli anni Sessanta si balla in piazza.", "warning"),
        ("Un console muore prima di Cristo.", "error"),
        ("Vittorio Emanuele Secondo entra a Roma.", "warning"),
        ("Au XVe siècle, on danse sur la place.", "error"),
        ("Au dix-huitième siècle, on danse sur la place.", "error"),
        ("En mille neuf cent quatorze, la guerre éclate.", "error"),
        ("Dans les années soixante, on danse sur la place.", "warning"),
        ("Un consul meurt avant notre ère.", "error"),
        ("Louis Quatorze danse.", "warning"),
        ("Ein Zug mit 300 Menschen fährt ab.", "warning"),
        ("Ein Rennen der Formel 1 beginnt.", "note"),
    ],
)
def test_what_gives_the_date_away(text, severity):
    told = list(spoilers(text))
    assert [one.severity for one in told] == [severity], told


@pytest.mark.parametrize(
    "text",
    [
        "Jahrhundertelang war der Turm schief, jetzt steht er gerade.",
        "For centuries the tower leaned; now it stands.",
        "Ein Mann mit fünf Hüten geht in ein Theater.",
        "When I saw it, I laughed.",
        "Ludwig der Große und die Erste Hilfe",
        "Karl der Erste Hilfe braucht",
        "Nineteen ten-year-olds cross a river.",
        "Der Vater wird in seinen Dreißigern berühmt.",
        "A woman in her thirties climbs the peak.",
        "Vor Christian steht ein Pferd.",
        "Die MIX AG baut ein Haus.",
        "Per secoli i milleduecento gradini restano vuoti.",
        "Quattrocento lire per il secondo cavallo.",
        "Mille deux cents soldats se perdent en mille morceaux.",
        "Le premier homme et la dixième femme arrivent.",
    ],
)
def test_what_gives_nothing_away(text):
    assert list(spoilers(text)) == []


def test_each_part_of_a_text_is_told_once():
    assert [one.wrong.values["words"] for one in spoilers("Im Jahr 1492 war Karl V. noch klein.")] == [
        "Im Jahr 1492",
        "Karl V.",
    ]


def test_the_comment_may_tell_the_year():
    assert found({"comment_de": "So war es 1903, im 20. Jahrhundert."}) == []


# -- a card --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "severity", "rule"),
    [
        ({"id": ""}, "error", "id"),
        ({"id": "a b"}, "error", "id"),
        ({"id": "#k"}, "error", "id"),
        ({"id": "k" * 41}, "error", "id"),
        ({"date": ""}, "error", "date"),
        ({"date": "-44"}, "error", "date"),
        ({"date": "1900er"}, "error", "date"),
        ({"date": "4000"}, "error", "date"),
        ({"date": "79"}, "note", "era"),
        ({"date": "vor 79"}, "note", "era"),
        ({"date": "12.5.1949"}, "note", "day"),
        ({"date": "Mai 1933"}, "note", "day"),
        ({"date": f"12.5.{dt.datetime.now(tz=dt.UTC).year}", "review": ""}, "warning", "new-day"),
        ({"date": "vor 1500"}, "note", "open"),
        ({"date": "149-46 v. Chr."}, "note", "cut-short"),
        ({"date": "1200–1500"}, "note", "long-span"),
        ({"date": "1300–1500"}, "note", "long-span"),
        ({"date": "8. Jh."}, "note", "era"),
        ({"de": "", "en": ""}, "error", "text"),
        ({"de": "x" * 141}, "error", "long"),
        ({"comment_en": "x" * 301}, "warning", "long"),
        ({"field": "technik?"}, "warning", "tag"),
        ({"region": "atlantis"}, "warning", "tag"),
        ({"level": "4"}, "warning", "tag"),
        ({"goal": "unsaid"}, "warning", "tag"),
        ({"series": "b"}, "error", "series"),
        ({"source": "javascript:alert(1)"}, "error", "source"),
        ({"source": "file:///etc/passwd"}, "error", "source"),
        ({"de": "Ein <b>Mann</b> fliegt."}, "error", "markup"),
        ({"comment_de": "<script>alert(1)</script>"}, "error", "markup"),
        ({"de": "Tom &amp; Jerry"}, "error", "markup"),
        ({"de": "MÃ¼ller fliegt."}, "error", "signs"),
        ({"de": "M\ufffdller fliegt."}, "error", "signs"),
        ({"en": "a \u202egnihton"}, "error", "signs"),
        ({"comment_en": "=HYPERLINK(1)"}, "error", "formula"),
        ({"de": "+49 123"}, "error", "formula"),
        ({"comment_de": "Ein Arschloch."}, "warning", "unsafe"),
        ({"en": "What the fuck happens."}, "warning", "unsafe"),
        ({"date": "5. Jh.", "comment_de": "Das war v. Chr., nicht später."}, "warning", "era"),
        ({"date": "44 BC", "comment_de": "Das war n. Chr."}, "warning", "era"),
    ],
)
def test_what_is_wrong_with_a_card(cells, severity, rule):
    assert (severity, rule) in rules(cells)


@pytest.mark.parametrize(
    "cells",
    [
        {"date": "79 n.Chr."},
        {"date": "8th c. AD"},
        {"date": "79 BC"},
        {"date": "um 200"},
        {"date": "8–3 v.u.Z."},
        {"date": "1301–1500"},
        {"date": "106–43 v. Chr."},
        {"date": "1. Jahrtausend v. Chr."},
        {"source": "Herodot: Historien"},
        {"source": "Q42"},
        {"comment_de": "A < B gilt hier; 3 > 2 auch, und AT&T gibt es."},
        {"comment_de": "– so erzählt man es."},
        {"date": "44 BC", "comment_de": "Von 44 v. Chr. bis 3 n. Chr."},
    ],
)
def test_what_is_right_with_a_card(cells):
    assert found(cells) == []


def test_a_finding_names_line_and_card():
    one, two = found({"date": "-44"}, {"id": "k8", "date": "x", "de": "Ganz anders", "en": "Another thing entirely"})
    assert (one.line, one.card, two.line, two.card) == (5, "k7", 6, "k8")
    assert "minus" in say(one.wrong, "en")
    assert "44\u00a0BC" in say(one.right, "en")
    assert "44\u00a0v.\u00a0u.\u00a0Z." in say(one.right, "de")


def test_a_language_may_be_missing_but_is_missed():
    other = {"id": "k8", "de": "Ganz was anderes geschieht.", "en": ""}
    assert ("warning", "language") in rules({}, other)
    assert rules({"en": "", "comment_en": ""}) == {("note", "language")}  # all cards are German: said once
    assert ("error", "language") in of_firsts({}, {"id": "f2", "de": "", "who": "B"})


def test_languages_in_each_others_columns():
    assert ("warning", "language") in rules({"de": GOOD["en"] + " They are the first in the air.", "en": GOOD["de"]})
    assert language("Der Mann und die Frau gehen in ein Haus") == "de"
    assert language("The man and the woman are in a house") == "en"
    assert language("Rock and Roll") is None


def test_a_source_is_missed():
    assert ("warning", "source") in rules({"source": ""})  # all of them
    others = ({"id": f"k{n}", "de": f"Etwas {w} anderes.", "en": f"{w} else"} for n, w in enumerate("ABCDEFGHIJKLM", 8))
    some = [{"source": ""}, *({"source": "", **one} for one in others), {"id": "k99", "de": "Ganz was", "en": "So"}]
    told = [one for one in found(*some) if one.rule == "source"]
    assert [(one.severity, one.line) for one in told] == [("warning", None)]  # said once for all of them
    assert "14 of 15 cards have no source: line 5, line 6" in say(told[0].wrong, "en")
    assert say(told[0].wrong, "de").endswith("Zeile 14, 4 weitere")
    assert ("error", "source") in of_firsts({"source": ""})


def test_tags_can_be_declared():
    about = ABOUT | {"field": [["pets", "Haustiere", "Pets"]]}
    assert found({"field": "pets;science"}, about=about) == []
    assert ("warning", "tag") in rules({"field": "pets;science"})


@pytest.mark.parametrize(
    ("cells", "severity", "rule"),
    [
        ({"year": "1903 AD"}, "error", "date"),
        ({"year": "0"}, "error", "date"),
        ({"year": ""}, "error", "date"),
        ({"year": "4000"}, "error", "date"),
        ({"year": "joker"}, "error", "date"),
        ({"year": "joker", "checked": "gestern"}, "error", "date"),
        ({"de": "Marie Curie bekommt einen Preis"}, "warning", "tells"),
        ({"field": "pets"}, "warning", "tag"),
    ],
)
def test_what_is_wrong_with_a_first(cells, severity, rule):
    assert (severity, rule) in of_firsts(cells)


def test_a_joker_that_was_checked_is_right():
    assert of_firsts({"year": "joker", "checked": "2026-11", "who": ""}) == set()


# -- the deck ------------------------------------------------------------------------------------------------


def test_ids_and_events_are_there_once():
    assert ("error", "id") in rules({}, {"de": "Etwas anderes geschieht.", "en": "Something else happens."})
    assert ("error", "twice") in rules({}, {"id": "k8"})


def test_two_cards_say_nearly_the_same():
    nearly = {"id": "k8", "de": "Zwei Brüder fliegen über den Sand und landen weich.", "en": "Something else"}
    assert ("warning", "alike") in rules({}, nearly)
    assert [one.line for one in found({}, nearly) if one.rule == "alike"] == [6]


def test_a_reviewed_card_is_not_asked_about_its_recent_day():
    assert rules({"date": f"12.5.{dt.datetime.now(tz=dt.UTC).year}", "review": "read"}) == {("note", "day")}


def test_equal_dates_are_only_noted():
    other = {"id": "k8", "de": "Etwas anderes geschieht.", "en": "Something else happens."}
    assert rules({}, other) == {("note", "same-date")}


def many(ids):
    return [
        {"id": id_, "date": str(1800 + n), "de": f"{sign} erscheint.", "en": f"{sign} appears."}
        for n, (id_, sign) in enumerate(zip(ids, "ABCDEFGHIJ", strict=True))
    ]


def test_ids_that_follow_the_dates_are_told():
    assert ("warning", "id-order") in rules(*many([f"e{n}" for n in range(1, 11)]))
    assert ("warning", "id-order") in rules(*many([f"e{n}" for n in range(10, 0, -1)]))
    assert ("warning", "id-order") in rules(*many([f"e{n}" for n in range(1800, 1810)]))
    parts = [*(f"a{n}" for n in range(1, 10)), "k1"]
    told = [one.wrong.values["ids"] for one in found(*many(parts)) if one.rule == "id-order"]
    assert told == ["…", "a…"]  # all together, and the part of which the numbers tell
    assert ("warning", "id-order") not in rules(*many([f"e{n}" for n in (5, 2, 9, 7, 1, 10, 3, 8, 6, 4)]))


def test_ids_of_several_ordered_lists_put_together_are_told():
    lists = [1700 + start + 25 * step for start in (0, 7, 3, 11, 5) for step in range(10)]
    cards = [{"id": f"e{n}", "date": str(year), "de": f"{n * n} {n}x {year}y"} for n, year in enumerate(lists)]
    assert ("warning", "id-order") in rules(*cards)
    random.Random(3).shuffle(lists)
    cards = [card | {"date": str(year)} for card, year in zip(cards, lists, strict=True)]
    assert ("warning", "id-order") not in rules(*cards)


def test_a_deck_without_cards_is_none():
    assert ("error", "cards") in rules()


def test_what_a_deck_does_not_tell_is_noted():
    assert rules({}, about={"series": ABOUT["series"]}) == {("note", "about")}


@pytest.mark.parametrize("name", shipped())
def test_shipped_decks_have_no_errors(name):
    assert [(one.line, one.card, str(one.wrong)) for one in errors([*checked(shipped()[name]).found])] == []


# -- laws ----------------------------------------------------------------------------------------------------

cells = st.sampled_from(
    ["", "a", "k7", "1903", "-44", "Ein Mord.", "A murder.", "um 1900", "1", "<b>x</b>", "=1", "#a"]
)
cards = st.fixed_dictionaries({}, optional=dict.fromkeys(COLUMNS, cells))


@given(st.lists(cards, max_size=4))
def test_a_deck_without_errors_can_be_read(rows):
    deck = table(*rows)
    if not errors(lint(deck, "events")):
        assert len(read_events(write_table(deck, COLUMNS), "x").cards) == len(rows)


@given(st.lists(st.dictionaries(st.sampled_from(FIRST_COLUMNS), st.text(max_size=12)), max_size=3))
def test_the_lint_takes_any_text(rows):
    lint(table(*rows, good=FIRST), "firsts")


plain_cells = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(' ,;"'), max_size=8).map(str.strip)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(("x", "y"), plain_cells)), max_size=4))
def test_a_table_is_read_as_it_was_written(rows):
    deck = Table({"title": [["A, b", "“c”"]]}, [Row(n, {"id": f"k{n}"} | row) for n, row in enumerate(rows)])
    again = read_table(write_table(deck, ("id", "x", "y")), ("id", "x", "y"))
    assert again.about == deck.about
    assert [row.cells for row in again.rows] == [row.cells for row in deck.rows]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("-44", ["44 BC"]),
        ("−44", ["44 BC"]),
        ("-44.0", ["44 BC"]),
        ("12/17/1903", ["1903"]),
        ("1903-12-17T10:30:00", ["1903"]),
        ("5/1949", ["1949"]),
        ("05.1949", ["1949"]),
        ("am 4. Juli 1776", ["1776"]),
        ("Sommer 1914", ["1914"]),
        ("Anfang 1848", ["1848"]),
        ("late 1944", ["1944"]),
        ("seit 1871", ["1871"]),
        ("1871 ff.", ["1871"]),
        ("1905-08", ["1905–1908", "1905"]),
        ("1905/08", ["1905–1908", "1905"]),
        ("911-18", ["911–918"]),
        ("105-98", ["105–198", "105–98 BC"]),
        ("44-42", ["42–44", "44–42 BC"]),
        ("1.903", ["1903"]),
        ("1903.0", ["1903"]),
        ("0044", ["44"]),
        ("44 B.C.", ["44 BC"]),
        ("44 vor Christus", ["44 BC"]),
        ("A.D. 79", ["79 AD"]),
        ("v. Chr. 44", ["44 BC"]),
        ("1903 bis 1907", ["1903–1907"]),
        ("1907–1903", ["1903–1907"]),
        ("um 1914-18", ["1914-18"]),
        ("1903?", ["um 1903"]),
        ("etwa 1900", ["um 1900"]),
        ("vor ca. 1500", ["vor 1500"]),
        ("im Jahr 1903", ["1903"]),
        ("19. Jhd.", ["19. Jh."]),
        ("Anf. 15. Jhdt.", ["Anfang 15. Jh."]),
        ("1. H. 19. Jh", ["1. Hälfte 19. Jh."]),
        ("um 5. Jh.", ["5. Jh."]),
        ("5.–6. Jh.", ["401–600"]),
        ("6./5. Jh. v. Chr.", ["600–401\u00a0BC"]),
        ("5.–9. Jh.", []),  # five hundred years are nothing to be taken at a press
        ("1900er", ["1900–1909", "20. Jh."]),
        ("1960er Jahre", ["1960s"]),
        ("the 1960s", ["1960s"]),
        ("1848/49", []),  # nothing is wrong with it
        ("12.5.49", []),
        ("Ein Flug", []),
        ("MCMIII", []),
        ("", []),
    ],
)
def test_what_was_probably_meant(written, meant):
    assert list(suggestions(written)) == meant


@given(st.text("0123456789-.–/ ?~BCADvnuhrZJe", max_size=14))
def test_what_was_meant_can_be_read(text):
    for meant in suggestions(text):
        date = read_date(meant)
        assert date.span.end - date.span.start <= LONG or date.form == "millennium"
    try:
        parse(text)
    except Invalid:
        return
    assert suggestions(text) == ()  # what can be read is not turned into something else


texts = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6).map(" ".join), max_size=12)


@given(texts)
def test_near_duplicates_are_those_that_a_comparison_of_all_finds(given_texts):
    pairs = list(alike(given_texts))
    sets = [words(text) for text in given_texts]
    assert all(first < row and likeness(sets[row], sets[first]) > MORE_THAN for row, first in pairs)
    left = [row for row in range(len(sets)) if row not in dict(pairs)]
    assert not any(likeness(sets[one], sets[other]) > MORE_THAN for one, other in combinations(left, 2))


@given(st.lists(st.integers(-5000, 2026), min_size=2, max_size=30))
def test_a_rank_correlation_is_one_where_numbers_ascend(numbers):
    ascending = sorted(set(numbers))
    if len(ascending) > 1:
        assert rank_correlation(ascending) == pytest.approx(1)
        assert rank_correlation(ascending[::-1]) == pytest.approx(-1)
    assert -1.0001 <= rank_correlation(numbers) <= 1.0001


@given(st.text("<>/abscript !&;", max_size=30))
def test_a_text_without_its_markup_has_none(text):
    assert "<s" not in plain(text)


# -- German --------------------------------------------------------------------------------------------------


def test_messages_in_messages_are_translated():
    inner = message("line {line}", line=3)
    assert say(message("the id is already that of {card}", card=inner), "de") == "die Kennung ist schon die von Zeile 3"
    assert say(message("Write: {date}", date=Text("um 3", "around 3")), "en") == "Write: around 3"
