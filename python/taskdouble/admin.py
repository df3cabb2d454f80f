"""Requests to the admin API of a mock."""
from __future__ import annotations

import json
import time
from http.client import HTTPConnection, HTTPException
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from .time_current import find_scheduler

#: Real time, also while virtual time replaces the functions of the module.
_monotonic = time.monotonic

#: A connection that was idle for longer may be closed by the mock, s.
_LONGEST_IDLE = 30.0
#: Most time for a response, s: a request that waits has at most 60.
_TIMEOUT = 90.0


#: pytest shows the line of the test, not the ones here.
__tracebackhide__ = True


class TaskdoubleError(Exception):
    """A request that the mock refuses, or a mock that does not respond. The message says what to do."""


class WaitTimeout(TaskdoubleError, AssertionError):
    """What a test waited for did not happen."""

    def __init__(self, message: str, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final
        """It cannot happen any more."""


class AdminClient:
    """Sends requests over persistent connections. May be used in several threads."""

    def __init__(self, base_url: str, describe_failure: Callable[[str], str]) -> None:
        """`describe_failure`: a sentence for a mock that does not respond, from the text of the error."""
        self.base_url = base_url.rstrip("/")
        self._address = urlsplit(self.base_url)
        self._describe_failure = describe_failure
        #: With the time when each was used last, and the virtual time at that point.
        self._idle: List[Tuple[HTTPConnection, float, object]] = []

    def request(self, method: str, path: str, query: Optional[Dict[str, Any]] = None, body: Any = None) -> Any:
        """The JSON of the response. `body`: a text, or a value that is sent as JSON. Raises TaskdoubleError."""
        status, text = self.send(method, path, query, body)
        value = parse_json(text)
        if status < 400 and value is not None:
            return value
        raise_refusal(status, text)

    def send(
        self,
        method: str,
        path: str,
        query: Optional[Dict[str, Any]] = None,
        body: Any = None,
    ) -> Tuple[int, str]:
        """Status and text of the response."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = f"{self._address.path}/__admin{path}" + (f"?{urlencode(given, quote_via=quote)}" if given else "")
        data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
        connection = self._take()
        try:
            connection.request(method, url, data)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, HTTPException) as error:
            connection.close()
            raise TaskdoubleError(self._describe_failure(str(error) or type(error).__name__)) from None
        self._idle.append((connection, _monotonic(), find_scheduler()))
        return response.status, text

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()

    def _take(self) -> HTTPConnection:
        while self._idle:
            connection, since, scheduler = self._idle.pop()
            # Virtual time knows only the connections that were opened on it.
            if _monotonic() - since < _LONGEST_IDLE and scheduler is find_scheduler():
                return connection
            connection.close()
        host, port = self._address.hostname or "127.0.0.1", self._address.port or 80
        return HTTPConnection(host, port, timeout=_TIMEOUT)


def parse_json(text: str) -> Any:
    """None for a text that is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def raise_refusal(status: int, text: str) -> NoReturn:
    value = parse_json(text)
    detail = value.get("detail") if isinstance(value, dict) else None
    raise TaskdoubleError(detail if isinstance(detail, str) else f"The mock responded {status}: {text[:200]}")
