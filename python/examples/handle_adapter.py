"""
An adapter of a library with handles: npx taskdouble client -- python3 handle_adapter.py

The order in which a job is done: start; `live_url` and `second_wait` while the task runs; the actions, one after
another, and the close; the first wait for the end; then what is there after the end.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

from handle_library import Client, Refused, Tools
from taskdouble import ToolError, adapter


def run(job, tools):
    handle = Client(job.base_url, job.api_key).start(job.request, register(tools))
    asked = job.line["asked"]
    with ThreadPoolExecutor() as pool:
        waits = {}
        if "live_url" in job.asks:
            waits["live_url"] = pool.submit(handle.live_url)
        if "second_wait" in job.asks:
            waits["second_wait"] = pool.submit(lambda: describe(handle.result()))
        if "wait_again" in job.asks:
            try:
                handle.result(timeout=0.6)
            except TimeoutError:
                pass  # wanted: the next wait is another one
        if job.cancel_after_ms is not None:
            timer = threading.Timer(job.cancel_after_ms / 1000, handle.cancel)
            timer.daemon = True
            timer.start()
        for action in job.actions:
            result = handle.act(action["name"], action["payload"])
            if result is not None:
                job.add_result(action["payload"]["name"], result["code"], result.get("output"))
        if job.close == "event":
            result = handle.act("session_action", {"name": "close"})
            if result is not None:
                job.add_result("close", result["code"], result.get("output"))
        elif job.close == "delete":
            handle.cancel()
        end = describe(handle.result())
        asked.update({name: wait.result() for name, wait in waits.items()})
    if "wait_again" in job.asks:
        asked["wait_again"] = describe(handle.result())
    for name in ("recording_url", "downloads_url"):
        if name in job.asks:
            asked[name] = handle.address(name)
    return end


def register(tools):
    """The tools of the job as functions of the library."""
    registry = Tools()
    for each in tools.values():

        @registry.tool(each.name)
        def function(input, tool=each):
            try:
                return tool(input)
            except ToolError as error:
                raise (Refused if error.code == 400 else RuntimeError)(error.output) from None

    return registry


def describe(task):
    return {"status": task["status"], "output": task.get("output")}


adapter(run)
