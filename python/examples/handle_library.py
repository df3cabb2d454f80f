"""A small client library: a task that runs has a handle, and its tools are decorated functions."""

import json
import threading
import time
import uuid
from contextlib import suppress
from http.client import HTTPException
from urllib.request import Request, urlopen

OPEN = ("waiting", "running")
POLL_S = 0.5


class Refused(Exception):
    """A tool raises this for an input that it does not accept; any other exception is its failure."""


class Tools:
    """Functions that a task may call."""

    def __init__(self):
        self.functions = {}

    def tool(self, name):
        def register(function):
            self.functions[name] = function
            return function

        return register

    def run(self, name, input=None):
        if name not in self.functions:
            return {"code": 400, "output": f"no tool {name}"}
        try:
            return {"code": 200, "output": self.functions[name](input)}
        except Refused as refusal:
            return {"code": 400, "output": refusal.args[0]}
        except Exception as failure:
            return {"code": 500, "output": failure.args[0] if failure.args else None}


class Client:
    def __init__(self, base_url, api_key):
        self.url, self.api_key = f"{base_url}/api/v1", api_key

    def start(self, request, tools):
        """Start a task or a session, and poll it in the background."""
        return Handle(self, self.call("POST", "/task", request), tools)

    def call(self, method, path, body=None, tries=1):
        """Send a request; again what was lost, unless that could make a second task."""
        data = body and json.dumps(body).encode()
        headers = {"apikey": self.api_key, "content-type": "application/json"}
        try:
            with urlopen(Request(self.url + path, data, headers, method=method), timeout=10) as response:
                return method == "DELETE" or json.load(response)["r"]
        except (OSError, ValueError, HTTPException) as lost:
            status, after = getattr(lost, "code", 0), getattr(lost, "headers", {}).get("retry-after", "")
            if tries == 8 or not (status == 429 or (path != "/task" and not 400 <= status < 500)):
                raise
        time.sleep(float(after) if after.isdigit() else tries / 4)
        return self.call(method, path, body, tries + 1)


class Handle:
    """A task, or a session, that has been started."""

    def __init__(self, client, task, tools):
        self._client, self._task, self._tools = client, task, tools
        self._path, self._seen, self._replied = f"/task/{task['id']}", 0, set()
        self._results, self._address = {}, task.get("live_url")
        self._error, self._is_cancelled, self._changed = None, False, threading.Condition()
        threading.Thread(target=self._work, daemon=True).start()

    def result(self, timeout=None):
        """Wait for the end, and return the task. Any number of threads may wait."""
        self._await(lambda: self._task["status"] not in OPEN, timeout)
        return self._task

    def act(self, name, payload, timeout=None):
        """Send an event, and wait for its result: a code and an output; None if the task ends before."""
        id = str(uuid.uuid4())
        self._await(lambda: self._task["status"] != "waiting", timeout)
        if self._task["status"] != "running":
            return None
        self._client.call("POST", f"{self._path}/event", {"name": name, "id": id, "payload": payload})
        self._await(lambda: id in self._results or self._task["status"] not in OPEN, timeout)
        return self._results.get(id)

    def cancel(self):
        """Cancel a task, or close a session. Its calls get no reply any more."""
        self._is_cancelled = True
        with suppress(OSError):  # refused: it is over already
            self._client.call("DELETE", self._path)

    def live_url(self, timeout=None):
        """Wait for the address of the live view, at most until the end; None if there was none."""
        self._await(lambda: self._address or self._task["status"] not in OPEN, timeout)
        return self._address

    def address(self, name):
        """Wait for `recording_url` or `downloads_url`, after the end; empty if there is none."""
        for _ in range(10):
            query = "?downloads=true" if name == "downloads_url" else ""
            found = self._client.call("GET", self._path + query)[name]
            if found is not None:
                return found
            time.sleep(POLL_S)

    def _await(self, condition, timeout):
        with self._changed:
            if not self._changed.wait_for(lambda: self._error or condition(), timeout):
                raise TimeoutError("the task is not over yet")
        if self._error:
            raise self._error

    def _work(self):
        try:
            while self._task["status"] in OPEN:
                self._read(self._client.call("GET", f"{self._path}?event_t={self._seen}"))
                time.sleep(POLL_S if self._task["status"] in OPEN else 0)
        except Exception as error:
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _read(self, task):
        calls = []
        with self._changed:
            for event in task.get("events") or []:
                self._seen = max(self._seen, event["timestamp"])
                if "code" in event["payload"]:
                    self._results.setdefault(event["id"], event["payload"])
                elif (
                    event["name"] == "tool_call"
                    and task["status"] in OPEN
                    and event["id"] not in self._replied
                ):
                    self._replied.add(event["id"])
                    calls.append(event)
            self._task, self._address = task, task.get("live_url") or self._address
            self._changed.notify_all()
        for event in calls:
            if self._is_cancelled:
                return
            payload = self._tools.run(event["payload"]["name"], event["payload"].get("input"))
            with suppress(OSError):  # refused: the next poll tells why
                self._client.call(
                    "POST",
                    f"{self._path}/event",
                    {"name": "tool_call", "id": event["id"], "payload": payload},
                )
