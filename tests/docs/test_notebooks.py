"""The notebooks in examples/ run from their first cell to their last, in an empty folder."""

import ast
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from matrix import many, sampled

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.ipynb"))
FRAMES = [file for file in EXAMPLES if file.stem != "learn"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # one compiles the kernels of Adaman


def run(notebook, **values):
    """Run the cells; what each shows, as a notebook would: the value of its last line, None if that is a statement.
    `values` are other ones of what is set at the top.
    """
    namespace, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(json.loads(notebook.read_text("utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            tree, value = ast.parse("".join(cell["source"])), None
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            where = f"{notebook.name}, cell {number}"
            exec(compile(tree, where, "exec"), namespace)
            namespace.update({name: values[name] for name in values.keys() & namespace.keys()})
            if last is not None:
                value = eval(compile(ast.Expression(last.value), where, "eval"), namespace)
            shown.append(value)
    return namespace, shown


@pytest.mark.parametrize("notebook", FRAMES, ids=lambda file: file.stem)
def test_a_notebook_runs(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names, shown = run(notebook, DEALS=many(2, 8))
    assert any(value is not None and type(value).__name__ in {"DataFrame", "Series"} for value in shown)
    if notebook.stem == "bluffing":
        assert len(names["wins"]) == names["GAMES"]
        assert names["table"].doubted.any()
        assert "honest wins" in capsys.readouterr().out
    if notebook.stem == "adaman":
        won = names["solved"]
        assert not (won.coach & (won.winnable == False)).any()  # noqa: E712 - None is neither


class Callback:
    """Stands in for the base class of Stable-Baselines3."""

    def __init__(self):
        self.locals, self.num_timesteps = {}, 0


class Random:
    """Stands in for sb3-contrib's MaskablePPO, since PyTorch is large: plays at random, by the same masks."""

    def __init__(self, policy, envs, *, seed, **_):
        self.envs, self.dice = envs, np.random.default_rng(seed)

    def predict(self, seen, *, action_masks):
        assert (seen.dtype, action_masks.dtype) == (np.float32, bool)
        return self.dice.choice(np.flatnonzero(action_masks)), None

    def learn(self, steps, callback):
        seen, going = [env.reset()[0] for env in self.envs], True
        while going:
            infos = []
            for i, env in enumerate(self.envs):
                number, _ = self.predict(seen[i], action_masks=env.get_wrapper_attr("action_masks")())
                seen[i], _, over, left, info = env.step(number)
                infos.append(info)
                if over or left:
                    seen[i], _ = env.reset()
            callback.locals["infos"] = infos
            callback.num_timesteps += len(infos)
            going = callback._on_step()


@pytest.mark.parametrize(  # alone, and against others
    "game", sampled(["adaman", "hic-haec-hoc", "anno-domini", "trailblaze"], ["adaman", "hic-haec-hoc"])
)
def test_the_notebook_about_learning_runs(game, monkeypatch, capsys):
    many = lambda make, n_envs, seed: [make() for _ in range(n_envs)]  # noqa: E731
    for name, what in {
        "torch": {"set_num_threads": lambda _: None},
        "sb3_contrib": {"MaskablePPO": Random},
        "stable_baselines3.common.callbacks": {"BaseCallback": Callback},
        "stable_baselines3.common.env_util": {"make_vec_env": many},
    }.items():
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**what))
    names, _ = run(FOLDER / "learn.ipynb", GAME=game, SECONDS=1)
    assert names["wins"].games > 20
    assert names["won"] / names["games"] == pytest.approx(0.0 if game == "adaman" else 0.5, abs=0.1)
    said = capsys.readouterr().out
    assert f"of the last {len(names['wins'].last):,} won" in said
    assert "trained: " in said


def test_no_output_is_kept_in_them():
    assert [file.stem for file in EXAMPLES] == ["adaman", "bluffing", "first-hour", "learn"]
    for file in EXAMPLES:
        cells = json.loads(file.read_text("utf-8"))["cells"]
        assert all(not cell.get("outputs") for cell in cells)
