"""Everything the documents show runs: the quick start, the recipes, the notebook."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECIPES = sorted((ROOT / "docs" / "recipes").glob("[0-9]*.py"))


def test_no_recipe_is_lost():
    assert len(RECIPES) == 22


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda p: p.stem)
def test_a_recipe_runs(recipe):
    runpy.run_path(str(recipe), run_name="__main__")


def test_the_quick_start_runs():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})


def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "docs" / "grasp.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    shown = [o for cell in notebook.cells for o in cell.get("outputs", []) if "text/html" in o.get("data", {})]
    assert len(shown) == 1 and "iframe" in shown[0]["data"]["text/html"]
