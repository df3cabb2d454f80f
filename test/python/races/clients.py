"""
Clients with one race each. argv: the name of the race.

Without its race each polls to the end, replies to each call once, and repeats what may be repeated.
"""

import asyncio
import queue
import sys
import threading
import time
from urllib.error import HTTPError

from api import Api
from taskdouble import adapter

OVER = ("done", "failed", "stopped")


class Client(Api):
    """The parts that a race replaces."""

    def __init__(self, job, tools):
        super().__init__(job)
        self.tools, self.seen, self.cursor = tools, set(), 0

    def run(self):
        task = self.create()
        while task["status"] not in OVER:
            time.sleep(0.5)
            task = self.poll()
            self.read(task)
        return {"status": task["status"], "output": task.get("output")}

    def poll(self):
        return self.repeat("GET", f"{self.path}?event_t={self.cursor}")

    def read(self, task):
        for event in task.get("events") or []:
            self.cursor = max(self.cursor, event["timestamp"])
            if self.is_call(event) and self.is_new(event) and task["status"] not in OVER:
                self.work(event)

    def is_call(self, event):
        return event["name"] == "tool_call" and "code" not in event["payload"]

    def is_new(self, event):
        return event["id"] not in self.seen and not self.seen.add(event["id"])

    def work(self, event):
        outcome = self.tools.reply(event["payload"]["name"], event["payload"].get("input"))
        self.send(event, outcome)

    def send(self, event, outcome):
        try:
            self.repeat("POST", f"{self.path}/event", self.reply(event, outcome))
        except HTTPError:
            pass


class HandlesAgain(Client):
    """An event that is listed again is handled again."""

    def is_new(self, event):
        return True


class ReportsFailure(Client):
    """A response that is lost is taken for a tool that failed."""

    def send(self, event, outcome):
        try:
            self.call("POST", f"{self.path}/event", self.reply(event, outcome))
        except OSError as error:
            super().send(event, {"code": 500, "output": str(error)})


class EndsAtLimit(Client):
    """A 429 to a later poll ends the polling, and whoever waits for the result waits on."""

    def run(self):
        ended = queue.Queue()
        polls = threading.Thread(target=lambda: ended.put(super(EndsAtLimit, self).run()), daemon=True)
        threading.excepthook = lambda _: None
        polls.start()
        return ended.get()

    def poll(self):
        return self.call("GET", f"{self.path}?event_t={self.cursor}") if self.cursor else super().poll()


class ForgetsCall(Client):
    """Where a reply fails, its call counts as handled, and is never replied to."""

    def send(self, event, outcome):
        try:
            self.call("POST", f"{self.path}/event", self.reply(event, outcome))
        except OSError:
            pass


class SharesOutcome(Client):
    """With threads: the workers share a variable. A reply that is repeated has the outcome of the other worker."""

    def __init__(self, job, tools):
        super().__init__(job, tools)
        self.outcome = None

    def work(self, event):
        threading.Thread(target=self.work_in_thread, args=(event,)).start()

    def work_in_thread(self, event):
        self.outcome = self.tools.reply(event["payload"]["name"], event["payload"].get("input"))
        for _ in range(8):
            try:
                return self.call("POST", f"{self.path}/event", self.reply(event, self.outcome))
            except OSError as error:
                if 400 <= getattr(error, "code", 0) < 500 and error.code != 429:
                    return None
                time.sleep(1)


class TwoReaders(Client):
    """With asyncio: two tasks poll, and each checks for known calls before it has noted its own."""

    def run(self):
        return asyncio.run(self.read_twice())

    async def read_twice(self):
        self.create()
        first, second = await asyncio.gather(self.read_events(0.5), self.read_events(0.7))
        return first or second

    async def read_events(self, pause):
        while True:
            await asyncio.sleep(pause)
            task = await asyncio.to_thread(self.poll)
            new = [each for each in task.get("events") or [] if self.is_call(each) and each["id"] not in self.seen]
            for event in new if task["status"] not in OVER else []:
                await asyncio.sleep(0.05)
                self.seen.add(event["id"])
                await asyncio.to_thread(self.work, event)
            if task["status"] in OVER:
                return {"status": task["status"], "output": task.get("output")}


CLIENTS = {
    "handles-again": HandlesAgain,
    "reports-failure": ReportsFailure,
    "ends-at-limit": EndsAtLimit,
    "forgets-call": ForgetsCall,
    "shares-outcome": SharesOutcome,
    "two-readers": TwoReaders,
    "none": Client,
}

adapter(lambda job, tools: CLIENTS[sys.argv[1]](job, tools).run())
