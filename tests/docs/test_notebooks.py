"""The notebooks in examples/ run from their first cell to their last, in an empty folder."""

import ast
import json
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # one compiles the kernels of Adaman


def run(notebook):
    """Run the cells; what each shows, as a notebook would: the value of its last line, None if that is a statement."""
    namespace, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(json.loads(notebook.read_text("utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            tree, value = ast.parse("".join(cell["source"])), None
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            where = f"{notebook.name}, cell {number}"
            exec(compile(tree, where, "exec"), namespace)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), where, "eval"), namespace)
            shown.append(value)
    return namespace, shown


@pytest.mark.parametrize("notebook", EXAMPLES, ids=lambda file: file.stem)
def test_a_notebook_runs(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names, shown = run(notebook)
    assert any(value is not None and type(value).__name__ in {"DataFrame", "Series"} for value in shown)
    if notebook.stem == "bluffing":
        assert len(names["wins"]) == names["GAMES"]
        assert names["table"].doubted.any()
        assert "honest wins" in capsys.readouterr().out
    if notebook.stem == "adaman":
        won = names["solved"]
        assert not (won.coach & (won.winnable == False)).any()  # noqa: E712 - None is neither


def test_there_are_three_and_no_output_is_kept_in_them():
    assert [file.stem for file in EXAMPLES] == ["adaman", "bluffing", "first-hour"]
    for file in EXAMPLES:
        cells = json.loads(file.read_text("utf-8"))["cells"]
        assert all(not cell.get("outputs") for cell in cells)
