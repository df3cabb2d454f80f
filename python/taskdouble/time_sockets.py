"""Waits for sockets and selectors, on virtual time. What they send and receive is counted as requests."""

from __future__ import annotations

import select
import selectors
import socket
from typing import Any, Callable

from . import time_real as real
from .time_current import find_scheduler
from .time_scheduler import Scheduler
from .time_turns import TIMED_OUT

_DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)
_PEEK = getattr(socket, "MSG_PEEK", 0)


def _await_socket(scheduler: Scheduler, sock: socket.socket, bits: int) -> None:
    """Wait as long as the socket's time limit permits."""
    limit = sock.gettimeout()
    if limit == 0 or sock.fileno() < 0:
        return
    outcome = scheduler.block(scheduler.create_wait(limit, {sock.fileno(): bits}))
    if outcome is TIMED_OUT:
        raise socket.timeout("timed out")


def _receive(name: str, read: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A receiving method. `read` finds the received bytes in its result and its first argument."""
    method = getattr(real.Socket, name)

    def receive(self: socket.socket, *args: Any, **options: Any) -> Any:
        scheduler = find_scheduler()
        if scheduler is None:
            return method(self, *args, **options)
        _await_socket(scheduler, self, real.READ)
        result = method(self, *args, **options)
        if not (_PEEK and any(isinstance(arg, int) and arg & _PEEK for arg in args[1:])):
            scheduler.requests.receive(self, read(result, args[0] if args else b""))
        return result

    return receive


def _accept(self: socket.socket) -> Any:
    scheduler = find_scheduler()
    if scheduler is not None:
        _await_socket(scheduler, self, real.READ)
    return _real_accept(self)


def _connect(name: str) -> Callable[..., Any]:
    method = getattr(real.Socket, name)

    def connect(self: socket.socket, address: Any) -> Any:
        scheduler = find_scheduler()
        if scheduler is not None:
            scheduler.requests.connect(self, address)
        return method(self, address)

    return connect


def _send(self: socket.socket, data: Any, *flags: int) -> int:
    scheduler = find_scheduler()
    if scheduler is None:
        return real.Socket.send(self, data, *flags)
    if self.gettimeout() != 0 and not real.poll({self.fileno(): real.WRITE}, 0):
        _await_socket(scheduler, self, real.WRITE)
    sent = real.Socket.send(self, data, *flags)
    scheduler.requests.send(self, memoryview(data)[:sent])
    return sent


def _sendall(self: socket.socket, data: Any, *flags: int) -> None:
    scheduler = find_scheduler()
    if scheduler is None or not _DO_NOT_WAIT or self.gettimeout() == 0:
        if scheduler is not None:
            scheduler.requests.send(self, data)
        return real.Socket.sendall(self, data, *flags)
    rest = memoryview(data).cast("B")
    while len(rest) > 0:
        try:
            sent = real.Socket.send(self, rest, _DO_NOT_WAIT | (flags[0] if flags else 0))
        except BlockingIOError:
            _await_socket(scheduler, self, real.WRITE)
            continue
        scheduler.requests.send(self, rest[:sent])
        rest = rest[sent:]
    return None


def _sendmsg(self: socket.socket, buffers: Any, *args: Any) -> int:
    buffers = list(buffers)
    scheduler = find_scheduler()
    sent = real.Socket.sendmsg(self, buffers, *args)
    if scheduler is not None and buffers:
        scheduler.requests.send(self, buffers[0])
    return sent


def _close(self: socket.socket, *args: Any) -> None:
    scheduler = find_scheduler()
    if scheduler is not None:
        scheduler.requests.close(self)
    _real_close(self, *args)


def _select(select_now: Callable[..., Any], self: Any, timeout: float | None = None) -> Any:
    """A selector's `select`."""
    scheduler = find_scheduler()
    ready = select_now(self, 0)
    if scheduler is None:
        return ready or select_now(self, timeout)
    if ready or (timeout is not None and timeout <= 0):
        return ready
    if timeout is not None and timeout < 10e-6:
        scheduler.pass_by(timeout)
        return ready
    fileno = getattr(self, "fileno", None)
    interest: dict[int, int] = (
        {fileno(): real.READ} if fileno else {key.fd: key.events for key in self.get_map().values()}
    )
    before = scheduler.now
    wait = scheduler.create_wait(timeout, interest)
    scheduler.block(wait)
    if wait.outcome is None and timeout is not None:
        # Virtual time has ended meanwhile.
        timeout -= (scheduler.now - before) / 1000
    return select_now(self, 0 if wait.outcome else timeout)


def _selecting(kind: type) -> Callable[..., Any]:
    select_now = kind.select  # type: ignore[attr-defined]
    return lambda self, timeout=None: _select(select_now, self, timeout)


def _select_fds(readers: Any, writers: Any, failing: Any, timeout: float | None = None) -> Any:
    """`select.select`."""
    scheduler = find_scheduler()
    ready = real.select_(readers, writers, failing, 0)
    if any(ready) or scheduler is None or (timeout is not None and timeout <= 0):
        return ready if scheduler is not None else real.select_(readers, writers, failing, timeout)
    interest: dict[int, int] = {}
    for group, bits in ((readers, real.READ), (writers, real.WRITE), (failing, real.READ)):
        for each in group:
            fd = each if isinstance(each, int) else each.fileno()
            interest[fd] = interest.get(fd, 0) | bits
    scheduler.block(scheduler.create_wait(timeout, interest))
    return real.select_(readers, writers, failing, 0)


_real_accept = socket.socket.accept
_real_close = socket.socket._real_close  # type: ignore[attr-defined]
_KINDS: set[Any] = {selectors.SelectSelector, selectors.DefaultSelector}


def list_socket_patches() -> list[Any]:
    """The owner, the name and the replacement of each."""
    methods = {
        "accept": _accept,
        "connect": _connect("connect"),
        "connect_ex": _connect("connect_ex"),
        "recv": _receive("recv", lambda result, _: result),
        "recv_into": _receive("recv_into", lambda count, buffer: memoryview(buffer).cast("B")[:count]),
        "recvfrom": _receive("recvfrom", lambda result, _: result[0]),
        "recvfrom_into": _receive("recvfrom_into", lambda result, buffer: memoryview(buffer).cast("B")[: result[0]]),
        "send": _send,
        "sendall": _sendall,
        "_real_close": _close,
    }
    if hasattr(real.Socket, "sendmsg"):
        methods["sendmsg"] = _sendmsg
        methods["recvmsg"] = _receive("recvmsg", lambda result, _: result[0])
    return [
        *((socket.socket, name, method) for name, method in methods.items()),
        *((kind, "select", _selecting(kind)) for kind in _KINDS),
        (select, "select", _select_fds),
    ]
