"""The grammar of dates, worked out by hand; the years as people count them stand in the comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.decks.dates import (
    ERAS,
    Span,
    certainly_later,
    parse,
    read_date,
    read_recorded,
    recorded,
    years,
)
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
AS_PEOPLE_WRITE = [
    # the era before the year, in English alone
    ("AD 105", 105, 105),
    ("around AD 79", 74, 84),
    # years cut short
    ("1848/49", 1848, 1849),
    ("1789/90", 1789, 1790),
    ("1618-48", 1618, 1648),
    ("1618–48", 1618, 1648),
    ("1899/00", 1899, 1900),  # the winter
    ("1905/06", 1905, 1906),  # likewise: nobody means June
    ("1905–08", 1905, 1908),  # months have no such dash
    ("1848/1849", 1848, 1849),
    ("793/94", 793, 794),
    ("105-17 n. Chr.", 105, 117),
    ("44/43 v. Chr.", -43, -42),
    ("218/17 BC", -217, -216),
    # the hundred years before a year or after it
    ("vor 1500", 1400, 1499),
    ("before 1500", 1400, 1499),
    ("nach 300", 301, 400),
    ("after 300", 301, 400),
    ("vor 44 v. Chr.", -143, -44),  # 144 to 45 BC
    ("nach 44 BC", -42, 57),  # 43 BC to AD 57
    ("before AD 79", -21, 78),
    # thirds of a century
    ("Anfang 15. Jh.", 1401, 1433),
    ("Mitte 15. Jh.", 1434, 1467),
    ("Ende 15. Jh.", 1468, 1500),
    ("Anfang des 15. Jahrhunderts", 1401, 1433),
    ("spätes 15. Jh.", 1468, 1500),
    ("early 15th century", 1401, 1433),
    ("mid 15th c.", 1434, 1467),
    ("mid-15th century", 1434, 1467),
    ("late 15th century", 1468, 1500),
    ("end of the 15th century", 1468, 1500),
    ("Anfang 5. Jh. v. Chr.", -499, -467),  # 500 to 468 BC
    # halves
    ("1. Hälfte 19. Jh.", 1801, 1850),
    ("2. Hälfte 19. Jh.", 1851, 1900),
    ("zweite Hälfte des 19. Jahrhunderts", 1851, 1900),
    ("first half of the 19th century", 1801, 1850),
    ("2nd half of the 19th c.", 1851, 1900),
    ("2. Hälfte 1. Jh. v. Chr.", -49, 0),  # 50 to 1 BC
    # months and days: the year counts
    ("Mai 1933", 1933, 1933),
    ("May 1933", 1933, 1933),
    ("Jan. 1933", 1933, 1933),
    ("12.5.1949", 1949, 1949),
    ("12. 05. 1949", 1949, 1949),
    ("12. Mai 1949", 1949, 1949),
    ("12 May 1949", 1949, 1949),
    ("12th May 1949", 1949, 1949),
    ("May 12, 1949", 1949, 1949),
    ("1949-05-12", 1949, 1949),  # as spreadsheets write a day
    ("15. März 44 v. Chr.", -43, -43),
    ("29.2.1900", 1900, 1900),  # there was one in some calendars
]


@pytest.mark.parametrize(("text", "start", "end"), READ + AS_PEOPLE_WRITE)
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
    ("Sommer 1776", "is not a date"),
    ("yesterday", "is not a date"),
    ("BC 44", "has the era before"),
    ("v. Chr. 44", "has the era before"),
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
    ("1903—1907", "write - or –"),
    ("1903−1907", "write - or –"),
    ("1903 bis 1907", "write - or –"),
    ("1903 to 1907", "write - or –"),
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
    # what could mean two things
    ("1905-08", "a month or a span"),
    ("1905-06", "a month or a span"),
    ("1905/08", "a month or a span"),
    ("1848-03", "a month or a span"),
    ("911-18", "may be BC or AD"),
    ("5/1949", "in several ways"),
    ("3/8", "in several ways"),
    ("1848/9", "in several ways"),
    ("12.5.49", "any century"),
    ("Mai 33", "any century"),
    ("12/5/1949", "is not a date"),
    ("31.2.1949", "not a day"),
    ("12.13.1949", "not a day"),
    ("0.5.1949", "not a day"),
    ("1949-13-01", "not a day"),
    ("1848-47", "backwards"),
    ("1848/1847", "backwards"),
    ("43/44 v. Chr.", "backwards"),
    ("vor 5000 Jahren", "on today’s date"),
    ("500 years ago", "on today’s date"),
    ("vor 5. Jh.", "is not a date"),
    ("3. Hälfte 19. Jh.", "is not a date"),
    ("Anfang 1848", "is not a date"),
    ("mid-11st c.", "is written 11th"),
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
    ("44 v.Chr.-42 v.Chr.", f"44–42{NB}v.{NB}Chr.", f"44–42{NB}BC"),
    ("44 BCE", f"44{NB}v.{NB}u.{NB}Z.", f"44{NB}BCE"),
    ("79 n.Chr.", f"79{NB}n.{NB}Chr.", f"79{NB}AD"),
    ("AD 105", f"105{NB}n.{NB}u.{NB}Z.", "AD 105"),
    ("1848/49", "1848/49", "1848/49"),
    ("1618-48", "1618–48", "1618–48"),
    ("218/17 v. Chr.", f"218/17{NB}v.{NB}Chr.", f"218/17{NB}BC"),
    ("before 1500", "vor 1500", "before 1500"),
    ("Anfang des 15. Jahrhunderts", "Anfang des 15. Jahrhunderts", "early 15th century"),
    ("mid-15th c.", "Mitte 15. Jh.", "mid-15th c."),
    ("1. Hälfte 5. Jh. v. Chr.", f"1. Hälfte 5. Jh. v.{NB}Chr.", "first half of the 5th c. BC"),
    ("Mai 1933", "Mai 1933", "May 1933"),
    ("12. 5. 1949", "12.5.1949", "12 May 1949"),
    ("May 12, 1949", "12. Mai 1949", "12 May 1949"),
    ("8 BC–3", f"8{NB}v.{NB}u.{NB}Z.–3{NB}n.{NB}u.{NB}Z.", f"8{NB}BC–3{NB}AD"),
    ("ca. 1900", "ca. 1900", "around 1900"),
    ("c. 240 BC", f"um 240{NB}v.{NB}u.{NB}Z.", f"c. 240{NB}BC"),
    ("20th century", "20. Jahrhundert", "20th century"),
    ("8.Jh.v.u.Z.", f"8. Jh. v.{NB}u.{NB}Z.", "8th c. BC"),
    ("1. Jt. v.u.Z.", f"1. Jahrtausend v.{NB}u.{NB}Z.", "1st millennium BC"),
    ("1960s", "1960er", "1960s"),
]


@pytest.mark.parametrize(("text", "de", "en"), WRITTEN)
def test_written_in_both_languages(text, de, en):
    date = read_date(text)
    assert (date.text["de"], date.text["en"]) == (de, en)


def test_an_editor_shows_the_years_it_has_read():
    assert years(parse("44 v.u.Z.–42"))["en"] == f"44{NB}BC–42{NB}AD"
    assert years(parse("um 3 v.u.Z."))["de"] == f"8{NB}v.{NB}u.{NB}Z.–3{NB}n.{NB}u.{NB}Z."
    assert years(parse("8th c. BC"))["en"] == f"800–701{NB}BC"
    assert years(parse("1960er"))["de"] == "1960–1969"


def test_a_deck_may_choose_what_it_calls_the_eras():
    assert read_date("44 v. Chr.", "v. u. Z.").text["de"] == f"44{NB}v.{NB}u.{NB}Z."
    assert read_date("44 v. Chr.", "v. u. Z.").text["en"] == f"44{NB}BCE"
    assert read_date("44 v.u.Z.", "v. Chr.").text["de"] == f"44{NB}v.{NB}Chr."
    assert read_date("Ende 5. Jh. v.u.Z.", "v. Chr.").years["de"] == f"433–401{NB}v.{NB}Chr."


number = st.integers(1, 9999)
year = st.integers(1000, 9999)
hundred = st.integers(1, 99)
before = st.sampled_from([" v.u.Z.", " BC", " v. Chr.", " BCE"])
era = st.sampled_from(["", " v.u.Z.", " BC", " v. Chr.", " n.Chr.", "CE"])
word = st.sampled_from(["um", "ca.", "about", "vor", "nach", "before", "after"])
part = st.sampled_from(["Anfang", "Mitte", "Ende", "spätes", "1. Hälfte", "zweite Hälfte"])
month = st.sampled_from(["Januar", "May", "Mär.", "September", "oct"])
ordinal = st.sampled_from(["21st", "2nd", "3rd", "15th", "1st"])
dates = st.one_of(
    st.builds("{}{}".format, number, era),
    st.builds("AD {}".format, number),
    st.builds("{} {}{}".format, word, number, era),
    st.builds("{}. Jh.{}".format, hundred, era),
    st.builds("{} {}. Jh.{}".format, part, hundred, era),
    st.builds("{} des {}. Jahrhunderts{}".format, st.sampled_from(["Ende", "2. Hälfte"]), hundred, era),
    st.builds("{}{} century".format, st.sampled_from(["", "mid-", "late ", "first half of the "]), ordinal),
    st.builds("{}. Jahrtausend{}".format, st.integers(1, 12), era),
    st.builds("{}0er".format, st.integers(11, 300).filter(lambda n: n % 10)),
    st.builds(lambda a, b: f"{min(a, b)}–{max(a, b)}", year, year),
    st.builds(lambda a, b, e: f"{max(a, b)}–{min(a, b)}{e}", number, number, before),
    st.builds(lambda a, b, e: f"{a}{e}–{b}", number, number, before),
    st.builds(lambda a: f"{a}/{(a + 1) % 100:02}", year),
    st.builds(lambda a, e: f"{a + 1}/{a}{e}", st.integers(100, 998), before),
    st.builds(lambda a, b: f"{a}–{a % 100 + b}", year.filter(lambda a: a % 100 < 90), st.integers(1, 9)).filter(
        lambda text: len(text.partition("–")[2]) == 2
    ),
    st.builds("{} {}".format, month, year),
    st.builds("{}. {} {}{}".format, st.integers(1, 28), month, year, era),
    st.builds("{}.{}.{}".format, st.integers(1, 28), st.integers(1, 12), year),
)


@given(dates, st.sampled_from([*ERAS]))
def test_what_is_written_is_read_as_the_same_years(text, eras):
    date = read_date(text, eras)
    assert date.span == parse(text)
    for lang in ("de", "en"):
        again = read_date(date.text[lang], eras)
        assert again.span == date.span
        assert again.text[lang] == date.text[lang]  # and written once more as it is
        assert parse(date.years[lang]) == date.span


@given(dates)
def test_a_record_has_each_date_in_the_grammar_of_the_rules(text):
    assert read_recorded(recorded(text)).span == parse(text)


@pytest.mark.parametrize(
    "text", ["AD 105", "1848/49", "1618-48", "vor 1500", "Mai 1933", "Anfang 15. Jh.", "12.5.1949"]
)
def test_a_record_knows_no_other_forms(text):
    with pytest.raises(Invalid):
        read_recorded(text)


@pytest.mark.parametrize("text", [text for text, *_ in READ])
def test_what_the_rules_know_stands_in_a_record_as_it_is_written(text):
    assert recorded(text) == text


@given(st.integers(-3000, 3000), st.integers(0, 2000))
def test_years_are_read_as_the_same_span_and_never_show_a_year_0(start, length):
    span = Span(start, start + length)
    for text in (years(span)["de"], years(span)["en"]):
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
