"""A whole lesson with real browsers: two phones, the teacher, the wall."""

import pytest

from lesson.lesson import whole_lesson


# Before landing, `tests/web/test_classes.py` holds this lesson by sockets. `test_classes.py`, `test_debrief.py` and
# `test_class_report.py` show its pages in browsers.
@pytest.mark.slow
@pytest.mark.whole
async def test_a_whole_lesson_in_browsers_from_the_preparation_to_the_report(tmp_path, monkeypatch, chromium):
    """`make lesson` does so with 28 pupils, six of them with browsers, and 280 changes."""
    found = await whole_lesson(tmp_path, monkeypatch, 4, 8, pace=0.05, chromium=chromium, browsers=2)
    assert not found.failures(), "\n".join(found.lines())
    assert (found.changes.total(), found.in_browsers) == (8, 4)
    assert all((found.moves["socket"], found.moves["browser"], found.heard, found.slides, found.rows))
    assert found.slipped in {0, 4}  # nothing may have been missed


@pytest.mark.slow
@pytest.mark.whole  # `tests/web/test_classes.py` plays to the end without browsers
@pytest.mark.parametrize("lang", ["it", "fr"])
async def test_a_class_of_eight_in_another_language_plays_to_the_end(tmp_path, monkeypatch, chromium, lang):
    """The tables end by the game's rules. The words that teacher and wall wait for are the language's own."""
    found = await whole_lesson(
        tmp_path, monkeypatch, 8, 0, pace=0.05, chromium=chromium, browsers=2, lang=lang, to_the_end=True
    )
    assert not found.failures(), "\n".join(found.lines())
    assert found.ended == 2
    assert all((found.moves["socket"], found.moves["browser"], found.heard, found.slides, found.rows))
    assert found.slipped in {0, 8}  # nothing may have been missed
