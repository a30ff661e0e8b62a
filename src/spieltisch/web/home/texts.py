"""Rules, plans of lessons, credits, privacy; and, in games whose page has `terms`, what readers call these terms: every
school names and orders the cases of hic – haec – hoc in its own way. A cookie keeps it.
"""

from pathlib import Path

from litestar import Response, get, post
from litestar.params import FromPath
from markdown_it import MarkdownIt

from spieltisch import games, languages
from spieltisch.decks.exporting import credits as origins
from spieltisch.decks.library import shipped
from spieltisch.game import Invalid, read
from spieltisch.i18n import N_, Terms
from spieltisch.privacy import register
from spieltisch.privacy.operator import parts
from spieltisch.table.host import Missing
from spieltisch.web.core import catalog
from spieltisch.web.core.http.client import HttpRequest
from spieltisch.web.core.http.cookies import TERMS
from spieltisch.web.core.http.forms import field, following, read_form
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.renderer import Html

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@get("/rules/{game:str}", name="rules")
async def rules(services: ServicesHere, client: ClientHere, game: FromPath[str]) -> Response[object]:
    """Show the rules of a game. Raises Missing if it brings none."""
    package = games.packages().get(game)
    found = None if package is None else package.rule_book(client.lang)
    if package is None or found is None:
        raise Missing("There is nothing at this address.")
    text, written = found
    usual, own = package.translator(written), package.translator(written, terms=client.terms)
    html = services.renderer.render(
        "home/rules.html", client.tr, box=catalog.box(package, client.tr), here=client.path, written=written,
        body=Html(_markdown.render(package.page.retold(text, usual, own))),
        terms=client.terms if package.page.terms else None, heading=catalog.title(package, client.tr), back=client.path,
    )  # fmt: skip
    return page(html)


@get("/credits", name="credits")
async def credits_page(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Show the credits."""
    lang, tr, library = client.lang, client.tr, services.host.library
    decks = [await library.answer(origins.asked, (name,)) for name in shipped()]
    html = services.renderer.render(
        "home/credits.html", tr, heading=tr._("Credits and sources"), back=client.path,
        boxes=[catalog.box(package, tr) for package in catalog.library(games.packages().values())],
        decks=[{"title": one.title[lang], "n": one.cards, "lines": list(origins.lines(one, lang))} for one in decks],
    )  # fmt: skip
    return page(html)


@get("/privacy", name="privacy")
async def privacy_page(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Show what is stored about people: the same source as `spieltisch privacy`."""
    settings = services.settings
    host = client.origin.partition("//")[2]
    running = register.Running(
        Path(), "" if settings.in_database else None, round(settings.keep_days), round(settings.class_hours),
        (host,) if settings.proxies else (), operator=settings.operator, webhook_hosts=settings.webhooks,
        mail=settings.mail,
    )  # fmt: skip
    html = services.renderer.render(
        "home/privacy.html", client.tr, heading=client.tr._("Privacy"), back=client.path,
        sections=list(register.public(running, client.lang)), operator=parts(settings.operator),
    )  # fmt: skip
    return page(html)


PLANS = {
    "class": N_("Lead a class: what is where"),
    "history": N_("History: the plan of a lesson"),
    "latin": N_("Latin: the plan of a lesson"),
}


@get("/plans/{name:str}", name="plan")
async def plan(services: ServicesHere, client: ClientHere, name: FromPath[str]) -> Response[object]:
    """Show the plan of a lesson, or the guide to a class. Raises Missing if there is no such page."""
    tr = client.tr
    others = {one: tr._(title) for one, title in PLANS.items()}
    if name not in others:
        raise Missing("There is nothing at this address.")
    found = languages.text(client.lang, f"plans/{name}.md")
    assert found is not None, name
    text, written = found
    html = services.renderer.render(
        "home/plan.html", tr, body=Html(_markdown.render(text)), written=written, heading=others[name],
        others=list(others.items()), here=name, back=client.path,
    )  # fmt: skip
    return page(html)


@post("/terms", name="terms", status_code=200)
async def terms(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Keep the chosen names and order of terms. Raises Invalid for others."""
    fields = await read_form(request)
    try:
        chosen = read({"names": field(fields, "names"), "order": field(fields, "order")}, Terms)
    except Invalid:
        raise Invalid("This is not one of the choices.") from None
    answer = redirect(services.url(following(fields)))
    value = f"{chosen.names}.{chosen.order}"
    answer.set_cookie(services.cookies.keep(TERMS, value, secure=client.secure))
    return answer


HANDLERS = [rules, credits_page, privacy_page, plan, terms]
