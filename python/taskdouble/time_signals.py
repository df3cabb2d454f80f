"""Alarms (`signal.alarm`, `signal.setitimer`) on virtual time."""

from __future__ import annotations

import signal
from math import ceil
from typing import Any

from . import time_real as real
from .time_current import find_scheduler
from .time_scheduler import Scheduler


def _set(scheduler: Scheduler, seconds: float, interval: float) -> tuple[float, float]:
    """Returns what is left of the timer before."""
    before = _read(scheduler)
    if scheduler.alarm is not None:
        scheduler.cancel(scheduler.alarm)
    scheduler.alarm_interval = interval
    scheduler.alarm = scheduler.call_at(seconds, lambda: _ring(scheduler)) if seconds > 0 else None
    return before


def _read(scheduler: Scheduler) -> tuple[float, float]:
    due = None if scheduler.alarm is None else scheduler.alarm.due
    return (0.0, 0.0) if due is None else (max(0.001, (due - scheduler.now) / 1000), scheduler.alarm_interval)


def _ring(scheduler: Scheduler) -> None:
    interval = scheduler.alarm_interval
    scheduler.alarm = scheduler.call_at(interval, lambda: _ring(scheduler)) if interval > 0 else None
    scheduler.has_signal = True


def _set_alarm(seconds: int) -> int:
    scheduler = find_scheduler()
    if scheduler is None:
        return real.alarm(seconds)
    return ceil(_set(scheduler, seconds, 0)[0])


def _set_timer(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
    scheduler = find_scheduler()
    if scheduler is None or which != signal.ITIMER_REAL:
        return real.setitimer(which, seconds, interval)
    return _set(scheduler, seconds, interval)


def _read_timer(which: int) -> tuple[float, float]:
    scheduler = find_scheduler()
    if scheduler is None or which != signal.ITIMER_REAL:
        return real.getitimer(which)
    return _read(scheduler)


def list_signal_patches() -> list[tuple[Any, str, Any]]:
    """The owner, the name and the replacement of each."""
    if not hasattr(signal, "setitimer"):
        return []
    return [
        (signal, "alarm", _set_alarm),
        (signal, "setitimer", _set_timer),
        (signal, "getitimer", _read_timer),
    ]
