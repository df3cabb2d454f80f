"""Locks whose waits are on virtual time. What `threading`, `queue` and `concurrent.futures` have is built on them."""

from __future__ import annotations

from collections import deque
from typing import Any

from . import time_real as real
from .time_current import find_scheduler
from .time_turns import MUTEX, STOPPED, WOKEN, Wait


class VirtualLock:
    """A lock like `threading.Lock`. A released lock belongs to the thread that has waited for longest."""

    __slots__ = ("_lock", "_waiters", "__weakref__")

    def __init__(self) -> None:
        self._lock = real.allocate_lock()
        self._waiters: deque[Wait] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._lock.acquire(False):
            return True
        scheduler = find_scheduler()
        if scheduler is None or not blocking or timeout == 0:
            return self._lock.acquire(blocking, timeout)
        if timeout != -1 and timeout < 0:
            raise ValueError("timeout value must be a non-negative number")
        seconds: float | None = None if timeout == -1 else timeout
        with MUTEX:
            if self._lock.acquire(False):
                return True
            wait = scheduler.create_wait(seconds)
            self._waiters.append(wait)
        try:
            outcome = scheduler.block(wait)
        except BaseException:
            if not self._give_up(wait):
                self.release()
            raise
        if outcome is STOPPED and self._give_up(wait):
            return self._lock.acquire(True, timeout)
        return not self._give_up(wait)

    def release(self) -> None:
        with MUTEX:
            while self._waiters:
                wait = self._waiters.popleft()
                if wait.outcome is None and wait.task is not None:
                    scheduler = find_scheduler()
                    if scheduler is not None and scheduler.wake(wait):
                        return
            self._lock.release()

    def _give_up(self, wait: Wait) -> bool:
        """End the wait of this thread. False if it has the lock."""
        with MUTEX:
            if wait.outcome is WOKEN:
                return False
            wait.outcome = wait.outcome or STOPPED
            if wait in self._waiters:
                self._waiters.remove(wait)
            return True

    def locked(self) -> bool:
        return self._lock.locked()

    def _at_fork_reinit(self) -> None:
        self._lock = real.allocate_lock()
        self._waiters.clear()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: Any) -> None:
        self.release()

    acquire_lock = acquire
    release_lock = release
    locked_lock = locked

    def __repr__(self) -> str:
        return f"<{'locked' if self.locked() else 'unlocked'} taskdouble lock at {id(self):#x}>"
