"""The languages there are: what each of them has, and the choice of one, which a cookie keeps."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import floor

from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import FromQuery
from msgspec import Struct

from spieltisch import games, languages
from spieltisch.decks.library import Asked, Spoken, shipped, spoken
from spieltisch.i18n import Translator, translated
from spieltisch.languages import CHOSEN, LANGUAGES
from spieltisch.web.core import catalog
from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.http.cookies import LANGUAGE
from spieltisch.web.core.http.forms import field, following, read_form
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.home.texts import PLANS


class Tongue(Struct, frozen=True):
    """What a language has. `percent`: of the messages, never 100 unless it has all. `rules`, `plans`: titles of the
    games and of the plans that are written in it; None where it has all of them. `cards`: what it has of the decks that
    are not whole in it.
    """

    tag: str
    name: str
    percent: str
    whole: bool
    read: bool
    rules: str | None
    plans: str | None
    cards: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Return whether nothing of it comes from another language."""
        return self.whole and self.rules is None and self.plans is None and not self.cards


def tongues(decks: Sequence[Spoken], tr: Translator) -> Iterator[Tongue]:
    """Return what each language has, in the reader's words."""
    packages = [one for one in catalog.library(games.packages().values()) if one.rule_book(tr.lang)]
    for tag, one in LANGUAGES.items():
        books = [package for package in packages if (found := package.rule_book(tag)) is not None and found[1] == tag]
        written = [tr._(title) for name, title in PLANS.items() if languages.own_text(tag, f"plans/{name}.md")]
        share = floor(100 * translated(tag)) / 100
        yield Tongue(
            tag, one.name, languages.language(tr.lang).share(share), translated(tag) == 1, bool(one.read_by),
            None if len(books) == len(packages) else ", ".join(catalog.title(book, tr) for book in books),
            None if len(written) == len(PLANS) else " · ".join(written),
            tuple(_cards(decks, tag, tr)),
        )  # fmt: skip


def _cards(decks: Sequence[Spoken], tag: str, tr: Translator) -> Iterator[str]:
    """Return how many cards of each deck a language has, and what stands in for the others; nothing of decks that are
    whole in it, or need no words.
    """
    chain = languages.chain(tr.lang if languages.language(tr.lang).tag == tag else tag)
    foreign: dict[str, list[str]] = {}
    for deck in decks:
        shown: Counter[str] = Counter()
        for said, n in deck.cards:
            if said:
                shown[next((one for one in chain if one in said), said[0])] += n
        title, others = deck.title[tr.lang], ", ".join(tr._(LANGUAGES[one].english) for one in shown if one != tag)
        if others and shown[tag]:
            some = tr._("{title}: {n} of {m} cards, the others in {languages}")
            yield some.format(title=title, n=shown[tag], m=shown.total(), languages=others)
        elif others:
            foreign.setdefault(others, []).append(title)
    for others, titles in foreign.items():
        yield tr._("Cards in {languages}: {titles}").format(languages=others, titles=" · ".join(titles))


@get("/languages", name="languages")
async def overview(services: ServicesHere, client: ClientHere, back: FromQuery[str] = "/") -> Response[object]:
    """Show all languages, what each has, and what stands in for what is missing."""
    own, tr = languages.language(client.lang), client.tr
    library = services.host.library
    decks = await library.reading(lambda: library.ask_each(Asked(spoken, (name,)) for name in shipped()), slow=True)
    every = list(tongues(decks, tr))
    lacks = next(not one.complete for one in every if one.tag == own.tag)
    others = [(f"{own.tag}{CHOSEN}{tag}", tag, one.name) for tag, one in LANGUAGES.items() if tag != own.tag]
    html = services.renderer.render(
        "home/languages.html", tr, heading=tr._("Languages"), back="", here=following([("back", back)]), every=every,
        own=own.tag, others=others if lacks else [], falls=next(iter(languages.chain(client.lang)[1:]), ""),
    )  # fmt: skip
    return page(html)


@post("/language", name="language", status_code=200)
async def choose(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Keep the chosen language."""
    fields = await read_form(request)
    lang = field(fields, "lang")
    if not languages.is_known(lang):
        raise ClientException(status_code=400)
    answer = redirect(services.url(following(fields)))
    answer.set_cookie(services.cookies.keep(LANGUAGE, lang, secure=client.secure))
    return answer


HANDLERS = [overview, choose]
