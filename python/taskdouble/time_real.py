"""The functions of real time, kept before any of them is replaced. Virtual time itself uses these only."""

from __future__ import annotations

import _socket
import _thread
import os
import select
import selectors
import signal
import threading
import time as _time
from collections.abc import Callable, Mapping
from typing import Any

#: What a thread waits for at a file descriptor.
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE

ctime = _time.ctime
get_clock_info = _time.get_clock_info
gmtime = _time.gmtime
localtime = _time.localtime
monotonic = _time.monotonic
monotonic_ns = _time.monotonic_ns
perf_counter = _time.perf_counter
perf_counter_ns = _time.perf_counter_ns
sleep = _time.sleep
strftime = _time.strftime
time = _time.time
time_ns = _time.time_ns
allocate_lock = _thread.allocate_lock
get_ident = _thread.get_ident
start_new_thread = _thread.start_new_thread
RLock: Any = vars(_thread)["RLock"]
Socket = _socket.socket
urandom = os.urandom
join = threading.Thread.join
select_ = select.select
#: Windows has none of these.
_MISSING: Any = None
create_poll: Any = getattr(select, "poll", _MISSING)
alarm: Callable[[int], int] = getattr(signal, "alarm", _MISSING)
setitimer: Callable[[int, float, float], tuple[float, float]] = getattr(signal, "setitimer", _MISSING)
getitimer: Callable[[int], tuple[float, float]] = getattr(signal, "getitimer", _MISSING)
clock_gettime: Any = getattr(_time, "clock_gettime", _MISSING)
clock_gettime_ns: Any = getattr(_time, "clock_gettime_ns", _MISSING)


def poll(interest: Mapping[int, int], seconds: float | None) -> dict[int, int]:
    """Wait in real time until a file descriptor is ready, and return those that are. None: without a limit."""
    if create_poll is None or not hasattr(select, "epoll"):
        # macOS cannot poll a kqueue, and Windows has select only.
        return _select(interest, seconds)
    poller = create_poll()
    for fd, bits in interest.items():
        poller.register(fd, (select.POLLIN if bits & READ else 0) | (select.POLLOUT if bits & WRITE else 0))
    ready = {}
    for fd, events in poller.poll(None if seconds is None else max(0, round(seconds * 1000))):
        has_failed = events & ~(select.POLLIN | select.POLLOUT)
        can_read, can_write = events & select.POLLIN, events & select.POLLOUT
        ready[fd] = (READ if can_read or has_failed else 0) | (WRITE if can_write or has_failed else 0)
    return ready


def _select(interest: Mapping[int, int], seconds: float | None) -> dict[int, int]:
    readers = [fd for fd, bits in interest.items() if bits & READ]
    writers = [fd for fd, bits in interest.items() if bits & WRITE]
    readable, writable, failed = select_(readers, writers, writers, seconds)
    ready = dict.fromkeys(failed, READ | WRITE)
    for fds, bit in ((readable, READ), (writable, WRITE)):
        for fd in fds:
            ready[fd] = ready.get(fd, 0) | bit
    return ready
