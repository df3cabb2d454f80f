"""What the tests of the plugin share: the command under test, a client, and runs of pytest in a directory of their own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Mapping

KIT = Path(__file__).resolve().parent.parent
ROOT = KIT.parent
COMMAND = f"{shutil.which('node') or 'node'} {shlex.quote(str(ROOT / 'dist' / 'command' / 'main.js'))}"

#: A client that sleeps between polls and replies to tool calls.
CLIENT = '''
import json, time
from urllib import request

def call(double, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"apikey": double.api_key, "content-type": "application/json"}
    sent = request.Request(double.base_url + "/api/v1" + path, data, headers, method=method)
    with request.urlopen(sent, timeout=30) as response:
        return json.load(response)["r"]

def run(double, task="x", pause=0.0, replies=1, **fields):
    made = call(double, "POST", "/task", {"task": task, **fields})
    path, seen = "/task/" + made["id"], 0
    for _ in range(200):
        found = call(double, "GET", f"{path}?event_t={seen}")
        for event in found.get("events") or []:
            seen = max(seen, event["timestamp"])
            if event["name"] == "tool_call":
                reply = {"id": event["id"], "name": "tool_call", "timestamp": event["timestamp"],
                         "payload": {"code": 200, "output": {"temp_c": 9}}}
                for _ in range(replies):
                    call(double, "POST", path + "/event", reply)
        if found["status"] not in ("running", "waiting"):
            return found
        time.sleep(pause)
        if not pause:
            double.clock.advance("1s")
    raise AssertionError("it does not end")
'''

#: A task of these fields fits the scenario tool-calls/one-call.
TOOLS = '[{"name": "get_weather", "description": "Weather", "inputs": {"type": "object"}, "output": "temp_c"}]'


def run_pytest(
    directory: Path,
    test: str,
    *arguments: str,
    variables: Mapping[str, str | None] | None = None,
) -> tuple[int, str]:
    """Exit code and output of a run of pytest with one test file."""
    (directory / "client.py").write_text(CLIENT)
    (directory / "test_it.py").write_text(textwrap.dedent(test))
    (directory / "pytest.ini").touch()
    merged = {**os.environ, "PYTHONPATH": str(KIT), "COLUMNS": "200", "TASKDOUBLE_COMMAND": COMMAND, **(variables or {})}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        merged.pop(name, None)
    command = [sys.executable, "-m", "pytest", "-p", "taskdouble.pytest_plugin", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command,
        cwd=directory,
        env={name: value for name, value in merged.items() if value is not None},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout
