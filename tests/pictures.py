"""Handles the pictures from a page's socket like `take` in live.js."""

from spieltisch.web.core.renderer import html_of

KEEPS = 512  # parts, as in live.js


class Pictures:
    """The parts that came on one socket."""

    def __init__(self, keeps=KEEPS):
        self.known = {}
        self._keeps = keeps
        self._came = 0
        self._order = []  # the part numbers of the last picture
        self._again = set()

    def texts(self, parts):
        """The texts of the next picture."""
        old, self._order, after = self._order, [], 0
        for part in parts:
            if isinstance(part, str):
                self.known[self._came] = part
                self._order.append(self._came)
                self._came += 1
                after += 1
            elif part is None:  # from a former server: the last picture's part at this place
                self._order.append(old[len(self._order)])
            elif part < 0:
                self._order += old[after : after - part]
                after -= part
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

    def html(self, parts):
        """The HTML of the next picture."""
        return html_of(self.texts(parts))

    def words(self, said):
        """What the page says with this picture."""
        return " ".join(self.known[one] if isinstance(one, int) else one for one in said)
