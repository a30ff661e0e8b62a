"""Adaman, sentence by sentence. Piles are written out, the top first; all is worked out by hand."""

import pytest

from games.adaman.table import ALL, Table, dealt
from spieltisch.dice import FastDice
from spieltisch.game import Illegal, Invalid, State, View, see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import Deck, cards, decktet
from spieltisch.games.adaman.news import Controlled, Ended, Moved, PassedOver, TurnedUp

# Twelve cards without personalities: a quiet table. Capital M MW ML MS K, resources S W L Y WL.
QUIET = "ace-moons journey forest mountain ace-knots | ace-suns ace-waves ace-leaves ace-wyrms origin"


# -- the deck ------------------------------------------------------------------------------------------------


def test_the_basic_deck_has_36_cards_and_eleven_personalities_of_66():
    deck = decktet().cards
    people = [card for card in deck if card.person]
    assert (len(deck), len(people), sum(card.value for card in people)) == (36, 11, 66)


def test_every_suit_is_on_ten_cards_of_the_basic_deck():
    suits = [suit for card in decktet().cards for suit in card.suits]
    assert {suits.count(suit) for suit in suits} == {10}  # an ace, a crown, eight of two suits


def test_all_45_cards():
    ids = [card.id for card in cards()]
    assert len(set(ids)) == 45
    assert [card.id for card in cards() if card.kind == "pawn"] == [
        "borderland", "harvest", "light-keeper", "watchman",
    ]  # fmt: skip
    assert {card.value for card in cards() if card.kind in ("pawn", "court", "crown")} == {10}
    assert [len(card.suits) for card in cards()] == [1] * 6 + [2] * 24 + [1] * 6 + [3] * 8 + [0]
    aces = [card for card in cards() if card.kind == "ace"]
    assert not any(card.person or card.event or card.place for card in aces)


def test_a_card_that_cannot_be_added():
    with pytest.raises(Invalid, match="author is not one of the cards"):
        decktet(("author",))


# -- §1, §2 the set-up ---------------------------------------------------------------------------------------


def test_nothing_is_dealt_before_the_shuffle():
    state = rules.setup(1, rules.Options(), decktet())
    assert rules.pending_chance(state).items == tuple(range(36))
    assert rules.to_act(state.public) == ()
    assert state.public.pile == 36
    assert rules.result(state.public) is None
    with pytest.raises(Illegal, match="not your turn"):
        rules.apply(state, 0, rules.Control(0, (1,)))


def test_five_cards_are_the_capital_personalities_too_and_five_the_resources():
    table = dealt("author bard sea end origin | desert journey battle mountain pact", rest=True)
    assert table.capital == "author bard sea end origin"
    assert table.resources == "desert journey battle mountain pact"
    assert (table.palace, table.public.pile) == ("", 26)
    assert rules.pending_chance(table.state) is None
    assert rules.to_act(table.public) == (0,)


def test_a_personality_among_the_resources_goes_to_the_palace_and_the_next_card_is_turned_up():
    table = dealt("sea end origin castle cave | desert author journey bard savage battle mountain pact", rest=True)
    assert table.resources == "desert journey battle mountain pact"
    assert table.palace == "author bard savage"
    assert table.public.pile == 36 - 13


def test_five_in_the_palace_are_borne():
    people = "author painter savage sailor soldier"
    table = dealt(f"sea end origin castle cave | {people} desert journey battle mountain pact", rest=True)
    assert table.palace == people
    assert table.end is None


def test_the_sixth_hangs_in_the_set_up_too_and_nothing_more_is_turned_up():
    people = "author painter savage sailor soldier lunatic"
    table = dealt(f"sea end origin castle cave | desert {people} journey battle", rest=True)
    assert table.palace == people
    assert table.resources == "desert"
    assert table.public.pile == 36 - 12
    assert table.end == ("hanged", 0)
    assert rules.to_act(table.public) == ()
    assert table.legal == set()


