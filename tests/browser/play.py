"""Players who use the page: they see what it shows and use its controls, by touch or by keyboard alone."""

import random
from contextlib import suppress

from playwright.async_api import Error
from playwright.async_api import TimeoutError as TooLong

from spieltisch import games
from spieltisch.games.hichaechoc.forms import CELLS, named

# The page's question: its number, and the seat on a device that several people share.
ASKED = "[...document.querySelectorAll('#move input')].map((one) => one.value).join()"
# What the page wants from its viewer: "hurry" (a reveal runs), "over", "cover" (to lift), "go on" (a reveal to
# look at), "turn", or nothing yet.
WANTS = """(scripts) => {
  const table = document.getElementById('table');
  if (scripts && !('ready' in (table?.dataset ?? {}))) return null;
  if (!table || table.classList.contains('waitpage')) return null;
  const shown = (one) => one.checkVisibility();
  if (table.classList.contains('staging')) return 'hurry';
  if (table.querySelector('#over')) return 'over';
  if (table.querySelector('#lift')) return 'cover';
  const next = table.querySelector('#begin, #goon');
  if (next && !next.parentElement.open && shown(next)) return 'go on';
  const fresh = ASKED !== window.answered;
  const mine = [...table.querySelectorAll('[form=move]:not(:disabled)')];
  return fresh && mine.some((one) => shown(one.closest('label') ?? one)) ? 'turn' : null;
}""".replace("ASKED", ASKED)
# The same for a viewer who watches each reveal to its end.
PATIENT = WANTS.replace("return 'hurry'", "return null")
# Whether this is still the question; if so, somebody is answering it.
ANSWERING = """(asked) => {
  if (ASKED !== asked) return false;
  window.answered = asked;
  return true;
}""".replace("ASKED", ASKED)
ANSWERED = """() => {
  const refused = document.querySelector('.dock .refused');
  if (refused?.textContent.trim()) return 'refused: ' + refused.textContent;
  return ASKED !== window.answered ? 'taken' : null;
}""".replace("ASKED", ASKED)
# Whether the page is changing from one picture to the next.
CHANGING = "() => document.getAnimations().some((one) => one.effect.pseudoElement?.startsWith('::view-transition'))"
# Whether a finger can reach it without scrolling.
AT_HAND = """(css) => {
  const one = document.querySelector(css), box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""
# Where the keyboard focus is: on the wanted control, in its group of radios, or before or after it.
WHERE = """(css) => {
  const here = document.activeElement, wanted = document.querySelector(css);
  if (!wanted) return 'gone';
  if (here === wanted) return 'there';
  if (here.type === 'radio' && wanted.type === 'radio' && here.name === wanted.name && here.form === wanted.form)
    return here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING ? 'right' : 'left';
  return here !== document.body && here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING
    ? 'before' : 'after';
}"""


class StuckError(AssertionError):
    """A control is out of reach, or a page makes no progress."""


class ChangedError(Exception):
    """Somebody else has answered the question: look at the page again."""


class Person:
    """A player at a page. `deeds` counts the taps or controls used for the current move."""

    def __init__(self, page, *, touch, seed=0):
        self.page = page
        self.touch = touch
        self.dice = random.Random(seed)
        self.asked = ""  # number of the question being answered
        self.deeds = 0
        self.sent = 0  # accepted moves
        self.taps = {}  # kind of move -> taps (or effective keys) it took
        self.seen = set()  # kinds of states this player has seen
        self.look = None  # called with the player and the name of each new state

    # -- hands ---------------------------------------------------------------------------------------------

    async def use(self, css):
        """Tap it, or move the focus there and press Enter. Radios and boxes are chosen."""
        self.deeds += 1
        try:
            try:
                await self._use(css)
            except Error as left:
                if "context was destroyed" not in str(left):
                    raise
                await self.page.wait_for_load_state()  # on a busy machine the page is still loading
                await self._use(css)
        except (TooLong, StuckError):
            shown = await self.page.locator(css).first.is_visible()
            if await self.question() != self.asked or not shown:
                raise ChangedError from None
            raise

    async def question(self):
        return await self.page.evaluate(ASKED)

    async def _use(self, css):
        found = self.page.locator(css).first
        kind = await found.evaluate("(one) => one.type ?? ''", timeout=5_000)
        if self.touch:
            if kind in {"radio", "checkbox"}:
                found = found.locator("xpath=ancestor::label")
            await found.tap(timeout=5_000)
        else:
            await self._reach(css)
            if kind in {"radio", "checkbox"}:
                if kind == "checkbox" or not await found.is_checked():
                    await self.page.keyboard.press("Space")
            elif kind not in {"text", "number"}:  # in these, Enter would submit an empty form
                await self.page.keyboard.press("Enter")

    async def _reach(self, css):
        back = False
        for step in range(300):
            where = await self.page.evaluate(WHERE, css)
            if where == "there":
                return
            if where == "gone":
                break
            if where in {"left", "right"}:
                await self.page.keyboard.press(f"Arrow{where.title()}")
            else:
                if step in {0, 150}:
                    back = (where == "before") != (step == 150)
                await self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise StuckError(f"the keyboard does not reach {css}")

    async def all(self, css, *attributes):
        """The controls on the page: for each its id, its accessible name, and data."""
        return await self.page.locator(css).evaluate_all(
            """(all, names) => all.filter((one) => !one.disabled).map((one) => Object.fromEntries([
              ['id', '#' + one.id], ['value', one.value], ['checked', one.checked],
              ['words', (one.closest('label') ?? one).textContent.trim()],
              ...names.map((name) => [name, one.getAttribute(name)])]))""",
            list(attributes),
        )

    async def there(self, css):
        return await self.page.locator(css).count() > 0

    # -- a game --------------------------------------------------------------------------------------------

    async def wanted(self):
        """Wait until the page wants something, and return what. Reveals that run step by step are not waited for."""
        found = await self.page.wait_for_function(WANTS, arg=True, timeout=20_000, polling=50)
        want = await found.json_value()
        if want == "hurry":
            with suppress(TooLong):  # it has ended by itself
                try:
                    await self._use("#hurry")
                except StuckError:
                    if await self.there("#hurry"):
                        raise
            return await self.wanted()
        return want

    async def note(self, state):
        if state not in self.seen:
            self.seen.add(state)
            if self.look:
                await self.look(self, state)

    async def send(self, css):
        """The last tap of a move: wait for the answer, which must be yes."""
        if not await self.page.evaluate(ANSWERING, self.asked):
            raise ChangedError
        try:
            await self.use(css)
        except ChangedError:
            await self.page.evaluate("window.answered = null")
            raise
        answer = await (await self.page.wait_for_function(ANSWERED, polling=50)).json_value()
        assert answer == "taken", answer
        self.sent += 1

    async def maybe(self):
        """What the page wants now, or nothing."""
        return await self.page.evaluate(PATIENT, True)

    async def waits(self):
        """Wait until the page wants something, and for the end of each reveal, without a limit. The page checks itself,
        which is cheaper than polling.
        """
        found = await self.page.wait_for_function(PATIENT, arg=True, timeout=0, polling=50)
        return await found.json_value()

    async def turn(self, mind):
        """Do one thing that the page wants. Returns False when the game is over."""
        want = await self.wanted()
        self.asked = await self.question()
        if want == "over":
            await self.note("over")
            return False
        self.deeds = 0
        try:
            if want == "cover":
                await self.note("cover")
                await self.use("#lift")
                await self.page.locator("#lift").wait_for(state="detached")
                return True
            if want == "go on":
                await self.note("reveal")
                await self.use("#begin, #goon")
                return True
            kind = await mind(self)
        except ChangedError:
            return True
        least = self.taps.get(kind, 99)
        self.taps[kind] = min(least, self.deeds)
        return True

    async def game(self, mind, most=400):
        """Play until it is over."""
        for _ in range(most):
            if not await self.turn(mind):
                return
        raise StuckError("the game does not end")

    async def turns(self, mind, number):
        """Play this many moves, or until the game is over."""
        for _ in range(number):
            if not await self.turn(mind):
                return


class Plain(Person):
    """A player whose browser runs no scripts: forms are posted, and the page is reloaded to see others' moves."""

    async def wanted(self):
        for _ in range(400):
            if want := await self.page.evaluate(WANTS, False):
                return want
            await self.page.reload()
        raise StuckError("nothing is wanted")

    async def send(self, css):
        async with self.page.expect_navigation():
            await self.use(css)
        refused = await self.page.locator(".dock .refused").text_content()
        assert not refused.strip(), refused


