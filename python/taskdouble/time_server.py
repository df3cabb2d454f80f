"""The client's end of the time protocol: lines of JSON, over TCP, with the harness that decides how time advances."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from . import time_real as real
from .time_requests import OpenRequests
from .time_scheduler import Scheduler, Standing, TimeSource


class TimeServer(TimeSource):
    """A connection to the harness."""

    def __init__(self, port: int, token: str, process: str) -> None:
        self._socket = real.Socket()
        self._socket.connect(("127.0.0.1", port))
        self._socket.setsockopt(6, 1, 1)  # TCP_NODELAY
        self.fd = self._socket.fileno()
        self._buffer = b""
        self._ask: int | None = None
        self._send({"hello": token, "pid": os.getpid(), "process": process})

    def begin(self, base_url: str | None) -> Scheduler:
        """Wait for the first message, and follow this time from now on."""
        messages: list[dict[str, Any]] = []
        while not messages:
            messages = list(self._read())
            if not messages and self.fd is None:
                raise ConnectionError("the time server has closed the connection")
        first, *others = messages
        scheduler = Scheduler(self, first["now"], OpenRequests(base_url))
        scheduler.random = Random(str(first.get("seed", "")))
        self._send({"response": first["n"]})
        self._process(scheduler, others)
        return scheduler

    def receive(self, scheduler: Scheduler) -> None:
        self._process(scheduler, self._read())
        if self.fd is None:
            # The harness has ended the run, or itself.
            os._exit(1)

    def _process(self, scheduler: Scheduler, messages: Iterable[dict[str, Any]]) -> None:
        unconfirmed: int | None = None
        for message in messages:
            if "ask" in message:
                # Its response confirms the messages before it, too.
                self._ask, unconfirmed = message["ask"], None
            elif "fire" in message:
                scheduler.fire(message["fire"])
            elif "now" in message:
                scheduler.set_time(message["now"])
                unconfirmed = message["n"]
        if unconfirmed is not None:
            self._send({"response": unconfirmed})

    def stand(self, scheduler: Scheduler, standing: Standing) -> float | None:
        if self._ask is not None:
            self._send({"response": self._ask, "standing": {**standing._asdict(), "children": 0}})
            self._ask = None
        return None

    def report_fork(self) -> None:
        # Its requests would meet a service whose time stands still.
        self._send({"not_virtual": "it forked a process, which has real time"})

    def close(self) -> None:
        self.fd = None
        self._socket.close()

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            # The harness ends this process.
            self.fd = None

    def _read(self) -> Iterator[dict[str, Any]]:
        try:
            data = self._socket.recv(65_536)
        except OSError:
            data = b""
        if not data:
            self.fd = None
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            yield json.loads(line)
