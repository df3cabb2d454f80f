"""The types of the kit, as Debian's mypy checks them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest
from harness import KIT


def test_the_kit_has_no_type_error() -> None:
    # Debian has the module and the command in two packages.
    if importlib.util.find_spec("mypy") is None:
        if os.environ.get("CI_PYTHON") == "1":
            pytest.fail("CI_PYTHON=1: no mypy is found.")
        pytest.skip("no mypy is found")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "taskdouble"]
    done = subprocess.run(command, cwd=KIT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues found" in done.stdout
