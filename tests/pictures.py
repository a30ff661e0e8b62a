"""Handles the pictures from a page's socket like `take` in live.js."""

from spieltisch.web.core.renderer import html_of

KEEPS = 512  # parts, as in live.js
ZERO, FIRST = 0x30, 0x80


class Pictures:
    """The parts that came on one socket."""

    def __init__(self, keeps=KEEPS):
        self.known = {}
        self._keeps = keeps
        self._came = 0
        self._order = []  # the part numbers of the last picture
        self._again = set()
        self._left = iter(())

    def texts(self, parts, signs=""):
        """The texts of the next picture."""
        if not signs:
            return parts
        old, self._order, after, self._left = self._order, [], 0, iter(parts)
        for sign in signs:
            part = ord(sign) - FIRST
            if sign == "+":
                self.known[self._came] = next(self._left)
                self._order.append(self._came)
                self._came += 1
                after += 1
            elif part < 0:
                same = ord(sign) - ZERO
                self._order += old[after : after + same]
                after += same
            else:
                self._order.append(part)
                self._again.add(part)
                after = len(old) - old[::-1].index(part) if part in old else after + 1
        texts = [self.known[number] for number in self._order]
        if len(self.known) > self._keeps:
            rest = sorted(self.known.keys() - {*self._order}, key=lambda number: (number in self._again, number))
            for number in rest[: len(self.known) - self._keeps * 3 // 4]:
                del self.known[number]
            self._again.clear()
        return texts

    def html(self, parts, signs=""):
        """The HTML of the next picture."""
        return html_of(self.texts(parts, signs))

    def words(self, said):
        """What the page says with this picture."""
        return " ".join(next(self._left) if sign == "+" else self.known[ord(sign) - FIRST] for sign in said)
