"""The HTTP requests that wait for their response, read from the bytes that the client sends and receives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from . import time_real as real

_LONGEST_HEAD = 100_000
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def read_fields(lines: Iterable[bytes]) -> dict[bytes, bytes]:
    """The fields of a head, in lower case and without spaces."""
    parts = (line.lower().replace(b" ", b"").partition(b":") for line in lines)
    return {name: value for name, colon, value in parts if colon}


class ResponseReader:
    """Finds the end of an HTTP/1.1 response."""

    def __init__(self, is_head: bool) -> None:
        self._is_head = is_head
        self._buffer = b""
        self._skip = 0
        """Bytes of the body that are still to come; -1: up to the end of the connection."""
        self._is_chunked = False
        self._is_in_body = False
        self.is_complete = False

    def feed(self, data: bytes) -> None:
        if not data:
            self.is_complete = True
        while not self.is_complete and (data or self._buffer):
            if self._skip > 0:
                used = min(self._skip, len(data))
                self._skip -= used
                data = data[used:]
                self.is_complete = self._skip == 0 and not self._is_chunked
                if not data:
                    return
            elif self._skip < 0:
                return
            elif not self._read_line(data):
                return
            else:
                data, self._buffer = self._buffer, b""

    def _read_line(self, data: bytes) -> bool:
        """Read a head or the size of a chunk. False if more bytes are needed."""
        self._buffer += data
        end = b"\r\n" if self._is_in_body else b"\r\n\r\n"
        head, found, rest = self._buffer.partition(end)
        if not found:
            self.is_complete = len(self._buffer) > _LONGEST_HEAD
            return False
        self._buffer = rest
        if self._is_in_body:
            self._read_chunk_size(head)
        else:
            self._read_head(head)
        return True

    def _read_head(self, head: bytes) -> None:
        lines = head.split(b"\r\n")
        status = lines[0].split(b" ")[1:2]
        fields = read_fields(lines[1:])
        if status and status[0].startswith(b"1"):
            return
        length = fields.get(b"content-length", b"")
        if self._is_head or status in ([b"204"], [b"304"]):
            self.is_complete = True
        elif b"chunked" in fields.get(b"transfer-encoding", b""):
            self._is_in_body = self._is_chunked = True
        elif length.isdigit():
            self._skip = int(length)
            self.is_complete = self._skip == 0
        else:
            self._skip = -1

    def _read_chunk_size(self, line: bytes) -> None:
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            size = 0
        if size == 0:
            # Trailers follow at most.
            self.is_complete = True
        # The chunk ends with a line break.
        self._skip = size + 2


class OpenRequests:
    """The requests of this process."""

    def __init__(self, base_url: str | None = None) -> None:
        """Without `base_url`, all requests are to the service."""
        parts = urlsplit(base_url) if base_url else None
        self._address = parts and (parts.hostname or "", parts.port or 80)
        self.started = 0
        self.changed_at = 0.0
        """s of real time."""
        # Weak: a socket may be left without a close.
        self._services: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
        self._readers: WeakKeyDictionary[Any, ResponseReader | None] = WeakKeyDictionary()

    def connect(self, sock: Any, address: Any) -> None:
        if isinstance(address, tuple) and len(address) >= 2:
            self._services[sock] = self._is_service(address)

    def send(self, sock: Any, data: Any) -> None:
        """The socket has sent these bytes."""
        if sock not in self._services or self._readers.get(sock) is not None:
            return
        self._readers[sock] = ResponseReader(bytes(data[:5]).upper() == b"HEAD ")
        self.started += self._services[sock]
        self.changed_at = real.monotonic()

    def receive(self, sock: Any, data: Any) -> None:
        """The socket has received these bytes; none are the end."""
        reader = self._readers.get(sock)
        if reader is None:
            return
        self.changed_at = real.monotonic()
        reader.feed(bytes(data))
        if reader.is_complete:
            self._readers[sock] = None

    def close(self, sock: Any) -> None:
        self._services.pop(sock, None)
        self._readers.pop(sock, None)

    def count_open(self, is_service: bool = True) -> int:
        """The requests that wait for their response or for its rest."""
        count: dict[bool, int] = {True: 0, False: 0}
        for sock, reader in list(self._readers.items()):
            if reader is not None:
                count[self._services.get(sock, False)] += 1
        return count[is_service]

    def _is_service(self, address: tuple[Any, ...]) -> bool:
        if not self._address:
            return True
        host, port = self._address
        return address[1] == port and (address[0] == host or (address[0] in _LOOPBACK and host in _LOOPBACK))
