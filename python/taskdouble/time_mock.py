"""The time of a mock in another process: its clock is manual, and moves with the waits of the client."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlsplit

from . import time_real as real
from .time_requests import OpenRequests, read_fields
from .time_scheduler import Scheduler, Standing, TimeSource

#: How long something may happen that is not due at any time, such as the end of another program, s of real time.
_PATIENCE = 5.0
_TICK = 0.001


class NothingDue(Exception):
    """Every thread of the client waits, and nothing is left that could end a wait."""


class MockTime(TimeSource):
    """Moves the clock of the mock to what is due first: a wait of the client, or an event that a request waits for."""

    def __init__(self, base_url: str, api_key: str | None) -> None:
        parts = urlsplit(base_url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._path = f"{parts.path.rstrip('/')}/__admin/clock" + (f"?key={quote(api_key)}" if api_key else "")
        self._base_url = base_url
        self._socket: Any = None
        self._idle_since: float | None = None

    def begin(self) -> Scheduler:
        clocks = self._request({"mode": "manual"})
        if not clocks:
            raise ValueError("The mock has no organisation yet: give the API key of the client.")
        return Scheduler(self, max(each["now"] for each in clocks), OpenRequests(self._base_url))

    def stand(self, scheduler: Scheduler, standing: Standing) -> float | None:
        due = None
        if standing.open > 0:
            # Most responses are there at once.
            if scheduler.look(_TICK * 5):
                return 0
            clocks = self._request()
            held, in_flight = (sum(each[name] for each in clocks) for name in ("held", "in_flight"))
            if in_flight != standing.open or held != in_flight:
                # A request or a response is under way.
                return _TICK
            due = min([each["next_due"] for each in clocks if each["next_due"] is not None], default=None)
        moments = [each for each in (due, standing.next) if each is not None]
        if not moments:
            return self._await_others(scheduler)
        self._idle_since = None
        now = max(min(moments), scheduler.now)
        clocks = self._request({"to": round(now)})
        # A test may have moved the clock further.
        scheduler.set_time(max([now, *(each["now"] for each in clocks)]))
        if due is None or now < due:
            scheduler.fire(now)
        return 0

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _await_others(self, scheduler: Scheduler) -> float:
        """Another program may end a wait."""
        self._idle_since = self._idle_since or real.monotonic()
        if real.monotonic() - self._idle_since > _PATIENCE:
            self._idle_since = None
            scheduler.fail(NothingDue("Every thread of the client waits, and nothing is due, nor in the mock."))
        return _TICK * 10

    def _request(self, change: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """Change the clocks of the mock, or only read them."""
        body = b"" if change is None else json.dumps(change).encode()
        head = f"{'GET' if change is None else 'POST'} {self._path} HTTP/1.1\r\nhost: {self._address[0]}\r\n"
        data = f"{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body
        try:
            text = self._exchange(data)
        except OSError:
            # The mock closes a connection that is idle.
            text = self._exchange(data)
        answer = json.loads(text)
        if "clocks" not in answer:
            raise RuntimeError(f"The mock has refused {change}: {answer.get('detail', answer)}")
        clocks: list[dict[str, Any]] = answer["clocks"]
        return clocks

    def _exchange(self, data: bytes) -> bytes:
        if self._socket is None:
            connection = real.Socket()
            try:
                connection.connect(self._address)
            except OSError:
                connection.close()
                raise
            self._socket = connection
        try:
            return self._transfer(data)
        except BaseException:
            # Also the error of a signal handler: the rest of a response would be taken for the next one.
            self.close()
            raise

    def _transfer(self, data: bytes) -> bytes:
        self._socket.sendall(data)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._receive()
        head, _, body = received.partition(b"\r\n\r\n")
        fields = read_fields(head.split(b"\r\n")[1:])
        while len(body) < int(fields[b"content-length"]):
            body += self._receive()
        return body

    def _receive(self) -> bytes:
        data: bytes = self._socket.recv(65_536)
        if not data:
            raise ConnectionError("the mock has closed the connection")
        return data