# -- players' strategies at the four games -----------------------------------------------------------------------


async def adaman(me):
    """Takes personalities first, then the cheapest card, with the payment that the page proposes."""
    if await me.there("[form=move][name=card]"):
        await me.note("excuse")
        await me.use((await me.all("[form=move][name=card]"))[0]["id"])
        await me.send("#go")
        return "excuse"
    await me.note("turn")
    worth = {one["value"]: int(one["data-rank"]) for one in await me.all("[name=payment]", "data-rank")}
    targets = [
        one
        for one in await me.all("[name=target]", "data-preset", "data-person", "data-rank")
        if sum(worth.get(paid, 0) for paid in one["data-preset"].split()) >= int(one["data-rank"])
    ]
    assert targets, "a turn without anything that can be won"
    best = min(targets, key=lambda one: (one["data-person"] is None, int(one["data-rank"])))
    await me.use(best["id"])
    paid = best["data-preset"].split()
    if me.dice.random() < 0.2:  # sometimes by hand: off and on again
        await me.use(f"#w-{paid[0]}")
    for one in await me.all("[name=payment]"):  # without scripts the page proposes nothing
        if one["checked"] != (one["value"] in paid):
            await me.use(one["id"])
    await me.note("chosen")
    await me.send("#go")
    return "control"


