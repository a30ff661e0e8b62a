"""Runs the examples of a page, in order, in one namespace and one folder.

- `python` is run; `pycon` is run and its output compared (`…` stands for anything).
- `sh` has commands of `spieltisch`, one a line; each must end with status 0.
- `console` has such commands after `$ `, and below each its output (`…` stands for anything).
- A block after `<!-- file: NAME -->` is written to that file, whatever its language.
- A block after `<!-- not run: REASON -->` is skipped.
"""

import doctest
import importlib.metadata
import io
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

MARK = re.compile(r"<!-- (file|not run): (.+?) -->\s*$", re.DOTALL)
RUN = {"python", "pycon", "sh", "console"}
OTHER_NAMES = {"py": "python", "python3": "python", "bash": "sh", "shell": "sh", "zsh": "sh", "doctest": "pycon"}


class Example(NamedTuple):
    language: str
    text: str
    line: int  # of its first line, from 1
    file: str  # the file to write it to, or ""


class ExampleError(AssertionError):
    """An example does not do what the page says, or cannot be checked."""


def examples(page: str) -> list[Example]:
    """The blocks of a page that are run or written. Raises ExampleError for an unknown language or a missing reason."""
    found, mark = [], None
    for token in MarkdownIt("commonmark").parse(page):
        if token.type == "html_block":
            mark = MARK.match(token.content)
            continue
        if token.type == "fence" and token.map:
            language, line = token.info.partition(" ")[0], token.map[0] + 2
            if language in OTHER_NAMES:
                raise ExampleError(f"line {line - 1}: {language} is written {OTHER_NAMES[language]} here")
            kind, what = mark.groups() if mark else ("", "")
            if kind == "not run" and language not in RUN:
                raise ExampleError(f"line {line - 1}: {language or 'plain text'} is not run anyway")
            if kind == "file" or (language in RUN and kind != "not run"):
                found.append(Example(language, token.content, line, what))
        mark = None
    return found


def run(page: str, name: str) -> int:
    """Run the examples of a page in the working directory, and return their number. Raises ExampleError, or an
    example's error.
    """
    namespace: dict[str, Any] = {"__name__": "example"}
    found = examples(page)
    for example in found:
        where = f"{name}, line {example.line}"
        if example.file:
            Path(example.file).write_text(example.text, "utf-8")
        elif example.language == "python":
            exec(compile("\n" * (example.line - 1) + example.text, name, "exec"), namespace)
        elif example.language == "pycon":
            _converse(example, name, namespace)
        elif example.language == "sh":
            for line in _lines(example.text):
                _command(line, where)
        else:
            _session(example.text, where)
    return len(found)


def _converse(example: Example, name: str, namespace: dict[str, Any]) -> None:
    wanted = "".join(
        line if line.startswith((">>>", "...")) else line.replace("…", "...")
        for line in example.text.splitlines(keepends=True)
    )
    test = doctest.DocTestParser().get_doctest(wanted, namespace, name, name, example.line - 1)
    test.globs = namespace  # the next block can use its definitions
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.write, clear_globs=False)
    if not test.examples or runner.failures:
        raise ExampleError(said.getvalue() or f"{name}, line {example.line}: there is no >>> in it")


def _joined(text: str) -> str:
    """Join lines that end with a backslash to the next one."""
    return re.sub(r"\s*\\\n\s*", " ", text)


def _lines(text: str) -> list[str]:
    return [line for line in _joined(text).splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _session(text: str, where: str) -> None:
    head, *parts = re.split(r"^\$ ", _joined(text), flags=re.MULTILINE)
    if head.strip() or not parts:
        raise ExampleError(f"{where}: a command begins with `$ `")
    for part in parts:
        line, _, wanted = part.partition("\n")
        said = _command(line, where)
        shape = ".*".join(re.escape(piece) for piece in wanted.strip().split("…"))
        if not re.fullmatch(shape, said.strip(), re.DOTALL):
            raise ExampleError(f"{where}: {line}\nprints\n{said}\nand the page says\n{wanted}")


def _command(line: str, where: str) -> str:
    """Run a command of `spieltisch` in this process, and return its output."""
    words = shlex.split(line, comments=True)
    if words[:1] != ["spieltisch"]:
        raise ExampleError(f"{where}: no command of spieltisch; mark the block as not run, with the reason: {line}")
    target = ""
    if len(words) > 2 and words[-2] == ">":
        *words, _, target = words
    main = importlib.metadata.entry_points(group="console_scripts", name="spieltisch")["spieltisch"].load()
    before = sys.argv, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in "oe")
    sys.argv, sys.stdout, sys.stderr = words, out, err
    status: object = 0
    try:
        status = main()
    except SystemExit as left:
        status = left.code
    finally:
        sys.argv, sys.stdout, sys.stderr = before
        out.flush()
        err.flush()
    said, complained = out.buffer.getvalue().decode(), err.buffer.getvalue().decode()
    if status:
        raise ExampleError(f"{where}: {line}\nended with status {status}: {complained}{said}")
    if target:
        Path(target).write_text(said, "utf-8")
        return ""
    return said
