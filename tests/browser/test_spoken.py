"""One turn in each game as a screen reader would speak it, in order: what is announced when it becomes one's turn, all
that stands on the page, and what is announced after one's move. It is kept in `spoken/`; cards are called by their
order on the page, so that a deck may change. `SPOKEN=write` writes these texts anew, to be read before they are kept.
"""

import asyncio
import os
import re
import secrets
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from browser.play import MINDS, Person
from matrix import sampled
from spieltisch.dice import FastDice
from spieltisch.table import lobby
from spieltisch.table.log import Chair

KEPT = Path(__file__).parent / "spoken"
LISTEN = """
window.spoken = [];
addEventListener("DOMContentLoaded", () => {
  for (const id of ["polite", "assertive"]) {
    const region = document.getElementById(id);
    if (region) new MutationObserver(() => region.textContent && spoken.push(`${id}: ${region.textContent}`))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
});
"""


@pytest.fixture(autouse=True)
def _the_same_dice(monkeypatch):
    fixed = SimpleNamespace(token_bytes=bytes, choice=secrets.choice, randbelow=secrets.randbelow)
    monkeypatch.setattr(lobby, "secrets", fixed)


def masked(text, table, lang):
    """The text with the table's code, the cards' texts and their number called by name."""
    found = [(table.id, "CODE")]
    cards = getattr(table.deck, "cards", None) or getattr(table.deck, "events", ())
    fronts = [front for card in cards if hasattr(card, "front") for front in [card.front[lang]] if front in text]
    for n, front in enumerate(sorted(fronts, key=text.index), start=1):
        found.append((front, f"‹card {n}›"))
    for what, name in found:
        text = text.replace(what, name)
    text = re.sub(r"(‹card \d+› )\([^()]+\)", r"\1(‹kind›)", text)
    # Quotes, where a card's text has a colon: around its words, or around the whole line.
    text = re.sub(r'^( *- [a-z]+: )"(.*)"$', r"\1\2", text, flags=re.MULTILINE)
    text = re.sub(r"^( *- )'(.*‹card.*)'(:?)$", r"\1\2\3", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=Deck )\d+", "‹n›", text)
    return re.sub(r"\d+ (Karten im Stapel|cards in the pile)", r"‹n› \1", text)


# What screen readers spell, skip or call by its sign's name.
SIGNS = re.compile(r"[→·+]|\d ?–")
NAMES = ("Announced when the turn comes", "The page", "Announced after the move")


class Protocol:
    """What was spoken, part by part; a busy machine may need its time for one."""

    def __init__(self, table, lang, kept, names=NAMES):
        self.table, self.lang, self.kept, self.names, self.parts = table, lang, kept, names, []

    def text(self, *more):
        parts = [*self.parts, *more]
        text = "".join(f"== {name}\n{part}\n\n" for name, part in zip(self.names, parts, strict=False))
        return masked(text, self.table, self.lang)

    async def add(self, ask):
        """What this says as soon as it is what is kept; else what it says in the end."""
        for _ in range(10 if os.environ.get("SPOKEN") == "write" else 100):
            await asyncio.sleep(0.1)
            part = await ask()
            if self.kept.startswith(self.text(part)):
                break
        self.parts.append(part)


async def spoken(page):
    """What has been announced since the move."""
    return "\n".join(await page.evaluate("spoken")) or "(nothing)"


async def moved(site, table, seat, action, page=None):
    """One move; the page shows it before the next, which would else be told together with it."""
    await site.services.host.answer(table.id, seat, table.question(seat), action)
    if page:
        await page.wait_for_function(
            "seq => Number(document.getElementById('news')?.dataset.seq) >= seq", arg=table.seq
        )
        await asyncio.sleep(0.2)


async def others_move(site, table, dice, page=None):
    """Until Ada is asked, or the game is over."""
    while table.result is None and 0 not in table.to_act:
        seat = table.to_act[0]
        await moved(site, table, seat, dice.choice(table.legal(seat)), page)


def check_announced(part, asks):
    """Nothing is said twice in one breath, no sign is spelled, and what to do comes last."""
    for said in part.splitlines():
        sentences = re.split(r"(?<=[.!?]) ", said.partition(": ")[2])
        assert len(set(sentences)) == len(sentences), said
        assert not SIGNS.search(said), said
        assert asks not in sentences[:-1], said


GAMES = ("anno-domini", "trailblaze", "hic-haec-hoc", "adaman")
TOLD = [*product(("de", "en"), GAMES), ("it", "hic-haec-hoc"), ("fr", "hic-haec-hoc")]
USUAL = [("de", "anno-domini"), ("en", "trailblaze"), ("de", "hic-haec-hoc"), ("en", "adaman")]


@pytest.mark.parametrize(("lang", "game"), sampled(TOLD, USUAL))
async def test_a_turn_as_it_is_spoken(site, visit, game, lang):
    async with visit(site.origin, lang=lang) as page:
        await page.add_init_script(LISTEN)
        me, dice, host = Person(page, touch=False, seed=1), FastDice(1), site.services.host
        answer = await page.request.post(
            "/play" if game == "adaman" else "/tables",
            form={"game": game, "name": "Ada", "deal": "7" if game == "adaman" else ""},
            headers={"origin": site.origin},
        )
        code = answer.url.rpartition("/")[2]
        if game != "adaman":
            for seat in (1, 2, 3):
                await host.replace(code, seat, Chair() if seat > 1 else Chair("Ben", "person", "f" * 64))
            await host.begin(code)
        table = await host.table(code)
        await others_move(site, table, dice)
        await page.goto(f"/t/{code}")
        await me.wanted()
        await me.turn(MINDS[game])
        while table.result is None and (0 not in table.to_act or table.is_contest(0)):
            if 0 in table.to_act:
                await moved(site, table, 0, table.legal(0)[-1], page)
            else:
                await others_move(site, table, dice, page)
        asked = "question => document.querySelector('#move [name=question]').value === question"
        await page.wait_for_function(asked, arg=str(table.question(0)))
        while await me.wanted() == "go on":
            await me.turn(MINDS[game])
        file = KEPT / f"{game}.{lang}.txt"
        kept = file.read_text(encoding="utf-8") if file.exists() else ""
        found = Protocol(table, lang, kept)
        await found.add(lambda: spoken(page))
        await found.add(page.locator("body").aria_snapshot)
        await page.evaluate("spoken.splice(0)")
        await me.turn(MINDS[game])
        await found.add(lambda: spoken(page))
        asks = await page.locator("#dock .turn > b").text_content()
    for part in (found.parts[0], found.parts[2]):
        check_announced(masked(part, table, lang), asks)
    if os.environ.get("SPOKEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(kept := found.text(), encoding="utf-8")
    assert found.text() == kept
