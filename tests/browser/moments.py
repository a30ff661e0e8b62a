"""The moments of the four games in which a player has to answer, each at a table of four people with very long names
(Adaman: alone). The server is brought there, then a browser looks at it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from spieltisch.dice import FastDice
from spieltisch.games.adaman.state import Excuse
from spieltisch.games.annodomini.state import Doubt, Open
from spieltisch.games.annodomini.state import Place as Insert
from spieltisch.games.hichaechoc.news import Judged
from spieltisch.games.hichaechoc.state import Accept, Contest, Draw, Pass, Play
from spieltisch.games.trailblaze.state import Keep, NoBonus, Place, Replace, TakeBonus
from web.site import code as code_of

PEOPLE = ("Élise Ågren", "Maximiliane", "Özlem", "Opa Karl-Heinz")
CLOCK = 600.0  # seconds: clocks run, and nobody is late
SEEDS = range(1, 30)


@dataclass(frozen=True)
class Moment:
    """`here`: whether the first seat is asked now. `acts`: how players answer before. `taps`: what to tap on the page
    then. `wanted`: what must be wholly visible, and of `rows` how many.
    """

    game: str
    name: str
    here: Callable[[Any], bool]
    wanted: tuple[str, ...]
    rows: tuple[str, int] = ("", 0)
    taps: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    acts: Callable[[Any, int, list[Any], Any], Any] = lambda _table, _seat, legal, dice: dice.choice(legal)

    @property
    def id(self):
        return f"{self.game}-{self.name}"


def asked(*kinds):
    """Whether the first seat may take an action of these kinds."""
    return lambda table: 0 in table.to_act and any(isinstance(one, kinds) for one in table.legal(0))


def chained(number, *, mine=True):
    """Whether the chain has this many cards, and it is (or is not) the first seat's turn."""
    return lambda table: len(table.view(0).public.chain) >= number and ((0 in table.to_act) is mine)


def into_the_chain(_table, _seat, legal, dice):
    return dice.choice([one for one in legal if isinstance(one, Insert)] or legal)


def doubts_at_six(table, seat, legal, dice):
    if len(table.view(0).public.chain) >= 6:
        return next(one for one in legal if isinstance(one, Doubt))
    return into_the_chain(table, seat, legal, dice)


def objects(_table, seat, legal, dice):
    """Everybody plays, and the first seat objects."""
    kinds = (Contest,) if seat == 0 else (Play, Accept)
    return dice.choice([one for one in legal if isinstance(one, kinds)] or legal)


def plays(_table, seat, legal, dice):
    return dice.choice([one for one in legal if isinstance(one, (Play, Accept))] or legal)


def draws(_table, seat, legal, dice):
    return dice.choice([one for one in legal if isinstance(one, (Draw, Accept))] or legal)


def revealed(table):
    """Whether the first reveal is shown."""
    return table.view(0).public.round == 2


def said(table):
    """Whether the first seat may play on a card with a declared reading."""
    return asked(Play)(table) and table.view(0).public.middle.said is not None


def judged(table):
    return any(isinstance(one, Judged) for one in table.news[-1].news)


