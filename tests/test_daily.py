"""The dailies: the same for everybody, from the day and the released deck alone, and no card again for thirty days."""

import datetime as dt
import hashlib
import itertools
import os
import random
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from matrix import sampled
from spieltisch import daily, games
from spieltisch.decks.library import Library, released
from spieltisch.decks.things import number_in_play
from spieltisch.dice import FastDice, throw
from spieltisch.game import aliased, see
from spieltisch.package import FinishedGame
from spieltisch.web.core.catalog import result_of_day
from spieltisch.web.daily.routes import was_corrected
from spieltisch.web.past.views import told

DAYS = [daily.FIRST + dt.timedelta(n) for n in range(400)]
DEALT = [package for package in games.packages().values() if package.daily.each]

ASKED = """
import datetime as dt
from spieltisch import games
from spieltisch.decks.library import released
for package in games.packages().values():
    if package.daily.each:
        for n in range(-3, 4):
            day = dt.date(2027, 3, 1) + dt.timedelta(n)
            print(package.name, day, *package.daily.cards(package.name, day, released(package.daily.deck)))
"""


def test_every_process_in_every_time_zone_deals_the_same():
    said = [
        subprocess.run(
            [sys.executable, "-c", ASKED], env={**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for zone, seed in (("Pacific/Kiritimati", "1"), ("Etc/GMT+12", "2"), ("Europe/Berlin", "3"))
    ]  # fmt: skip
    assert said[0]
    assert len({*said}) == 1


def test_anybody_can_compute_the_seed():
    text = f"spieltisch/daily/anno-domini/2026-11-28/{released('events').hash}"
    assert (
        daily.seed("anno-domini", dt.date(2026, 11, 28), released("events").hash)
        == hashlib.sha256(text.encode()).digest()[:16]
    )


@pytest.mark.parametrize("package", DEALT, ids=lambda package: package.name)
def test_no_card_comes_back_within_thirty_days(package):
    deck = released(package.daily.deck)
    last = {}
    for day in DAYS:
        cards = package.daily.cards(package.name, day, deck)
        assert len({*cards}) == package.daily.each
        for card in cards:
            assert card not in last or (day - last[card]).days > daily.APART, (card, day)
            last[card] = day
    assert len(last) > 0.95 * len(deck.cards)  # in a year nearly all have come


@given(st.integers(1, 60), st.integers(0, 400), st.integers(1, 500))
def test_any_deck_that_is_large_enough_keeps_cards_away(each, more, first):
    cards = [f"c{n}" for n in range((daily.APART + 1) * each + more)]
    last = {}
    for number in range(first, first + 100):
        for card in daily.cards_of("a game", "hash", cards, each, number):
            assert number - last.get(card, number - daily.APART - 1) > daily.APART
            last[card] = number


@given(st.integers(1, 20_000))
def test_days_have_numbers(number):
    day = daily.day(number)
    assert day is not None
    assert daily.number(day) == number


def test_before_the_first_day_there_is_none():
    assert daily.number(daily.FIRST - dt.timedelta(1)) == 0
    assert daily.day(0) is None


def test_each_day_of_anno_domini_has_cards_enough():
    plays = games.package("anno-domini").daily
    cards = {card.id: card for card in Library().read("events")[1].cards}
    for day in DAYS:
        of_day = [cards[card] for card in plays.cards("anno-domini", day, released("events"))]
        assert number_in_play(of_day) >= 4 * plays.options["cards_per_player"] + 2


def test_errata_change_no_card_of_a_day_and_are_told(tmp_path):
    day = "2026-11-30"
    package = games.package("anno-domini")
    card = package.daily.cards("anno-domini", dt.date.fromisoformat(day), released("events"))[0]
    shipped = Library().path("events")
    lines = shipped.read_text("utf-8").splitlines(keepends=True)
    head = next(line for line in lines if line.startswith("id,")).strip().split(",")
    assert not was_corrected(Library(), ("events",), "anno-domini", "2999-01-01")

    def corrected(on):
        rows = [_with(line, head, on) if line.startswith(f"{card},") else line for line in lines]
        (tmp_path / "events.csv").write_text("".join(rows), "utf-8")
        return was_corrected(Library(tmp_path), ("events",), "anno-domini", day)

    assert corrected("2026-12-02")
    assert not corrected("2026-11-29")
    assert package.daily.cards("anno-domini", dt.date.fromisoformat(day), released("events"))[0] == card


def _with(line, head, day):
    import csv
    import io

    cells = next(csv.reader([line]))
    cells[head.index("corrected")] = day
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue()


texts = pytest.mark.parametrize("texts", sampled([1_000, 10_000], [1_000]))


@texts
def test_thousands_of_texts_to_share_tell_nothing_of_the_cards(texts):
    """Of both puzzles, in both languages, with answers of all kinds."""
    dice, made = random.Random(38), 0
    firsts, hic = (Library().read(name)[1] for name in ("firsts", "hic"))
    forms = {form for form in hic.forms() if form not in {"hic", "haec", "hoc"}}  # those stand in the game's name
    for name, deck in (("trailblaze", firsts), ("hic-haec-hoc", hic)):
        package = games.package(name)
        rel, puzzle = released(package.daily.deck), package.daily.puzzle
        speakers = [package.translator(lang) for lang in ("de", "en")]
        for n in range(texts // 4):
            day = DAYS[n % len(DAYS)]
            of = package.daily.cards(name, day, rel), daily.seed(name, day, rel.hash)
            moves = answer(dice) if deck is firsts else wandered(dice, puzzle, deck, of)
            view = puzzle.play(deck, *of, moves)
            assert view.over
            for tr in speakers:
                text, made = f"{puzzle.said(view, tr)} {view.marks}", made + 1
                assert not re.search("[0-9]{3}", text)
                assert not {*re.findall(r"\w+", text)} & forms
                assert not any(card.front["de"] in text or card.front["en"] in text for card in firsts.cards)
    assert made == texts


@texts
def test_thousands_of_texts_of_tables_tell_nothing_of_the_cards(texts):
    """Of Anno Domini and Adaman, in each language, after games played at random."""
    dice, made, marks = FastDice(38), 0, set()
    for name, until in (("anno-domini", texts // 2), ("adaman", texts)):
        package = games.package(name)
        speakers = [package.translator(lang) for lang in ("de", "en", "fr", "it")]
        while made < until:
            day = DAYS[made % len(DAYS)]
            dealt, public, news = played(package, day, dice)
            result = package.rules.result(public)
            assert result is not None
            decisions = package.page.decisions(FinishedGame(dealt, news))
            words = secrets(public.deck.cards if name == "adaman" else dealt.hidden.cards)
            for seat, tr in itertools.product(range(len(package.daily.bots) + 1), speakers):
                said = package.daily.said(public, result, seat, tr, helped=made % 3 == 0)
                claims = [one.right for one in decisions if one.seat == seat and one.deed != "passed"]
                shown = told(claims, tr)
                text, made = " ".join([result_of_day(package, day, said, tr), *shown.values()]), made + 1
                marks |= {*shown["marks"]}
                numbers = {day.day, day.month, *range(1, 5), *(result.scores or ()), claims.count(True), len(claims)}
                assert {int(number) for number in re.findall("[0-9]+", text)} <= numbers, text
                assert not any(word in text for word in words), text
    assert made == texts
    assert marks == {"✓", "✗"}


def secrets(cards):
    """What a text could tell of cards."""
    shown = [card.front if hasattr(card, "front") else card.name for card in cards]
    return {text[lang] for text in shown for lang in ("de", "en")}


def played(package, day, dice):
    """A table of a day, played at random: the deal, what is public at the end, and all news."""
    rules, plays = package.rules, package.daily
    seats = len(plays.bots) + 1
    options, deck = package.record.load(package.record.top(plays.options), seats, Library())
    if plays.each:
        of_day = {*plays.cards(package.name, day, released(plays.deck))}
        deck = replace(deck, cards=tuple(card for card in deck.cards if card.id in of_day))
    state = rules.setup(seats, options, aliased(deck, dice.shuffle(range(len(deck.cards)))))
    news, dealt = [], None
    while not rules.result(state.public):
        if due := rules.pending_chance(state):
            state = rules.resolve_chance(state, throw(dice, due))
            dealt = dealt or state
        else:
            (seat,) = rules.to_act(state.public)
            legal = rules.legal(see(state, seat))
            often = seats > 1 and dice.random() < 0.2  # the last action may be a doubt
            state = rules.apply(state, seat, legal[-1] if often else dice.choice(legal))
        news += state.public.news
    return dealt, state.public, news


def answer(dice):
    rows = dice.sample(range(1, 7), 6)
    return "-".join(f"{dice.randrange(7)}.{row}" for row in rows)


def wandered(dice, puzzle, deck, of):
    """Random moves until the end, right and wrong ones."""
    moves, view = "", puzzle.play(deck, *of, "")
    while not view.over:
        lays = f"{dice.choice(view.hand)[0]}.{dice.randrange(30)}"
        move = "t" if view.row and dice.random() < 0.2 else lays
        moves = f"{moves}-{move}" if moves else move
        view = puzzle.play(deck, *of, moves)
    return moves
