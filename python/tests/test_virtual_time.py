"""Virtual time in a process of its own, with the time server of the harness."""

from __future__ import annotations

import importlib.util
import textwrap
from typing import Any

import pytest
from harness import Service, run_script

SHOW = """
import time
def show(*what):
    print(*what, round(time.time() * 1000) - START)
"""


def run(code: str, service: Service | None = None) -> list[str]:
    """The lines that the code prints. It must end by itself."""
    ended, output, _ = run_script(SHOW + textwrap.dedent(code), service)
    assert ended == "ended", output
    return output.splitlines()


def test_every_clock_shows_the_time_of_the_server() -> None:
    code = """
        import datetime
        from datetime import date, datetime as moment
        before = time.monotonic(), time.perf_counter(), time.monotonic_ns(), time.perf_counter_ns()
        time.sleep(36 * 3600 + 0.25)
        after = time.monotonic(), time.perf_counter(), time.monotonic_ns(), time.perf_counter_ns()
        print([each - other for each, other in zip(after, before)])
        print(time.clock_gettime(time.CLOCK_REALTIME), time.clock_gettime(time.CLOCK_MONOTONIC) == time.monotonic())
        print(time.time(), time.time_ns(), time.gmtime().tm_mday, time.strftime("%Y", time.gmtime()))
        print(datetime.datetime.now(datetime.timezone.utc), moment.utcnow(), date.today().year)
        class Moment(moment): pass
        print(Moment.now(), type(Moment.today()).__name__, datetime.datetime.today() == moment.now())
        import pickle
        print(pickle.loads(pickle.dumps(moment.utcnow())) == moment.utcnow())
    """
    assert run(code) == [
        "[129600.25, 129600.25, 129600250000000, 129600250000000]",
        "1767355200.25 True",
        "1767355200.25 1767355200250000000 2 2026",
        "2026-01-02 12:00:00.250000+00:00 2026-01-02 12:00:00.250000 2026",
        "2026-01-02 12:00:00.250000 Moment True",
        "True",
    ]


LIBRARY = """
from threading import Lock
from time import sleep, sleep as pause
def wait(seconds, how=sleep, *, also=pause):
    how(seconds)
    also(seconds)
class Client:
    rest = staticmethod(sleep)
    def wait(self, how=pause):
        how(1)
"""


def test_references_that_modules_keep_are_replaced() -> None:
    code = f"""
        import sys, types
        from taskdouble import time_patches
        time_patches.restore_patches()
        # Not as it is: the references of this module are replaced, too.
        reals = (time.sleep,)
        module = sys.modules["library"] = types.ModuleType("library")
        exec({LIBRARY!r}, vars(module))
        time_patches.install_patches()
        module.wait(2)
        module.Client.rest(3)
        module.Client().wait()
        show(module.sleep in reals, "taskdouble" in repr(module.Lock()))
        time_patches.restore_patches()
        print(module.sleep in reals, module.wait.__defaults__ == reals, module.Client.rest in reals)
        time_patches.install_patches()
    """
    assert run(code) == ["False True 8000", "True True True"]


