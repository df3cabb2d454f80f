"""The adapter of the tests. The task of a job says how its client behaves."""

import asyncio
import ctypes
import json
import multiprocessing
import os
import random
import select
import signal
import socket
import ssl
import sys
import threading
import time
from urllib.request import Request, urlopen

if "Windows" in sys.argv:
    # What Python does not have there.
    for module in (os, select, socket):
        for name in ("fork", "register_at_fork", "WNOHANG", "killpg", "epoll", "poll", "MSG_DONTWAIT"):
            vars(module).pop(name, None)
    sys.platform = "win32"
    # The certificates of Windows, which Python 3.12 and later load with each opener of urllib.
    ssl.SSLContext._windows_cert_stores = ()

from taskdouble import ToolError, adapter  # noqa: E402

jobs = []


def call(job, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(job.base_url + path, data, {"apikey": job.api_key}, method=method)) as response:
        return json.load(response)["r"]


def poll(job):
    task = call(job, "POST", "/task", job.request)
    while task["status"] == "running":
        time.sleep(2)
        task = call(job, "GET", f"/task/{job.scenario}")
    return {"status": task["status"], "output": task["output"]}


def run_tools(job, tools):
    outputs = [tools["get_weather"]({"city": "Oslo"}), tools["get_weather"](city="Rome")]
    for _ in range(2):
        try:
            tools["get_weather"]({})
        except ToolError as error:
            outputs.append([error.name, error.code, error.output, str(error)])
    outputs += [tools.reply("get_weather", None), tools.reply("other", 1), tools["get_weather"].__doc__]
    job.add_result("goto", 200, outputs)


async def nap():
    await asyncio.sleep(3)


def run(job, tools):
    jobs.append(job.scenario)
    how = job.request["task"]
    job.line["status"] = "running"
    if how == "print":
        print("not a message", end="", flush=True)
        os.system("echo from another program")
        print("x" * 10_000 + "end", file=sys.stderr)
    elif how == "raise":
        raise ValueError("no luck")
    elif how == "exit":
        sys.exit(0)
    elif how == "crash":
        os._exit(3)
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "hang":
        threading.Event().wait()
    elif how == "tools":
        run_tools(job, tools)
    elif how == "leave":
        threading.Thread(target=time.sleep, args=(5,)).start()
        threading.Thread(target=time.sleep, args=(500,), daemon=True).start()
    elif how == "leave processes":
        os.system("sleep 600 & setsid sleep 600 & sleep 0.01 &")
    elif how == "fork":
        queue = multiprocessing.get_context("fork").Queue()
        child = multiprocessing.get_context("fork").Process(target=lambda: queue.put(poll(job)))
        child.start()
        return queue.get(timeout=5)
    elif how == "extension":
        ctypes.CDLL(None).sleep(600)
    elif how == "asyncio":
        asyncio.run(nap())
    elif how == "no JSON":
        return {"status": "done", "output": {"value": {1, 2}}, "results": [float("nan")]}
    elif how == "give up":
        return {"status": "failed", "error": "no"}
    else:
        result = poll(job)
        return {**result, "jobs": jobs, "random": random.random(), "env": os.environ["TASKDOUBLE_SCENARIO"]}
    return {"status": "done", "jobs": jobs}


if "thread" in sys.argv:
    threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()
adapter(run)
