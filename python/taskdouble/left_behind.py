"""The processes that a job leaves behind. Linux only: elsewhere they are not found."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading

from . import time_real as real

_SET_CHILD_SUBREAPER = 36
#: How long they may take to end by themselves, s.
_GRACE = 0.15
#: How long killed processes may take to end, s.
_GONE = 2.0
_TICK = 0.01


class LeftBehind:
    """Makes this process the parent of all processes that its descendants leave behind."""

    def __init__(self) -> None:
        self._can_list = sys.platform == "linux" and ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
        #: Not those of the client's modules.
        self._known = set(self._list())

    def end(self) -> int:
        """After a job: kill what still runs, and return how many processes the job itself had left."""
        left = self._await(_GRACE)
        if left and self._await(_GONE, kill=True):
            self._known.update(self._list())
        return left

    def _await(self, seconds: float, kill: bool = False) -> int:
        until = real.monotonic() + seconds
        while True:
            running = [pid for pid in self._list() if pid not in self._known and not _has_ended(pid)]
            if not running or real.monotonic() >= until:
                return len(running)
            for pid in running if kill else []:
                os.kill(pid, signal.SIGKILL)
            real.sleep(_TICK)

    def _list(self) -> list[int]:
        """The children of all threads of this process."""
        if not self._can_list:
            return []
        found: list[int] = []
        for thread in os.listdir("/proc/self/task") if threading.active_count() > 1 else [str(os.getpid())]:
            try:
                with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
                    found += [int(pid) for pid in file.read().split()]
            except OSError:
                # The thread has ended, or the kernel has no such list.
                continue
        return found


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True