# -- §3 moves ------------------------------------------------------------------------------------------------


def test_every_card_of_a_payment_shares_a_suit_with_the_target_not_with_one_another():
    # the Soldier, YK 5: paid by Wyrms 2 and Knots 7, which have nothing in common
    table = dealt("soldier sea end forest mill | desert castle ace-moons ace-waves ace-leaves", rest=True)
    assert "soldier for desert castle" in table.legal
    assert table.control("soldier", "desert castle").personalities == "soldier"


def test_a_payment_without_a_common_suit_is_refused():
    table = dealt("soldier sea end forest mill | desert castle ace-moons ace-waves ace-leaves", rest=True)
    with pytest.raises(Illegal, match="share a suit"):
        table.control("soldier", "desert castle ace-moons")


def test_ranks_have_to_add_up_to_the_targets_rank_at_least():
    table = dealt("soldier sea end forest mill | desert battle ace-moons ace-knots ace-leaves", rest=True)
    with pytest.raises(Illegal, match=r"paying 4\. You need 5"):
        table.control("soldier", "battle")
    with pytest.raises(Illegal, match=r"paying 3\. You need 5"):
        table.control("soldier", "desert ace-knots")
    assert table.control("soldier", "battle ace-knots").personalities == "soldier"  # exactly enough
    assert table.control("soldier", "desert battle").personalities == "soldier"  # 1 over


def test_more_cards_than_needed_may_be_paid():
    table = dealt("soldier sea end forest mill | desert battle castle ace-knots ace-leaves", rest=True)
    after = table.control("soldier", "desert battle castle ace-knots")
    assert after.discarded == "desert battle castle ace-knots"


def test_legal_is_every_target_with_every_payment_that_is_enough():
    # Soldier YK 5, Sea W 10, Author MK 2 with Desert SY 2, Battle YK 4, Castle SK 7, ace of Moons, ace of Suns
    table = dealt("soldier sea author end mill | desert battle castle ace-moons ace-suns")
    assert table.legal == {
        "soldier for castle",
        "soldier for desert battle",
        "soldier for desert castle",
        "soldier for battle castle",
        "soldier for desert battle castle",
        "author for battle",
        "author for castle",
        "author for battle castle",
        "author for battle ace-moons",
        "author for castle ace-moons",
        "author for battle castle ace-moons",
    }


def test_nobody_else_has_anything_to_choose():
    table = dealt("soldier sea author end mill | desert battle castle ace-moons ace-suns")
    assert rules.legal(see(table.state, None)) == ()
    with pytest.raises(Illegal, match="not your turn"):
        rules.apply(table.state, 1, rules.legal(see(table.state, 0))[0])


def test_a_personality_is_discarded_and_counts():
    table = dealt("soldier sea author end mill | desert battle castle ace-moons ace-suns").control("soldier", "castle")
    assert table.personalities == "soldier"
    assert table.capital == "sea author end mill"
    assert table.resources == "desert battle ace-moons ace-suns"
    assert table.discarded == "castle"
    assert rules.score(table.public) == 5


def test_a_personality_of_the_palace_is_won_likewise():
    table = dealt("sea ace-waves author end mill | desert soldier battle castle ace-moons ace-suns")
    after = table.control("soldier", "castle")
    assert (after.palace, after.personalities) == ("", "soldier")


@pytest.mark.parametrize(
    ("target", "payment", "resources"),
    [
        ("journey", "windfall", None),
        ("journey", "mountain", "windfall battle castle pact journey"),  # an event
        ("desert", "castle", "windfall battle mountain pact desert"),  # a location
        ("ace-suns", "mountain", "windfall battle castle pact ace-suns"),  # an ace
    ],
)
def test_an_event_a_location_an_ace_goes_to_the_resources_at_the_right_end(target, payment, resources):
    table = dealt("soldier journey desert ace-suns sea | windfall battle mountain castle pact")
    if resources is None:
        with pytest.raises(Illegal):
            table.control(target, payment)
        return
    after = table.control(target, payment)
    assert after.resources == resources
    assert after.personalities == ""


