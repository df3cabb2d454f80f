"""python -m taskdouble: where the command is, and which versions there are."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

from . import __version__
from .admin import TaskdoubleError
from .mock import find_command


def main() -> int:
    print(f"kit for Python {__version__}, {platform.python_implementation()} {platform.python_version()}")
    try:
        command = find_command(os.environ, Path.cwd())
        version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, timeout=60)
    except (TaskdoubleError, OSError, subprocess.SubprocessError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"command {version.stdout.strip()}, {shlex.join(command)}")
    return 0


sys.exit(main())
