"""Decks as questions for Moodle, as its own rules take them in."""

import itertools
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.moodle import MoodleError, graded, taken_in, taken_in_xml
from spieltisch.decks import check
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting import gift, moodle_xml, questions
from spieltisch.decks.exporting.asked import Category, Matching, Numeric, Ordering, Question, Several, Single
from spieltisch.decks.library import Library, shipped
from spieltisch.decks.table import Row, Table
from spieltisch.game import Invalid
from spieltisch.games.hichaechoc import forms

ASKED = Question("A name", "A question?", "Told.")
SPECIAL = st.text(
    st.sampled_from([*"~=#{}:\\/[]<>&%$-*!01 aAnN;.\n\täß–“"]) | st.characters(codec="utf-8", exclude_categories=["C"]),
    min_size=1,
    max_size=40,
).filter(lambda text: text.strip() and not re.search(r"&&0\d\d;", text))


def deck(name):
    return check.open_deck(shipped()[name])


def both(*asked):
    """The questions as they are read from GIFT; from Moodle XML the same are read."""
    found = taken_in(gift.written([], asked))
    others = taken_in_xml(moodle_xml.written([], asked))
    assert len(found) == len(others)
    for one, other in zip(found, others, strict=True):
        assert (one.kind, one.category, one.single) == (other.kind, other.category, other.single)
        assert one.kind != "numerical" or one.answers == other.answers
        if one.kind == "ordering":
            (read,) = other.orders.values()
            assert read[:4] == one.orders["own"][:4]
            assert [*map(plain, read[4])] == [*map(plain, one.orders["own"][4])]
        if one.kind == "multichoice":
            assert [(plain(text), share) for text, share in other.answers] == one.answers
        assert [tuple(map(plain, pair)) for pair in other.pairs] == [tuple(map(plain, pair)) for pair in one.pairs]
        assert lines(one.told) == lines(other.told) or one.kind == "ordering"
        assert lines(one.text) == lines(other.text) or one.kind == "ordering"
    return found


def plain(text):
    """Blanks and arrows as they may be changed: nobody reads another text by it."""
    return " ".join(text.replace("->", "→").split())


def lines(text):
    return [line for line in (plain(line) for line in text.splitlines()) if line]


def historical(year):
    return year if year > 0 else year - 1


# -- the format ----------------------------------------------------------------------------------------------


def test_moodles_rules_as_they_are_written_down():
    found = taken_in(
        "// a comment\n::one::Who?{~nobody =somebody#yes ~%50%perhaps}\n\n\n$CATEGORY: a/b//c\n\n"
        "When\\: then{#1822:5 =%50%1800..1810}\n// in between\n\n"
        "::m::[html]Which?{=a->1\n=b->2\n=c \\= d->3####why\\n so}"
    )
    assert [one.kind for one in found] == ["multichoice", "numerical", "match"]
    assert found[0].answers == [("nobody", 0), ("somebody", 1), ("perhaps", 0.5)]
    assert (found[1].text, found[1].answers) == ("When: then", [(1822, 5, 1), (1805, 5, 0.5)])
    assert (found[2].pairs[2], found[2].told, found[2].category) == (("c = d", "3"), "why\n so", "a/b//c")


@pytest.mark.parametrize(
    "wrong",
    ["::a::x{=a->1 =b->2", "::a::x{~%17%a ~%83%b}", "::a::x{~a ~b}", "::a::x{=a->1 =b->2 =c}",
     "::a::x{#about:5}", "::a::x{>9 RANDOM VERTICAL REL\na\nb\nc\n}", "::a::x{~%50%a ~%25%b}"],
)  # fmt: skip
def test_what_moodle_refuses_is_refused(wrong):
    with pytest.raises((MoodleError, ValueError)):
        taken_in(wrong)


@given(SPECIAL, SPECIAL, SPECIAL)
def test_every_text_comes_out_as_it_went_in(name, text, told):
    (one,) = both(Single(Question(name, text, told), "a", "abc"))
    assert one.name == " ".join(name.split())
    assert [" ".join(line.split()) for line in one.text.split("\n")] == [
        " ".join(line.split()) for line in text.strip().split("\n")
    ]
    assert lines(one.told) == lines(told)
    assert (one.kind, one.format) == ("multichoice", "plain")


@given(st.lists(SPECIAL, min_size=3, max_size=6, unique_by=plain))
def test_answers_of_every_kind_come_out_as_they_went_in(texts):
    texts = [" ".join(text.split()) for text in texts]
    arrows = [plain(text) for text in texts]
    (one,) = both(Single(ASKED, texts[1], texts))
    assert one.answers == [(text, float(place == 1)) for place, text in enumerate(arrows)]
    (one,) = both(Several(ASKED, texts[:2], texts[2:]))
    assert [text for text, _ in one.answers] == arrows
    assert not one.single
    (one,) = both(Matching(ASKED, list(zip(texts, texts, strict=True))))
    assert one.pairs == list(zip(arrows, arrows, strict=True))
    assert one.told == "Told."
    (one,) = both(Ordering(ASKED, texts, 3))
    for read in one.orders.values():
        assert read == (3, "RANDOM", "VERTICAL", "RELATIVE_NEXT_EXCLUDE_LAST", texts)


