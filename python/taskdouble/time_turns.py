"""
The turns of the threads: one thread at a time runs, until it waits.

The last thread that waits polls: it looks for the next event. So the order of the threads does not depend on the
machine.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Mapping
from types import FrameType
from typing import Callable

from . import time_real as real

WOKEN, TIMED_OUT, STOPPED, FAILED = "woken", "timed out", "stopped", "failed"
#: `OUTSIDE`: the thread runs although another has the turn.
RUNNING, READY, WAITING, OUTSIDE, ENDED = "running", "ready", "waiting", "outside", "ended"

#: How long a thread may keep its turn in a call that virtual time does not know, s of real time.
_HELD = 0.5
#: After which time at one place a thread counts as waiting that has never had a turn, s of real time.
_QUIET = 0.02
_TICK = 0.05

#: Guards the state of the scheduler and of all its locks.
MUTEX = real.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=MUTEX._at_fork_reinit)


class Task:
    """A thread of the client."""

    __slots__ = ("ident", "gate", "is_signalled", "state", "joiners", "place", "since", "patience")

    def __init__(self, state: str, ident: int | None = None) -> None:
        self.ident = ident
        self.gate = real.allocate_lock()
        self.gate.acquire()
        self.is_signalled = False
        self.state = state
        self.joiners: list[Wait] = []
        self.place: tuple[int, int] | None = None
        self.since = 0.0
        """Since when the thread is at `place`, s of real time."""
        self.patience = _QUIET if state is OUTSIDE else _HELD

    def signal(self) -> None:
        """Let the thread look at the state of the scheduler. The caller holds MUTEX."""
        if not self.is_signalled:
            self.is_signalled = True
            self.gate.release()

    def await_signal(self) -> None:
        self.gate.acquire()
        self.is_signalled = False

    def is_still(self) -> bool:
        """True if the thread has stayed at one place of its code for a while: it waits in a call that is not known."""
        frame = sys._current_frames().get(self.ident or 0)
        place = None if frame is None else (id(frame), frame.f_lasti)
        if frame is None or place != self.place:
            self.place, self.since = place, real.monotonic()
        return frame is None or real.monotonic() - self.since >= self.patience


class Wait:
    """A wait of one thread; without a thread, a call that is due at a time."""

    __slots__ = ("task", "due", "interest", "call", "outcome")

    def __init__(self, task: Task | None, due: float | None, interest: Mapping[int, int]) -> None:
        self.task = task
        self.due = due
        """ms; None: without a limit."""
        self.interest = interest
        """File descriptors, and what for."""
        self.call: Callable[[], None] | None = None
        self.outcome: str | None = None


def _is_of_kit(frame: FrameType | None) -> bool:
    """True for a thread of this package, which is no part of the client."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(f"{__package__}."):
            return True
        frame = frame.f_back
    return False


