"""The start and the end of threads, on virtual time."""

from __future__ import annotations

import _thread
import concurrent.futures.thread
import os
import queue
import threading
from typing import Any, Callable

from . import time_real as real
from .time_current import find_scheduler
from .time_locks import VirtualLock
from .time_turns import WOKEN


def _starting(start: Callable[..., Any]) -> Callable[..., Any]:
    def start_thread(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        scheduler = find_scheduler()
        if scheduler is None:
            return start(function, *args, **options)
        enter, leave = scheduler.enter, scheduler.leave
        task = scheduler.add_task()
        thread = getattr(function, "__self__", None)
        if isinstance(thread, threading.Thread):
            thread._taskdouble_task = task  # type: ignore[attr-defined]

        def run(*values: Any, **named: Any) -> None:
            enter(task)
            try:
                function(*values, **named)
            finally:
                leave(task)

        try:
            return start(run, *args, **options)
        except BaseException:
            scheduler.drop_task(task)
            raise

    return start_thread


def _join(self: threading.Thread, timeout: float | None = None) -> None:
    scheduler = find_scheduler()
    task = getattr(self, "_taskdouble_task", None)
    if scheduler is not None and task is not None and self is not threading.current_thread():
        if scheduler.join(task, None if timeout is None else max(0, timeout)) is WOKEN:
            timeout = None
        elif not scheduler.is_stopped:
            return None
    return real.join(self, timeout)


def _draw_bytes(size: int) -> bytes:
    scheduler = find_scheduler()
    if scheduler is None or scheduler.random is None:
        return real.urandom(size)
    return scheduler.random.randbytes(size)


def list_thread_patches() -> list[tuple[Any, str, Any]]:
    """The owner, the name and the replacement of each."""
    patches = [
        (_thread, "start_new_thread", _starting(real.start_new_thread)),
        (threading, "Lock", VirtualLock),
        (threading, "_allocate_lock", VirtualLock),
        (threading, "_CRLock", threading._PyRLock),  # type: ignore[attr-defined]
        (threading.Thread, "join", _join),
        (queue, "SimpleQueue", queue._PySimpleQueue),  # type: ignore[attr-defined]
        (concurrent.futures.thread, "_global_shutdown_lock", VirtualLock()),
        (os, "urandom", _draw_bytes),
    ]
    start_joinable = getattr(threading, "_start_joinable_thread", None)
    if start_joinable is not None:
        patches.append((threading, "_start_joinable_thread", _starting(start_joinable)))
    return patches
