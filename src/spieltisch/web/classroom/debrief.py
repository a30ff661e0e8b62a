"""Looking back together: the slides of a lesson, and the moment that the wall shows."""

from collections.abc import Callable, Mapping, Sequence

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.counts import LessonGame, counted, lesson_games
from spieltisch.classroom.desk import Desk
from spieltisch.game import Illegal
from spieltisch.i18n import Translator
from spieltisch.table.host import Host
from spieltisch.web.classroom import report
from spieltisch.web.core.picture_cache import PictureCache

SLIDES = 20  # lessons whose slides are cached

Slide = dict[str, object]
Debrief = Callable[[Sequence[LessonGame], Sequence[Mapping[str, object]], Translator], list[Slide]]


class LookBack:
    """Draws the slides of lessons. `debrief` is `PastViews.debrief`: slides show what lay hidden."""

    def __init__(self, host: Host, desk: Desk, debrief: Debrief) -> None:
        self._host = host
        self._desk = desk
        self._debrief = debrief
        self._slides: PictureCache[list[Slide]] = PictureCache(SLIDES)

    async def slides(self, room: Classroom, tr: Translator) -> list[Slide]:
        """Return the slides of this lesson. Raises Illegal while a game runs, since what others' slides show might
        still lie hidden there, and if nothing has been played.
        """
        seen = tuple((one.id, one.seq, one.setup.rev) for one in await self._desk.tables(room))
        key = (room.id, tr.lang, seen, room.former, room.slipped)
        return await self._slides.get(key, lambda: self._drawn(room, tr))

    async def _drawn(self, room: Classroom, tr: Translator) -> list[Slide]:
        games, running = await lesson_games(self._host, [one.id for one in room.tables], room.former)
        if running:
            raise Illegal("Games are still running. Call the last round, or stop them first.")
        count = await counted(self._host, games, running)
        worst = await self._host.library.work(report.worst, (), room, count, tr.lang)
        if not games and not worst:
            raise Illegal("No game of this lesson has finished yet.")
        return self._debrief(games, worst, tr)


def moment(slides: list[Slide], look: int) -> Slide:
    """Return what the wall shows at this moment, from 1: a slide, and whether its card is turned over."""
    n, turned = divmod(max(look, 2), 2)
    n = min(n, len(slides))
    return {"slide": slides[n - 1], "n": n, "open": bool(turned)} if slides else {}
