"""Words that were given up: each thing has one name, in every catalog, lesson, rule book and page."""

import re

import pytest

from spieltisch import games, i18n
from spieltisch.game import Invalid
from spieltisch.games.trailblaze.page import PATTERNS
from web.test_texts import SOURCE

FILES = [
    file
    for pattern in ("*.po", "lesson.toml", "rules/*.md", "templates/*.html", "box.toml")
    for file in SOURCE.rglob(pattern)
]
GIVEN_UP = {
    r"tap of its own|eigenem Tipp": "Confirm moves, Zug bestätigen",
    r"The bonus stone was wrong|Auch der Bonusstein": "your bonus stone, and “too” only beside another mistake",
    r"to act\b": "their turn",
    r"der Zufallstreffen": "das Zufallstreffen",
    r"every \{m\}th": "one in {m}",
    r"ist ein Tag": "genauer als ein Jahr",
    r"mit je \{each\} Karten": "pro Person: {each}",
    r"Kartenspiele\b|[Dd]ein Kartenspiel": "Decks",
    r"ein Zeichen mit|gleiches Zeichen": "Farbe",
    r"\bder Fall\b|\bden Fall\b|\bFälle\b|Fall und Zahl|Geschlecht": "Kasus, Numerus, Genus",
    r"If a time is set, no|Läuft eine Zeit, heißt": "the seconds left",
}


@pytest.mark.parametrize("words", GIVEN_UP)
def test_words_that_were_given_up(words):
    found = [
        f"{file.relative_to(SOURCE)}: {line.strip()[:120]}"
        for file in FILES
        for line in file.read_text("utf-8").splitlines()
        if re.search(words, line)
    ]
    assert not found, f"{GIVEN_UP[words]} instead of this"


def test_a_pattern_is_not_called_what_counts():
    german = i18n.package_catalog(games.package("trailblaze").folder, "de")
    assert "Tupfen" in [german.gettext(one) for one in PATTERNS if one]
    assert "Punkte" not in [german.gettext(one) for one in PATTERNS if one]


@pytest.mark.parametrize("game", games.packages())
def test_how_many_can_play_is_said_as_people_say_it(game):
    package = games.package(game)
    with pytest.raises(Invalid) as refused:
        package.require_seats(99)
    assert "1 to 1" not in str(refused.value)