def test_a_won_card_pays_in_a_later_move():
    table = dealt("soldier journey betrayal ace-suns sea | windfall battle mountain castle ace-knots")
    after = table.control("betrayal", "windfall")
    assert after.resources == "battle mountain castle ace-knots betrayal"
    assert after.control("soldier", "betrayal").end is not None  # nothing is left to win over


@pytest.mark.parametrize(
    ("target", "payment", "reason"),
    [
        ("battle", "castle", "cards from the capital or the palace"),
        ("soldier", "", "at least one resource"),
        ("soldier", "betrayal", "only pay with your resources"),
        ("soldier", "castle castle", "only once"),
    ],
)
def test_refused(target, payment, reason):
    table = dealt("soldier sea betrayal end mill | desert battle castle ace-moons ace-suns")
    with pytest.raises(Illegal, match=reason):
        table.control(target, payment)


def test_numbers_that_are_no_cards_are_refused():
    table = dealt("soldier sea betrayal end mill | desert battle castle ace-moons ace-suns")
    for action in (rules.Control(99, (0,)), rules.Control(-1, (0,)), rules.Control(0, (99,)), rules.Excuse(99)):
        with pytest.raises(Illegal):
            rules.apply(table.state, 0, action)


# -- §4 the refill -------------------------------------------------------------------------------------------


def test_the_capital_is_refilled_first_then_the_resources():
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns | pact cave", rest=True)
    after = table.control("soldier", "castle")
    assert after.capital == "sea end mill origin pact"
    assert after.resources == "desert battle ace-moons ace-suns cave"
    assert after.public.pile == 36 - 12


def test_the_capitals_refill_sends_nobody_to_the_palace_that_of_the_resources_does():
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns | bard author cave", rest=True)
    after = table.control("soldier", "castle")
    assert after.capital == "sea end mill origin bard"
    assert after.palace == "author"
    assert after.resources == "desert battle ace-moons ace-suns cave"


def test_a_target_of_the_palace_leaves_no_gap_in_the_capital():
    table = dealt(
        "huntress sea end mill origin | soldier desert battle castle ace-moons ace-suns | pact cave", rest=True
    )
    after = table.control("soldier", "castle")
    assert after.capital == "huntress sea end mill origin"
    assert after.resources == "desert battle ace-moons ace-suns pact"


def test_the_sixth_hangs_in_a_refill():
    people = "painter savage sailor lunatic penitent"
    table = dealt(
        f"soldier sea end mill origin | {people} desert battle castle ace-moons ace-suns | bard author pact", rest=True
    )
    after = table.control("soldier", "castle")
    assert after.palace == f"{people} author"
    assert after.end == ("hanged", 0)  # the Soldier does not count any more
    assert after.personalities == "soldier"
    assert after.public.pile == 36 - 17  # the Pact was not turned up


def test_with_the_pile_used_up_one_plays_on_without_drawing():
    table = dealt("soldier author end mill origin | desert battle castle ace-moons ace-suns | pact")
    after = table.control("soldier", "battle castle")
    assert (after.capital, after.resources) == ("author end mill origin pact", "desert ace-moons ace-suns")
    assert after.public.pile == 0
    assert after.end == ("lost", 5)  # nothing pays for the Author MK 2 but one Moon
    assert table.control("soldier", "castle").end is None  # the Battle is left for the Author


# -- §5 the end ----------------------------------------------------------------------------------------------


def test_won_with_the_ranks_of_the_personalities_and_of_the_resources_left():
    table = dealt("author ace-suns ace-waves ace-leaves ace-wyrms | windfall mountain")
    assert table.end is None
    after = table.control("author", "mountain")
    assert after.end == ("won", 2 + 10)
    assert rules.to_act(after.public) == ()
    with pytest.raises(Illegal, match="not your turn"):
        after.control("ace-suns", "windfall")


