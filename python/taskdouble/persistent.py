"""A process that does one job after another, each in a fork of its own or, where there is none, in a fresh process."""

from __future__ import annotations

import atexit
import json
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from . import time_real as real
from .adapter import OtherWork, Work, await_threads, follow
from .job import Run, create_job
from .late_modules import LateModules, freeze_memory, import_modules, prepare_requests
from .left_behind import LeftBehind

_PREFIX = "taskdouble:"
#: Bytes of the job's stderr that are reported.
TAIL = 8_000
#: How long a hanging other job delays the job itself after its deadline, s.
_LATE = 1.0
#: Bytes to read at once.
_CHUNK = 1 << 16


def serve(run: Run) -> None:
    """Do the jobs that arrive on stdin until it ends."""
    if hasattr(os, "fork") and threading.active_count() == 1:
        ForkServer(run).serve()
    else:
        from .fresh_process import ProcessServer

        ProcessServer().serve()


class Messages:
    """Messages on stdout. What the client prints outside of a job goes to stderr."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._out = os.dup(1)
        os.dup2(2, 1)

    def send(self, **message: Any) -> None:
        self.write(f"\n{_PREFIX}{json.dumps(message)}\n".encode())

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]

    def announce(self, isolation: str, other_job: bool) -> None:
        self.send(adapter=1, language="python", isolation=isolation, time="virtual", other_job=other_job)


class ForkServer:
    """The warm process: it forks for each job."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._buffer = b""
        self._has_ended = False
        self._received: deque[dict[str, Any]] = deque()
        self._messages = Messages()
        self._left_behind = LeftBehind()

    def serve(self) -> None:
        prepare_requests()
        freeze_memory()
        self._messages.announce("fork", True)
        while not self._has_ended:
            self._read()
            while self._received:
                message = self._received.popleft()
                if "job" in message:
                    self._do(message)

    def _read(self) -> None:
        data = os.read(0, _CHUNK)
        self._has_ended = not data
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        self._received += [json.loads(line) for line in lines if line.strip()]

    def _do(self, message: dict[str, Any]) -> None:
        child = ForkedChild(self._run, message, self._messages)
        while not child.has_ended():
            if self._has_ended or {"cancel": message["id"]} in self._received:
                child.kill()
            ready = real.poll(child.list_interest([] if self._has_ended else [0]), child.patience)
            child.read(ready)
            if 0 in ready:
                self._read()
        left = self._left_behind.end()
        report = child.report()
        late = report.pop("late_modules", None)
        self._messages.send(id=message["id"], **report, **({"left_behind": left} if left else {}))
        if late:
            import_modules(late)


class ForkedChild:
    """A job in a process of its own."""

    def __init__(self, run: Run, message: Mapping[str, Any], messages: Messages) -> None:
        pipes = [os.pipe() for _ in range(3)]
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            for reader, _ in pipes:
                os.close(reader)
            do_in_child(run, message, *(writer for _, writer in pipes))
        for reader, writer in pipes:
            os.close(writer)
            os.set_blocking(reader, False)
        self._out, self._err, self._results = [reader for reader, _ in pipes]
        self._open = [self._out, self._err, self._results]
        self._messages = messages
        self._lines = b""
        self._tail = b""
        self._status: int | None = None

    @property
    def patience(self) -> float:
        """s until the next look at the process: the end of the results is that of the process."""
        return 1.0 if self._results in self._open else 0.005

    def list_interest(self, others: list[int]) -> dict[int, int]:
        return dict.fromkeys([*self._open, *others], real.READ)

    def has_ended(self) -> bool:
        if self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is not None

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def read(self, fds: Any) -> None:
        for fd in [each for each in self._open if each in fds]:
            try:
                data = os.read(fd, _CHUNK)
            except BlockingIOError:
                continue
            if not data:
                self._open.remove(fd)
                os.close(fd)
            elif fd == self._out:
                self._messages.write(data)
            elif fd == self._err:
                self._tail = (self._tail + data)[-TAIL:]
                os.write(2, data)
            else:
                self._lines += data

    def report(self) -> dict[str, Any]:
        """What is in the pipes is read: a process that the client has left behind may keep them open."""
        for _ in range(100):
            ready = real.poll(self.list_interest([]), 0) if self._open else {}
            if not ready:
                break
            self.read(ready)
        for fd in self._open:
            os.close(fd)
        report: dict[str, Any] = {}
        for line in self._lines.split(b"\n")[:-1]:
            report.update(json.loads(line))
        status = self._status or 0
        if os.WIFSIGNALED(status):
            report["signal"] = signal.Signals(os.WTERMSIG(status)).name
        else:
            report["exit_code"] = os.WEXITSTATUS(status)
        return {**report, "stderr": self._tail.decode("utf-8", "replace")}


def do_in_child(run: Run, message: Mapping[str, Any], out: int, err: int, results: int) -> NoReturn:
    """Do the job in this process, and end it."""
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.close(out)
        os.close(err)
        os.environ.pop("TASKDOUBLE_ADAPTER", None)
        os.environ.update(list_variables(message))
        if sys.platform == "darwin":
            # The system's proxy settings cannot be read after a fork.
            os.environ.setdefault("no_proxy", "*")
        code = _do_jobs(run, message, results)
        atexit._run_exitfuncs()
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def list_variables(message: Mapping[str, Any]) -> dict[str, str]:
    """The environment variables of a job."""
    names = ("base_url", "api_key", "scenario")
    texts = {f"TASKDOUBLE_{name.upper()}": str(message.get(name, "")) for name in names}
    return {**texts, "TASKDOUBLE_JOB": json.dumps(message["job"])}


def _do_jobs(run: Run, message: Mapping[str, Any], results: int) -> int:
    def send(report: dict[str, Any]) -> None:
        data = json.dumps(report).encode() + b"\n"
        while data:
            data = data[os.write(results, data) :]

    late_modules = LateModules()
    with follow(message.get("time"), message["base_url"]):
        job = create_job(list_variables(message), message["job"])
        work = Work(run, job, lambda line: send({"result": line}))
        other = _start_other(run, message["other_job"], send) if "other_job" in message else None
        work.do()
        if other is not None:
            other.is_reported.wait()
        await_threads()
    late = late_modules.list()
    if late:
        send({"late_modules": late})
    return work.exit_code or 0


def _start_other(run: Run, other: Mapping[str, Any], send: Callable[[dict[str, Any]], None]) -> OtherWork:
    """Start another job in a thread. Returns when the job itself may start."""
    job = create_job(list_variables(other), other["job"])

    def send_other(line: dict[str, Any]) -> None:
        send({"other": {"result": line, "exit_code": 1 if "error" in line else 0}})

    work = OtherWork(run, job, send_other)
    # A daemon: if it hangs, it has given up in time.
    thread = threading.Thread(target=work.do, daemon=True)
    thread.start()
    if other["starts"] == "before":
        thread.join(job.deadline_ms / 1000 + _LATE)
    return work
