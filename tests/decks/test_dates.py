"""The grammar of dates, worked out by hand; the years as people count them stand in the comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.decks.dates import Span, certainly_later, parse, read_date, years
from spieltisch.game import Invalid

NB = "\u00a0"

READ = [
    # years
    ("1903", 1903, 1903),
    ("1", 1, 1),
    ("1 v.u.Z.", 0, 0),
    ("2 BC", -1, -1),
    ("44 v.u.Z.", -43, -43),
    ("44 v. u. Z.", -43, -43),
    ("44 v.Chr.", -43, -43),
    ("44 v. Chr.", -43, -43),
    ("44 BC", -43, -43),
    ("44 BCE", -43, -43),
    ("44BC", -43, -43),
    ("44v.u.Z.", -43, -43),
    ("79 n.Chr.", 79, 79),
    ("79 n. Chr.", 79, 79),
    ("79 n.u.Z.", 79, 79),
    ("79 n. u. Z.", 79, 79),
    ("79 AD", 79, 79),
    ("79 CE", 79, 79),
    # letter case is free
    ("44 bc", -43, -43),
    ("44 V.U.Z.", -43, -43),
    ("UM 1900", 1895, 1905),
    ("20. JH.", 1901, 2000),
    ("1960S", 1960, 1969),
    # blanks of any kind, or none
    ("44\u00a0v.\u202fu.\u2009Z.", -43, -43),
    ("  44   v.u.Z. ", -43, -43),
    # spans
    ("1903–1907", 1903, 1907),
    ("1903-1907", 1903, 1907),
    ("1903 – 1907", 1903, 1907),
    ("1903–1903", 1903, 1903),
    ("44–42 v.u.Z.", -43, -41),  # the era at the end holds for both
    ("44–42 BC", -43, -41),
    ("44 BC–42 BC", -43, -41),
    ("8 v.u.Z.–3", -7, 3),
    ("44 v.u.Z.–42", -43, 42),  # 44 BC to AD 42
    ("8 BC – 3 AD", -7, 3),
    ("3–8 n.Chr.", 3, 8),
    # around
    ("um 1900", 1895, 1905),
    ("um1900", 1895, 1905),
    ("ca. 1900", 1895, 1905),
    ("ca 1900", 1895, 1905),
    ("circa 1900", 1895, 1905),
    ("c. 1900", 1895, 1905),
    ("around 1900", 1895, 1905),
    ("about 1900", 1895, 1905),
    ("um 3 v.u.Z.", -7, 3),  # 8 BC to AD 3
    ("um 3", -2, 8),  # 3 BC to 8
    ("around 240 BC", -244, -234),  # 245 to 235 BC
    ("um 79 n.Chr.", 74, 84),
    # centuries, from year 01 to year 00
    ("20. Jh.", 1901, 2000),
    ("5.Jh.", 401, 500),
    ("5. Jahrhundert", 401, 500),
    ("5th c.", 401, 500),
    ("5th century", 401, 500),
    ("1. Jh.", 1, 100),
    ("1st c. BC", -99, 0),  # 100 to 1 BC
    ("8. Jh. v.u.Z.", -799, -700),  # 800 to 701 BC
    ("8.Jh.v.u.Z.", -799, -700),
    ("8th c. BC", -799, -700),
    ("8th century BCE", -799, -700),
    ("5th c. AD", 401, 500),
    ("21st c.", 2001, 2100),
    ("2nd c.", 101, 200),
    ("3rd century", 201, 300),
    ("11th c.", 1001, 1100),
    ("12th c.", 1101, 1200),
    ("13th c.", 1201, 1300),
    # millennia
    ("1. Jahrtausend v.u.Z.", -999, 0),  # 1000 to 1 BC
    ("1. Jt. v. Chr.", -999, 0),
    ("1.Jt.", 1, 1000),
    ("1st millennium BC", -999, 0),
    ("2nd millennium", 1001, 2000),
    ("3. Jahrtausend v.u.Z.", -2999, -2000),
    # decades
    ("1960er", 1960, 1969),
    ("1960s", 1960, 1969),
    ("110er", 110, 119),
]


@pytest.mark.parametrize(("text", "start", "end"), READ)
def test_read(text, start, end):
    assert parse(text) == Span(start, end)


REFUSED = [
    ("", "missing"),
    ("  ", "missing"),
    ("0", "no year"),
    ("00", "no year"),
    ("0 BC", "no year"),
    ("0. Jh.", "no year"),
    ("0–5", "no year"),
    ("um 0", "no year"),
    ("0044", "without a zero"),
    ("-44", "is not a date"),
    ("+44", "is not a date"),
    ("19 03", "is not a date"),
    ("1 900", "is not a date"),
    ("1.900", "is not a date"),
    ("1903.5", "is not a date"),
    ("MCMIII", "is not a date"),
    ("19²", "is not a date"),
    ("١٩٠٣", "is not a date"),
    ("1903?", "is not a date"),
    ("4. Juli 1776", "is not a date"),
    ("yesterday", "is not a date"),
    ("BC 44", "the era stands before"),
    ("AD 79", "the era stands before"),
    ("v. Chr. 44", "the era stands before"),
    ("44 B C", "is not a date"),
    ("44 B.C.", "is not a date"),
    ("44 v u Z", "is not a date"),
    ("44 BC AD", "is not a date"),
    ("44 v.", "is not a date"),
    ("1907–1903", "backwards"),
    ("42–44 BC", "backwards"),
    ("42 BC–44 BC", "backwards"),
    ("3–8 BC", "backwards"),
    ("3 AD–8 BC", "backwards"),
    ("8–3 AD", "backwards"),
    ("1903–", "is not a date"),
    ("–1903", "is not a date"),
    ("1903–1905–1907", "is not a date"),
    ("1903—1907", "stands - or –"),
    ("1903−1907", "stands - or –"),
    ("1903 bis 1907", "stands - or –"),
    ("1903 to 1907", "stands - or –"),
    ("um 1903–1907", "single year"),
    ("um 5. Jh.", "single year"),
    ("around 5th c. BC", "single year"),
    ("um 1960er", "single year"),
    ("1900 um", "is not a date"),
    ("um", "is not a date"),
    ("c 1900", "is not a date"),
    ("5 Jh.", "is not a date"),
    ("5. Jh", "is not a date"),
    ("5. J h.", "is not a date"),
    ("5th c", "is not a date"),
    ("5. c.", "is not a date"),
    ("5th Jh.", "is not a date"),
    ("5 th c.", "is not a date"),
    ("V. Jh.", "is not a date"),
    ("5.–6. Jh.", "is not a date"),
    ("2th c.", "is written 2nd"),
    ("11st c.", "is written 11th"),
    ("1nd millennium", "is written 1st"),
    ("1900er", "decade or a century"),
    ("1900s", "decade or a century"),
    ("2000er", "decade or a century"),
    ("100s", "decade or a century"),
    ("1965er", "ends in 0"),
    ("1965s", "ends in 0"),
    ("60er", "any century"),
    ("90s", "any century"),
    ("1960 er", "is not a date"),
    ("1960's", "is not a date"),
    ("1960ies", "is not a date"),
    ("1960s BC", "has no era"),
    ("1960ſ", "is not a date"),  # a letter that only folds to an s
    ("9" * 12, "digits"),
    ("9" * 61, "characters"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_refused_with_a_reason(text, reason):
    with pytest.raises(Invalid) as refusal:
        parse(text)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


WRITTEN = [
    ("1903", "1903", "1903"),
    ("44 bc", f"44{NB}v.{NB}u.{NB}Z.", f"44{NB}BC"),
    ("1903-1907", "1903–1907", "1903–1907"),
    ("44 v.Chr.-42 v.Chr.", f"44–42{NB}v.{NB}u.{NB}Z.", f"44–42{NB}BC"),
    ("8 BC–3", f"8{NB}v.{NB}u.{NB}Z.–3{NB}n.{NB}u.{NB}Z.", f"8{NB}BC–3{NB}AD"),
    ("ca. 1900", "um 1900", "around 1900"),
    ("c. 240 BC", f"um 240{NB}v.{NB}u.{NB}Z.", f"around 240{NB}BC"),
    ("20th century", "20. Jh.", "20th c."),
    ("8.Jh.v.u.Z.", f"8. Jh. v.{NB}u.{NB}Z.", "8th c. BC"),
    ("1. Jt. v.u.Z.", f"1. Jahrtausend v.{NB}u.{NB}Z.", "1st millennium BC"),
    ("1960s", "1960er", "1960s"),
]


@pytest.mark.parametrize(("text", "de", "en"), WRITTEN)
def test_written_in_both_languages(text, de, en):
    date = read_date(text)
    assert (date.text.de, date.text.en) == (de, en)


def test_an_editor_shows_the_years_it_has_read():
    assert years(parse("44 v.u.Z.–42")).en == f"44{NB}BC–42{NB}AD"
    assert years(parse("um 3 v.u.Z.")).de == f"8{NB}v.{NB}u.{NB}Z.–3{NB}n.{NB}u.{NB}Z."
    assert years(parse("8th c. BC")).en == f"800–701{NB}BC"
    assert years(parse("1960er")).de == "1960–1969"


number = st.integers(1, 9999)
era = st.sampled_from(["", " v.u.Z.", " BC", " n.Chr.", "CE"])
dates = st.one_of(
    st.builds("{}{}".format, number, era),
    st.builds(lambda word, n, e: f"{word} {n}{e}", st.sampled_from(["um", "ca.", "about"]), number, era),
    st.builds(lambda n, e: f"{n}. Jh.{e}", st.integers(1, 99), era),
    st.builds(lambda n, e: f"{n}. Jahrtausend{e}", st.integers(1, 12), era),
    st.builds("{}0er".format, st.integers(11, 300).filter(lambda n: n % 10)),
    st.builds(lambda a, b: f"{min(a, b)}–{max(a, b)}", number, number),
    st.builds(lambda a, b: f"{max(a, b)}–{min(a, b)} BC", number, number),
    st.builds(lambda a, b: f"{a} BC–{b}", number, number),
)


@given(dates)
def test_what_is_written_is_read_as_the_same_years(text):
    date = read_date(text)
    for written in (date.text.de, date.text.en):
        assert read_date(written) == date


@given(st.integers(-3000, 3000), st.integers(0, 2000))
def test_years_are_read_as_the_same_span_and_never_show_a_year_0(start, length):
    span = Span(start, start + length)
    for text in (years(span).de, years(span).en):
        assert parse(text) == span
        assert not any(part == "0" for part in text.replace("–", NB).split(NB))


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text):
    try:
        span = parse(text)
    except Invalid:
        return
    assert span.start <= span.end


def test_overlap_is_in_favour_of_the_chain():
    eighth, year, millennium = parse("8th c. BC"), parse("805 BC"), parse("1st millennium BC")
    assert certainly_later(eighth, year)  # so 805 BC stands before the 8th century
    assert not certainly_later(year, eighth)
    assert not any(certainly_later(a, millennium) or certainly_later(millennium, a) for a in (eighth, year))
    assert not certainly_later(parse("1987"), parse("1987"))
    assert certainly_later(parse("1991"), parse("1987"))