async def annodomini(me):
    """Lays cards anywhere, and doubts now and then."""
    if await me.there(".orders"):
        await me.note("order")
        if await me.there(".tapper"):  # one after the other; the last one has no choice left
            for card in me.dice.sample(await me.all(".tapper [data-card]"), 2):
                await me.use(card["id"])
        else:
            await me.use(me.dice.choice(await me.all(".orders [type=radio]"))["id"])
        await me.send("#open")
        return "open"
    chain = await me.page.locator(".chain > li > .ev").count()
    await me.note("turn" if chain < 3 else "long chain")
    if await me.there("#ask-doubt") and me.dice.random() < chain / 16:
        await me.use("#ask-doubt")
        await me.page.locator("#do-doubt").wait_for()
        await me.note("doubt")
        await me.send("#do-doubt")
        return "doubt"
    await me.use(me.dice.choice(await me.all("[form=move][name=card]"))["id"])
    at = me.dice.choice(await me.all("[name=at]"))["value"]
    if me.touch and await me.page.evaluate("localStorage.getItem('confirm')") == "no":
        await me.send(f"#at-{at}")
        return "place"
    await me.use(f"#at-{at}")
    await me.note("preview")
    if me.touch and await me.question() == me.asked:
        await me.page.wait_for_function(AT_HAND, arg=f"#place-{at}")
    await me.send(f"#place-{at}")
    return "place"


async def trailblaze(me):
    """Takes swaps and fields as they come."""
    for css in ("#keep", "#leave"):
        if await me.there(css):
            await me.note("swap" if css == "#keep" else "take")
            await me.send(me.dice.choice([css, "#swap" if css == "#keep" else "#take"]))
            return "swap"
    fields = await me.all(".board [type=radio]")
    if await me.there("#without"):
        await me.note("bonus")
        if not fields or me.dice.random() < 0.3:
            await me.send("#without")
            return "without bonus"
        await me.use(me.dice.choice(fields)["id"])
        await me.send("#lay")
        return "bonus"
    if await me.there("#skip"):
        await me.note("no field")
        await me.send("#skip")
        return "skip"
    if fields:
        await me.note("turn")
        await me.use(me.dice.choice(fields)["id"])
        await me.note("field")
    else:
        await me.note("replace")
    await me.send("#lay")
    return "place" if fields else "replace"


PARADIGM = named("hic").forms()
VALUES = ("case", "number", "gender")


def readings(form):
    return [cell for cell, written in zip(CELLS, PARADIGM, strict=True) if written == form]


def same(one, other):
    return sum(a == b for a, b in zip(one, other, strict=True))