def test_waits_of_threads_end_in_the_order_of_their_times() -> None:
    code = """
        import concurrent.futures, queue, threading
        log = []
        def work(name, seconds, times):
            for _ in range(times):
                time.sleep(seconds)
                log.append((name, round(time.time() * 1000) - START))
        threads = [threading.Thread(target=work, args=each) for each in (("a", 1, 3), ("b", 1.5, 2), ("c", 3, 1))]
        for each in threads: each.start()
        threads[2].join(2.5)
        show(threads[2].is_alive())
        for each in threads: each.join()
        show(log)
        event = threading.Event()
        threading.Timer(2.5, event.set).start()
        show(event.wait(1), event.wait(10))
        condition = threading.Condition()
        with condition:
            show(condition.wait(4), condition.wait_for(lambda: False, 1))
        lock = threading.Lock()
        lock.acquire()
        show(lock.acquire(timeout=2), lock.acquire(False))
        threading.Timer(3, lock.release).start()
        show(lock.acquire())
        for kind in (queue.Queue, queue.SimpleQueue):
            items = kind()
            try: items.get(timeout=1)
            except queue.Empty: show("empty")
            threading.Timer(1, items.put, ["item"]).start()
            show(items.get())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            def nap(seconds):
                time.sleep(seconds)
                return seconds
            futures = [pool.submit(nap, each) for each in (5, 1, 2)]
            try: futures[0].result(timeout=0.5)
            except concurrent.futures.TimeoutError: show("timed out")
            show([each.result() for each in concurrent.futures.as_completed(futures)])
        barrier, semaphore = threading.Barrier(2), threading.Semaphore(0)
        threading.Timer(1, barrier.wait).start()
        barrier.wait()
        show(semaphore.acquire(timeout=1))
    """
    lines = run(code)
    assert lines == [
        "True 2500",
        "[('a', 1000), ('b', 1500), ('a', 2000), ('c', 3000), ('b', 3000), ('a', 3000)] 3000",
        "False True 5500",
        "False False 10500",
        "False False 12500",
        "True 15500",
        "empty 16500",
        "item 17500",
        "empty 18500",
        "item 19500",
        "timed out 20000",
        "[1, 2, 5] 24500",
        "False 26500",
    ]
    assert [run(code) for _ in range(2)] == [lines, lines]


def test_the_threads_take_turns_in_the_same_order_in_each_run() -> None:
    code = """
        import random, threading, uuid
        log, lock = [], threading.Lock()
        def work(name):
            for each in range(20):
                with lock:
                    log.append(name)
                    if each % 3 == 0: time.sleep(random.choice([0, 0.001, 0.5]))
                time.sleep(0)
        threads = [threading.Thread(target=work, args=(each,)) for each in range(8)]
        for each in threads: each.start()
        for each in threads: each.join()
        show(*log, random.random(), uuid.uuid4())
    """
    first = run(code)
    assert [run(code) for _ in range(2)] == [first, first]


def test_asyncio() -> None:
    code = """
        import asyncio
        async def main():
            loop = asyncio.get_running_loop()
            begin = loop.time()
            async def nap(seconds):
                await asyncio.sleep(seconds)
                show("nap", seconds)
            await asyncio.gather(nap(3), nap(1), nap(1800))
            try: await asyncio.wait_for(nap(100), 5)
            except asyncio.TimeoutError: show("timed out")
            event = asyncio.Event()
            loop.call_later(2, event.set)
            await event.wait()
            await loop.run_in_executor(None, time.sleep, 4)
            for _ in range(300): await asyncio.sleep(0.1)
            print(round(loop.time() - begin, 6))
            await asyncio.sleep(0)
        asyncio.run(main())
        show("end")
    """
    lines = ["nap 1 1000", "nap 3 3000", "nap 1800 1800000", "timed out 1805000", "1841.0", "end 1841000"]
    assert [run(code) for _ in range(2)] == [lines, lines]


def test_a_loop_that_never_waits_for_long_sees_time_advance() -> None:
    code = """
        reads = 0
        over = time.monotonic() + 0.05
        while time.monotonic() < over: reads += 1
        print(reads < 20_000)
        show(round(time.monotonic() - over, 1))
        over = time.time() + 0.3
        while time.time() < over: time.sleep(over - time.time())
        show()
        over = time.monotonic() + 0.01
        while time.monotonic() < over: time.sleep(0)
        print(time.monotonic() >= over)
    """
    assert run(code) == ["True", "0.0 50", "350", "True"]


def test_the_rest_of_a_wait_passes_also_below_a_rounding_error() -> None:
    code = """
        import threading
        changed = threading.Condition()
        with changed:
            print(changed.wait_for(lambda: False, 1e-6))
        show()
    """
    assert run(code) == ["False", "1"]


def test_a_lock_that_is_older_than_virtual_time() -> None:
    code = """
        import threading
        lock = real_lock()
        def hold():
            with lock: time.sleep(60)
        thread = threading.Thread(target=hold)
        thread.start()
        with lock: show("locked")
        thread.join()
    """
    code = "import _thread\nreal_lock = _thread.allocate_lock\n" + textwrap.dedent(code)
    assert run(code) == ["locked 60000"]