CHAIN, BOARD = (".chain .ev", 3), (".board tbody tr", 4)
TOP = ("#newest > .lcard", ".ltop .say-it")
ADAMAN = (".zone:not(.palace, .res) .dcard", ".zone.res .dcard", "#go")
MOMENTS = [
    Moment("anno-domini", "turn", chained(6), ("#ask-doubt", ".turn .ring"), CHAIN, acts=into_the_chain),
    Moment(
        "anno-domini",
        "place",
        chained(6),
        (".gap:has(:checked) .btn", ".turn .ring"),
        (".chain .ev, .gap:has(:checked) .ghost", 3),
        ("label:has(#at-1)", ".hand9 label"),
        acts=into_the_chain,
    ),
    Moment("anno-domini", "doubt", chained(6), ("#do-doubt", "#doubt h2"), taps=("#ask-doubt",), acts=into_the_chain),
    Moment("anno-domini", "waiting", chained(6, mine=False), (".turn > b", ".turn .ring"), CHAIN, acts=into_the_chain),
    Moment("anno-domini", "reveal", revealed, ("#begin", ".dock .vtitle"), (".rev", 3), acts=doubts_at_six),
    Moment(
        "anno-domini",
        "order",
        asked(Open),
        ("#open", ".turn .ring"),
        (".tapper [data-card]", 3),
        options={"cards_per_player": 1},
        acts=into_the_chain,
    ),
    Moment("trailblaze", "swap", asked(Keep), ("#keep", "#swap", ".bigcard p", ".bigcard + .bigcard p", ".turn .ring")),
    Moment("trailblaze", "take", asked(TakeBonus), ("#leave", "#take", ".turn .ring"), taps=("#begin",)),
    Moment("trailblaze", "turn", asked(Place), ("#lay", ".stones", ".turn .ring"), BOARD),
    Moment("trailblaze", "field", asked(Place), ("#lay", ".stones", ".turn .ring"), BOARD, ("tr:nth-child(1) .pick",)),
    Moment("trailblaze", "bonus", asked(NoBonus), ("#without", ".turn .ring"), BOARD),
    Moment("trailblaze", "replace", asked(Replace), ("#lay", ".stones", ".turn .ring"), (".rcard", 2)),
    Moment("trailblaze", "reveal", revealed, ("#begin", ".dock .vtitle"), (".rcard", 1)),
    Moment("hic-haec-hoc", "turn", said, ("#lay", ".decl", ".lhand", *TOP, ".turn .ring"), acts=plays),
    Moment(
        "hic-haec-hoc",
        "assisted",
        asked(Play),
        ("#lay", ".decl", ".lhand", "#fit", *TOP[:1], ".turn .ring"),
        options={"mode": "assisted"},
        acts=plays,
    ),
    Moment(
        "hic-haec-hoc",
        "contest",
        asked(Contest),
        ("#accept", "#contest", "#contest .ring", ".side-a .lcard", ".side-b .lcard", ".side-b .say-it"),
        acts=plays,
    ),
    Moment("hic-haec-hoc", "verdict", judged, ("#goon", "#verdict .vhead h2:not(.asks)"), acts=objects),
    Moment(
        "hic-haec-hoc",
        "drawn",
        asked(Pass),
        (".pass", ".decl", ".lhand", "#newest > .lcard", ".turn .ring"),
        acts=draws,
    ),
    Moment("adaman", "turn", asked(object), ADAMAN),
    Moment("adaman", "target", asked(object), (*ADAMAN, "#sum"), taps=("label:has([name=target])",)),
    Moment("adaman", "excuse", asked(Excuse), ADAMAN, fields={"preset": "extended"}),
]


async def brought(site, me, moment):
    """Bring a table to this moment. Returns its address; the client `me` has the first seat."""
    host = site.services.host
    for seed in SEEDS:
        if moment.game == "adaman":
            url = (await me.post("/play", data={"game": moment.game, "deal": str(seed), **moment.fields})).headers[
                "location"
            ]
        else:
            url = await _seated(site, me, moment)
            await host.start(code_of(url), seed.to_bytes(16))
        if await _played(host, code_of(url), moment, FastDice(seed)):
            return url
    raise AssertionError(f"no deal comes to {moment.id}")


async def _seated(site, me, moment):
    url = (await me.post("/tables", data={"game": moment.game, "name": PEOPLE[0]})).headers["location"]
    for name in PEOPLE[1:]:
        async with site.browser() as other:
            await other.post(f"{url}/sit", data={"name": name})

    def agreed(setup):
        options = setup.top | ({"options": moment.options} if moment.options else {})
        return replace(setup, top=options, turn_seconds=CLOCK, answer_seconds=CLOCK)

    await site.services.host.change(code_of(url), agreed)
    return url


async def _played(host, code, moment, dice):
    """Answer for everybody until the moment has come. Returns whether it has."""
    for _ in range(400):
        table = await host.table(code)
        if table.result is not None or moment.here(table):
            return table.result is None
        seat = table.to_act[0]
        action = moment.acts(table, seat, list(table.legal(seat)), dice)
        await host.answer(code, seat, table.question(seat), action)
    return False


async def looked_at(site, page, lang, bring):
    """Bring this page, as its person, to the table that `bring(me)` makes, past what is being staged."""
    async with site.browser(lang) as me:
        url = await bring(me)
        kept = {**me.cookies, "spieltisch_lang": lang}
        await page.context.add_cookies([{"name": name, "value": kept[name], "url": site.origin} for name in kept])
    await page.goto(url)
    await page.locator("#table[data-ready]").wait_for()
    if await page.locator(".staging").count():
        await page.keyboard.press("Escape")


async def shown(site, page, moment, lang):
    """Bring a table to this moment, and this page to it."""
    await looked_at(site, page, lang, lambda me: brought(site, me, moment))
    for css in moment.taps:
        await page.locator(css).first.tap()
