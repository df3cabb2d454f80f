"""The adapter that `client --init python` writes, and the example with handles."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import KIT, PATIENCE

ROOT = KIT.parent
MAIN = ROOT / "dist/command/main.js"
FIRST = ROOT / "fixtures/adapters/adapter.py"
SCENARIOS = [
    "polling/one-shot",
    "polling/second-wait",
    "polling/wait-again",
    "polling/slow-agent",
    "tool-calls/two-tools",
    "sessions/*",
    "races/call-after-cancel",
    "resources/late-*",
    "resources/downloads",
]


@pytest.mark.parametrize("file", [FIRST, KIT / "examples/handle_adapter.py"], ids=lambda file: file.name)
def test_it_conforms_on_virtual_time(file: Path) -> None:
    if not MAIN.exists():
        pytest.skip("the command is not built")
    chosen = [word for each in SCENARIOS for word in ("--scenario", each)]
    command = ["node", str(MAIN), "client", "--time", "virtual", *chosen, "--", sys.executable, str(file)]
    environment = {**os.environ, "PYTHONPATH": str(KIT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert " conforms: 0 failed" in done.stdout, done.stdout
    assert "0 inconclusive" in done.stdout, done.stdout
    assert "in virtual time (python, a forked process for each job)" in done.stdout, done.stdout


def test_without_the_kit_it_says_how_to_get_it() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-S", str(FIRST)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "The kit is missing: pip install ./taskdouble-VERSION-py3-none-any.whl\n"


def test_the_package_says_where_the_command_is() -> None:
    environment = {**os.environ, "PYTHONPATH": str(KIT), "TASKDOUBLE_COMMAND": "no-such-command"}
    command = [sys.executable, "-m", "taskdouble"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout.split()[:4]) == (1, ["kit", "for", "Python", "0.1.0,"])
    assert "no-such-command" in done.stderr
