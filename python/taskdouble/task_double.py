"""A mock as one test sees it: under its own key."""
from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Union

from .admin import TaskdoubleError, WaitTimeout, raise_refusal
from .mock import RunningMock
from .time_current import find_scheduler

if TYPE_CHECKING:
    from .job import Job

Json = Dict[str, Any]
#: The name of a scenario, a scenario in the form of its file, or the path of a file.
Scenario = Union[str, Mapping[str, Any], "os.PathLike[str]"]

#: pytest shows the line of the test, not the ones here.
__tracebackhide__ = True

#: Pause between two checks on virtual time, s.
_STEP = 0.05

_FILES = (".yaml", ".yml", ".json")


class TaskDouble:
    """
    The service for one test. Its key opens an organisation of its own, so that tests never meet: tasks, clock, network rules and journal
    are those of this test alone.
    """

    def __init__(self, mock: RunningMock, api_key: str) -> None:
        self._mock = mock
        self.base_url = mock.base_url
        """The address for the client; its paths begin with /api/v1/."""
        self.api_key = api_key
        """The key for the client. Requests with another key are not those of this test."""
        self.clock = Clock(self)
        self._scenario: Optional[str] = None
        self._inline: Any = None
        """The scenario itself, if it is none of the mock."""

    def __repr__(self) -> str:
        return f"<TaskDouble {self.base_url} {self.api_key}>"

    def scenario(self, *scenarios: Scenario) -> None:
        """The next task follows this scenario (with several, the next tasks, one each): a name, a dict, or the path of a file."""
        for each in scenarios:
            self._queue(each)

    @property
    def job(self) -> Job:
        """What a client has to do for the scenario that was chosen last, as `run` of an adapter gets it."""
        from .job import Job

        if self._inline is not None:
            # One that is queued for a task has no name. Tasks do not meet the one that is added for a moment.
            (name, *_) = self._request("POST", "/scenarios", {"replace": "true"}, self._inline)["added"]
            job = self._describe_job(name)
            self._request("DELETE", "/scenarios", {"name": name})
        elif self._scenario is not None:
            name, job = self._scenario, self._describe_job(self._scenario)
        else:
            raise TaskdoubleError("There is no job: choose a scenario first.")
        return Job(job, self.base_url, self.api_key, name)

    def _describe_job(self, name: str) -> Json:
        job: Json = self._request("GET", "/scenarios/preview", {"name": name})["job"]
        return job

    def network(self, rules: Union[str, List[Any], Mapping[str, Any]]) -> None:
        """Add network rules: in shorthand ("drop response of poll times 1"), or in the form of a network file."""
        self._request("POST", "/network", body=[rules] if isinstance(rules, Mapping) else rules)

    def open_gate(self, name: str, task: Optional[str] = None) -> None:
        """Let steps and requests continue that wait for this gate."""
        self._request("POST", "/gates", body={"name": name, **({} if task is None else {"task": task})})

    @property
    def journal(self) -> List[Json]:
        """The exchanges so far, oldest first."""
        return list(self._request("GET", "/journal")["exchanges"])

    @property
    def has_requests(self) -> bool:
        return bool(self._request("GET", "/journal", {"limit": 1})["exchanges"])

    @property
    def findings(self) -> List[Json]:
        """What the rules have to say about the client so far. Level `must`: a broken rule of the API; `advice`: never a failure."""
        return list(self._request("GET", "/findings")["findings"])

    @property
    def tasks(self) -> List[Json]:
        """The tasks, newest first."""
        return list(self._request("GET", "/tasks")["tasks"])

    def task(self, task_id: str) -> Json:
        """The state of a task: its scenario, what its timeline waits for, its calls, actions and gates."""
        return dict(self._request("GET", f"/tasks/{task_id}"))

    def timeline(self, task_id: Optional[str] = None) -> str:
        """The conversation, as a failing test shows it."""
        status, text = self._mock.admin.send("GET", "/timeline", {"key": self.api_key, "task": task_id})
        if status >= 400:
            raise_refusal(status, text)
        return text.rstrip("\n")

    def wait_until(
        self,
        task: Optional[str] = None,
        *,
        event: Optional[str] = None,
        gate: Optional[str] = None,
        task_id: Optional[str] = None,
        timeout: Union[str, float] = "10s",
    ) -> Optional[Json]:
        """
        Wait until a task has the status `task` ("done", "finished", ...) and an event (its id, its name, or the id of its
        step), or until something waits for a gate. Returns the task. Raises WaitTimeout, an AssertionError, which says what is the case.
        `timeout`: a duration, or seconds; at most 60, of virtual time if that is on.
        """
        limit = timeout if isinstance(timeout, str) else f"{timeout:g}s"
        query = {"key": self.api_key, "status": task, "event": event, "gate": gate, "task": task_id, "timeout": limit}
        if find_scheduler() is None:
            return self._wait(query)
        # Time advances only while this thread waits for it.
        end = time.monotonic() + _parse_seconds(limit)
        while True:
            try:
                return self._wait({**query, "timeout": "0"})
            except WaitTimeout as error:
                if error.is_final or time.monotonic() >= end:
                    raise
            time.sleep(_STEP)

    def _wait(self, query: Json) -> Optional[Json]:
        status, text = self._mock.admin.send("GET", "/wait", query)
        if status == 409:
            refusal = json.loads(text)
            raise WaitTimeout(refusal["detail"], refusal.get("is_final", False))
        if status >= 400:
            raise_refusal(status, text)
        found = json.loads(text)["task"]
        return None if found is None else dict(found)

    def step(self, task_id: str, step: Mapping[str, Any]) -> None:
        """Do a step of the service now: {"service": "finish", "status": "failed"}."""
        self._request("POST", f"/tasks/{task_id}/steps", body=step)

    def snapshot(self) -> Json:
        """The whole state of this key, for `restore`. It contains the key."""
        return dict(self._request("GET", "/state"))

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set the state to a snapshot, also to that of another test."""
        self._request("PUT", "/state", body=state)

    def reset(self) -> None:
        """As if no request had come."""
        self._request("POST", "/reset")

    def _queue(self, scenario: Scenario) -> None:
        self._scenario = self._inline = None
        if isinstance(scenario, str) and not scenario.endswith(_FILES):
            self._request("POST", "/scenarios/next", body={"name": scenario})
            self._scenario = scenario
        elif isinstance(scenario, Mapping):
            self._inline = dict(scenario)
            self._request("POST", "/scenarios/next", body=self._inline)
        elif not isinstance(scenario, (str, os.PathLike)):
            raise TaskdoubleError(f"A scenario is a name, a dict or the path of a file, not {scenario!r}.")
        else:
            path = Path(scenario)
            try:
                self._inline = path.read_text(encoding="utf-8")
            except OSError as error:
                raise TaskdoubleError(f"The scenario {path} cannot be read: {error.strerror}.") from None
            self._request("POST", "/scenarios/next", {"name": path.stem}, self._inline)

    def _request(self, method: str, path: str, query: Optional[Json] = None, body: Any = None) -> Any:
        return self._mock.admin.request(method, path, {"key": self.api_key, **(query or {})}, body)


def _parse_seconds(duration: str) -> float:
    """As the mock reads it: `500ms`, `10s`, `1m`."""
    read = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|)", duration)
    if read is None:
        raise TaskdoubleError(f"timeout: expected a duration such as 500ms or 10s, got {duration}.")
    return float(read[1]) * {"ms": 0.001, "s": 1, "m": 60, "": 0.001}[read[2]]


class Clock:
    """The clock of the service for one test. It follows real time until it is changed."""

    def __init__(self, double: TaskDouble) -> None:
        self._double = double

    @property
    def now(self) -> float:
        """Unix time, s."""
        return float(self._read()["now"]) / 1000

    @property
    def next_due(self) -> Optional[float]:
        """When the next event of the service is due, Unix time, s; None if none is planned."""
        due = self._read()["next_due"]
        return None if due is None else float(due) / 1000

    def advance(self, duration: Union[str, float]) -> None:
        """Move the clock by a duration ("10m", "300ms") or seconds. What becomes due happens, in order."""
        self.set(advance=duration if isinstance(duration, str) else round(duration * 1000))

    def advance_to_next(self) -> None:
        """Move the clock to the next event of the service."""
        self.set(to="next")

    def pause(self) -> None:
        """From now on the clock moves only by `advance` and `advance_to_next`."""
        self.set(mode="manual")

    def set(self, **change: Any) -> None:
        """As POST /__admin/clock: mode, speed, pause, advance, to."""
        self._double._request("POST", "/clock", body=change)

    def _read(self) -> Json:
        return dict(self._double._request("GET", "/clock")["clocks"][0])