def test_won_at_once_even_if_moves_were_left():
    table = dealt("author ace-knots ace-waves ace-leaves ace-wyrms | windfall mountain")
    assert table.control("author", "mountain").end == ("won", 12)  # the Windfall could still win the ace


def test_not_won_while_a_personality_is_in_the_palace():
    table = dealt("author ace-suns ace-waves ace-leaves ace-wyrms | windfall soldier mountain")
    after = table.control("author", "mountain")
    assert (after.palace, after.end) == ("soldier", None)
    assert after.control("soldier", "windfall").end == ("won", 2 + 5)


def test_not_won_while_cards_are_in_the_pile():
    table = dealt("author ace-knots ace-waves ace-leaves sea | windfall mountain mill ace-suns cave | end pact castle")
    after = table.control("author", "mountain")
    assert after.public.pile == 1
    assert after.end is None
    assert rules.score(after.public) == 2


def test_won_after_the_set_up():
    assert dealt("ace-suns ace-waves ace-leaves ace-wyrms ace-knots | windfall mountain").end == ("won", 14)


def test_lost_without_a_move_with_the_ranks_of_the_personalities_won_over():
    table = dealt("author soldier ace-suns ace-leaves ace-wyrms | mountain ace-moons")
    after = table.control("author", "mountain")
    assert after.end == ("lost", 2)  # the ace left does not count


def test_lost_after_the_set_up():
    assert dealt("author ace-suns ace-leaves ace-wyrms ace-knots | ace-waves sea").end == ("lost", 0)


def test_lost_without_a_move_while_the_personalities_are_still_in_the_pile():
    stuck = "sea mill origin ace-waves end | ace-moons ace-suns ace-wyrms ace-knots battle"
    table = dealt(f"{stuck} | author")
    assert table.end == ("lost", 0)
    assert table.public.pile == 1


def test_won_without_a_move_when_everybody_is_won_over_and_the_pile_is_not_used_up():
    table = dealt("author sea mill ace-waves end | mountain ace-suns ace-wyrms battle desert | origin castle pact")
    after = table.control("author", "mountain")
    assert after.capital == "sea mill ace-waves end origin"
    assert after.resources == "ace-suns ace-wyrms battle desert castle"
    assert after.public.pile == 1
    assert after.end == ("won", 2 + 1 + 1 + 4 + 2 + 7)


def test_with_everybody_won_over_and_moves_left_one_plays_on():
    table = dealt("author sea mill ace-waves end | mountain ace-suns ace-wyrms battle cave | origin castle pact")
    after = table.control("author", "mountain")
    assert after.end is None
    assert after.legal == {"ace-waves for cave", "origin for cave"}


# -- §6 the extended deck ------------------------------------------------------------------------------------


def test_pawns_and_courts_count_ten():
    # the Watchman MYK is a personality, the Island SWY is not
    table = dealt("watchman island bard mill end | pact windfall calamity ace-suns battle")
    assert "watchman for pact" not in table.legal
    after = table.control("watchman", "pact windfall")
    assert rules.score(after.public) == 10
    assert after.control("island", "calamity").resources == "ace-suns battle island"


def test_the_added_cards_are_those_of_the_option():
    with pytest.raises(Invalid, match="added cards"):
        rules.setup(1, rules.Options(), decktet(("excuse",)))
    with pytest.raises(Invalid, match="added cards"):
        rules.setup(1, rules.Options(("excuse", "excuse")), decktet(("excuse",)))
    with pytest.raises(Invalid, match="added cards"):
        rules.setup(1, rules.Options(("author",)), decktet())


def test_one_player():
    with pytest.raises(Invalid, match="one player"):
        rules.setup(2, rules.Options(), decktet())


def test_a_deck_without_cards():
    with pytest.raises(Invalid, match="no cards"):
        rules.setup(1, rules.Options(), Deck("none", ()))