def test_a_client_for_which_nothing_is_due_stands() -> None:
    ended, _, _ = run_script("import threading\nthreading.Event().wait()")
    assert ended == "idle"


def test_select_and_sockets_time_out_on_virtual_time() -> None:
    code = """
        import select, selectors, socket, threading
        one, other = socket.socketpair()
        print(select.select([one], [], [], 5))
        show()
        with selectors.DefaultSelector() as selector:
            selector.register(one, selectors.EVENT_READ)
            print(selector.select(10))
            threading.Timer(3, other.send, [b"x"]).start()
            show(len(selector.select(10)))
        one.settimeout(4)
        show(one.recv(1))
        try: one.recv(1)
        except socket.timeout as error: show(error)
        data = b"y" * 5_000_000
        threading.Timer(2, other.sendall, [data]).start()
        received = 0
        while received < len(data): received += len(one.recv(1 << 20))
        show(received)
        server = socket.create_server(("127.0.0.1", 0))
        server.settimeout(1)
        try: server.accept()
        except socket.timeout as error: show(error)
        for receive in (lambda: one.recvmsg(1), lambda: one.recvfrom_into(bytearray(1))):
            try: receive()
            except socket.timeout as error: show(error)
        poll = select.poll()
        poll.register(one, select.POLLIN)
        show(poll.poll(5000))
        threading.Timer(3, other.send, [b"x"]).start()
        show(poll.poll() == [(one.fileno(), select.POLLIN)])
    """
    assert run(code) == [
        "([], [], [])",
        "5000",
        "[]",
        "1 18000",
        "b'x' 18000",
        "timed out 22000",
        "5000000 24000",
        "timed out 25000",
        "timed out 29000",
        "timed out 33000",
        "[] 38000",
        "True 41000",
    ]


def test_waits_for_other_programs_are_real() -> None:
    code = """
        import multiprocessing, subprocess, sys
        for _ in range(2):
            program = [sys.executable, "-c", "import time; time.sleep(0.2); print(1)"]
            print(subprocess.run(program, timeout=60, stdout=-1).stdout)
            process = subprocess.Popen(program, stdout=-3)
            process.wait(60)
            show(process.returncode)
        queue = multiprocessing.get_context("fork").Queue()
        process = multiprocessing.get_context("fork").Process(target=lambda: queue.put(time.sleep(0.2)))
        process.start()
        show(queue.get(timeout=60))
        process.join(60)
        show(process.exitcode)
        try: queue.get(timeout=0.1)
        except Exception as error: show(type(error).__name__)
    """
    assert run(code) == ["b'1\\n'", "0 0", "b'1\\n'", "0 0", "None 0", "0 0", "Empty 0"]


CLIENTS = {
    "urllib.request": """
        def call(method, path, timeout=60):
            data = b"{}" if method == "POST" else None
            request = urllib.request.Request(BASE + path, data, method=method)
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return json.load(response)["r"]
    """,
    "http.client": """
        connection = http.client.HTTPConnection(BASE[7:], timeout=60)
        def call(method, path, timeout=60):
            connection.timeout = timeout
            if connection.sock: connection.sock.settimeout(timeout)
            try:
                connection.request(method, path, "{}" if method == "POST" else None)
                return json.load(connection.getresponse())["r"]
            except OSError:
                connection.close()
                raise
    """,
    "requests": """
        session = requests.Session()
        def call(method, path, timeout=60):
            return session.request(method, BASE + path, data="{}", timeout=timeout).json()["r"]
    """,
    "httpx": """
        client = httpx.Client()
        def call(method, path, timeout=60):
            return client.request(method, BASE + path, content=b"{}", timeout=timeout).json()["r"]
    """,
}
POLL = """
import json, threading
task = call("POST", "/task")
polls = 0
while task["status"] == "running":
    time.sleep(2)
    task = call("GET", "/task/1")
    polls += 1
show(polls, task["status"])
log = []
def hold(path):
    log.append((call("GET", path)["status"], round(time.time() * 1000) - START))
hold("/held?due=230000")
show(log)
try: call("GET", "/held?due=900000", timeout=10)
except Exception: show("timed out")
"""


