"""About the games and the server: rules, plans of lessons, whose the games and decks are, what is kept of people."""

from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from markdown_it import MarkdownIt

from spieltisch import games
from spieltisch.decks.exporting import credits as origins
from spieltisch.decks.library import shipped
from spieltisch.games import GamePackage
from spieltisch.privacy import register
from spieltisch.privacy.operator import parts
from spieltisch.table.host import Missing
from spieltisch.web.http.responses import page
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.view import catalog
from spieltisch.web.view.renderer import Html

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


def rules_of(package: GamePackage, lang: str) -> str | None:
    """The rules of a game as they are told to people, in Markdown; None if its package has none."""
    for one in (lang, "en", "de"):
        file = package.folder / f"rules.{one}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None


@get("/rules/{game:str}", name="rules")
async def rules(services: ServicesHere, client: ClientHere, game: FromPath[str]) -> Response[Any]:
    """The rules of a game; Missing if it brings none."""
    package = games.packages().get(game)
    text = None if package is None else rules_of(package, client.lang)
    if package is None or text is None:
        raise Missing("There is nothing at this address.")
    tr = package.translator(client.lang, terms=client.terms)
    html = services.renderer.render(
        "rules.html", client.tr, box=catalog.box(package, client.tr), here=client.path,
        body=Html(_markdown.render(package.page.retold(text, package.translator(client.lang), tr))),
        terms=client.terms if package.page.terms else None, heading=catalog.title(package), back=client.path,
    )  # fmt: skip
    return page(html)


@get("/credits", name="credits")
async def credits_page(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """The credits, in the reader's language."""
    lang, tr, library = client.lang, client.tr, services.host.library
    decks = [await library.answer(origins.asked, (name,)) for name in shipped()]
    html = services.renderer.render(
        "credits.html", tr, heading=tr._("Credits and sources"), back=client.path,
        boxes=[catalog.box(package, tr) for package in catalog.library(games.packages().values())],
        decks=[{"title": one.title[lang], "n": one.cards, "lines": list(origins.lines(one, lang))} for one in decks],
    )  # fmt: skip
    return page(html)


@get("/privacy", name="privacy")
async def privacy_page(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """What is kept of people, in the reader's language: from the same source as `spieltisch privacy`."""
    settings = services.settings
    host = client.origin.partition("//")[2]
    running = register.Running(
        Path(), "" if settings.in_database else None, round(settings.keep_days), round(settings.class_hours),
        (host,) if settings.proxies else (), operator=settings.operator,
    )  # fmt: skip
    html = services.renderer.render(
        "privacy.html", client.tr, heading=client.tr._("Privacy"), back=client.path,
        sections=list(register.public(running, client.lang)), operator=parts(settings.operator),
    )  # fmt: skip
    return page(html)


PLANS = Path(__file__).parent.parent / "plans"


@get("/plans/{name:str}", name="plan")
async def plan(services: ServicesHere, client: ClientHere, name: FromPath[str]) -> Response[Any]:
    """The plan of a lesson, or what is where in a class, for whoever teaches; Missing where there is no such page."""
    tr = client.tr
    others = {
        "class": tr._("Lead a class: what is where"),
        "history": tr._("History: the plan of a lesson"),
        "latin": tr._("Latin: the plan of a lesson"),
    }
    if name not in others:
        raise Missing("There is nothing at this address.")
    text = (PLANS / f"{name}.{client.lang}.md").read_text(encoding="utf-8")
    html = services.renderer.render(
        "plan.html", tr, body=Html(_markdown.render(text)), others=list(others.items()), here=name,
        heading=others[name], back=client.path,
    )  # fmt: skip
    return page(html)


HANDLERS = [rules, credits_page, privacy_page, plan]
