"""What a phone asks for that keeps the table on its home screen, and what search engines may look at.

There is no service worker: it could show an old table.
"""

import msgspec
from litestar import Response, get
from litestar.params import FromQuery

from spieltisch import assets, i18n, languages
from spieltisch.web.core.inject import ClientHere, ServicesHere
from spieltisch.web.core.renderer import STATIC

WEEK = "public, max-age=604800"
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))
# Tables, classes and keys are nobody's business; the front door, rules and credits may be found.
ROBOTS = """User-agent: *
Allow: /$
Allow: /rules/
Allow: /credits
Allow: /privacy
Allow: /static/
Disallow: /
"""


@get("/manifest.webmanifest", name="manifest")
async def manifest(services: ServicesHere, client: ClientHere, lang: FromQuery[str] = "") -> Response[bytes]:
    """The web app manifest (W3C), in the language of the page that names it: browsers send no cookies for it."""
    tr = i18n.common_translator(lang) if languages.is_known(lang) else client.tr
    home, asset = services.url("/"), services.renderer.asset
    icons = [
        {"src": str(asset(file)), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    icons.insert(0, {"src": str(asset("icon.svg")), "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    said = {
        "id": home, "start_url": home, "scope": home, "lang": tr.lang, "dir": "ltr",
        "name": tr._("Spieltisch: four games at one table"), "short_name": "Spieltisch",
        "description": tr._("Games about history, Latin and cards, alone or together."),
        "display": "standalone", "categories": ["games", "education"], "icons": icons,
        "theme_color": assets.ground()[0], "background_color": assets.ground()[0],
    }  # fmt: skip
    headers = {"cache-control": "no-cache"}
    return Response(msgspec.json.encode(said), media_type="application/manifest+json", headers=headers)


@get("/robots.txt", name="robots")
async def robots() -> Response[str]:
    """What search engines may look at (RFC 9309). They ask at the root of a name, so below a path nobody does."""
    return Response(ROBOTS, media_type="text/plain", headers={"cache-control": WEEK})


@get("/favicon.ico", name="favicon")
async def favicon() -> Response[object]:
    """For what asks without having read a page."""
    return Response((STATIC / "icon-32.png").read_bytes(), media_type="image/png", headers={"cache-control": WEEK})


HANDLERS = [manifest, robots, favicon]
