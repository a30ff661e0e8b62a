"""How far something long has come, as a bar on standard error: in a terminal and in a notebook, nowhere else."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def progress(total: int) -> Generator[Callable[[int], None]]:
    """A bar while somebody can see it; what is yielded takes how many of `total` are done. Without the extra `cli`,
    which draws it, there is none, nor in a notebook without ipywidgets.
    """
    try:
        from rich.console import Console  # noqa: PLC0415 - an extra brings it
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415
    except ImportError:
        yield lambda _done: None
        return
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Without ipywidgets, rich prints into notebooks that one should install it.
    seen = console.is_terminal or (console.is_jupyter and find_spec("ipywidgets") is not None)
    with Progress(*columns, console=console, disable=not seen) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
