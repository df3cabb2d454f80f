"""Virtual time for the client in this process: waits take no time, and the service's clock moves with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from .time_current import find_scheduler, set_scheduler
from .time_mock import MockTime, NothingDue
from .time_patches import install_patches, restore_patches
from .time_scheduler import Scheduler
from .time_server import TimeServer

__all__ = ["NothingDue", "VirtualTime", "follow_time_server", "virtual_time"]


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
    _expect_none()
    scheduler.begin()
    set_scheduler(scheduler)
    try:
        yield
    finally:
        set_scheduler(None)
        scheduler.stop()


def _expect_none() -> None:
    if find_scheduler() is not None:
        raise RuntimeError("This process has virtual time already.")


class VirtualTime:
    """The time of a client and of its mock."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    @property
    def now(self) -> float:
        """ms, of the clock of the mock."""
        return self._scheduler.now

    def sleep(self, seconds: float) -> None:
        """Let time pass for the client and the mock."""
        self._scheduler.sleep(seconds)


@contextmanager
def virtual_time(base_url: str, api_key: str | None = None, *, seed: int | None = None) -> Iterator[VirtualTime]:
    """
    Wait without waiting: the clock of the mock at `base_url` moves when all threads of this process wait.

    `api_key` selects the clock of one organisation; without it, all move. `seed` makes random numbers the same in each
    run. After the block, waits continue in real time, and the clock of the mock is manual.
    """
    _expect_none()
    scheduler = MockTime(base_url, api_key).begin()
    state = random.getstate()
    if seed is not None:
        scheduler.random = random.Random(seed)
        random.seed(seed)
    install_patches()
    try:
        with use_scheduler(scheduler):
            yield VirtualTime(scheduler)
    finally:
        restore_patches()
        random.setstate(state)