@pytest.mark.parametrize(
    "first", ["1000 people", "NO", "SHOWN", "abc", "123", "// said", "0:1", "none", "[html]x", "IIII"]
)
def test_the_first_thing_in_an_order_is_no_setting(first):
    (one,) = both(Ordering(Question("{a}", "b {c}"), [first, "b", "c"], 3))
    assert all(read[-1] == [first, "b", "c"] for read in one.orders.values())


@given(st.integers(-3000, 2100).filter(bool), st.integers(0, 300))
def test_a_year_is_right_from_its_first_to_its_last(first, more):
    last = first + more
    if not last:
        last = 1
    (one,) = both(Numeric(ASKED, first, last))
    assert [graded(one, year) for year in (first, (first + last) // 2, last)] == [1, 1, 1]
    assert [graded(one, year) for year in (first - 1, last + 1)] in ([0.5, 0.5], [0.5, 0.5])
    assert one.answers[0][0] == int(one.answers[0][0])
    assert [graded(one, year) for year in (first - 12, last + 12)] == [0, 0]


def test_years_close_by_are_counted_over_the_turn_of_the_eras():
    (one,) = both(Numeric(ASKED, -1, -1))
    assert [graded(one, year) for year in (-1, 10, 11, -11, -12)] == [1, 0.5, 0, 0.5, 0]


def test_categories_have_no_more_parts_than_names():
    (one,) = both(Category(("1848/49", "a\\b: c")), Single(ASKED, "a", "ab"))
    assert one.category == "1848//49/ab: c"


# -- the shipped decks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", [pytest.param("events", marks=pytest.mark.slow), "firsts"])
def test_all_dated_cards_are_asked_about(name, lang):
    found = taken_in(questions.as_gift(deck(name), lang))
    if name == "events":
        cards = {one.front[lang]: one.span for one in Library().deck(name, kind_of("events")).cards}
    else:
        cards = {one.front[lang]: one.year for one in Library().deck(name, kind_of("firsts")).cards}
    spans = {
        plain(front): (at, at) if isinstance(at, int) else (historical(at.start), historical(at.end))
        for front, at in cards.items()
        if at is not None
    }
    years = {one.text.splitlines()[0]: one for one in found if one.kind == "numerical"}
    assert {*years} == {*spans}
    for front, one in years.items():
        first, last = spans[front]
        assert [graded(one, year) for year in (first, last, first - 2, last + 2, first - 13, last + 13)] == [
            1,
            1,
            0.5,
            0.5,
            0,
            0,
        ]
        assert one.told
        assert ("-44" in one.text) == (name == "events")
    orders = [one for one in found if one.kind == "ordering"]
    assert len(orders) > 20
    for one in orders:
        assert one.orders["first"] == one.orders["later"] == one.orders["own"]
        shown, *_, items = one.orders["own"]
        assert 3 <= shown <= min(len(items), 5)
        at = [spans[plain(item)] for item in items]
        assert all(earlier[1] < later[0] for earlier, later in itertools.pairwise(at))
    put = Counter(item for one in orders for item in one.orders["own"][-1])
    assert max(put.values()) == 1
    assert len(put) > 0.97 * len(spans)
    assert sum(len(one.pairs) for one in found if one.kind == "match") >= len(put)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_who_was_first_and_in_which_period(lang):
    found = taken_in(questions.as_gift(deck("firsts"), lang))
    first = Library().deck("firsts", kind_of("firsts"))
    periods = {one.text.splitlines()[0]: one for one in found if one.kind == "multichoice"}
    assert len(periods) == len(first.cards)
    for card in first.cards:
        year = card.year or 9999
        right = next(one for one in first.periods if one.start <= year and (one.end is None or year <= one.end))
        assert [text for text, share in periods[plain(card.front[lang])].answers if share] == [right.name[lang]]
    who = {plain(card.front[lang]): card.who for card in first.cards}
    pairs = [pair for one in found if one.kind == "match" for pair in one.pairs if pair[1] in who.values()]
    assert len(pairs) > 100
    assert all(who[left] == right for left, right in pairs)


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", forms.shipped())
def test_all_that_a_form_can_be_is_right(name, lang):
    found = taken_in(questions.as_gift(deck(name), lang))
    deck_ = forms.named(name)
    called = dict(zip(("nom", "gen", "dat", "acc", "abl", "sg", "pl", "m", "f", "n"), NAMES[lang].split(), strict=True))
    readings = {}
    for card in deck_.cards:
        readings.setdefault(card.form, []).append(" ".join(called[part] for part in card.cell))
    chosen = {one.name: one for one in found if one.kind == "multichoice"}
    assert {*chosen} == {*readings}
    for form, one in chosen.items():
        assert sorted(text for text, share in one.answers if share > 0) == sorted(readings[form])
        wrong = {text for text, share in one.answers if share < 0}
        assert len(wrong) >= 3
        assert sum(share for _, share in one.answers) == pytest.approx(0, abs=0.001)  # ticking all earns nothing
        alike = [told for other, told in readings.items() if other.translate(SHORT) == form.translate(SHORT)]
        assert not any(wrong & {*told} for told in alike)
    tables = [one for one in found if one.kind == "match"]
    assert [len(one.pairs) for one in tables] == [5] * 6
    assert sorted(form for one in tables for _, form in one.pairs) == sorted(card.form for card in deck_.cards)


SHORT = str.maketrans("āēīōū", "aeiou")
NAMES = {
    "de": "Nominativ Genitiv Dativ Akkusativ Ablativ Singular Plural maskulin feminin Neutrum",
    "en": "nominative genitive dative accusative ablative singular plural masculine feminine neuter",
}


# -- part of a deck ------------------------------------------------------------------------------------------


def test_only_what_was_missed():
    missed = [one.id for one in Library().deck("events", kind_of("events")).cards[:4]]
    found = both(*questions.of_cards(deck("events"), "en", missed)[1])
    assert sum(one.kind == "numerical" for one in found) == 4
    assert all(
        "-44" in one.text for one in found if one.kind == "numerical"
    )  # which would tell the era, if only some had it
    found = both(*questions.of_cards(deck("hic"), "en", ["hīs", "huius"])[1])
    assert {one.name for one in found if one.kind == "multichoice"} == {"hīs", "huius"}
    assert sum(one.kind == "match" for one in found) == 6


def test_where_there_is_nothing_to_be_asked():
    with pytest.raises(Invalid, match="nothing to ask about"):
        questions.as_gift(deck("decktet"), "en")
    with pytest.raises(Invalid, match="no cards"):
        questions.of_cards(deck("events"), "en", ["no such card"])


def test_who_opens_the_file_reads_how_it_is_taken_in():
    text = questions.as_gift(deck("events"), "de")
    head = text.partition("\n\n")[0]
    assert all(line.startswith("// ") for line in head.splitlines())
    assert "Moodle 4.4" in head
    assert "CC BY-SA 4.0" in head


# -- Moodle XML ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        "<quiz><question/></quiz>",
        '<quiz><question type="matching"><name><text>a</text></name></question></quiz>',
        moodle_xml.written([], [Matching(ASKED, [("a", "1"), ("b", "2")])]),
        moodle_xml.written([], [Ordering(ASKED, "abc", 4)]),
        moodle_xml.written([], [Single(Question("", "b"), "a", "ab")]),
    ],
)
def test_what_moodle_refuses_in_xml_is_refused(wrong):
    with pytest.raises(MoodleError):
        taken_in_xml(wrong)


