"""The page's context from a view, and the sentences of the news."""

import pytest

from games.annodomini.tables import deal, play
from spieltisch import games, i18n
from spieltisch.decks.dates import Span, read_date
from spieltisch.decks.text import Text
from spieltisch.game import see
from spieltisch.games.annodomini import cards, reveal, rules
from spieltisch.games.annodomini.record import Record
from spieltisch.games.annodomini.staging import staging

RECORD = Record(rules)

ROOM = games.package("anno-domini")
PAGE = ROOM.page
NAMES = ["Ada", "Ben", "Cleo"]
TEN = "1000 | 1100 | um 1200 | 1300 | 1400 | 1500 | 1600 | 1700 | 1800 | 1900"


def tr(me=0, lang="en", names=NAMES):
    return i18n.Translator(i18n.package_catalog(ROOM.folder, lang), lang, names, me)


def drawn(state, me=0, lang="en"):
    view = see(state, me)
    return PAGE.prepare(view, rules.legal(view), tr(me, lang), None)


def sentences(state, me=None, lang="en"):
    return [said for news in state.public.news if (said := PAGE.tell(news, state.public, tr(me, lang)))]


def test_gaps_are_told_in_words():
    assert drawn(play(deal(TEN), (0, 0)), 1)["gaps"] == [
        "at the top, before all others", "between 1 and 2", "at the bottom, after all others"
    ]  # fmt: skip


def test_the_stakes_of_a_doubt_are_told_before():
    stakes = drawn(play(deal(TEN), (0, 0)), 1)["stakes"]
    assert stakes["wrong"] == "Ada draws 3 cards."
    assert stakes["right"] == "You draw 2 cards."
    assert drawn(deal(TEN))["stakes"] is None


def test_a_reveal_stays_until_one_has_laid_a_card_in_the_next_round():
    state = play(deal(TEN), (0, 1), "?")
    assert not drawn(state, 0)["seen"]
    state = play(state, (1, 0))
    assert (drawn(state, 0)["seen"], drawn(state, 1)["seen"]) == (False, True)
    assert drawn(state, 0)["verdict"]["text"] == "Ben was right to doubt. You placed last. You draw 3 cards."
    assert drawn(state, 0)["verdict"]["then"] == "Ben begins round 2."


def test_a_reveal_shows_dates_and_the_years_that_count():
    state = play(deal(TEN), (2, 1), "?")
    rows = drawn(state)["reveal"]["rows"]
    assert [(row["date"], row["years"]) for row in rows] == [("1400", ""), ("around 1200", "counts as 1195–1205")]
    assert drawn(state)["reveal"]["wrong"] == ["1400 is above around 1200"]
    assert drawn(state, lang="de")["reveal"]["wrong"] == ["1400 steht vor um 1200"]


@pytest.mark.parametrize(
    ("written", "shown", "years"),
    [
        ("44 v. Chr.", "44 v.\u00a0Chr.", ""),
        ("44 v.u.Z.", "44 v.\u00a0u.\u00a0Z.", ""),
        ("1848/49", "1848/49", ""),
        ("vor 1500", "vor 1500", "gilt als 1400–1499"),
        ("12.5.1949", "12.5.1949", "gilt als 1949"),
        ("Ende 5. Jh. v. Chr.", "Ende 5. Jh. v.\u00a0Chr.", "gilt als 433–401\u00a0v.\u00a0Chr."),
    ],
)
def test_a_date_is_shown_as_its_deck_writes_it(written, shown, years):
    date = read_date(written)
    row = cards.Shown(Text("Etwas", "Something"), date.text, date.span, Text("", ""), "", None)
    turned = cards.Reveal(0, 1, at_once=False, rows=(row,), wrong=())
    told = reveal.shown(turned, tr(lang="de"))["rows"][0]
    assert (told["date"], told["years"]) == (shown, years)


def test_a_reveal_marks_the_fewest_cards_that_would_have_to_move():
    state = play(deal(TEN), (2, 1), (1, 1), "?")  # 1400 stands above 1100 and 1200
    reveal = drawn(state)["reveal"]
    marks = ["bad" if row["bad"] else "beside" if row["beside"] else "" for row in reveal["rows"]]
    assert (reveal["title"], marks.count("bad")) == ("1 card is out of place", 1), marks
    assert len(reveal["wrong"]) == marks.count("beside")
    assert reveal["counted"].startswith(str(len(reveal["wrong"])))
    assert reveal["key"] == "Pale red: part of a wrong pair, but in the right place itself."  # as nothing else says


