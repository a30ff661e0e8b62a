"""Handles the pictures from a page's socket like `take` in live.js."""

KEEPS = 512  # parts, as in live.js


class Pictures:
    """The parts that came on one socket. This page drops none."""

    def __init__(self):
        self._known = []
        self._order = []  # the part numbers of the last picture

    def texts(self, parts):
        """The texts of the next picture."""
        old, self._order, after = self._order, [], 0
        for part in parts:
            if isinstance(part, str):
                self._order.append(len(self._known))
                self._known.append(part)
                after += 1
            elif part is None:  # from a former server: the last picture's part at this place
                self._order.append(old[len(self._order)])
            elif part < 0:
                self._order += old[after : after - part]
                after -= part
            else:
                self._order.append(part)
                after = len(old) - old[::-1].index(part) if part in old else len(old)
        return [self._known[number] for number in self._order]
