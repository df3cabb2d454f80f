"""Virtual time for the client in this process: waits take no time, and the service's clock moves with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from .time_current import find_scheduler, set_scheduler
from .time_patches import install_patches
from .time_scheduler import Scheduler
from .time_server import TimeServer


@contextmanager
def follow_time_server(port: int, token: str, process: str, base_url: str | None) -> Iterator[Scheduler]:
    """The time of the harness, in a process for one job. Random numbers follow its seed."""
    install_patches()
    scheduler = TimeServer(port, token, process).begin(base_url)
    random.seed(scheduler.random.random() if scheduler.random else None)
    with use_scheduler(scheduler):
        yield scheduler


@contextmanager
def use_scheduler(scheduler: Scheduler) -> Iterator[None]:
    """Patches are installed by the caller, who may keep them."""
    if find_scheduler() is not None:
        raise RuntimeError("This process has virtual time already.")
    scheduler.begin()
    set_scheduler(scheduler)
    try:
        yield
    finally:
        set_scheduler(None)
        scheduler.stop()


virtual_time = None
