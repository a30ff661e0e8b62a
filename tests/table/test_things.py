"""Many deals as a table makes them: no two cards of one thing, and the same again from log and record."""

import csv
import functools
import json
import random
import secrets

import pytest
from msgspec.structs import replace

from matrix import sampled
from spieltisch import games, record
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library, shipped
from spieltisch.dice import alias_order
from spieltisch.game import read
from spieltisch.table import session as sessions
from spieltisch.table.lobby import new_setup, packed, started
from spieltisch.table.log import Chair
from spieltisch.table.session import TableSession


def begun(game, seats, top=None, library=None):
    """A table of this game with bots, begun as the host begins it: its session after the deal."""
    package, library = games.package(game), library or Library()
    setup = new_setup(package, seats, top, 0.0, library)
    setup = replace(setup, chairs=tuple(Chair(kind="bot") for _ in setup.chairs))
    what = packed(package, setup, library)
    session = TableSession(package, *started(package, setup, what), what.body)
    session.publish(*session.deal())
    return session


def about(name, column):
    """By a card's id what it is about, read from the shipped file itself."""
    lines = list(csv.reader(shipped()[name].read_text("utf-8").splitlines()))
    head, *rows = [line for line in lines if not line[0].startswith("#")]
    rows = [dict(zip(head, line, strict=True)) for line in rows]
    return {row["id"]: {row[column].partition("/")[0], row.get("thing", "")} - {""} for row in rows}


def on_the_table(session):
    """The ids of all cards of a table, in hands and in the pile."""
    state = session.position.state
    hands = [card.number for hand in state.public.hands for card in hand]
    laid = [one.card.number for one in state.public.chain]
    return [session.deck.cards[number].id for number in (*hands, *laid, *state.hidden.pile)]


@pytest.mark.slow
@pytest.mark.parametrize("deals", sampled([150, 1_000], [150]))
def test_no_two_cards_of_one_thing_in_many_deals(monkeypatch, deals):
    monkeypatch.setattr(sessions, "read_deck", functools.cache(sessions.read_deck))  # the same for all of them
    # The same seeds in every run: a card of a large group would now and then have no turn in so few deals.
    monkeypatch.setattr(secrets, "token_bytes", random.Random(1).randbytes)
    things = about("events", "fact")
    assert sum(list(things.values()).count(one) > 1 for one in things.values()) >= 20  # there are some to avoid
    seen = set()
    for number in range(deals):
        session = begun("anno-domini", 2 + number % 9)
        cards = on_the_table(session)
        named = [thing for card in cards for thing in things[card]]
        assert len(named) == len({*named})
        assert len(cards) == len({*cards}) >= 10 * 9 + 2
        seen |= {*cards}
    assert seen == {*things}  # each card has its turn


def test_no_two_firsts_of_one_woman_in_a_hundred_deals():
    women = about("firsts", "who")
    for _ in range(100):
        session = begun("trailblaze", 4)
        named = [woman for card in session.deck.cards for woman in women[card.id]]
        assert len(named) == len({*named})


def test_the_same_cards_come_again_from_what_is_kept():
    one = begun("anno-domini", 4)
    package = games.package("anno-domini")
    body = started_body(package, one)
    again = TableSession(package, one.setup, one.seed, body)
    again.publish(*again.deal())
    assert on_the_table(again) == on_the_table(one)
    assert len(one.own_deck.cards) < len(Library().mixed(["events"], kind_of("events")).cards)


def started_body(package, session):
    from spieltisch.table.log import encode_deck

    hash_, body = encode_deck(Library().mixed(["events"], kind_of("events")))
    assert hash_ == session.setup.header.deck  # kept once for all tables, not once a table
    return body


def test_a_table_from_before_goes_on_with_all_its_cards():
    """Its stored deck lacks `things`, so no card is left out and its log still fits."""
    one = begun("anno-domini", 4)
    package = games.package("anno-domini")
    kept = json.loads(started_body(package, one))
    for card in kept["cards"]:
        del card["things"]
    old = TableSession(package, one.setup, one.seed, json.dumps(kept).encode())
    assert old.fresh
    assert len(old.own_deck.cards) == len(kept["cards"])


def test_the_record_has_the_cards_that_were_played_and_its_dice_are_verified():
    package = games.package("anno-domini")
    one = begun("anno-domini", 2)
    deck, order = one.own_deck, alias_order(one.seed, len(one.own_deck.cards))
    steps = [(one.package.rules.pending_chance(one.package.rules.setup(2, one.options, one.deck)), _deal(one))]
    tags = {"seal": one.setup.header.seal, "seed": one.seed.hex(), "dice": record.DICE}
    written = record.write(package, one.options, deck, order, ["Ada", "Bo"], steps, tags)
    assert record.verify(written) == one.setup.header.seal
    assert len(read(written["cards"], list[object])) == len(deck.cards)


def _deal(session):
    return session.deal()[1].outcomes[0]


def test_what_is_chosen_is_counted_by_things(tmp_path):
    """Forty cards of which four are of two things: too few for four seats with ten cards each, enough for nine."""
    rows = [f"e{n},a,{1000 + n},Ereignis {n}.,Event {n}.,,,,,,,,{'ab'[n % 2] if n < 4 else ''}," for n in range(42)]
    columns = "id,series,date,de,en,comment_de,comment_en,source,fact,field,region,level,thing,review"
    (tmp_path / "own.csv").write_text("\n".join(["#series,a,A,A", columns, *rows]) + "\n", "utf-8")
    package, library = games.package("anno-domini"), Library(tmp_path)
    top: dict[str, object] = {"deck": "own", "options": {"cards_per_player": 10}}
    with pytest.raises(Exception, match=r"at least 42 cards .* this one has 40"):
        new_setup(package, 4, top, 0.0, library)
    top["options"] = {"cards_per_player": 9}
    session = begun("anno-domini", 4, top, library)
    assert len(session.deck.cards) == 40


def test_a_match_and_a_simulated_game_are_dealt_so_too():
    import spieltisch
    from spieltisch.study.series import play, series

    one = spieltisch.new("anno-domini", 4, seed=7)
    things = about("events", "fact")
    named = [thing for card in one.deck.cards for thing in things[card.id]]
    assert len(named) == len({*named})
    assert spieltisch.new("anno-domini", 4, seed=7).deck == one.deck
    assert [card.id for card in spieltisch.load(one.record()).deck.cards] == [card.id for card in one.deck.cards]
    match = series("anno-domini", ["random", "random"], 1, {"max_rounds": 1})
    assert [*play(match, [0])] == [*play(match, [0])]


def test_seeds_are_drawn_anew_for_each_table():
    first, second = begun("anno-domini", 2), begun("anno-domini", 2)
    assert {card.id for card in first.own_deck.cards} != {card.id for card in second.own_deck.cards}
