"""What is noted of changes of seats."""

from msgspec.structs import replace

from spieltisch.table.log import Ask, Chair, SeatChange, TableSetup, read_setup
from spieltisch.table.seat_log import KEPT, noted

ADA, BEN, BOT = Chair("Ada", "person", "a"), Chair("Ben", "person", "b"), Chair("Owl", "bot")


def setup_of(*chairs):
    return TableSetup("ABC234", "hic-haec-hoc", {}, chairs, stage="playing", rev=7)


def deeds(*steps):
    """What is noted while one chair goes through these states."""
    setup = setup_of(steps[0])
    for step in steps[1:]:
        setup = noted(setup, replace(setup, chairs=(step,)), 5.0, 3)
    return [(one.deed, one.name, one.old) for one in setup.seat_log]


def test_every_change_of_seats_is_noted_and_nothing_else():
    away, left = replace(ADA, away=True), replace(ADA, away=True, left=True)
    guest = replace(BEN, lender=away)
    assert deeds(Chair(), ADA, ADA) == [("sits", "Ada", "")]
    assert deeds(ADA, away, ADA) == [("bot", "Ada", ""), ("back", "Ada", "")]
    assert deeds(ADA, left, ADA) == [("left", "Ada", ""), ("back", "Ada", "")]
    assert deeds(away, guest, ADA) == [("sits", "Ben", "Ada"), ("back", "Ada", "Ben")]
    assert deeds(BOT, replace(BOT, offered=True), BEN) == [("offered", "Owl", ""), ("sits", "Ben", "Owl")]
    assert deeds(ADA, replace(ADA, name="Eve")) == [("name", "Eve", "Ada")]
    assert deeds(ADA, replace(ADA, key="new")) == [("key", "Ada", "")]
    assert deeds(ADA, Chair()) == [("free", "Ada", "")]
    assert deeds(ADA, replace(ADA, patience=2.0, holding=True)) == []


def test_it_says_when_and_who_did_it_and_keeps_the_newest():
    setup = setup_of(ADA)
    after = noted(setup, replace(setup, chairs=(replace(ADA, away=True),)), 5.0, 3, "Ben")
    assert after.seat_log == (SeatChange(8, 5.0, 3, 0, "bot", "Ada", by="Ben"),)
    for step in range(2 * KEPT):
        setup = noted(setup, replace(setup, chairs=(replace(ADA, name=str(step)),)), step, 3)
    assert [one.name for one in setup.seat_log] == [str(step) for step in range(KEPT, 2 * KEPT)]


def test_setups_that_were_stored_before_are_read_and_names_are_forgotten_in_the_log_too():
    old = read_setup(
        b'{"id":"ABC234","game":"hic-haec-hoc","top":{},"chairs":[{"name":"Ada","kind":"person","key":"a"}]}'
    )
    assert (old.seat_log, old.asks, old.chairs[0].left, old.chairs[0].sat) == ((), (), False, 0.0)
    new = noted(old, replace(old, chairs=(BEN,), asks=(Ask(1, 0, "Eve", "e", 5.0),)), 5.0, 3, "Cy")
    assert not {"Ada", "Ben", "Cy", "Eve"} & {*str(new.nameless).replace("'", " ").split()}