def test_the_excuse_in_the_first_row_is_put_away_for_there_are_no_resources():
    table = dealt("sea end excuse mill origin cave | desert battle castle ace-moons ace-suns", rest=True)
    assert table.capital == "sea end mill origin cave"
    assert table.discarded == "excuse"
    assert table.resources == "desert battle castle ace-moons ace-suns"
    assert table.public.excuse is None


def test_the_excuse_among_the_first_resources_asks_for_a_card_of_the_capital():
    table = dealt("sea end bard mill origin | desert battle excuse castle ace-moons ace-suns pact", rest=True)
    assert table.public.excuse == "capital"
    assert table.resources == "desert battle excuse"
    assert table.discarded == ""
    assert table.public.pile == 37 - 8
    assert table.legal == {"sea", "end", "bard", "mill", "origin"}
    assert rules.to_act(table.public) == (0,)
    after = table.excuse("end")
    assert after.capital == "sea bard mill origin castle"  # refilled first
    assert after.resources == "desert battle end ace-moons ace-suns"
    assert after.discarded == "excuse"
    assert after.public.excuse is None


def test_no_other_move_while_the_excuse_waits():
    table = dealt("sea end bard mill origin | windfall battle excuse castle ace-moons", rest=True)
    with pytest.raises(Illegal, match="First move a card for the Excuse"):
        table.control("sea", "windfall")
    with pytest.raises(Illegal, match="Put a card from the capital"):
        table.excuse("battle")
    with pytest.raises(Illegal, match="Put a card from the capital"):
        table.excuse("excuse")


def test_no_card_is_moved_without_the_excuse():
    table = dealt("ace-knots end bard mill origin | windfall battle castle ace-moons ace-suns", rest=True)
    with pytest.raises(Illegal, match="There is no Excuse"):
        table.excuse("ace-knots")


def test_a_personality_taken_for_the_excuse_goes_to_the_palace():
    table = dealt("sea end bard mill origin | desert battle excuse castle ace-moons ace-suns pact cave", rest=True)
    after = table.excuse("bard")
    assert after.palace == "bard"
    assert after.capital == "sea end mill origin castle"
    assert after.resources == "desert battle ace-moons ace-suns pact"


def test_a_personality_taken_for_the_excuse_can_hang():
    people = "author painter savage sailor soldier"
    table = dealt(f"sea end bard mill origin | {people} excuse castle ace-moons", rest=True)
    assert table.public.excuse == "capital"
    after = table.excuse("bard")
    assert after.palace == f"{people} bard"
    assert after.end == ("hanged", 0)
    assert (after.capital, after.resources, after.discarded) == ("sea end mill origin", "", "excuse")
    assert after.public.pile == 37 - 11  # nothing more is turned up
    assert table.excuse("sea").end is None


def test_the_excuse_in_the_capital_asks_for_a_resource():
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns | excuse pact cave", rest=True)
    waiting = table.control("soldier", "castle")
    assert waiting.public.excuse == "resource"
    assert waiting.capital == "sea end mill origin excuse"
    assert waiting.legal == {"desert", "battle", "ace-moons", "ace-suns"}
    assert waiting.personalities == "soldier"
    with pytest.raises(Illegal, match="Put one of your resources"):
        waiting.excuse("sea")
    after = waiting.excuse("battle")
    assert after.capital == "sea end mill origin battle"
    assert after.resources == "desert ace-moons ace-suns pact cave"
    assert after.discarded == "castle excuse"


def test_the_excuse_in_the_capital_after_the_last_resource_was_paid_is_put_away():
    table = dealt(
        "windfall sea end mill origin | soldier battle castle ace-knots market betrayal | excuse pact cave", rest=True
    )
    after = table.control("windfall", "battle castle ace-knots market betrayal")
    assert after.public.excuse == "resource"  # the Windfall lies among the resources: it has to go back
    assert after.legal == {"windfall"}
    table = dealt("soldier sea end mill origin | battle castle ace-knots market betrayal | excuse pact cave", rest=True)
    after = table.control("soldier", "battle castle ace-knots market betrayal")
    assert after.public.excuse is None
    assert after.capital == "sea end mill origin pact"
    assert after.discarded == "battle castle ace-knots market betrayal excuse"


