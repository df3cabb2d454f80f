"""Starts a mock for tests, or uses a running one."""
from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
from collections import deque
from pathlib import Path
from typing import Any, Deque, Dict, List, Mapping, Optional, Sequence

from .admin import AdminClient, TaskdoubleError

#: Most time until the mock listens, s.
_START_TIMEOUT = 60.0
#: Time that the mock has for its end, s.
_STOP_TIMEOUT = 5.0

_INSTALL = "copy taskdouble.mjs into the project, or set TASKDOUBLE_COMMAND to the command, or TASKDOUBLE_URL to a running mock"
_NODE = "install Node.js 20.19 or later, or set TASKDOUBLE_URL to a mock that runs elsewhere"


class RunningMock:
    """A mock that listens. It is shared by tests, each of which has a key of its own."""

    def __init__(self, base_url: str, seed: Any, process: Optional[MockProcess] = None) -> None:
        self.base_url = base_url.rstrip("/")
        """The address for clients; their paths begin with /api/v1/."""
        self.seed = seed
        self.is_ours = process is not None
        """False for a mock that others started: it may be used by others at the same time."""
        self._process = process
        self.admin = AdminClient(self.base_url, self._describe_failure)
        self._scenarios: Optional[List[str]] = None

    def list_scenarios(self) -> List[str]:
        """The names of all scenarios that a task can follow."""
        if self._scenarios is None:
            listed = self.admin.request("GET", "/scenarios")["scenarios"]
            self._scenarios = [scenario["name"] for scenario in listed if "organisation" not in scenario]
        return self._scenarios

    def close(self) -> None:
        self.admin.close()
        if self._process is not None:
            self._process.stop()

    def _describe_failure(self, error: str) -> str:
        if self._process is None:
            return f"The mock at TASKDOUBLE_URL={self.base_url} does not respond ({error}): start it, or unset TASKDOUBLE_URL."
        end = self._process.describe_end()
        if end is None:
            return f"The mock at {self.base_url} does not respond ({error})."
        return f"The mock ended during the tests ({end}): run the tests again, and report it if it ends again."


