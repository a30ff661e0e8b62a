"""What was claimed about events, in rounds with known errors."""

from games.annodomini.tables import deal, play
from spieltisch.games.annodomini.decisions import decisions
from spieltisch.games.annodomini.news import Doubted
from spieltisch.package import FinishedGame

DATES = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"


def of(*moves, dates=DATES, **options):
    dealt = state = deal(dates, **options)
    news = list(state.public.news)
    for move in moves:
        state = play(state, move)
        news += state.public.news
    found = decisions(FinishedGame(dealt, news))
    dates = {card.id: card.date["en"] for card in dealt.hidden.cards}
    for one in found:
        assert news[one.at].seat == one.seat if not isinstance(news[one.at], Doubted) else True
    return [(one.seat, one.deed, dates[one.card], one.right, one.off) for one in found]


def test_an_error_is_laid_let_pass_and_doubted():
    # 1000 is laid below 1150; the next one lays 1300 rightly, and has let it pass
    assert of((0, 1), (3, 2), "?") == [
        (0, "laid", "1000", False, 150),
        (1, "passed", "1000", False, None),
        (1, "laid", "1300", True, None),
        (0, "doubted", "1000", True, None),
    ]


def test_a_round_counts_in_which_nobody_has_doubted_yet():
    assert of((0, 1), (3, 2)) == of((0, 1), (3, 2), "?")[:3]


def test_who_doubts_a_right_chain_was_wrong_about_the_card_laid_last():
    assert of((0, 0), "?") == [(0, "laid", "1000", True, None), (1, "doubted", "1000", False, None)]


def test_a_second_error_is_its_own_and_who_has_let_one_pass_is_counted_once():
    dates = "1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1150 | 1700 | 1800 | 1900 | 1910"
    found = of((2, 1), (1, 1), (0, 3), "?", dates=dates, each=3)  # 1100 and 1000 are wrong
    assert [one[:4] for one in found] == [
        (0, "laid", "1200", True),
        (1, "laid", found[1][2], False),
        (0, "passed", found[1][2], False),
        (0, "laid", "1000", False),
        (1, "doubted", found[1][2], True),
    ]