class Turns:
    """The threads of this process, and which of them has the turn."""

    def __init__(self) -> None:
        self.is_stopped = False
        self.waits: dict[Wait, None] = {}
        self.ready: deque[Task] = deque()
        self.tasks: dict[int, Task] = {}
        self.running: Task | None = None
        self.first: Task | None = None
        """The thread in which virtual time began."""
        self._poller: Task | None = None
        self._count = 0
        """Turns so far."""
        self._settled_count = -1
        self._has_watch = False

    def poll(self) -> None:
        """Wait for the next event."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """End the current call of `poll`."""
        raise NotImplementedError

    def begin(self) -> None:
        """The calling thread has the turn. All other threads of the process continue where they are."""
        me = real.get_ident()
        self.running = self.first = self.tasks[me] = Task(RUNNING, me)
        for ident, frame in sys._current_frames().items():
            if ident != me and not _is_of_kit(frame):
                self._add_outside(ident)

    def stop(self) -> None:
        """Every wait continues in real time."""
        with MUTEX:
            self.is_stopped = True
            for task in [*self.tasks.values(), *self.ready]:
                task.signal()
        self.interrupt()

    def find_task(self) -> Task:
        """The task of the calling thread."""
        ident = real.get_ident()
        return self.tasks.get(ident) or self._add_outside(ident)

    def add_task(self) -> Task:
        """A thread that starts. It has its turn when all before it wait."""
        task = Task(READY)
        with MUTEX:
            self.ready.append(task)
        return task

    def drop_task(self, task: Task) -> None:
        """The thread could not be started."""
        with MUTEX:
            self.ready.remove(task)

    def enter(self, task: Task) -> None:
        """The first call of a thread."""
        task.ident = real.get_ident()
        with MUTEX:
            self.tasks[task.ident] = task
        self._watch()
        self.await_turn(task)

    def leave(self, task: Task) -> None:
        """The last call of a thread."""
        with MUTEX:
            task.state = ENDED
            if self.tasks.get(task.ident or 0) is task:
                del self.tasks[task.ident or 0]
            for wait in task.joiners:
                self.wake(wait)
            if self.running is task:
                self.pass_turn()

    def wake(self, wait: Wait, outcome: str = WOKEN) -> bool:
        """End a wait. False if it is over."""
        with MUTEX:
            if wait.outcome is not None:
                return False
            wait.outcome = outcome
            if wait in self.waits:
                del self.waits[wait]
                if wait.task is not None:
                    self.make_ready(wait.task)
            return True

    def make_ready(self, task: Task) -> None:
        """The caller holds MUTEX."""
        task.state = READY
        self.ready.append(task)
        if self.running is None:
            self._notice()

    def await_turn(self, me: Task) -> None:
        """Returns when the wait of `me` is over and it has the turn."""
        try:
            while not self._try_turn(me):
                me.await_signal()
        except BaseException:
            # A signal handler has raised an exception.
            with MUTEX:
                if me in self.ready:
                    self.ready.remove(me)
                me.state = OUTSIDE
                if self.running is me:
                    self.running = None
                if self.running is None:
                    self._notice()
            raise

    def pass_turn(self) -> None:
        """Give the turn to the thread that has been ready for longest; without one, let a waiting thread poll."""
        self.running = None
        self._count += 1
        if self.ready:
            self.running = self.ready.popleft()
            self.running.state = RUNNING
            self.running.signal()
        elif self._poller is None:
            waiting = next((wait.task for wait in self.waits if wait.task is not None), None)
            if waiting is not None:
                waiting.signal()

    def are_outsiders_still(self) -> bool:
        """True if no thread runs without having the turn: one that has been woken has had time to begin."""
        with MUTEX:
            outside = [task for task in self.tasks.values() if task.state is OUTSIDE]
        is_settled, self._settled_count = self._settled_count == self._count, self._count
        return not outside or (all([task.is_still() for task in outside]) and is_settled)

    def _try_turn(self, me: Task) -> bool:
        """Polls as long as no thread can have the turn. False if another one has it, or polls."""
        while True:
            with MUTEX:
                if self.running is None and self.ready:
                    self.pass_turn()
                if self.running is me or self.is_stopped:
                    return True
                if self.running is not None or self._poller is not None:
                    return False
                self._poller = me
            try:
                self.poll()
            finally:
                self._poller = None

    def _notice(self) -> None:
        """A thread may have the turn, or must poll. The caller holds MUTEX."""
        if self._poller is not None:
            self.interrupt()
        else:
            self.pass_turn()

    def _add_outside(self, ident: int) -> Task:
        with MUTEX:
            task = self.tasks[ident] = Task(OUTSIDE, ident)
        self._watch()
        return task

    def _watch(self) -> None:
        if not self._has_watch:
            self._has_watch = True
            real.start_new_thread(self._watch_turns, ())

    def _watch_turns(self) -> None:
        """Take the turn from a thread that keeps it in a call that is not known, such as a lock of another library."""
        count, since = -1, 0.0
        while not self.is_stopped:
            real.sleep(_TICK)
            with MUTEX:
                if self._count != count:
                    count, since = self._count, real.monotonic()
                holder = self.running
                if holder is None:
                    continue
                is_still = holder.is_still()
                is_long = real.monotonic() - since >= _HELD
                if is_long and (self.ready or (is_still and self.waits)):
                    holder.state = OUTSIDE
                    self.pass_turn()