@pytest.mark.parametrize("library", CLIENTS)
def test_polling_takes_no_time(library: str) -> None:
    if importlib.util.find_spec(library.partition(".")[0]) is None:
        pytest.skip(f"{library} is not installed")
    for _ in range(2):
        service = Service(polls=100)
        try:
            lines = run(f"import {library}\nimport json\n" + textwrap.dedent(CLIENTS[library]) + POLL, service)
        finally:
            service.close()
        assert lines == ["100 done 200000", "[('running', 230000)] 230000", "timed out 240000"]


ASYNC_CLIENTS = {
    "httpx": """
        async def begin(): return httpx.AsyncClient()
        async def call(client, method, path, timeout=60):
            return (await client.request(method, BASE + path, content=b"{}", timeout=timeout)).json()["r"]
        async def end(client): await client.aclose()
    """,
    "aiohttp": """
        async def begin(): return aiohttp.ClientSession()
        async def call(client, method, path, timeout=60):
            limit = aiohttp.ClientTimeout(total=timeout)
            async with client.request(method, BASE + path, data=b"{}", timeout=limit) as response:
                return (await response.json())["r"]
        async def end(client): await client.close()
    """,
}
POLL_ASYNC = """
import asyncio
async def main():
    client = await begin()
    task = await call(client, "POST", "/task")
    polls = 0
    while task["status"] == "running":
        await asyncio.sleep(2)
        task = await call(client, "GET", "/task/1")
        polls += 1
    show(polls, task["status"])
    waits = [call(client, "GET", f"/held?due={due}") for due in (240000, 210000)]
    done, pending = await asyncio.wait([asyncio.ensure_future(each) for each in waits], timeout=30)
    show(len(done), len(pending))
    await asyncio.gather(*pending)
    show("all")
    try: await call(client, "GET", "/held?due=900000", timeout=10)
    except Exception: show("timed out")
    await end(client)
asyncio.run(main())
"""


@pytest.mark.parametrize("library", ASYNC_CLIENTS)
def test_asynchronous_polling_takes_no_time(library: str) -> None:
    pytest.importorskip(library)
    service = Service(polls=100)
    try:
        lines = run(f"import {library}\n" + textwrap.dedent(ASYNC_CLIENTS[library]) + POLL_ASYNC, service)
    finally:
        service.close()
    assert lines == ["100 done 200000", "1 1 230000", "all 240000", "timed out 250000"]


def test_half_an_hour_of_polling() -> None:
    service = Service(polls=900)
    try:
        code = (
            "import urllib.request, json\n" + textwrap.dedent(CLIENTS["urllib.request"]) + POLL.partition("log = []")[0]
        )
        ended, output, time = run_script(SHOW + code, service)
    finally:
        service.close()
    assert (ended, output.split()[:3]) == ("ended", ["900", "done", "1800000"])
    # Nothing but the waits of the client moved the time.
    assert time.fired == [2000 * each for each in range(1, 901)]


def test_what_a_client_leaves_behind_continues_in_real_time() -> None:
    code: Any = """
        import threading
        from taskdouble.time_current import find_scheduler, set_scheduler
        log = []
        def nap():
            time.sleep(0.05)
            log.append("slept")
            event.wait(0.05)
            log.append("waited")
        event = threading.Event()
        thread = threading.Thread(target=nap)
        thread.start()
        scheduler = find_scheduler()
        set_scheduler(None)
        scheduler.stop()
        thread.join()
        print(*log)
    """
    assert run(code) == ["slept waited"]


def test_a_process_that_the_client_forks_has_real_time() -> None:
    code = """
        import os, threading, warnings
        lock = threading.Lock()
        lock.acquire()
        threading.Timer(5, lock.release).start()
        # Python 3.12 and later: there are other threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            os._exit(0 if time.time() * 1000 - START > 1e9 or time.time() * 1000 < START else 1)
        print(os.waitpid(child, 0)[1])
        show(lock.acquire())
    """
    assert run(code) == ["0", "True 5000"]
