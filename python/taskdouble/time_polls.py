"""`select.poll` on virtual time, but for waits for other programs: those run in real time."""

from __future__ import annotations

import importlib
import select
import selectors
import subprocess
import sys
from types import ModuleType
from typing import Any

from . import time_real as real
from .time_current import find_scheduler

_READ = getattr(select, "POLLIN", 0) | getattr(select, "POLLPRI", 0)
_WRITE = getattr(select, "POLLOUT", 0)


class VirtualPoll:
    """Like an object of `select.poll`."""

    def __init__(self) -> None:
        self._poll = real.create_poll()
        self._interest: dict[int, int] = {}

    def register(self, fd: Any, events: int = _READ | _WRITE) -> None:
        self._poll.register(fd, events)
        bits = (real.READ if events & _READ else 0) | (real.WRITE if events & _WRITE else 0)
        self._interest[_read_number(fd)] = bits

    def modify(self, fd: Any, events: int) -> None:
        self._poll.modify(fd, events)
        self.register(fd, events)

    def unregister(self, fd: Any) -> None:
        self._poll.unregister(fd)
        del self._interest[_read_number(fd)]

    def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
        """`timeout`: ms; none or a negative one is no limit."""
        scheduler = find_scheduler()
        ready: list[tuple[int, int]] = self._poll.poll(timeout if scheduler is None else 0)
        if scheduler is None or ready or timeout == 0:
            return ready
        seconds = None if timeout is None or timeout < 0 else timeout / 1000
        wait = scheduler.create_wait(seconds, self._interest)
        scheduler.block(wait)
        # Without an outcome virtual time has ended meanwhile.
        ready = self._poll.poll(0 if wait.outcome else timeout)
        return ready


def _read_number(fd: Any) -> int:
    number: int = fd if isinstance(fd, int) else fd.fileno()
    return number


def list_poll_patches() -> list[tuple[Any, str, Any]]:
    """The owner, the name and the replacement of each."""
    return [(select, "poll", VirtualPoll)] if hasattr(select, "poll") else []


def list_program_patches() -> list[tuple[Any, str, Any]]:
    """The same, of modules that wait for other programs: it is for them alone."""
    waiting: list[ModuleType] = [subprocess]
    if sys.platform != "win32":
        waiting.append(importlib.import_module("multiprocessing.connection"))
    patches: list[tuple[Any, str, Any]] = [(module, "time", real) for module in waiting]
    if hasattr(select, "poll"):
        names = ("_PopenSelector", "_WaitSelector")
        patches += [(module, name, _create_selector()) for module in waiting for name in names]
    return [patch for patch in patches if hasattr(patch[0], patch[1])]


def _create_selector() -> type:
    return type("ProgramSelector", (selectors.PollSelector,), {"_selector_cls": real.create_poll})
