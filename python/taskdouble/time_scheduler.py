"""The scheduler of virtual time: time advances when every thread of the process waits."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Mapping
from math import ceil
from random import Random
from typing import Callable, NamedTuple

from . import time_real as real
from .time_requests import OpenRequests
from .time_turns import ENDED, FAILED, MUTEX, READY, STOPPED, TIMED_OUT, WAITING, WOKEN, Task, Turns, Wait

#: Shorter waits than this, s, are differences by rounding: they end at once, and the clock shows that they have passed.
_SHORTEST = 10e-6
#: Waits without any progress of time until one takes a millisecond: a loop that waits for a time ends.
_SPINS = 1000
#: Times that the clock is read without a wait until one takes a millisecond.
_READS = 10_000
#: The same, once it has.
_NEXT_READS = 100
#: How long a response may take before another thread has its turn, s of real time.
_RESPONSE = 0.05
#: How long the responses of other servers are awaited, s of real time.
_ELSEWHERE = 5.0
_TICK = 0.001


class Standing(NamedTuple):
    """The status of a process that cannot continue without an event."""

    next: float | None
    """When its first wait is due, ms."""
    started: int
    open: int


class TimeSource:
    """Decides how time advances."""

    fd: int | None = None
    """Where messages arrive."""

    def receive(self, scheduler: Scheduler) -> None:
        """Process the messages that have arrived at `fd`."""

    def stand(self, scheduler: Scheduler, standing: Standing) -> float | None:
        """
        No thread of the process can continue.

        Returns for how long to wait for events until the next call, s of real time. None: until there is one.
        """
        return None

    def report_fork(self) -> None:
        """The client has forked this process."""

    def close(self) -> None:
        """The run is over."""


class Scheduler(Turns):
    """The virtual time of this process."""

    def __init__(self, source: TimeSource, now: float, requests: OpenRequests) -> None:
        super().__init__()
        self.source = source
        self.requests = requests
        self.start = now
        self.now = now
        """ms of the service's clock."""
        self.rest = 0.0
        """s that have passed since `now`, by waits that are too short to count."""
        self.random: Random | None = None
        """Source of all random numbers."""
        self.alarm: Wait | None = None
        self.alarm_interval = 0.0
        self.has_signal = False
        """SIGALRM is due. Its handler may raise an error, so it is sent when all messages are processed."""
        self._spins = 0
        self._reads = 0
        self._error: Exception | None = None
        self._wake_in, self._wake_out = socket.socketpair()
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)

    def stop(self) -> None:
        super().stop()
        self.source.close()

    def read(self) -> float:
        """s since the beginning of virtual time."""
        self._reads += 1
        if self._reads > _READS:
            self.sleep(0.001)
            self._reads = _READS - _NEXT_READS
        return (self.now - self.start) / 1000 + self.rest

    def sleep(self, seconds: float) -> str:
        """Wait for a time."""
        return self.block(self.create_wait(seconds)) if seconds >= _SHORTEST else self.pass_by(seconds)

    def join(self, task: Task, seconds: float | None) -> str:
        """Wait for the end of a thread."""
        with MUTEX:
            if task.state is ENDED:
                return WOKEN
            wait = self.create_wait(seconds)
            task.joiners.append(wait)
        return self.block(wait)

    def pass_by(self, seconds: float = 0) -> str:
        """A wait that is too short to count: the threads that are ready have their turn."""
        self._spins += 1
        if self._spins >= _SPINS or self.rest > 900e-6:
            return self.block(self.create_wait(0.001))
        if seconds > 0:
            self.rest += _SHORTEST
        me = self.find_task()
        if self.running is me:
            self.look(0)
        with MUTEX:
            if not self.ready and self.running is me:
                return TIMED_OUT
            me.state = READY
            self.ready.append(me)
            if self.running is me:
                self.running = None
        self.await_turn(me)
        return TIMED_OUT

    def create_wait(self, seconds: float | None, interest: Mapping[int, int] | None = None) -> Wait:
        """A wait of the calling thread, which passes it to `block`."""
        # Whole milliseconds: a time that is off by a rounding error is the same time. A wait takes time all the same: the rest for which
        # `Condition.wait_for` waits again and again would otherwise never pass.
        due = None if seconds is None else self.now + max(1 if seconds > 0 else 0, ceil(seconds * 1000 - 0.01))
        return Wait(self.find_task(), due, interest or {})

    def block(self, wait: Wait) -> str:
        """Wait until `wake`, the time or the file descriptor."""
        me = wait.task
        assert me is not None
        self._reads = 0
        if wait.interest and self.ready and self.requests.count_open() and real.poll(wait.interest, _RESPONSE):
            return WOKEN
        with MUTEX:
            if self.running is me:
                self.running = None
            if wait.outcome is None:
                self.waits[wait] = None
                me.state = WAITING
            else:
                me.state = READY
                self.ready.append(me)
        try:
            self.await_turn(me)
        finally:
            self.waits.pop(wait, None)
        if self._error is not None and wait.outcome is FAILED:
            error, self._error = self._error, None
            raise error
        return wait.outcome or STOPPED

    def fail(self, error: Exception) -> None:
        """Raise an error in the wait of the thread in which virtual time began."""
        with MUTEX:
            for wait in list(self.waits):
                if wait.task is not None and wait.task is self.first:
                    self._error = error
                    self.wake(wait, FAILED)

    def call_at(self, seconds: float, call: Callable[[], None]) -> Wait:
        """Call a function when time has advanced by `seconds`, in any thread."""
        wait = self.create_wait(seconds)
        wait.task, wait.call = None, call
        with MUTEX:
            self.waits[wait] = None
        return wait

    def cancel(self, wait: Wait) -> None:
        """Undo `call_at`."""
        with MUTEX:
            self.waits.pop(wait, None)

    def set_time(self, now: float) -> None:
        if now > self.now:
            self.now, self.rest, self._spins = now, 0.0, 0

    def fire(self, now: float) -> None:
        """End the first wait that is due at this time."""
        self.set_time(now)
        with MUTEX:
            due = [wait for wait in self.waits if wait.due is not None and wait.due <= now]
            # Of several, the oldest.
            first = min(due, key=lambda wait: wait.due or 0, default=None)
            if first is not None:
                self.wake(first, TIMED_OUT)
        if first is not None and first.call is not None:
            first.call()

    def poll(self) -> None:
        if self.look(0):
            return
        if not self.are_outsiders_still() or self._awaits_others():
            self.look(_TICK)
            return
        with MUTEX:
            dues = [wait.due for wait in self.waits if wait.due is not None]
        standing = Standing(min(dues, default=None), self.requests.started, self.requests.count_open())
        seconds = self.source.stand(self, standing)
        self._send_signal()
        if not self.ready:
            self.look(seconds)

    def __del__(self) -> None:
        # No thread waits any more.
        self._wake_in.close()
        self._wake_out.close()

    def interrupt(self) -> None:
        try:
            real.Socket.send(self._wake_out, b"!")
        except OSError:
            # It is full.
            pass

    def _awaits_others(self) -> bool:
        is_recent = real.monotonic() - self.requests.changed_at < _ELSEWHERE
        return is_recent and self.requests.count_open(False) > 0

    def look(self, seconds: float | None) -> bool:
        """Wait for an event, in real time. False if there was none."""
        wake = self._wake_in.fileno()
        interest: dict[int, int] = {wake: real.READ}
        if self.source.fd is not None:
            interest[self.source.fd] = real.READ
        with MUTEX:
            for wait in self.waits:
                for fd, bits in wait.interest.items():
                    interest[fd] = interest.get(fd, 0) | bits
        ready = real.poll(interest, seconds)
        if wake in ready:
            real.Socket.recv(self._wake_in, 4096)
        if self.source.fd is not None and self.source.fd in ready:
            self.source.receive(self)
        with MUTEX:
            for wait in list(self.waits):
                if any(ready.get(fd, 0) & bits for fd, bits in wait.interest.items()):
                    self.wake(wait)
        self._send_signal()
        return bool(ready)

    def _send_signal(self) -> None:
        if self.has_signal:
            self.has_signal = False
            # To the thread that runs handlers: one to another thread would not interrupt its wait.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)
