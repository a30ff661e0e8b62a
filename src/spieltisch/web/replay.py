"""A finished game step by step, as a seat saw it then or with everything open; by a link that needs no seat."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from spieltisch.game import Invalid
from spieltisch.web import boxes, wire
from spieltisch.web.frame import Viewer, frame
from spieltisch.web.house import Asker
from spieltisch.web.markup import Html
from spieltisch.web.tables import HTML, Ask, find, house_of

WIDE = 1000  # of the drawing with the marks above the slider
CROWDED = 120  # so many steps are not marked one by one


@get("/t/{code:str}/replay", name="replay")
async def replay(
    request: Ask,
    code: FromPath[str],
    step: Annotated[str, QueryParameter()] = "1",
    seat: Annotated[str, QueryParameter()] = "",
) -> Response[Any]:
    """One step of a finished game. `seat`: as this seat saw it; without: all there is."""
    house = house_of(request)
    asker = Asker(request, house)
    table = await find(house, asker, code)
    whole = await house.host.replay(table.id)
    now = _number(step, 1, len(whole), "This game has {last} steps: choose one from 1 to {last}.")
    eyes = _number(seat, 0, len(table.setup.chairs) - 1, "seat is a number from 0 to {last}.") if seat else None
    past = whole.at(now)
    tr = wire.says_for(table, eyes, asker.lang, asker.terms)
    truth = wire.hidden(past, tr) if eyes is None else []
    viewer = Viewer(eyes, asker.lang, origin=asker.origin, terms=asker.terms)
    parts = house.fragments.past(past, viewer, truth=truth, away=[])
    told = wire.told(past, tr, now - 1)
    said = [*(told[-1][1] if told else []), *wire.alone(past.view(eyes), table.package, tr)]
    title, marked = boxes.title(table.package), wire.highlights(whole, table.package)
    context = frame(house.pages, past, viewer, tr) | {
        "fragment": Html("".join(parts)),
        "title": tr._("Replay – {game}").format(game=title),
        "step": now,
        "steps": len(whole),
        "seat": eyes,
        "said": said,
        "moves": _moves(now, len(whole), marked),
        "ticks": _ticks(len(whole), marked),
    }
    bare = request.headers.get("x-requested-with") == "fetch"  # by the page's script: what changes with a step
    template = "replaybar.html" if bare else "replay.html"
    html = house.pages.render(template, tr, **context)
    return Response(html, media_type=HTML, headers={"vary": "x-requested-with"})


def _number(text: str, least: int, most: int, words: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most:
        return int(text)
    raise Invalid(words, last=most)


def _moves(now: int, last: int, marked: list[int]) -> dict[str, int]:
    """Where the buttons lead; one that would lead nowhere is left out."""
    onward = next((step for step in marked if step > now), 0)
    found = {"first": 1, "back": now - 1, "on": now + 1, "next": onward, "last": last}
    return {name: step for name, step in found.items() if 1 <= step <= last and step != now}


def _ticks(last: int, marked: list[int]) -> list[dict[str, Any]]:
    """The marks above the slider: a short one a step, a long one where something came to light, and the end's."""
    steps = range(1, last + 1) if last <= CROWDED else sorted({*marked, last})
    kinds = {**dict.fromkeys(marked, "d"), last: "w"}
    return [{"x": round(WIDE * (step - 1) / max(1, last - 1)), "kind": kinds.get(step, "")} for step in steps]


HANDLERS = [replay]