@given(SPECIAL, SPECIAL, SPECIAL)
def test_every_text_comes_out_of_xml_as_it_went_in(name, text, told):
    (one,) = taken_in_xml(moodle_xml.written([f"--> {text}"], [Single(Question(name, text, told), "a", "abc")]))
    assert one.name == " ".join(name.split())
    assert [" ".join(line.split()) for line in one.text.split("\n")] == lines_kept(text)
    assert [" ".join(line.split()) for line in one.told.split("\n")] == lines_kept(told)


def lines_kept(text):
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", ["firsts", "hic", pytest.param("events", marks=pytest.mark.slow)])
def test_both_formats_ask_the_same_of_a_deck(name, lang):
    _, asked = questions.of_cards(deck(name), lang)
    both(*asked)
    found = taken_in_xml(questions.as_xml(deck(name), lang))
    assert len(found) == sum(not isinstance(one, Category) for one in asked)
    kinds = {one.kind for one in found}
    assert kinds == ({"multichoice", "match"} if name == "hic" else kinds | {"ordering", "match", "numerical"})


@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_dot_is_doubled(lang):
    cells = {"date": "44 v. Chr.", "de": "Ein Feldherr stirbt.", "en": "A general dies.", "comment_de": "Iden."}
    rows = [Row(0, {"id": f"k{n}", "series": "a"} | cells | {"de": f"{n}. {cells['de']}"}) for n in range(3)]
    own = Deck("d", "events", Table({"series": [["a", "A", "A"]]}, rows))
    for made in (questions.as_gift(own, lang), questions.as_xml(own, lang)):
        assert ".." not in made
    assert "44 v. Chr.\\n" in questions.as_gift(own, "de")


@pytest.mark.parametrize(
    "title", ["Weltgeschichte im Überblick für die Oberstufe", "世界史の流れと主な出来事のまとめ", "Rom"]
)
def test_the_name_of_an_order_is_not_cut_by_moodle(title):
    (one,) = taken_in_xml(moodle_xml.written([], [Ordering(Question(f"{title} 12", "?"), "abc", 3)]))
    assert one.name.endswith(" 12")
    assert one.name.startswith(title[:10])
