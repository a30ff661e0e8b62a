"""Each part of a table's picture is sent once: the page that takes the messages always shows the whole picture."""

import random

from pictures import KEEPS, Pictures
from spieltisch.web.core.view.fragments import PageParts, marks_of


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
        yield picture, page.take(picture, marks_of(picture))


def test_a_page_that_keeps_parts_shows_each_picture_whole():
    for seed in range(20):
        known, texts = Pictures(), []
        for picture, sent in played(KEEPS, seed=seed):
            texts = known.texts(sent) if sent else texts
            assert texts == picture


def test_a_page_that_forgets_as_live_js_does_still_knows_every_number():
    for kept in (64, 200, KEEPS):
        known, came, order = {}, 0, []
        for picture, sent in played(kept, seed=kept):
            if not sent:
                continue
            old, order, after = order, [], 0
            for part in sent:
                if isinstance(part, str):
                    known[came] = part
                    order.append(came)
                    came, after = came + 1, after + 1
                elif part < 0:
                    order += old[after : after - part]
                    after -= part
                else:
                    order.append(part)
                    after = len(old) - old[::-1].index(part) if part in old else len(old)
            assert [known[number] for number in order] == picture
            for number in [*known] if len(known) > kept else ():
                if len(known) <= kept * 3 // 4:
                    break
                if number not in order:
                    del known[number]


def test_parts_that_come_back_are_not_sent_again():
    page, one, other = PageParts(KEEPS), ["a", "b", "c"], ["a", "x", "c"]
    assert page.take(one, marks_of(one)) == ("a", "b", "c")
    assert page.take(one, marks_of(one)) == ()
    assert page.take(other, marks_of(other)) == (-1, "x", -1)
    assert page.take(one, marks_of(one)) == (-1, 1, 2)


def test_a_page_that_keeps_nothing_gets_each_picture_whole():
    for picture, sent in played(0, 20):
        assert sent in ((), tuple(picture))
