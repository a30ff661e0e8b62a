"""The results of a lesson as lines, and which of them are wrong."""

from collections import Counter

# Limits for a lesson with real browsers: the teacher's presses, and seconds.
TAPS = {"prepare": 4, "tables": 3, "report": 2}
SECONDS = {
    "prepare": 60.0,
    "seated": 20.0,
    "paused": 1.0,
    "page": 2.0,
    "csv": 2.0,
    "ods": 2.0,
    "pdf": 2.0,
    "moodle": 2.0,
}


class Found:
    """The results: counts, and `seconds` by activity."""

    def __init__(self):
        self.lost = self.foreign = self.leaks = self.stumbled = self.heard = self.slides = self.slipped = self.rows = 0
        self.ended = 0  # tables whose games ended by the rules
        self.changes, self.moves, self.taps = Counter(), Counter(), Counter()
        self.in_browsers = 0  # changes in browsers
        self.waits, self.seconds = [], {}
        self.wrong = []  # anything else that is wrong

    def failures(self):
        """Everything that is wrong, in words. Durations depend on the machine and do not count."""
        found = [f"{n} {what}" for what, n in self._bad().items() if n]
        found += [f"{self.taps[what]} presses to {what}" for what, most in TAPS.items() if self.taps[what] > most]
        return found + self.wrong

    def _bad(self):
        return {"seats lost": self.lost, "foreign hands": self.foreign, "secrets shown": self.leaks}

    def line(self):
        """One line, for one of many lessons."""
        bad = ", ".join(f"{n} {what}" for what, n in self._bad().items())
        return (
            f"{self.changes.total()} changes, {self.moves.total()} moves, {self.heard} pictures of teacher, wall and"
            f" screens, {self.slipped} slips, a report of {self.rows} rows: {bad}"
        )

    def lines(self):
        """All lines."""
        waits = sorted(self.waits) or [0.0]
        half, last = (1e3 * waits[len(waits) * part // 100] for part in (50, 99))
        changes = ", ".join(f"{n} × {kind}" for kind, n in sorted(self.changes.items()))
        yield f"{self.changes.total()} changes ({changes}), {self.in_browsers} of them of real browsers"
        yield f"after them and the stop of the server: {self.lost} seats lost, {self.foreign} foreign hands"
        yield f"{self.heard} pictures of teacher, wall and screens: {self.leaks} with a secret"
        moves = f"{self.moves['socket']} moves over sockets, {self.moves['browser']} in browsers"
        yield f"{moves}; over sockets from press to answer {half:.0f} ms median, {last:.0f} ms p99"
        yield f"{self.slides} slides to look back, {self.slipped} slips answered, a report of {self.rows} decisions"
        if self.taps:
            yield f"taps in browsers that came too late, and were made once more: {self.stumbled}"
            pressed = ", ".join(f"{what} {n}{_asked(TAPS.get(what))}" for what, n in self.taps.items())
            yield f"who leads it pressed: {pressed}; {self.taps.total()} in all"
        for what, took in self.seconds.items():
            late = " – TOO LONG" if took > SECONDS.get(what, took) else ""
            yield f"seconds, {what}: {took:.2f}{_asked(SECONDS.get(what))}{late}"
        yield f"not as it has to be: {'; '.join(self.failures()) or 'nothing'}"


def _asked(most):
    return "" if most is None else f" (at most {most:g} asked)"