def test_the_excuse_among_the_resources_of_a_refill():
    table = dealt(
        "soldier sea end mill origin | desert battle castle ace-moons ace-suns | pact excuse cave forest", rest=True
    )
    waiting = table.control("soldier", "castle")
    assert waiting.public.excuse == "capital"
    assert waiting.capital == "sea end mill origin pact"
    assert waiting.resources == "desert battle ace-moons ace-suns excuse"
    after = waiting.excuse("mill")
    assert after.capital == "sea end origin pact cave"
    assert after.resources == "desert battle ace-moons ace-suns mill"


def test_nothing_is_lost_or_won_before_the_excuse_is_answered():
    table = dealt("author ace-suns ace-waves ace-leaves ace-wyrms | windfall mountain excuse")
    assert table.public.excuse == "capital"
    table = dealt("sea mill origin ace-waves end | ace-moons ace-suns ace-wyrms battle excuse | author")
    assert table.end is None  # no move would be possible
    after = table.excuse("mill")
    assert after.capital == "sea origin ace-waves end author"
    assert after.end is None  # the Mill pays for much
    won = dealt("ace-suns ace-waves ace-leaves ace-wyrms ace-knots | windfall excuse")
    assert won.end is None
    assert won.excuse("ace-suns").end == ("won", 11)


def test_the_excuse_counts_nothing():
    assert ALL["excuse"].value == 0
    assert ALL["excuse"].suits == ()


# -- news, thinking ------------------------------------------------------------------------------------------


def test_the_news_of_a_move_tell_it_and_every_card_turned_up():
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns | bard author cave", rest=True)
    after = table.control("soldier", "castle")
    assert after.public.news == (
        Controlled(ALL["soldier"], (ALL["castle"],)),
        TurnedUp(ALL["bard"], "capital"),
        TurnedUp(ALL["author"], "palace"),
        TurnedUp(ALL["cave"], "resources"),
    )


def test_the_news_of_the_excuse_and_of_the_end():
    table = dealt("sea end bard mill origin | author painter savage sailor soldier excuse castle", rest=True)
    assert table.public.news[-1] == TurnedUp(ALL["excuse"], "resources")
    assert table.excuse("bard").public.news == (Moved(ALL["bard"], "palace"), Ended("hanged", 0))
    table = dealt("excuse ace-suns ace-waves ace-leaves ace-wyrms ace-knots | windfall")
    assert table.public.news[0] == PassedOver(ALL["excuse"])
    assert table.public.news[-1] == Ended("won", 10)


def test_before_the_shuffle_the_imagined_world_is_the_deck():
    state = rules.setup(1, rules.Options(), decktet())
    assert rules.imagine(see(state, 0), FastDice(1)) == state


def test_an_imagined_pile_holds_the_cards_not_seen():
    table = dealt(QUIET, rest=True)
    view = see(table.state, 0)
    world = rules.imagine(view, FastDice(1))
    assert see(world, 0) == view
    assert sorted(world.hidden.pile) == sorted(table.state.hidden.pile)
    assert world.hidden.pile != table.state.hidden.pile


def test_a_view_holds_no_pile():
    table = dealt(QUIET, rest=True)
    view = see(table.state, 0)
    assert view == View(0, table.public, rules.Own())
    assert not isinstance(view, State)
    assert set(rules.Public.__struct_fields__) == {
        "deck", "worth", "pile", "capital", "palace", "resources", "personalities", "discarded",
        "excuse", "end", "news",
    }  # fmt: skip
    assert isinstance(table, Table)
