"""A text in several languages: what files have of it, and what readers of other languages get."""

import pickle

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.decks.text import NOTHING, Text, same, together


@given(st.text(), st.text())
def test_the_json_of_a_text_is_its_two_languages(de, en):
    plain = msgspec.json.encode({"de": de, "en": en})
    assert msgspec.json.encode(Text(de, en)) == plain
    assert msgspec.json.decode(plain, type=Text) == Text(de, en)


@given(st.text(min_size=1))
def test_what_is_missing_falls_back(said):
    for text, lang, other in ((Text(said, ""), "de", "en"), (Text("", said), "en", "de")):
        assert (text[lang], text[other], text.first) == (said, said, said)
        assert (text.given(lang), text.given(other)) == (lang, lang)
        assert text.languages == (lang,)
        assert text[f"{other}-x-{lang}"] == said


def test_a_name_is_in_every_language():
    assert same("1903") == Text("1903", "1903")
    assert same("1903").given("en") == "en"
    assert (NOTHING["de"], NOTHING.given("de")) == ("", "de")


def test_a_page_hears_of_another_language():
    text = Text("Ein <Flug>", "")
    assert text.spoken("de") == text.spoken("en") == "Ein <Flug>"
    assert not hasattr(text.spoken("de"), "__html__")
    spoken = pickle.loads(pickle.dumps(text.spoken("en")))
    assert spoken.__html__() == '<span lang="de">Ein &lt;Flug&gt;</span>'
    assert not hasattr(same("1903").spoken("en"), "__html__")


def test_texts_are_ordered_compared_and_pickled():
    one, other = Text("a", "b"), Text("a", "c")
    assert one < other
    assert {one: 1}[Text("a", "b")] == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.each(str.upper) == Text("A", "B")
    assert together(lambda lang: one[lang] + other[lang], one, other) == Text("aa", "bc")
