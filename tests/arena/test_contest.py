"""Who meets whom: seats counted fairly, the same deals for all, and wrong input said in a sentence."""

from collections import Counter
from itertools import combinations

import pytest
from msgspec.json import encode

from spieltisch.arena import Budget, arena, contest
from spieltisch.arena.play import match_of
from spieltisch.game import Invalid, see


@pytest.mark.parametrize(("players", "tables"), [(2, [2]), (4, [2]), (4, [3]), (5, [2, 3, 4]), (4, [4])])
def test_on_every_deal_everybody_sits_on_every_seat_equally_often_with_the_same_cards(players, tables):
    found = contest("trailblaze", [f"p{n}=random" for n in range(players)], tables)
    numbers = []
    for deal in (0, 1):
        placings = list(found.placings(deal))
        numbers += [one.number for one in placings]
        assert {one.deal for one in placings} == {deal}
        for size in tables:
            games = [one.players for one in placings if len(one.players) == size]
            sat = Counter((seat, player) for game in games for seat, player in enumerate(game))
            assert len(sat) == size * players
            assert len(set(sat.values())) == 1, "somebody sits on a seat more often than others"
            met = Counter(frozenset(game) for game in games)
            assert met == dict.fromkeys(map(frozenset, combinations(range(players), size)), size)
    assert numbers == list(range(2 * found.per_deal))


def test_nobody_always_sits_behind_the_same_player():
    found = contest("trailblaze", ["novice", "connoisseur", "chronicler"], [3])
    before = Counter(
        (one.players[seat - 1], one.players[seat])
        for deal in (0, 1)
        for one in found.placings(deal)
        for seat in range(3)
    )
    assert set(before.values()) == {3}
    assert len(before) == 6


def test_a_deal_is_the_same_whoever_plays_it_and_another_for_another_number_seed_or_table():
    found = contest("hic-haec-hoc", ["discipula", "magister", "random"], [2, 3], seed=4)
    placings = [one for deal in (0, 1) for one in found.placings(deal)]
    dealt = {}
    for one in placings:
        dealt.setdefault((one.deal, len(one.players)), set()).add(encode(match_of(found, one).state))
    assert all(len(states) == 1 for states in dealt.values())
    other = contest("hic-haec-hoc", ["discipula", "magister", "random"], [2, 3], seed=5)
    states = {state for states in dealt.values() for state in states} | {encode(match_of(other, placings[0]).state)}
    assert len(states) == 5


def test_bots_are_shown_the_view_of_their_seat():
    found = contest("hic-haec-hoc", ["discipula", "random"])
    match = match_of(found, next(found.placings(0)))
    assert match.view(0) == see(match.state, 0)
    assert match.view(0).own != match.view(1).own


WRONG = {
    "there is no game chess": ("chess", ["random", "novice"], {}),
    "trailblaze has no bot expert, only novice, connoisseur, chronicler, bot, random": (
        "trailblaze", ["expert", "novice"], {},
    ),
    "name at least one player": ("trailblaze", [], {}),
    "a table of 2 needs 2 players, not 1": ("trailblaze", ["novice"], {}),
    "trailblaze is for 2 to 6 players, not 7": ("trailblaze", ["novice"] * 1, {"tables": [7]}),
    "adaman is played alone, not by 2": ("adaman", ["random", "thumb"], {"tables": [2]}),
    "two players are called novice: rename one with NAME=novice": ("trailblaze", ["novice", "novice"], {}),
    "'what:ever' is not a player: name a level, openspiel:…, lines:COMMAND, http:COMMAND or model:ADDRESS": (
        "trailblaze", ["what:ever", "novice"], {},
    ),
    "programs can play by HTTP only in games for several": ("adaman", ["http:sh bot.sh"], {}),
    "name a program by its command line, such as lines:node bot.js": ("trailblaze", ["lines: ", "novice"], {}),
    "no-such-program x cannot be started: there is no program no-such-program": (
        "trailblaze", ["lines:no-such-program x", "novice"], {},
    ),
    "'\"' is not a command line: No closing quotation": ("trailblaze", ['lines:"', "novice"], {}),
    "OpenSpiel players are random, ismcts/N and ismcts/N,noise/SIGMA, N from 1 to 1000000, not 'mcts/3'": (
        "trailblaze", ["openspiel:mcts/3", "novice"], {},
    ),
    "name players in a list of texts, not 'novice'": ("trailblaze", "novice", {}),
    "name players in a list of texts, not ['novice', 3]": ("trailblaze", ["novice", 3], {}),
    "name players in a list of texts, not None": ("trailblaze", None, {}),
    "the number of deals is a whole number, not 2.0": ("trailblaze", ["random", "novice"], {"deals": 2.0}),
    "a seed is a whole number, not '1'": ("trailblaze", ["random", "novice"], {"seed": "1"}),
    "table sizes are a list of whole numbers such as [2, 4], not 2": (
        "trailblaze", ["random", "novice"], {"tables": 2},
    ),
    "table sizes are a list of whole numbers such as [2, 4], not '2'": (
        "trailblaze", ["random", "novice"], {"tables": ["2"]},
    ),
    "seconds are a number, not '3'": ("trailblaze", ["random", "novice"], {"seconds": "3"}),
    "a budget is 1 or more, not 0": ("trailblaze", ["random", "novice"], {"budget": Budget(tokens=0)}),
    "a budget is a whole number, not 1.5": ("trailblaze", ["random", "novice"], {"budget": Budget(questions=1.5)}),
    "options are a dict of names and values, not '{}'": ("trailblaze", ["random", "novice"], {"options": "{}"}),
    "a deck is a name or the path of a file, not ['firsts']": (
        "trailblaze", ["random", "novice"], {"deck": ["firsts"]},
    ),
    "play at least one deal, not 0": ("trailblaze", ["random", "novice"], {"deals": 0}),
    "give programs more than 0 and at most 86400 seconds for an answer, not 0": (
        "trailblaze", ["random", "novice"], {"seconds": 0},
    ),
    "work runs on processes:N or dask://HOST:PORT, not on 'here'": (
        "trailblaze", ["random", "novice"], {"on": "here"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG)
def test_wrong_input_is_a_clear_sentence(said):
    game, players, given = WRONG[said]
    with pytest.raises(Invalid) as refused:
        arena(game, players, **given)
    assert str(refused.value).startswith(said)


def test_options_are_the_games():
    with pytest.raises(Invalid, match="mode"):
        contest("hic-haec-hoc", ["discipula", "random"], options={"mode": "wrong"})
    assert contest("hic-haec-hoc", ["discipula", "random"], options={"joker": True}).loaded(2)[1].joker
