"""A harness for the tests: the time server of the protocol, and a service whose requests all get a response at once."""

from __future__ import annotations

import json
import os
import queue
import select
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from typing import Any

KIT = Path(__file__).resolve().parent.parent
START = 1_767_225_600_000
#: The interpreter of the client.
PYTHON = os.environ.get("KIT_PYTHON", sys.executable)
#: Real time after which a test fails, s.
PATIENCE = 60


class Service:
    """A task ends at its n-th poll. Responses of paths with `held` wait for `release`."""

    def __init__(self, polls: int = 3) -> None:
        service = self
        self.requests: list[str] = []
        self.held: list[tuple[float, threading.Event]] = []
        """When each is due, ms after the beginning."""
        self._polls = polls
        self._lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                service.handle(self, body)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        path = request.path
        with self._lock:
            self.requests.append(f"{request.command} {path}")
            polls = sum(each == f"{request.command} {path}" for each in self.requests)
        if "held" in path:
            gate = threading.Event()
            self.held.append((float(path.rpartition("=")[2]), gate))
            while not gate.wait(0.005):
                # A client that gives up closes its connection.
                if select.select([request.connection], [], [], 0)[0]:
                    gate.set()
        status = "running" if request.command == "POST" or polls < self._polls else "done"
        data = json.dumps({"r": {"id": "1", "status": status, "output": 7, "sent": body.decode()}}).encode()
        try:
            request.send_response(200)
            request.send_header("content-type", "application/json")
            request.send_header("content-length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)
        except OSError:
            pass

    def close(self) -> None:
        for _, gate in self.held:
            gate.set()
        self._server.shutdown()
        self._server.server_close()


class TimeServer:
    """Advances the time of one process at a time to its next wait, or to the next response that is held."""

    def __init__(self, service: Service | None = None) -> None:
        self._service = service
        self._server = socket.create_server(("127.0.0.1", 0))
        self.config = {"port": self._server.getsockname()[1], "token": "secret", "process": "1"}
        self.fired: list[float] = []
        self.moves = 0

    def run(self) -> str:
        """Serve one process until it ends or has nothing to wait for."""
        self._server.settimeout(PATIENCE)
        self._socket, _ = self._server.accept()
        self._socket.settimeout(PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")
        hello = self._read()
        assert hello and hello["hello"] == "secret"
        now, n = float(START), 2
        self._marks = self._read_marks()
        # Both may arrive at once.
        self._socket.sendall(f'{{"now":{START},"n":1,"seed":"1"}}\n{{"ask":2}}\n'.encode())
        assert self._read() == {"response": 1}
        while True:
            answer = self._read()
            if answer is None:
                return "ended"
            if "not_virtual" in answer:
                # The tests look at what the process does nevertheless.
                continue
            assert answer["response"] == n, answer
            standing = answer["standing"]
            if standing["open"] != self._count_held() or self._marks != self._read_marks():
                # Let the threads of the service work; the answer may be older than its latest request.
                sleep(0.0005)
                n = self._ask(n)
                continue
            due = min([each for each, gate in self._list_held()], default=None)
            moves = [each for each in (standing["next"], None if due is None else START + due) if each is not None]
            if not moves:
                return "idle"
            self.moves += 1
            if min(moves) > now:
                now, n = min(moves), n + 1
                self._send(now=now, n=n)
                assert self._read() == {"response": n}
            if standing["next"] == now:
                self.fired.append(now - START)
                self._send(fire=now)
            else:
                next(gate for each, gate in self._list_held() if each == due).set()
            n = self._ask(n)

    def _ask(self, n: int) -> int:
        self._marks = self._read_marks()
        self._send(ask=n + 1)
        return n + 1

    def close(self) -> None:
        self._server.close()
        self._lines.close()
        self._socket.close()

    def _list_held(self) -> list[tuple[float, threading.Event]]:
        held = self._service.held if self._service else []
        return [(due, gate) for due, gate in held if not gate.is_set()]

    def _read_marks(self) -> tuple[int, int]:
        return len(self._service.requests) if self._service else 0, self._count_held()

    def _count_held(self) -> int:
        return len(self._list_held())

    def _send(self, **message: Any) -> None:
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def _read(self) -> dict[str, Any] | None:
        try:
            line = self._lines.readline()
        except ConnectionError:
            return None
        return json.loads(line) if line else None


def run_script(code: str, service: Service | None = None, python: str = PYTHON) -> tuple[str, str, TimeServer]:
    """Run Python code in virtual time in a process of its own. Returns how it ended, and what it printed."""
    time = TimeServer(service)
    base_url = service.base_url if service else None
    prelude = (
        "import json, os\n"
        "from taskdouble.virtual_time import follow_time_server\n"
        "_time = json.loads(os.environ['TASKDOUBLE_TIME'])\n"
        "from taskdouble.time_patches import install_patches\n"
        f"START, BASE = {START}, {base_url!r}\n"
        "def main():\n"
        "    exec(compile(os.environ['CODE'], 'client.py', 'exec'), globals())\n"
        "with follow_time_server(**_time, base_url=BASE): main()\n"
    )
    variables = {
        "TASKDOUBLE_TIME": json.dumps(time.config),
        "CODE": code,
        "PYTHONPATH": str(KIT),
    }
    environment = {**os.environ, **variables}
    child = subprocess.Popen([python, "-c", prelude], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        ended = time.run()
        if ended == "idle":
            child.kill()
        output, _ = child.communicate(timeout=PATIENCE)
        return ended, output.decode(), time
    finally:
        child.kill()
        time.close()


class Adapter:
    """A persistent adapter that runs."""

    def __init__(self, *command: str, **variables: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(KIT), "TASKDOUBLE_ADAPTER": "1", **variables}
        self.process = subprocess.Popen(
            [PYTHON, *command], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.other_lines: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read_lines, daemon=True)
        self._reader.start()

    def _read_lines(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.decode())
        self._lines.put("")

    def read(self) -> dict[str, Any]:
        """The next message."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line, "the adapter has ended"
            if line.startswith("taskdouble:"):
                message: dict[str, Any] = json.loads(line[len("taskdouble:") :])
                return message
            if line.strip():
                self.other_lines.append(line)

    def send(self, **message: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> int:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        return code
