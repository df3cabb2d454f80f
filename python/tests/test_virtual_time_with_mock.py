"""Virtual time with the mock of the command: `virtual_time()` moves its clock."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from taskdouble import NothingDue, time_real, virtual_time
from taskdouble.mock import RunningMock, start_mock
from taskdouble.time_patches import install_patches

MAIN = Path(__file__).resolve().parents[2] / "dist/command/main.js"
KEY = "virtual"


@pytest.fixture(scope="module")
def mock() -> Iterator[RunningMock]:
    if not MAIN.exists():
        pytest.skip("the command is not built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TASKDOUBLE_COMMAND", f"node {MAIN}")
        patch.delenv("TASKDOUBLE_URL", raising=False)
        running = start_mock([], MAIN.parent)
    yield running
    running.close()


class Service:
    """The mock, for one test."""

    def __init__(self, mock: RunningMock) -> None:
        self.base_url = mock.base_url
        self.call("POST", "/__admin/reset", {"key": KEY})

    def call(self, method: str, path: str, body: Any = None, timeout: float = 60) -> Any:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        headers = {"apikey": KEY, "content-type": "application/json"}
        with urlopen(Request(self.base_url + path, data, headers, method=method), timeout=timeout) as response:
            return json.load(response)

    def start(self, timeline: str) -> str:
        """A task with this timeline. Returns its path."""
        scenario = f"title: A test\nrequest: {{ task: x }}\ntimeline: [{timeline}]".encode()
        self.call("POST", "/__admin/scenarios?name=of-test&replace=true", scenario)
        self.call("POST", "/__admin/scenarios/next", {"name": "of-test"})
        task = self.call("POST", "/api/v1/task", {"task": "x"})["r"]
        return f"/api/v1/task/{task['id']}"


@pytest.fixture
def service(mock: RunningMock) -> Service:
    return Service(mock)


def test_the_clock_of_the_mock_moves_with_the_client(service: Service) -> None:
    with virtual_time(service.base_url, KEY) as clock:
        begin, monotonic = clock.now, time.monotonic()
        assert time.time() * 1000 == pytest.approx(begin)
        path = service.start("{ service: finish, output: 7, after: 30m }")
        polls = 0
        while service.call("GET", path)["r"]["status"] == "running":
            time.sleep(60)
            polls += 1
        assert (polls, clock.now - begin, time.monotonic() - monotonic) == (30, 1_800_000, 1800)
        clock.sleep(5)
        assert service.call("GET", "/__admin/clock")["clocks"][0]["now"] == begin + 1_805_000
    assert time.monotonic() < monotonic


def test_a_response_that_is_held_comes_at_its_time(service: Service) -> None:
    with virtual_time(service.base_url, KEY) as clock:
        path = service.start("{ service: finish, output: 7, after: 10m }")
        service.call("PUT", "/__admin/network", b"delay 20s of poll")
        begin = clock.now
        service.call("GET", path)
        assert clock.now - begin == 20_000
        with pytest.raises(OSError, match="timed out"):
            service.call("GET", path, timeout=7)
        assert clock.now - begin == 27_000
        with ThreadPoolExecutor() as pool:
            polls = [pool.submit(service.call, "GET", path) for _ in range(3)]
            assert len(wait(polls, timeout=5).not_done) == 3
            assert clock.now - begin == 32_000
        assert clock.now - begin == 47_000


def test_a_pool_that_is_older_than_virtual_time(service: Service) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with virtual_time(service.base_url, KEY) as clock:
            begin = clock.now
            assert pool.submit(lambda: time.sleep(5) or 7).result(timeout=10) == 7
            assert clock.now - begin == 5000


def test_a_wait_that_nothing_can_end_is_an_error(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taskdouble.time_mock._PATIENCE", 0.1)
    with virtual_time(service.base_url, KEY):
        with pytest.raises(NothingDue, match="Every thread of the client waits"):
            threading.Event().wait()
        time.sleep(1)


def test_a_signal_interrupts_a_wait(service: Service) -> None:
    def interrupt(*_: object) -> None:
        raise InterruptedError("by a signal")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with virtual_time(service.base_url, KEY) as clock:
            begin = clock.now
            time_real.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(InterruptedError):
                threading.Event().wait()
            threading.Timer(2, lambda: None).start()
            time.sleep(5)
            assert clock.now - begin == 5000
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_alarm_rings_on_virtual_time(service: Service) -> None:
    rung: list[float] = []

    def give_up(*_: object) -> None:
        raise TimeoutError("by an alarm")

    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(clock.now - begin))
    try:
        with virtual_time(service.base_url, KEY) as clock:
            begin = clock.now
            signal.setitimer(signal.ITIMER_REAL, 2, 3)
            time.sleep(9)
            assert (rung, signal.getitimer(signal.ITIMER_REAL)) == ([2000, 5000, 8000], (2.0, 3.0))
            signal.signal(signal.SIGALRM, give_up)
            assert signal.alarm(600) == 2
            path = service.start("{ service: finish, output: 7, after: 30m }")
            polls = 0
            with pytest.raises(TimeoutError):
                while service.call("GET", path)["r"]["status"] == "running":
                    time.sleep(60)
                    polls += 1
            assert (polls, clock.now - begin) == (9, 609_000)
            signal.alarm(5)
            with pytest.raises(TimeoutError), ThreadPoolExecutor() as pool:
                pool.submit(time.sleep, 7).result()
            assert clock.now - begin == 616_000
    finally:
        signal.signal(signal.SIGALRM, before)


def test_random_numbers_follow_the_seed(service: Service) -> None:
    drawn = []
    before = random.getstate()
    for seed in (1, 1, 2):
        with virtual_time(service.base_url, KEY, seed=seed):
            drawn.append((random.random(), random.SystemRandom().random()))
    assert drawn[0] == drawn[1] != drawn[2]
    assert random.getstate() == before


def test_there_is_one_virtual_time(service: Service) -> None:
    sleep = time.sleep
    with virtual_time(service.base_url, KEY):
        assert time.sleep is not sleep
        with pytest.raises(RuntimeError, match="has virtual time already"), virtual_time(service.base_url, KEY):
            pass
        time.sleep(1)
    assert time.sleep is sleep
    install_patches()
    time.sleep(0.001)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    from taskdouble.time_patches import restore_patches

    yield
    restore_patches()


def test_without_the_mock_there_is_no_virtual_time() -> None:
    with pytest.raises(OSError), virtual_time("http://127.0.0.1:9", KEY):
        pass
