"""Each part of a table's picture is sent once: the page that takes the messages always shows the whole picture."""

import random

from pictures import KEEPS, Pictures
from spieltisch.web.core.renderer import HOLE, html_of
from spieltisch.web.core.view.fragments import FIRST, LAST, PageParts, marks_of


def played(kept, pictures=200, seed=1):
    """Pictures of up to 300 parts, each a little different from the last one, as the server sends them."""
    dice, page, picture = random.Random(seed), PageParts(kept), [f"part {n}" for n in range(40)]
    for _ in range(pictures):
        for _ in range(dice.randrange(6)):
            at = dice.randrange(len(picture))
            match dice.randrange(4):
                case 0:
                    picture[at] = f"new {dice.randrange(2000)}"
                case 1 if len(picture) < 300:
                    picture[at:at] = dice.choices(picture, k=dice.randrange(1, 9))
                case 2 if len(picture) > 20:
                    del picture[at : at + dice.randrange(9)]
                case _:
                    picture.append(f"part {dice.randrange(40)}")
        yield picture, page.take(picture, marks_of(picture))[:2]


def test_a_page_that_keeps_parts_shows_each_picture_whole():
    for seed in range(20):
        known, texts = Pictures(), []
        for picture, sent in played(KEEPS, seed=seed):
            texts = known.texts(*sent) if any(sent) else texts
            assert texts == picture


def test_a_page_that_forgets_still_knows_every_number():
    for kept in (64, 200, KEEPS):
        known, most = Pictures(kept), 0
        for picture, sent in played(kept, seed=kept):
            if any(sent):
                assert known.texts(*sent) == picture
                most = max(most, len(known.known))
        assert most < kept + 300  # what a picture shows is kept


def test_parts_that_are_shown_again_are_kept_longest():
    page, known = PageParts(64), Pictures(64)
    for n in range(100):
        picture = [f"new {n}", *(["row"] if n % 4 == 0 else [])]
        texts = known.texts(*page.take(picture, marks_of(picture))[:2])
        assert texts == picture
    assert "row" in known.known.values()
    assert "new 1" not in known.known.values()


def test_parts_that_come_back_are_not_sent_again():
    page, one, other = PageParts(KEEPS), ["a", "b", "c"], ["a", "x", "c"]
    assert page.take(one, marks_of(one)) == (("a", "b", "c"), "+++", "")
    assert page.take(one, marks_of(one)) == ((), "", "")
    assert page.take(other, marks_of(other)) == (("x",), "1+1", "")
    assert page.take(one, marks_of(one)) == ((), f"1{chr(FIRST + 1)}1", "")


def test_many_parts_in_a_row_take_a_sign_for_each_forty():
    page, known, many = PageParts(KEEPS), Pictures(), [f"part {n}" for n in range(123)]
    known.texts(*page.take(many, marks_of(many))[:2])
    for last in ("a", "b"):
        picture = [*many[:-1], last]
        sent = page.take(picture, marks_of(picture))[:2]
        assert sent == ((last,), "XXX2+")
        assert known.texts(*sent) == picture


def test_a_sentence_that_the_picture_has_is_said_by_its_number():
    page, picture = PageParts(KEEPS), ["<li>", "Ada places a card.", "</li>"]
    *sent, said = page.take(picture, marks_of(picture), ["Ada is back.", "Ada places a card."])
    assert (sent[0][3:], said) == (("Ada is back.",), f"+{chr(FIRST + 1)}")
    known = Pictures()
    known.texts(*sent)
    assert known.words(said) == "Ada is back. Ada places a card."


def test_a_sentence_that_is_not_shown_is_said_as_text():
    page, picture = PageParts(KEEPS), ["<li>", "Ada places a card.", "</li>"]
    page.take(picture, marks_of(picture))
    assert page.take(["<li>"], marks_of(["<li>"]), ["Ada places a card."]) == (("Ada places a card.",), "1", "+")
    assert PageParts(0).take(picture, marks_of(picture), ["Ada is back.", "Late."])[1:] == ("", "Ada is back. Late.")


def test_a_page_that_keeps_nothing_gets_each_picture_whole():
    for picture, sent in played(0, 20):
        assert sent in (((), ""), (("".join(picture),), ""))


def test_a_page_that_has_got_all_numbers_gets_pictures_whole():
    page, known, n = PageParts(64), Pictures(64), 0
    while page.take([f"{n}"], marks_of([f"{n}"]))[1]:
        n += 1
    assert LAST <= n < 0xD800 - FIRST
    assert page.take(["a", "b"], marks_of(["a", "b"])) == (("ab",), "", "")
    assert known.texts(("ab",), "") == ("ab",)


def test_a_title_is_sent_once():
    page = PageParts(KEEPS)
    assert page.around("Ada", "playing") == ("Ada", "playing")
    assert page.around("Ada", "playing") == ("", "")
    assert page.around("Ben", "playing") == ("Ben", "")
    assert PageParts(0).around("Ada", "playing") == PageParts(0).around("Ada", "playing") == ("Ada", "playing")


def test_holes_are_filled_with_the_parts_that_come_next():
    assert html_of(["<ul>", f"<li>{HOLE}: {HOLE}</li>", "a", "b", "</ul>"]) == "<ul><li>a: b</li></ul>"