class MockProcess:
    """The command, as a child of this process."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors: Deque[str] = deque(maxlen=20)
        self._lines: Deque[str] = deque(maxlen=20)
        self._has_line = threading.Event()
        # A session of its own: Ctrl-C ends the tests first, which still read from the mock. A wrapper such as npx ends with it.
        self._process = subprocess.Popen(
            [*command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def await_ready(self) -> Dict[str, Any]:
        """The line that the mock prints when it listens. Raises TaskdoubleError."""
        is_there = self._has_line.wait(_START_TIMEOUT)
        ready = next((line for line in map(_parse_ready, list(self._lines)) if line), None)
        if ready is not None:
            return ready
        self.stop()
        if not is_there:
            raise TaskdoubleError(f"The mock did not listen within {_START_TIMEOUT:g} s: {self._last_error()}.")
        # A command that ends without an error is another one.
        advice = f"; {_INSTALL}" if self._process.returncode == 0 else ""
        raise TaskdoubleError(f"The mock did not start: {self._last_error()}{advice}.")

    def describe_end(self) -> Optional[str]:
        """How the process ended; None while it runs."""
        try:
            # Its connections are closed a moment before it has ended.
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return None
        ending = f"exit code {code}" if code >= 0 else f"signal {-code}"
        error = self._last_error()
        return ending if error == "it printed no reason" else f"{ending}: {error}"

    def stop(self) -> None:
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self._process.wait()
        for reader in self._readers:
            reader.join(_STOP_TIMEOUT)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _signal(self, number: int) -> None:
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.terminate()
        except OSError:
            # It has ended.
            pass

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            if _parse_ready(line):
                self._has_line.set()
        self._has_line.set()

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if line.strip():
                self._errors.append(line.strip())

    def _last_error(self) -> str:
        for reader in self._readers:
            reader.join(0.2)
        printed = list(self._errors) or [line.strip() for line in self._lines if not _parse_ready(line)]
        # A command that fails says in its first line what happened, an uncaught error in the one that names it.
        named = [line for line in printed if re.match(r"[\w.]*error\b|taskdouble", line, re.IGNORECASE)]
        return (named or printed or ["it printed no reason"])[0].rstrip(".")


def _parse_ready(line: str) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "base_url" in value else None


def start_mock(
    options: Sequence[str] = (),
    directory: Optional[Path] = None,
    variables: Optional[Mapping[str, str]] = None,
) -> RunningMock:
    """
    Start a mock on a free port, or use that of TASKDOUBLE_URL. `options`: those of `taskdouble mock`. Raises TaskdoubleError with one
    sentence that says what to do.
    """
    given = os.environ if variables is None else variables
    url = given.get("TASKDOUBLE_URL")
    if url:
        return _use_running(url)
    command = find_command(given, directory or Path.cwd())
    seed = ["--seed", given["TASKDOUBLE_SEED"]] if given.get("TASKDOUBLE_SEED") else []
    arguments = ["mock", "--port", "0", "--json", "--quiet", "--exit-with-parent", *seed, *options]
    try:
        process = MockProcess([*command, *arguments])
    except OSError as error:
        raise TaskdoubleError(f"{shlex.join(command)} cannot be started ({error.strerror}): {_INSTALL}.") from None
    ready = process.await_ready()
    try:
        check_version(ready.get("version"), command)
    except TaskdoubleError:
        process.stop()
        raise
    return RunningMock(ready["base_url"], ready.get("seed", 1), process)


def find_command(variables: Mapping[str, str], directory: Path) -> List[str]:
    """TASKDOUBLE_COMMAND, an installed command, or that of the project: of npm, or the one file."""
    given = variables.get("TASKDOUBLE_COMMAND")
    if given:
        words = shlex.split(given)
        if shutil.which(words[0], path=variables.get("PATH")) is None:
            raise TaskdoubleError(f"TASKDOUBLE_COMMAND={given}: there is no command {words[0]}; {_INSTALL}.")
        return words
    installed = shutil.which("taskdouble", path=variables.get("PATH"))
    command = [installed] if installed is not None else _find_in_project(directory)
    if command is None:
        raise TaskdoubleError(f"There is no command taskdouble here: {_INSTALL}.")
    if shutil.which("node", path=variables.get("PATH")) is None:
        raise TaskdoubleError(f"{command[-1]} needs Node.js, and there is no command node: {_NODE}.")
    return command


def _find_in_project(directory: Path) -> Optional[List[str]]:
    for parent in [directory, *directory.parents]:
        found = shutil.which("taskdouble", path=str(parent / "node_modules" / ".bin"))
        if found is not None:
            return [found]
        one_file = parent / "taskdouble.mjs"
        if one_file.is_file():
            return ["node", str(one_file)]
    return None


def check_version(version: object, command: Sequence[str]) -> None:
    """The kit and the command are one product: its parts fit if they have the same major and minor version."""
    from . import __version__ as own

    if isinstance(version, str) and version.split(".")[:2] == own.split(".")[:2]:
        return
    other = f"taskdouble {version}" if isinstance(version, str) else "an older taskdouble"
    raise TaskdoubleError(f"{shlex.join(command)} is {other}, and this package is {own}: install the same version of both.")


def _use_running(url: str) -> RunningMock:
    mock = RunningMock(url, None)
    try:
        status, text = mock.admin.send("GET", "")
    except (ValueError, UnicodeError) as error:
        raise TaskdoubleError(f"TASKDOUBLE_URL={url} is no address ({error}): write http://127.0.0.1:4010.") from None
    if status == 403:
        raise TaskdoubleError(f"The mock at TASKDOUBLE_URL={url} refuses its admin API: {_detail(text)}")
    if status != 200 or "/__admin/" not in text:
        raise TaskdoubleError(f"TASKDOUBLE_URL={url} is no mock of taskdouble: start one with \"taskdouble mock\".")
    if "/__admin/wait" not in text or "/__admin/scenarios/next" not in text:
        raise TaskdoubleError(f"The mock at TASKDOUBLE_URL={url} has no such admin API: install the same version of both.")
    mock.seed = mock.admin.request("GET", "/health").get("seed", 1)
    return mock


def _detail(text: str) -> str:
    try:
        return str(json.loads(text)["detail"])
    except (ValueError, KeyError, TypeError):
        return text[:200]
