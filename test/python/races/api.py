"""What the clients with a race have in common: the calls of the API, and what may be repeated."""

import json
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Api:
    def __init__(self, job):
        self.job = job
        self.path = ""

    def call(self, method, path, body=None):
        headers = {"apikey": self.job.api_key, "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.job.base_url}/api/v1{path}", data, headers, method=method), timeout=10) as response:
            return json.load(response).get("r")

    def repeat(self, method, path, body=None):
        """For requests that have the same effect a second time."""
        for tries in range(1, 9):
            try:
                return self.call(method, path, body)
            except (OSError, ValueError) as error:
                code = getattr(error, "code", 0)
                if tries == 8 or (400 <= code < 500 and code != 429):
                    raise
                after = error.headers.get("retry-after", "") if isinstance(error, HTTPError) else ""
                time.sleep(float(after) if after.isdigit() else tries / 4)

    def create(self):
        task = self.call("POST", "/task", self.job.request)
        self.path = f"/task/{task['id']}"
        return task

    def reply(self, event, outcome):
        return {"name": "tool_call", "id": event["id"], "payload": outcome}
