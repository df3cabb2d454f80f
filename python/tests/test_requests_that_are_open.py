"""Finding the end of a response in the bytes of a socket."""

from __future__ import annotations

import socket

import pytest
from taskdouble.time_requests import OpenRequests, ResponseReader

RESPONSES = {
    "a length": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "no body": b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    "a status without a body": b"HTTP/1.1 204 No Content\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n",
    "an interim response": b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
}


@pytest.mark.parametrize("kind", RESPONSES)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_response_ends_with_its_last_byte(kind: str, size: int) -> None:
    data = RESPONSES[kind]
    reader = ResponseReader(False)
    for at in range(0, len(data), size):
        assert not reader.is_complete, data[:at]
        reader.feed(data[at : at + size])
    assert reader.is_complete


def test_the_response_to_head_has_no_body_and_one_without_a_length_ends_with_the_connection() -> None:
    head = ResponseReader(True)
    head.feed(RESPONSES["a length"][:-5])
    assert head.is_complete
    endless = ResponseReader(False)
    endless.feed(b"HTTP/1.1 200 OK\r\n\r\nhello")
    assert not endless.is_complete
    endless.feed(b"")
    assert endless.is_complete


def test_requests_to_the_service_and_to_others() -> None:
    requests = OpenRequests("http://localhost:4010")
    ours, other = socket.socket(), socket.socket()
    requests.connect(ours, ("127.0.0.1", 4010))
    requests.connect(other, ("127.0.0.1", 4011))
    for sock in (ours, other):
        requests.send(sock, b"GET / HTTP/1.1\r\n")
        requests.send(sock, b"\r\n")
    assert (requests.started, requests.count_open(), requests.count_open(False)) == (1, 1, 1)
    requests.receive(ours, RESPONSES["no body"])
    assert (requests.count_open(), requests.count_open(False)) == (0, 1)
    requests.send(ours, b"GET / HTTP/1.1\r\n\r\n")
    assert (requests.started, requests.count_open()) == (2, 1)
    requests.close(ours)
    requests.close(other)
    assert (requests.count_open(), requests.count_open(False)) == (0, 0)
    ours.close()
    other.close()
