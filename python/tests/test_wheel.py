"""The wheel: built with what Debian has, installed from the file in a clean environment, without an index."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from plugin_support import COMMAND, KIT

MODULES = ["pip", "setuptools", "venv", "wheel"]
MISSING = [name for name in MODULES if importlib.util.find_spec(name) is None]

TEST = """
import urllib.request

def test_it(taskdouble):
    headers = {"apikey": taskdouble.api_key, "content-type": "application/json"}
    request = urllib.request.Request(taskdouble.base_url + "/api/v1/task", b'{"task": "Say hello."}', headers)
    assert urllib.request.urlopen(request).status == 200
    assert len(taskdouble.tasks) == 1
"""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**environment, "TASKDOUBLE_COMMAND": COMMAND},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def build_wheel(directory: Path) -> Path:
    """`build` makes a source distribution first, and the wheel from that: nothing of the tree can be missing in it."""
    tool = ["build", "--no-isolation", "--outdir"] if importlib.util.find_spec("build") else ["pip", "wheel", "--no-index"]
    more = [] if tool[0] == "build" else ["--no-deps", "--no-build-isolation", "--wheel-dir"]
    source = directory / "source"
    source.mkdir()
    for name in ("pyproject.toml", "taskdouble"):
        run("cp", "-r", KIT / name, source, cwd=directory)
    run(sys.executable, "-m", *tool, *more, directory, source, cwd=directory)
    (wheel,) = directory.glob("taskdouble-*-py3-none-any.whl")
    return wheel


def test_the_wheel_in_a_clean_environment(tmp_path: Path) -> None:
    if MISSING:
        problem = f"this Python has no {', '.join(MISSING)}"
        if os.environ.get("CI_PYTHON") == "1":
            pytest.fail(f"CI_PYTHON=1: {problem}.")
        pytest.skip(problem)
    wheel = build_wheel(tmp_path)
    # pytest and pip are those of the system.
    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "clean", cwd=tmp_path)
    python = tmp_path / "clean" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel, cwd=tmp_path)
    place = run(python, "-c", "import taskdouble; print(taskdouble.__file__)", cwd=tmp_path)
    assert place.startswith(str(tmp_path / "clean"))
    assert (Path(place.strip()).parent / "py.typed").is_file()
    assert COMMAND in run(python, "-m", "taskdouble", cwd=tmp_path)
    (tmp_path / "test_it.py").write_text(TEST)
    assert "1 passed" in run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", cwd=tmp_path)
