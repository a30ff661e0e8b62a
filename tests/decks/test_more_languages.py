"""Decks in languages that are no part of the program: folders that somebody has sent."""

import os
import subprocess
import sys
from pathlib import Path

LANGUAGE = """
name = "Lingua"
english = "Lingua"
birds = ["Avis"]
weekdays = ["Lu", "Ma", "Me", "Jo", "Ve", "Sa", "So"]
months = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
decimal = "·"
percent = "{n} pc"
[pseudonyms]
places = ["Monte"]
animals = ["Lupo"]
"""
HEADINGS = """
[columns]
date = "Quando"
text = "Fatto"
comment = "Nota"
"""
DATES = r"""
months = ["un", "du", "tri", "kvar", "kvin", "ses", "sep", "ok", "naŭ", "dek", "undek", "dekdu"]
short = ["", "", "", "", "", "", "", "", "", "", "", ""]
[eras]
"" = ["aE", "dE"]
[written]
before = "antaŭ {date}"
after = "post {date}"
decade = "{n}-aj"
day = "{day} {month} {date}"
month = "{month} {date}"
century = { short = "{roman} jc.", long = "{roman} jarcento", millennium = "{n}-a jarmilo" }
parts = ["komenco {century}", "mezo {century}", "fino {century}"]
halves = ["unua duono {century}", "dua duono {century}"]
[read]
around = ["ĉirkaŭ"]
before_era = 'aE'
after_era = 'dE'
before = 'antaŭ'
after = 'post'
until = 'ĝis'
ago = 'antaŭ .*jaroj'
decade = '(?P<n>\d+)-aj'
century = '(?P<roman>[IVX]+) (?:(?P<short>jc\.)|(?P<long>jarcento))'
within = '(?P<roman>[IVX]+) (?:(?P<short>jc\.)|(?P<long>jarcento))'
millennium = '(?P<n>\d+)-a (?P<millennium>jarmilo)'
parts = ['komenco', 'mezo', 'fino']
joined = 'de '
halves = ['unua duono ', 'dua duono ']
days = ['{day} {month} ']
"""


def test_decks_in_languages_from_outside(tmp_path):
    for tag in ("qq", "art-lojban"):
        (tmp_path / tag).mkdir()
        (tmp_path / tag / "language.toml").write_text(LANGUAGE, "utf-8")
    (tmp_path / "qq" / "headings.toml").write_text(HEADINGS, "utf-8")
    (tmp_path / "qq" / "dates.toml").write_text(DATES, "utf-8")
    given = {**os.environ, "SPIELTISCH_LANGUAGES": str(tmp_path)}
    tests = Path(__file__).with_name("in_more_languages.py")
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(asked, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
