"""The clock of tests."""


class Clock:
    """A clock that stands still until a test sets `time`, in seconds."""

    def __init__(self, time: float = 1_000_000.0):
        self.time = time

    def __call__(self) -> float:
        return self.time
