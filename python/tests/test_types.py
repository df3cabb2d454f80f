"""The types of the kit, as Debian's mypy checks them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from harness import KIT


def test_the_kit_has_no_type_error() -> None:
    mypy = shutil.which("mypy")
    if mypy is None:
        if os.environ.get("CI_PYTHON") == "1":
            pytest.fail("CI_PYTHON=1: no mypy is found.")
        pytest.skip("no mypy is found")
    command = [mypy, "--strict", "--cache-dir", os.devnull, "taskdouble"]
    done = subprocess.run(command, cwd=KIT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues found" in done.stdout
