"""CITATION.cff keeps to the Citation File Format 1.2.0, and says the same as the package."""

import datetime as dt
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import version  # noqa: E402  # ty: ignore[import-not-found]

# https://github.com/citation-file-format/citation-file-format/blob/1.2.0/schema.json: a work's keys and their forms
REQUIRED = {"authors", "cff-version", "message", "title"}
ADDRESS = re.compile(r"(https|http|ftp|sftp)://\S+")
PERSON = {
    *("address", "affiliation", "alias", "city", "country", "email", "family-names", "fax", "given-names"),
    *("name-particle", "name-suffix", "orcid", "post-code", "region", "tel", "website"),
}
ENTITY = PERSON - {"affiliation", "family-names", "given-names", "name-particle", "name-suffix"} | {
    *("date-end", "date-start", "location", "name"),
}
FORMS = {
    "abstract": str, "authors": list, "cff-version": re.compile(r"1\.2\.0"), "commit": str, "contact": list,
    "date-released": dt.date, "doi": re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+"),
    "identifiers": list, "keywords": list, "license": re.compile(r"Apache-2\.0"), "license-url": ADDRESS,
    "message": str, "preferred-citation": dict, "references": list, "repository": ADDRESS,
    "repository-artifact": ADDRESS, "repository-code": ADDRESS, "title": str, "type": re.compile("software|dataset"),
    "url": ADDRESS, "version": re.compile(r".+"),
}  # fmt: skip


def wrong(work):
    """What the format does not allow, key by key."""
    found = dict.fromkeys(REQUIRED - work.keys(), "is missing")
    for key, value in work.items():
        form = FORMS.get(key)
        if form is None:
            found[key] = "is unknown"
        elif isinstance(form, re.Pattern):
            if not isinstance(value, str) or not form.fullmatch(value):
                found[key] = "has another form"
        elif not isinstance(value, form) or not value:
            found[key] = "is of another type"
    people = [one for key in ("authors", "contact") if isinstance(work.get(key), list) for one in work[key]]
    for one in people:
        if not (one.keys() <= PERSON or ("name" in one and one.keys() <= ENTITY)):
            found["authors"] = "are neither persons nor entities"
    keywords = work.get("keywords", [])
    if len({*keywords}) < len(keywords) or not all(isinstance(one, str) for one in keywords):
        found["keywords"] = "are not different texts"
    return found


@pytest.fixture
def cited():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def test_the_citation_keeps_to_the_format(cited):
    assert wrong(cited) == {}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(
            ("authors", []),
            ("authors", [{"full-name": "Ada"}]),
            ("cff-version", 1.2),
            ("doi", "https://doi.org/10.1/x"),
        ),
        *(("homepage", "https://example.org"), ("keywords", ["a", "a"]), ("url", "example.org"), ("title", None)),
        ("date-released", "soon"),
    ],
)
def test_what_the_format_does_not_allow_is_found(cited, key, value):
    assert key in wrong({**cited, key: value})


def test_it_says_what_the_package_says(cited):
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert cited["version"] == version.NEXT
    assert [one["name"] for one in cited["authors"]] == [one["name"] for one in package["authors"]]
    assert cited["license"] in package["license"]


def test_the_paper_tells_no_figure_of_its_own():
    pages = (ROOT / "docs" / "answers").glob("*.md")
    known = {figure for page in pages for figure in re.findall(r"[+−]?\d+\.\d+", page.read_text("utf-8"))}
    _, _, told = (ROOT / "docs" / "paper.md").read_text("utf-8").partition("## Findings")
    figures = re.findall(r"[+−]?\d+\.\d+", told.partition("## Quality control")[0])
    assert len(figures) > 10
    assert {*figures} <= known
