"""How far something long has come, as a bar on standard error: in a terminal and in a notebook, nowhere else."""

from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def progress(total: int) -> Generator[Callable[[int], None]]:
    """A bar while somebody can see it; what is yielded takes how many of `total` are done. Without the extra `cli`,
    which draws it, there is none.
    """
    try:
        from rich.console import Console  # noqa: PLC0415 - an extra brings it
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415
    except ImportError:
        yield lambda _done: None
        return
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    seen = console.is_terminal or console.is_jupyter
    with Progress(*columns, console=console, disable=not seen) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
