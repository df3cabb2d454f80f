"""The functions of `time` and the classes of `datetime`, on virtual time."""

from __future__ import annotations

import ctypes
import datetime
import gc
import time
from typing import Any, Callable

from . import time_real as real
from .time_current import find_scheduler
from .time_scheduler import Scheduler
from .time_turns import STOPPED

#: The monotonic clocks begin here, s: later than the real one, and mostly at the same time in each run.
_BASE = 2.0**20
while real.monotonic() >= _BASE:
    _BASE *= 2


_REAL_NOW: Any = vars(datetime.datetime)["now"]


def _read_time() -> float:
    scheduler = find_scheduler()
    return real.time() if scheduler is None else scheduler.read() + scheduler.start / 1000


def _count(clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        scheduler = find_scheduler()
        return clock() if scheduler is None else _BASE + scheduler.read()

    return read


def _count_ns(clock: Callable[[], int], base: Callable[[Scheduler], float]) -> Callable[[], int]:
    def read() -> int:
        scheduler = find_scheduler()
        if scheduler is None:
            return clock()
        return round((base(scheduler) + scheduler.read()) * 1_000_000) * 1000

    return read


def _get_clock(
    real_clock: Callable[[int], Any], wall: Callable[[], Any], count: Callable[[], Any]
) -> Callable[[int], Any]:
    """`clock_gettime`: clocks of the processor stay real."""
    names = ("CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_BOOTTIME")
    clocks = {getattr(time, name, None): count for name in names}
    clocks[time.CLOCK_REALTIME] = wall
    return lambda clock: clocks[clock]() if find_scheduler() and clock in clocks else real_clock(clock)


def _sleep(seconds: float) -> None:
    scheduler = find_scheduler()
    if scheduler is None or not seconds >= 0:
        return real.sleep(seconds)
    before = scheduler.now
    if scheduler.sleep(seconds) is STOPPED:
        real.sleep(max(0, seconds - (scheduler.now - before) / 1000))
    return None


def _convert(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that converts a time, without one the current time."""
    return lambda seconds=None: function(_read_time() if seconds is None else seconds)


def _describe_clock(name: Any) -> Any:
    """`asyncio` fires what is due within the resolution, and 1 ns can be less than the precision of a float."""
    info = real.get_clock_info(name)
    if find_scheduler() is not None:
        info.resolution = 1e-6
    return info


def _format(layout: str, moment: Any = None) -> str:
    return real.strftime(layout, real.localtime(_read_time()) if moment is None else moment)


def _create_methods() -> list[tuple[type, str, Any]]:
    """The class methods of `datetime` that read the clock."""

    def now(cls: Any, tz: datetime.tzinfo | None = None) -> Any:
        if find_scheduler() is None:
            return _REAL_NOW.__get__(None, cls)(tz)
        return cls.fromtimestamp(_read_time(), tz)

    def utcnow(cls: Any) -> Any:
        return now(cls, datetime.timezone.utc).replace(tzinfo=None)

    def today(cls: Any) -> Any:
        return cls.fromtimestamp(_read_time())

    return [
        (datetime.datetime, "now", classmethod(now)),
        (datetime.datetime, "utcnow", classmethod(utcnow)),
        (datetime.date, "today", classmethod(today)),
    ]


def replace_methods() -> Callable[[], None]:
    """
    Replace methods of `datetime`. Returns the call that undoes this.

    The classes are written in C, where attributes cannot be set. Other classes in their place would not be the same
    for `pickle`, `pydantic` and extensions.
    """
    methods = _create_methods()
    before = [(kind, name, vars(kind)[name]) for kind, name, _ in methods]
    _set_methods(methods)
    return lambda: _set_methods(before)


def _set_methods(methods: list[tuple[type, str, Any]]) -> None:
    for kind, name, method in methods:
        try:
            setattr(kind, name, method)
        except TypeError:
            (members,) = gc.get_referents(vars(kind))
            members[name] = method
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def list_clock_patches() -> list[tuple[Any, str, Any]]:
    """The owner, the name and the replacement of each."""
    functions: dict[str, Callable[..., Any]] = {
        "sleep": _sleep,
        "time": _read_time,
        "time_ns": _count_ns(real.time_ns, lambda scheduler: scheduler.start / 1000),
        "monotonic": _count(real.monotonic),
        "monotonic_ns": _count_ns(real.monotonic_ns, lambda _: _BASE),
        "perf_counter": _count(real.perf_counter),
        "perf_counter_ns": _count_ns(real.perf_counter_ns, lambda _: _BASE),
        "localtime": _convert(real.localtime),
        "gmtime": _convert(real.gmtime),
        "ctime": _convert(real.ctime),
        "strftime": _format,
        "get_clock_info": _describe_clock,
    }
    if real.clock_gettime is not None:
        read, read_ns = functions["monotonic"], functions["monotonic_ns"]
        functions["clock_gettime"] = _get_clock(real.clock_gettime, _read_time, read)
        functions["clock_gettime_ns"] = _get_clock(real.clock_gettime_ns, functions["time_ns"], read_ns)
    return [(time, name, function) for name, function in functions.items()]