async def hichaechoc(me):
    """Knows the forms of hic, haec, hoc by heart, plays what fits, and errs sometimes if the rules allow it."""
    page = me.page
    if await me.there("#accept"):
        await me.note("contest")
        said = " ".join(await page.locator(".contest .side-b .say-it .short").all_text_contents())
        forms = await page.locator(".contest .side-b .f").all_text_contents()
        if not forms:  # somebody has objected first
            raise ChangedError
        lang = await page.locator("html").get_attribute("lang")
        right = said in {short(cell, lang) for cell in readings(forms[0].strip())}
        await me.send("#accept" if right or me.dice.random() < 0.3 else "#contest")
        return "accept or contest"
    if not await me.there("#lay"):
        await me.note("draw" if await me.there("#draw") else "pass")
        await me.send("#draw" if await me.there("#draw") else "#pass")
        return "draw or pass"
    await me.note("drawn" if await me.there(".lhand .new") else "turn")
    cards = await me.all("[name=form]", "data-form", "data-joker")
    top = await page.locator(".decl .top input").evaluate_all("(all) => all.map((one) => one.value)")  # even disabled
    shown = (await page.locator(".ltop .under .f").first.text_content()).strip()
    beneath = [tuple(top)] if top else readings(shown)
    fitting = [
        (one, cell)
        for one in cards
        for cell in ([None] if one["data-joker"] is not None else readings(one["data-form"]))
        if cell is None or any(same(cell, under) == 2 for under in beneath)
    ]
    assisted = await me.there("#fit")
    if not fitting or (not assisted and me.dice.random() < 0.15):
        if await me.there("#draw") and not fitting:
            await me.send("#draw")
            return "draw or pass"
        if await me.there("#pass") and not fitting:
            await me.send("#pass")
            return "draw or pass"
        fitting = [(one, me.dice.choice(CELLS)) for one in cards if one["data-joker"] is None]
    card, cell = me.dice.choice(fitting)
    if not card["checked"]:
        await me.use(card["id"])
    for name, value in zip(VALUES, cell or (), strict=cell is not None):
        if not (await me.all(f"#{name}-{value}"))[0]["checked"]:
            await me.use(f"#{name}-{value}")
    await me.note("declared")
    await me.send("#lay")
    return "play"


def short(cell, lang):
    """A reading in the page's short form."""
    words = games.package("hic-haec-hoc").translator(lang)
    case, number, gender = cell
    return " ".join(map(words._, (case.title(), number.title(), gender)))


TAPS = {  # the fewest taps for a move, once the page is there
    "adaman": {"control": 2, "excuse": 2},
    "anno-domini": {"place": 3, "doubt": 2, "open": 3},  # 2 if placing needs no confirmation
    "trailblaze": {"swap": 1, "place": 2, "bonus": 2, "without bonus": 1, "replace": 1, "skip": 1},
    "hic-haec-hoc": {"play": 3, "accept or contest": 1, "draw or pass": 1},
}
MINDS = {"adaman": adaman, "anno-domini": annodomini, "trailblaze": trailblaze, "hic-haec-hoc": hichaechoc}


# -- on the way to a table -----------------------------------------------------------------------------------------
# The tests of this way go through the pages. All others begin at a table: `quick_bots`, `quick_table`, `quick_join`; or
# in a game: `quick_start`.


async def submitted(page, path, **fields):
    """Submit a form as this browser would, without drawing the page. Returns where the answer leads."""
    headers = {"origin": page.watch.origin, "accept-language": await page.evaluate("navigator.language")}
    answer = await page.request.post(path, form=fields, headers=headers, max_redirects=0)
    assert answer.status == 303, await answer.text()
    return answer.headers["location"]


async def drawn(page, url):
    await page.goto(url)
    await page.locator("#table[data-ready]").wait_for()


async def quick_bots(me, game):
    """Like `against_bots`, with one page to draw."""
    await drawn(me.page, await submitted(me.page, "/play", game=game))


async def quick_table(me, game, name="Ada", *, beside=""):
    """Like `open_table`, with one page to draw. `beside` sits down with the same device."""
    url = await submitted(me.page, "/tables", game=game, name=name)
    if beside:
        await submitted(me.page, f"{url}/chairs", do="person", name=beside)
    await drawn(me.page, url)
    return url.rpartition("/")[2]


