"""An adapter connects a client with `taskdouble client`: it gives the client each job, and reports the result."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

from . import time_real as real
from .job import Job, Result, Run, Tool, ToolError, Tools, carry_out, create_job, describe_place
from .time_current import find_scheduler
from .time_patches import install_patches
from .virtual_time import follow_time_server

__all__ = ["Job", "Result", "Tool", "ToolError", "Tools", "adapter"]

#: A client gives up after this part of its time, so that it can still report it.
_USED_PART = 0.9

if os.environ.get("TASKDOUBLE_ADAPTER") or os.environ.get("TASKDOUBLE_TIME"):
    # Before the client is imported: what it creates then follows virtual time, too.
    install_patches()


def adapter(run: Run) -> None:
    """
    Do the jobs that `taskdouble client -- python3 FILE` has for a client.

    `run(job, tools)` does one job with the client, and returns `status` and `output` (and `live_url`, `asked` and
    `results`, as far as they are not in `job.line` already). If it raises an exception, the client has given up.
    Call this at the end of the file.
    """
    if os.environ.get("TASKDOUBLE_ADAPTER"):
        from .persistent import serve

        serve(run)
    elif os.environ.get("TASKDOUBLE_JOB"):
        _do_one(run)
    else:
        sys.exit(f"This is an adapter for taskdouble. Start it with: taskdouble client -- python3 {sys.argv[0]}")


def _do_one(run: Run) -> NoReturn:
    """The job in the environment variables."""
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    sys.stdout.flush()
    os.dup2(2, 1)
    job = create_job(os.environ, json.loads(os.environ["TASKDOUBLE_JOB"]))
    time = os.environ.get("TASKDOUBLE_TIME")

    def send(line: dict[str, Any]) -> None:
        print(json.dumps(line), file=report, flush=True)

    with follow(json.loads(time) if time else None, job.base_url):
        work = Work(run, job, send)
        work.do()
        await_threads()
    sys.exit(work.exit_code)


def follow(time: Mapping[str, Any] | None, base_url: str) -> AbstractContextManager[Any]:
    """The time of the harness if it has given one, else real time."""
    if time is None:
        return nullcontext()
    return follow_time_server(time["port"], time["token"], str(time.get("process", "1")), base_url)


class Work:
    """A job in progress. Its line is sent once."""

    def __init__(self, run: Run, job: Job, send: Callable[[dict[str, Any]], None]) -> None:
        self._run = run
        self._job = job
        self._send = send
        self._lock = threading.Lock()
        self.is_reported = threading.Event()
        self.exit_code: int | None = None

    def do(self) -> None:
        stop = self._limit()
        line = carry_out(self._run, self._job)
        stop()
        self._end(line)

    def give_up(self) -> None:
        """The time of the job is almost over. The client hangs, and is ended with its process."""
        self._report_late()
        sys.stderr.flush()
        os._exit(1)

    def _report_late(self) -> None:
        place = describe_place(self._thread, sys._current_frames())
        self._end(self._job.end(f"gave up after {self._seconds:g} s: the client was at {place}"))

    def _end(self, line: dict[str, Any]) -> None:
        with self._lock:
            if self.exit_code is None:
                self.exit_code = 1 if "error" in line else 0
                self._send(line)
                self.is_reported.set()

    def _limit(self) -> Callable[[], None]:
        """Call `give_up` at the end of the time. Returns the call that prevents it."""
        self._thread = real.get_ident()
        self._seconds = self._job.deadline_ms / 1000 * _USED_PART
        scheduler = find_scheduler()
        if scheduler is not None:
            wait, cancel = scheduler.call_at(self._seconds, self.give_up), scheduler.cancel
            return lambda: cancel(wait)
        timer = threading.Timer(self._seconds, self.give_up)
        timer.daemon = True
        timer.start()
        return timer.cancel


class OtherWork(Work):
    """Another job in the same process, which continues without it if it hangs."""

    def give_up(self) -> None:
        self._report_late()


def await_threads() -> None:
    """As at the end of a program: idle workers of executors end, and all threads that are no daemons are awaited."""
    calls: Any = getattr(threading, "_threading_atexits", [])
    while calls:
        calls.pop()()
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
