"""The functions of `time` and the classes of `datetime`, on virtual time."""

from __future__ import annotations

import copyreg
import datetime
import time
from typing import Any, Callable

from . import time_real as real
from .time_current import find_scheduler
from .time_turns import STOPPED

#: The monotonic clocks begin here, s: later than the real one, and mostly at the same time in each run.
_BASE = 2.0**20
while real.monotonic() >= _BASE:
    _BASE *= 2


def _read_time() -> float:
    scheduler = find_scheduler()
    return real.time() if scheduler is None else scheduler.read() + scheduler.start / 1000


def _count(clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        scheduler = find_scheduler()
        return clock() if scheduler is None else _BASE + scheduler.read()

    return read


def _count_ns(clock: Callable[[], int], base: Callable[[Any], float]) -> Callable[[], int]:
    def read() -> int:
        scheduler = find_scheduler()
        if scheduler is None:
            return clock()
        return round((base(scheduler) + scheduler.read()) * 1_000_000) * 1000

    return read


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


class _Replaced(type):
    """Instances and subclasses of the class that is replaced are those of its replacement."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.__mro__[1]) if cls in _CLASSES else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.__mro__[1]) if cls in _CLASSES else super().__subclasscheck__(subclass)


class _VirtualDate(real.Date, metaclass=_Replaced):
    def __new__(cls, *args: Any, **options: Any) -> Any:
        return real.Date.__new__(real.Date if cls is _VirtualDate else cls, *args, **options)

    @classmethod
    def today(cls) -> Any:
        return cls.fromtimestamp(_read_time())


class _VirtualDateTime(real.DateTime, metaclass=_Replaced):
    def __new__(cls, *args: Any, **options: Any) -> Any:
        return real.DateTime.__new__(real.DateTime if cls is _VirtualDateTime else cls, *args, **options)

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return cls.fromtimestamp(_read_time(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Any:
        return cls.now()


_CLASSES: tuple[type, ...] = (_VirtualDate, _VirtualDateTime)
for _class in _CLASSES:
    _class.__name__ = _class.__qualname__ = _class.__mro__[1].__name__
    _class.__module__ = "datetime"


def restore_date(*state: Any) -> Any:
    return real.Date(*state)


def restore_datetime(*state: Any) -> Any:
    return real.DateTime(*state)


def register_pickling() -> Callable[[], None]:
    """`pickle` finds a class by its name, which belongs to the replacement. Returns the call that undoes this."""
    reducers = ((real.Date, restore_date), (real.DateTime, restore_datetime))
    for kind, restore in reducers:
        copyreg.pickle(kind, lambda value, restore=restore: (restore, value.__reduce__()[1]))  # type: ignore[misc]

    def undo() -> None:
        for kind, _ in reducers:
            copyreg.dispatch_table.pop(kind, None)

    return undo


def list_clock_patches() -> list[tuple[Any, str, Any]]:
    """The owner, the name and the replacement of each."""
    functions = {
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
    return [
        *((time, name, function) for name, function in functions.items()),
        (datetime, "date", _VirtualDate),
        (datetime, "datetime", _VirtualDateTime),
    ]