async def quick_join(me, code, name):
    """Like `join`, with one page to draw."""
    await submitted(me.page, f"/t/{code}/sit", name=name)
    await drawn(me.page, f"/t/{code}")


async def quick_start(me, game, name="Ada", *others, beside="", bots=0):
    """Begin a game, with one page to draw for each person. `others` are persons and their names."""
    url = await submitted(me.page, "/tables", game=game, name=name)
    if beside:
        await submitted(me.page, f"{url}/chairs", do="person", name=beside)
    for other, called in others:
        await submitted(other.page, f"{url}/sit", name=called)
    for _ in range(bots):
        await submitted(me.page, f"{url}/chairs", do="bot")
    await submitted(me.page, f"{url}/start")
    for person in (me, *(other for other, _ in others)):
        await drawn(person.page, url)
    return url.rpartition("/")[2]


async def against_bots(me, game):
    """From the home page to a table with bots."""
    await me.page.goto("/")
    await me.use(f"form[action$='/play'] [value='{game}']")
    await me.page.wait_for_url("**/t/*")


async def open_table(me, game, name="Ada"):
    """Open a table from the home page and write one's name; the code."""
    await me.page.goto("/")
    await me.use(f"form[action$='/tables'] [value='{game}']")
    await me.page.wait_for_url("**/t/*")
    await write_name(me, name)
    return me.page.url.rpartition("/")[2]


async def add_bots(me, number, seats):
    """Put bots on free seats, out of this many seats."""
    page = me.page
    while await page.locator(".wseat").count() < seats:
        await _changes(me, ".wseat", "[name=do][value=more]")
    for _ in range(number):
        await _changes(me, ".wseat.empty", "[name=do][value=bot]")


async def _changes(me, what, css):
    before = await me.page.locator(what).count()
    await me.use(css)
    await me.page.wait_for_function("([css, n]) => document.querySelectorAll(css).length !== n", arg=[what, before])


async def more_options(me):
    """Open the folded options beneath the ways to play."""
    if await me.page.locator("#more-options:not([open])").count():
        await me.use("#more-options > summary")


async def option(me, name, value):
    """Choose an option of the game, which is sent at once."""
    await more_options(me)
    css = f".opts [name={name}][value={value}]"
    await me.use(css)
    await me.page.wait_for_function("(css) => document.querySelector(css)?.defaultChecked", arg=css)


async def number(me, name, value):
    """Set an option that is a number."""
    await more_options(me)
    await me.use(f".opts [name={name}]")
    await me.page.locator(f".opts [name={name}]").fill(str(value))
    await me.page.keyboard.press("Tab")
    await me.page.wait_for_function(
        "([name, value]) => document.querySelector(`.opts [name=${name}]`).defaultValue === value",
        arg=[name, str(value)],
    )


async def start(me):
    await me.use("#start")
    await me.page.locator("#table.table[data-ready]").wait_for()


async def look_back(page):
    """Open the look back at a finished game, once it is computed."""
    await page.locator("#review").click()
    await page.wait_for_url("**/review*")
    while await page.locator("p > a.main[href$='/review']").count():
        await page.reload()


async def write_name(me, name):
    if await me.page.locator(".wseat.mine b.nm", has_text=name).count():
        return  # this browser has a seat
    await me.use("#name")
    await me.page.locator("#name").fill(name)
    await me.page.keyboard.press("Enter")
    # The page is reloaded, or its socket brings the seat. Both show the own seat, with a way to change the name.
    await me.page.locator(".wseat.mine b.nm", has_text=name).first.wait_for()
    await me.page.locator("#table[data-ready]").wait_for()  # earlier key presses would be lost


async def beside(me, name):
    """Another person sits down with the same device."""
    await me.use("#beside summary")
    await me.page.locator("#beside-name").fill(name)
    async with me.page.expect_navigation():
        await me.use("#add-person")
    await me.page.locator(".wlist b.nm", has_text=name).wait_for()


async def join(me, code, name):
    """Join by code from the home page."""
    await me.page.goto("/")
    await me.use("#code")
    await me.page.keyboard.type(code)
    await me.page.keyboard.press("Enter")
    await me.page.wait_for_url("**/t/*")
    await write_name(me, name)
