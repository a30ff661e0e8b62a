"""Players whose knowledge and habits are known: the arena's report finds them again."""

import pytest

from matrix import sampled
from spieltisch import games, new
from spieltisch.arena import Asking, arena, contest, model
from spieltisch.arena.endpoint import Answers
from spieltisch.game import Invalid
from spieltisch.games.annodomini.planted import TODAY, ago
from spieltisch.package import Habits

ASKED = Asking(years=True)


def report_of(player, deals, seed):
    done = arena("anno-domini", [player, "novice"], deals, seed, seconds=100, asking=ASKED)
    (found,) = done.reports
    return found


def covers(mean, value):
    return mean.low <= value <= mean.high


@pytest.mark.parametrize("error", sampled([5, 15, 30], [15]))
def test_the_error_of_a_player_is_found_again(error):
    found = report_of(f"p=planted:error/{error},bluffs/0,no-doubts", 24, seed=error)
    assert found.defaults == 0
    assert found.off.n > 100
    assert found.off.mean == pytest.approx(error / 100, rel=0.25)


def test_a_habit_of_bluffing_and_one_of_never_doubting_are_found_again():
    found = report_of("p=planted:error/15,bluffs/30,no-doubts", 12, seed=1)
    assert found.bluffs.mean == pytest.approx(0.3, abs=0.12)
    assert (found.doubts.mean, found.caught.n) == (0, 0)
    assert [one.said for one in found.classes] == [0.2, 0.8]


@pytest.mark.whole
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("error", [5, 10, 15, 20, 30])
def test_of_ten_reports_on_200_games_eight_cover_the_truth(error):
    """Of 20 perfect intervals fewer than 18 cover in 8 tries of a hundred, fewer than 16 in 3 of a thousand."""
    bluffs = 2 * error
    reports = [report_of(f"p=planted:error/{error},bluffs/{bluffs},no-doubts", 100, seed) for seed in range(20)]
    assert sum(covers(one.off, error / 100) for one in reports) >= 18
    assert sum(covers(one.bluffs, bluffs / 100) for one in reports) >= 16
    assert all(one.doubts.high <= 0.05 for one in reports)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_planted_player_knows_the_same_in_every_game(lang):
    package, years, true = games.package("anno-domini"), {}, {}
    for seed in range(6):
        match = new("anno-domini", 2, seed=seed)
        true.update((card.front[lang], ago(card.span)) for card in match.deck.cards)
        tr = model.translator(match, 0, lang)
        known = package.prompt.planted(match.deck, Habits(0.2), "me", tr)
        talker = model.Talker(match, 0, Answers(known), Asking(lang, years=True), seed)
        for _ in range(20):
            if match.over:
                break
            seat = match.to_act[0]
            action = talker.choose(match.view(0), match.legal_for(0)) if seat == 0 else match.bot(seat=seat)
            match.play(action, seat)
        assert not any(one.default for one in talker.exchanges)
        asked = [one for one in talker.exchanges if one.dated]
        assert len({one.dated for one in asked}) == len(asked)  # each card once, when it is new
        for one in asked:
            assert years.setdefault(one.dated, one.year) == one.year
    off = [abs(TODAY - true[text] - year) for text, year in years.items()]
    assert len(off) > 10
    assert max(off) > 10


@pytest.mark.parametrize("text", ["planted:", "planted:error/0", "planted:error/15,bluffs/101", "planted:doubts"])
def test_what_no_planted_player_can_be_is_refused(text):
    with pytest.raises(Invalid, match="planted players are error/15"):
        contest("anno-domini", [text, "novice"])


def test_a_game_without_dates_has_no_planted_players():
    with pytest.raises(Invalid, match="hic-haec-hoc has no planted players"):
        arena("hic-haec-hoc", ["planted:error/15", "bot"], 1)


@pytest.mark.parametrize(("year", "read"), [("-44", -44), ("−44", -44), ("1905", 1905)])
def test_a_year_is_read_strictly(year, read):
    match = new("anno-domini", 2, seed=3)
    answer = f"MOVE: place A at 1\nCHANCE: 50\nYEAR: {year}"
    talker = model.Talker(match, 0, Answers(lambda _: answer), ASKED, 1)
    talker.choose(match.view(0), match.legal)
    assert talker.exchanges[0].year == read


@pytest.mark.parametrize("year", ["44 BC", "about 1900", "1900-1905", "", "19.5"])
def test_what_is_no_year_is_asked_for_once_more(year):
    match = new("anno-domini", 2, seed=3)
    answers = [f"MOVE: place A at 1\nCHANCE: 50\nYEAR: {one}" for one in ("7", year)]
    talker = model.Talker(match, 0, Answers(lambda _: answers.pop()), ASKED, 1)
    talker.choose(match.view(0), match.legal)
    (found,) = talker.exchanges
    assert (found.unread, found.year, found.default) == (1, 7, False)
