"""The look back tells mistakes from bad luck, and every number has one source."""

import re

import pytest

from games.adaman.table import dealt
from spieltisch import games, i18n
from spieltisch.games.adaman import news, review
from spieltisch.games.adaman.chances import Look
from spieltisch.package import FinishedGame
from spieltisch.web.core.renderer import Renderer

ROOM = games.package("adaman")
TABLE = dealt("soldier author market huntress end | battle castle ace-moons ace-knots ace-waves", rest=True)
DONE = {"control": "author", "with": ["ace-moons", "ace-knots"]}
BEST = {"control": "soldier", "with": ["battle", "ace-knots"]}


def looked(chances, end="lost", lang="de", error=0.0, spread=0.0):
    """The look back at these moves, each with its chance and that of the best move (equal if it was the best)."""
    tr = i18n.Translator(i18n.package_catalog(ROOM.folder, lang), lang, ["Ada"], 0)
    looks = [Look(DONE, end == "won" or not i, made, DONE if made == best else BEST, best, error, spread)
             for i, (made, best) in enumerate(chances)]  # fmt: skip
    said = review.review([FinishedGame(TABLE.state, [news.Ended(end, 1)])], 1, looks, tr)
    return said, tr


def page(said, tr, n):
    return Renderer().render(
        "adaman/review.html", tr, **said, look=said["moments"][n - 1], links={}, board="", mine=True, url="/t/X",
        heading="Rückblick", box={"accent": "", "cls": ""}, names=["Ada"],
    )  # fmt: skip


GAMES = [
    [(0.54, 0.88), (0.44, 0.57), (0.30, 0.65), (0.14, 0.40), (0.13, 0.72)],
    [(0.43, 0.54), (0.10, 0.58), (0.46, 0.46), (0.2, 0.94), (0.01, 0.01)],
    [(0.7, 0.7), (0.9, 0.9), (0.45, 0.45), (0.02, 0.02)],
]


@pytest.mark.parametrize("chances", GAMES)
@pytest.mark.parametrize("end", ["lost", "hanged", "won"])
def test_list_curve_and_better_move_tell_the_same(chances, end):
    said, _ = looked(chances, end)
    moments, course = said["moments"], said["course"]
    for i, one in enumerate(moments):
        assert int(one["from"]) == round(100 * chances[i][1]) >= int(one["to"])
        assert one["better"] is None or one["better"]["chance"] == one["before"]
        assert course["y"][i + 1] == pytest.approx(100 - int(one["to"]))
    points = [float(n) for n in re.findall(r"[\d.]+", course["line"])][1::2]
    slopes = [(points[2 * i + 1], points[2 * i + 2]) for i in range(len(moments))]
    assert [(100 - a, 100 - b) for a, b in slopes] == [
        pytest.approx((int(one["from"]), int(one["to"]))) for one in moments
    ]
    assert points[-1] == (0 if end == "won" else 100)
    lost = [best - made for made, best in chances]
    if end != "won" and max(lost) > review.CLEAR:
        assert said["turning"]["n"] == lost.index(max(lost)) + 1
        assert said["start"] == said["turning"]["n"]


def test_bad_luck_is_no_mistake():
    said, tr = looked([(0.7, 0.7), (0.45, 0.45), (0.02, 0.02)])
    assert said["turning"] is None
    assert said["unlucky"]["n"] == said["start"] == 2
    text = page(said, tr, 2)
    assert "Wendepunkt" not in text
    assert "Nach Zug 2 kam das Pech." in text
    assert "Das war der beste Zug." in text
    assert "45\u00a0% vor dem Zug, 45\u00a0% mit ihm. Dann kam Pech: 2\u00a0%." in text
    assert "falls" not in text
    assert "Pech nach Zug 2: von 45 auf 2\u00a0%" in text


def test_a_mistake_is_named_with_the_better_move():
    said, tr = looked([(0.7, 0.7), (0.13, 0.72), (0.14, 0.14)])
    text = page(said, tr, 2)
    assert "Zug 2 war der Wendepunkt." in text
    assert "72\u00a0% vor dem Zug, 13\u00a0% mit ihm. Mit dem besseren Zug: 72\u00a0%." in text
    assert "Das war der beste Zug." not in text
    assert "Wendepunkt: Zug 2, von 72 auf 13\u00a0%" in text
    assert text.count("falls") == 1


@pytest.mark.parametrize(("made", "words"), [(0.7, "Das war der beste Zug."), (0.67, "Kein Zug war klar besser.")])
def test_a_move_as_good_as_the_best_is_not_blamed(made, words):
    said, tr = looked([(made, 0.7), (0.7, 0.7)], "won")
    text = page(said, tr, 1)
    assert words in text
    assert "Besser:" not in text


def test_what_may_be_chance_is_no_mistake():
    """A loss within the interval is neither blamed nor called luck."""
    chances = [(0.5, 0.7), (0.5, 0.6), (0.4, 0.4)]
    for error, blamed in ((0.1, [True, False, False]), (0.25, [False] * 3)):
        said, tr = looked(chances, error=error)
        assert [one["better"] is not None for one in said["moments"]] == blamed
        assert (said["turning"] is not None) == any(blamed)
        assert ("Besser:" in page(said, tr, 1)) == blamed[0]
    lucks = [[one["luck"] for one in looked(chances, spread=spread)[0]["moments"]] for spread in (0.0, 0.1, 0.9)]
    assert lucks == [["good", "bad", "bad"], ["", "", "bad"], ["", "", ""]]
