"""How Sphinx builds the site: `make docs`, into build/docs, with warnings as errors.

The pages are Markdown (MyST), those about code come from docstrings. Nothing is loaded from another host: the theme
brings no web font, search is one file beside the pages, and `tests/docs/test_site.py` looks for addresses.
"""

from functools import cache
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.search.de import SearchGerman
from sphinx.search.en import SearchEnglish

import spieltisch

project = "Spieltisch"
author = "the makers of Spieltisch"
project_copyright = "the makers of Spieltisch; texts under CC BY-SA 4.0"
release = version = spieltisch.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["status.md"]  # what is open, for those who work on it

myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]

# Docstrings are prose in which `one backtick` marks code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_preserve_defaults = True
autodoc_use_type_comments = False  # to look for some takes time, and there are none
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

# Every name in a signature leads somewhere, but for those of others and for type variables.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(collections\.abc|contextlib|datetime|gettext|msgspec|os|pathlib|random|types|typing)\..+"),
    ("py:.*", r"spieltisch\.decks\..+"),  # decks are described in a page of their own
    ("py:.*", r"spieltisch\.\w+\.[A-Z](_co|_contra)?"),
    ("py:.*", r"spieltisch\.study\.workers\.[PR]"),
    ("py:.*", r"spieltisch\.study\.environments\..+"),  # environments are described in a page of their own
    ("py:.*", r"spieltisch\.languages\..+"),  # languages, too
    ("py:.*", r"spieltisch\.games\.\w+\.(options|state)\..+"),  # actions of games, which their rules describe
    ("py:class", r"spieltisch\.games\.adaman\.decktet\.Deck|spieltisch\.brief\.Brief"),
    ("py:class", "Adaman|AnnoDomini|HicHaecHoc|Trailblaze"),  # matches of these games, for type checkers
    ("py:class", r"(pd|pl)\.DataFrame"),  # of pandas and polars
    ("py:.*", r"spieltisch\.table\.session\..+"),  # only the host makes tables
    ("py:class", "Asked|Card|Counts|Finding|Note|Random|Scene|Span|Stats|Task"),  # types of decks.base_kind
    ("py:class", "array"),  # of the standard library
    ("py:class", "Server"),  # the arena's own, which is begun where a program wants one
]

html_theme = "furo"
html_title = "Spieltisch"
html_favicon = "../src/spieltisch/web/core/static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_language = "both"
html_search_scorer = str(Path(__file__).with_name("search.js"))
html_show_sphinx = False
html_show_search_summary = False  # excerpts would have to be fetched, which fails without a server
html_theme_options = {  # the table's own colours, in its two lights
    "light_css_variables": {
        "color-brand-primary": "#0d5a6c",
        "color-brand-content": "#0d5a6c",
        "color-brand-visited": "#6a2c62",
        "color-foreground-primary": "#17211e",
        "color-foreground-secondary": "#46524e",
        "color-background-secondary": "#eef1ed",
        "font-stack": '"Helvetica Neue", Helvetica, "Nimbus Sans", Arial, system-ui, sans-serif',
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fcbdd",
        "color-brand-content": "#7fcbdd",
        "color-brand-visited": "#e0a6d5",
        "color-foreground-primary": "#f2efe6",
        "color-foreground-secondary": "#bcc6c0",
        "color-background-primary": "#16211e",
        "color-background-secondary": "#1d2a26",
    },
}


class SearchBoth(SearchEnglish):
    """English and German pages have one index; questions in both languages have words that say nothing."""

    lang = "both"
    stopwords = SearchEnglish.stopwords | SearchGerman.stopwords

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stems = cache(super().stem)  # the stemmer is slow, and most words come again

    def stem(self, word: str) -> str:
        return self._stems(word)


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)
    app.add_search_language(SearchBoth)
