"""The virtual time of this process, if any."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .time_scheduler import Scheduler

_current: Scheduler | None = None


def find_scheduler() -> Scheduler | None:
    return _current


def set_scheduler(scheduler: Scheduler | None) -> None:
    global _current
    _current = scheduler


def _report_fork() -> None:
    if _current is not None:
        _current.source.report_fork()


if hasattr(os, "register_at_fork"):
    # The process that the client forks has its own time.
    os.register_at_fork(after_in_parent=_report_fork, after_in_child=lambda: set_scheduler(None))