@pytest.mark.parametrize(
    ("years", "moved"),
    [
        ("1 2 3", []),
        ("1 9 2 3", [1]),
        ("5 1 2 3 9", [0]),
        ("1 1 1", []),
        ("3 2 1", [0, 1]),
        ("4-9 5 4-6 5-5", []),  # what overlaps may stay
        ("4-9 8 4-6 5", [1]),
        ("6 7 1 2 3 8", [0, 1]),
    ],
)
def test_the_fewest_cards_that_would_have_to_move(years, moved):
    ends = [one.partition("-") for one in years.split()]
    spans = tuple(Span(int(start), int(end or start)) for start, _, end in ends)
    assert list(cards.misplaced(spans)) == moved
    assert bool(moved) == bool(cards.wrong_pairs(spans))


def test_a_long_date_may_be_broken():
    state = play(deal("1000 | 1100 | 1. Jahrtausend v. Chr. | 1300 | 1400 | 1500"), (2, 0), "?")
    assert drawn(state, lang="de")["reveal"]["rows"][0]["date"].startswith("1. Jahr\u00adtausend v.")


def test_brackets_take_the_nearest_pairs_that_find_room():
    # 1, 2 and 3 pairwise wrong: (0,1) and (1,2) share the card 1, (0,2) has no lane left
    wrong = ((0, 1), (0, 2), (1, 2))
    pairs = reveal._brackets(wrong, ("a", "b", "c"), staging(3, wrong, last_chain=False))
    assert [(pair["from"], pair["to"], pair["lane"]) for pair in pairs] == [(1, 3, 1), (2, 4, 2)]


def test_no_date_reaches_the_page_before_its_reveal():
    state = play(deal(TEN), (0, 1))
    for me in (None, 0, 1):
        told = str(drawn(state, me))
        assert not any(date in told for date in ("1000", "1100", "1200", "1300", "1400", "1500"))


@pytest.mark.parametrize(
    ("moves", "en", "de"),
    [
        ([(0, 1)], ["Ada places number 2: “0”"], ["Ada legt Nummer 2: „0“"]),
        (
            [(0, 1), "?"],
            ["Ben doubts, and the chain is wrong.", "Ada draws 3 cards.", "Ben begins round 2: “8”"],
            ["Ben zweifelt, und die Kette ist falsch.", "Ada zieht 3 Karten.", "Ben beginnt Runde 2: „8“"],
        ),
        (
            [(0, 0), (1, 1), (2, 2)],
            [
                "Ada places number 3: “2”",
                "The last card is checked: the chain is right.",
                "The game is over.",
            ],
            [
                "Ada legt Nummer 3: „2“",
                "Die letzte Karte wird geprüft: Die Kette stimmt.",
                "Das Spiel ist aus.",
            ],
        ),
    ],
)
def test_what_happened_in_sentences(moves, en, de):
    state = play(deal(TEN), *moves)
    assert sentences(state) == en
    assert sentences(state, lang="de") == de


def test_you_are_told_what_you_did():
    assert sentences(play(deal(TEN), (0, 1)), me=0, lang="de") == ["Du legst Nummer 2: „0“"]
    assert sentences(play(deal(TEN), (0, 0), "?"), me=1)[:2] == [
        "You doubt, but the chain is right.",
        "You draw 2 cards.",
    ]


def test_openings_and_shuffles_in_sentences():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700", each=1), [0, 3, 2], ("shuffle", 3, 2, 0))
    assert sentences(state) == [
        "Ada lays three cards in this order: “0”, “3”, “2”",
        "The last card is checked: the chain is wrong.",
        "Ada draws 3 cards.",
        "Ben begins round 2 with one card left. Turned up: “7”",
        "The cards set aside are shuffled into a new pile.",
        "Ben begins round 2 with one card left. Turned up: “3”",
    ]


# -- the waiting room ----------------------------------------------------------------------------------------


def test_what_is_chosen_is_a_record_that_can_be_loaded():
    top = RECORD.default
    form = {
        "cards_per_player": ["7"], "children": ["1"], "fewer": ["4"],
        "doubter_penalty": ["2"], "last_player_penalty": ["3"], "max_rounds": ["10"],
    }  # fmt: skip
    chosen = PAGE.choose(top, form)
    assert chosen == {
        "options": {"cards_per_player": 7, "max_rounds": 10, "fewer_cards": {"1": 4}},
        "deck": "events",
    }  # fmt: skip
    options, deck = RECORD.load(chosen, 3)
    assert options.fewer_cards == ((1, 4),)
    assert len(deck.cards) > 1000


@pytest.mark.parametrize(("seats", "cards"), [(3, 9), (6, 9), (7, 7), (8, 7), (9, 5), (10, 5)])
def test_with_many_at_the_table_fewer_cards_are_proposed(seats, cards):
    names = [f"seat {n}" for n in range(seats)]
    fields = {field.name: field for field in PAGE.options(RECORD.default, seats, tr(names=names))}
    assert f" {cards} cards each" in fields["cards_per_player"].help
    assert fields["cards_per_player"].value == 9
