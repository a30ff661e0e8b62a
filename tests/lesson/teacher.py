"""A teacher by requests."""

import re

from web.site import refused

# The controls: how a browser finds each, its address, and its fields.
PRESSED = {
    "tables": ("#deal-random", "deal", {"way": "random", "dealt": ""}),
    "begin": ("#do-resume", "resume", {}),
    "pause": ("#do-pause", "pause", {}),
    "resume": ("#do-resume", "resume", {}),
    "last round": ("#do-last", "last", {}),
    "slip": ("[name=kind][value=exit]", "slip", {"kind": "exit"}),
    "end of the slip": ("#do-slip-end", "slip-end", {}),
}
PLAN = {
    "size": "4",
    "minutes": "45",
    "same": "1",
    **{f"{game}:level": "" for game in ("hic-haec-hoc", "anno-domini", "trailblaze")},
}
CODES = re.compile(r'class="num code">([A-Z0-9]{5}) ([A-Z0-9]{5})<')
FILES = ("csv", "ods", "pdf", "moodle")


class Teacher:
    """A teacher with a client that has the key. Sockets listen to the teacher's page and the wall."""

    def __init__(self, lesson, client):
        self._lesson, self._client = lesson, client

    async def prepare(self, pupils):
        """Prepare a class with this many strips. Returns its address."""
        plan = PLAN | {"game": self._lesson.game, "strips": str(pupils)}
        answer = await self._client.post("/class/new", data=plan)
        assert answer.status_code == 303, answer.text[:400]
        return answer.headers["location"]

    async def strips(self):
        """The codes of all strips, by number."""
        return ["".join(one) for one in CODES.findall(await self._get("/strips"))]

    async def see(self, words):
        """Wait until it shows these words."""
        assert words in await self._get()

    async def press(self, what):
        """One of `PRESSED`."""
        _, to, fields = PRESSED[what]
        answer = await self._client.post(f"{self._lesson.url}/{to}", data=fields)
        assert answer.status_code == 303, refused(answer.text)

    async def look_back(self):
        """Go through all slides. Returns their number."""
        return (await self._get("/debrief")).count('id="slide-')

    async def report(self, _why):
        """Open the report. Returns whether there is anything to ask on a slip."""
        return 'value="exit"' in await self._get("/report")

    async def file(self, form):
        """Download a file of the report."""
        answer = await self._client.get(f"{self._lesson.url}/report/{form}")
        assert answer.status_code == 200, answer.text[:400]
        return answer.content

    async def back(self):
        """Return from the report to the class."""

    async def _get(self, path=""):
        answer = await self._client.get(f"{self._lesson.url}{path}")
        assert answer.status_code == 200, answer.text[:400]
        return answer.text

    async def jar(self):
        """The cookies of this browser."""
        return dict(self._client.cookies)
