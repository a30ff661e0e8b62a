"""The two READMEs say the same, and what they show is there: pictures, a film of twenty seconds, links."""

import re
import struct
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools/films"))

import animation  # noqa: E402  # ty: ignore[import-not-found]

PAGES = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "README.de.md")}
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]*)\)")


def anchors(page):
    """What links to headings of a page name them."""
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in re.findall("^#+ (.+)", page, re.MULTILINE)}


def frames(webp):
    """The ms of each picture of an animation."""
    assert webp[:4] == b"RIFF"
    assert webp[8:12] == b"WEBP"
    assert struct.unpack("<I", webp[4:8])[0] == len(webp) - 8
    at = 12
    while at < len(webp):
        name, size = webp[at : at + 4], struct.unpack("<I", webp[at + 4 : at + 8])[0]
        if name == b"ANMF":
            yield int.from_bytes(webp[at + 20 : at + 23], "little")
        at += 8 + size + size % 2


@pytest.mark.parametrize("name", PAGES)
def test_what_it_links_to_is_there_and_nothing_is_foreign(name):
    links = LINK.findall(PAGES[name])
    assert len(links) >= 10
    for _, target in links:
        file, _, anchor = target.partition("#")
        assert (ROOT / (file or name)).is_file(), target
        assert not anchor or anchor in anchors((ROOT / (file or name)).read_text("utf-8")), target


def test_both_say_the_same():
    kinds = ("#", "- **", "```")
    shapes = [[line.split(" ")[0] for line in page.splitlines() if line.startswith(kinds)] for page in PAGES.values()]
    assert shapes[0] == shapes[1]
    links = [
        [
            to.partition("#")[0].replace("docs/de/", "docs/")
            for picture, to in LINK.findall(page)
            if not picture and "README" not in to
        ]
        for page in PAGES.values()
    ]
    assert links[0] == links[1]


@pytest.mark.parametrize("name", PAGES)
def test_each_door_has_five_lines(name):
    doors = re.findall(r"^## .+\n\n((?:- .+\n(?:  .+\n)*)+)", PAGES[name], re.MULTILINE)[:3]
    assert [len(re.findall("^- ", door, re.MULTILINE)) for door in doors] == [5, 5, 5]


@pytest.mark.parametrize("name", PAGES)
def test_the_film_is_twenty_seconds_and_small(name):
    (still, film) = (ROOT / target for picture, target in LINK.findall(PAGES[name]) if picture)
    assert still.stat().st_size < 300_000
    assert film.stat().st_size < 2_000_000
    times = [*frames(film.read_bytes())]
    assert len(times) > 20
    assert 19_000 < sum(times) <= 20_500


def test_an_animation_is_put_together():
    still = b"RIFF\0\0\0\0WEBP" + animation.chunk(b"VP8 ", b"abc")
    made = animation.animated([animation.Frame(still, 2, 4, 6, 8, ms) for ms in (100, 300)], 10, 12)
    assert [*frames(made)] == [100, 300]
    assert made.count(b"VP8 \3\0\0\0abc\0") == 2
    with pytest.raises(ValueError, match="no lossy picture"):
        animation.image(b"RIFF\0\0\0\0WEBP")
