"""What was claimed about forms: declared, contested, let pass."""

from games.hichaechoc.test_review import told
from spieltisch.games.hichaechoc.decisions import decisions


def of(*moves):
    return [(one.seat, one.deed, one.card, one.right, one.said) for one in decisions(told(*moves))]


def test_a_right_form_that_is_contested():
    laid, contested = of("hunc acc.sg.m", "contest")
    assert laid == (0, "laid", "hunc", True, "acc.sg.m")
    assert contested[1:] == ("contested", "hunc", False, "acc.sg.m")


def test_a_wrong_one_is_let_pass_or_caught():
    said = ("hās", False, "acc.sg.m")
    assert of("hās acc.sg.m", "accept", "accept") == [
        (0, "laid", *said), (1, "passed", *said), (2, "passed", *said),
    ]  # fmt: skip
    laid, caught = of("hās acc.sg.m", "contest")
    assert laid == (0, "laid", *said)
    assert caught[1:4] == ("contested", "hās", True)


def test_who_accepts_what_is_right_has_claimed_nothing():
    assert [one[1] for one in of("hunc acc.sg.m", "accept", "accept")] == ["laid"]
