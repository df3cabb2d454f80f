"""A fresh process for each job, where a process cannot fork."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

from .left_behind import LeftBehind
from .persistent import TAIL, Messages, list_variables


class ProcessServer:
    """Starts this command again for each job, as a command that does one."""

    def __init__(self) -> None:
        self._messages = Messages()
        self._left_behind = LeftBehind()
        self._received: queue.Queue[dict[str, Any]] = queue.Queue()
        # The command, not this process, reads the files that may have changed.
        self._command = [sys.executable, *getattr(sys, "orig_argv", [sys.executable, *sys.argv])[1:]]

    def serve(self) -> None:
        self._messages.announce("process", False)
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            message = self._received.get()
            if "end" in message:
                return
            if "job" in message:
                report = self._do(message)
                left = self._left_behind.end()
                self._messages.send(id=message["id"], **report, **({"left_behind": left} if left else {}))

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            if line.strip():
                self._received.put(json.loads(line))
        self._received.put({"end": True})

    def _do(self, message: Mapping[str, Any]) -> dict[str, Any]:
        environment = {**os.environ, **list_variables(message)}
        del environment["TASKDOUBLE_ADAPTER"]
        if "time" in message:
            environment["TASKDOUBLE_TIME"] = json.dumps(message["time"])
        pipe = subprocess.PIPE
        child = subprocess.Popen(self._command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
        # It ends with the process, or later if the client leaves a process behind.
        texts: dict[str, bytes] = {"out": b"", "err": b""}
        threads = [
            threading.Thread(target=self._collect, args=(name, stream, texts), daemon=True)
            for name, stream in (("out", child.stdout), ("err", child.stderr))
        ]
        for thread in threads:
            thread.start()
        self._await_end(child, message["id"])
        for thread in threads:
            thread.join(1)
        return self._report(child.returncode, **texts)

    def _await_end(self, child: subprocess.Popen[bytes], id: str) -> None:
        while child.poll() is None:
            try:
                message = self._received.get(timeout=0.02)
            except queue.Empty:
                continue
            if "end" in message or message.get("cancel") == id:
                child.kill()
                child.wait()
            if "end" in message:
                self._received.put(message)

    def _collect(self, name: str, stream: Any, texts: dict[str, bytes]) -> None:
        for line in stream:
            texts[name] = (texts[name] + line)[-TAIL:] if name == "err" else line
            if name == "err":
                os.write(2, line)

    def _report(self, code: int, out: bytes, err: bytes) -> dict[str, Any]:
        report: dict[str, Any] = {"exit_code": code, "stderr": err.decode("utf-8", "replace")}
        if code < 0:
            report = {"signal": signal.Signals(-code).name, "stderr": report["stderr"]}
        try:
            result = json.loads(out)
        except ValueError:
            self._messages.write(out)
            return report
        return {"result": result, **report}
