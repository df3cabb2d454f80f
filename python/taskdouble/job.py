"""The job of a client, and its result."""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections.abc import Iterator, Mapping
from typing import Any, Callable, Optional

Result = Mapping[str, Any]


class ToolError(Exception):
    """The tool refuses its input (code 400) or fails (code 500)."""

    def __init__(self, name: str, code: int, output: Any) -> None:
        super().__init__(output if isinstance(output, str) else f"{name}: code {code}")
        self.name = name
        self.code = code
        self.output = output


class Tool:
    """A tool of the job. A call is recorded, and has the outcome that the job gives it."""

    def __init__(self, name: str, outcomes: list[dict[str, Any]], spec: Mapping[str, Any], tools: Tools) -> None:
        self.name = name
        self.spec = spec
        """As in the request: `name`, `description`, `inputs`, `output`."""
        self.__name__ = name
        self.__doc__ = str(spec.get("description") or "") or None
        self._outcomes = list(outcomes)
        self._tools = tools

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Run the tool with its input, as one argument or as named ones. Returns its output, or raises a ToolError."""
        reply = self.run(args[0] if args else named)
        if reply["code"] != 200:
            raise ToolError(self.name, reply["code"], reply["output"])
        return reply["output"]

    def run(self, input: Any) -> dict[str, Any]:
        """Run the tool. Returns `code` and `output`."""
        with self._tools.lock:
            self._tools.runs.append({"name": self.name, "input": input})
            return dict(self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0])


class Tools(Mapping[str, Tool]):
    """The tools of a job, by name."""

    def __init__(self, outcomes: Mapping[str, list[dict[str, Any]]], request: Mapping[str, Any]) -> None:
        self.lock = threading.Lock()
        self.runs: list[dict[str, Any]] = []
        """`name` and `input` of each run."""
        listed = request.get("custom_tools")
        specs = (
            {each.get("name"): each for each in listed if isinstance(each, dict)} if isinstance(listed, list) else {}
        )
        self._tools = {name: Tool(name, each, specs.get(name, {}), self) for name, each in outcomes.items()}

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def reply(self, name: str, input: Any = None) -> dict[str, Any]:
        """`code` and `output` for a call, 400 if there is no such tool: a call without a reply blocks its task."""
        tool = self._tools.get(name)
        return tool.run(input) if tool else {"code": 400, "output": f"no tool {name}"}


class Job:
    """What the client is to do. Times are ms from the creation of the task."""

    def __init__(self, job: Mapping[str, Any], base_url: str, api_key: str, scenario: str) -> None:
        self.base_url = base_url
        """The address of the service; its paths begin with /api/v1/."""
        self.api_key = api_key
        self.scenario = scenario
        self.request: dict[str, Any] = job["request"]
        """The body of POST /task."""
        self.actions: list[dict[str, Any]] = job.get("actions", [])
        """`name` and `payload` of the events to send, each after the result of the one before."""
        self.close: str | None = job.get("close")
        """How to close the session after the actions: `event`, `delete` or None."""
        self.cancel_after_ms: float | None = job.get("cancel_after_ms")
        self.deadline_ms: float = job.get("deadline_ms", 60_000)
        self.optional_fields: list[str] = job.get("optional_fields", [])
        """Fields of `request` to leave out if the client does not have them."""
        self.asks: list[str] = job.get("asks", [])
        """Values to report in `asked`, in this order; leave out what the client does not have."""
        self.tools = Tools(job.get("tools", {}), self.request)
        self.line: dict[str, Any] = {"status": None, "output": None, "results": [], "asked": {}}
        """The result so far. What `run` returns is added to it."""

    def add_result(self, name: str, code: int | None, output: Any = None) -> None:
        """Report the result of an action."""
        self.line["results"].append({"name": name, "code": code, "output": output})

    def end(self, error: str | None = None) -> dict[str, Any]:
        """The line to report."""
        line: dict[str, Any] = {**self.line, "tool_runs": list(self.tools.runs)}
        return line if error is None else {**line, "error": error}


Run = Callable[[Job, Tools], Optional[Result]]


def create_job(variables: Mapping[str, str], job: Mapping[str, Any]) -> Job:
    return Job(
        job,
        variables["TASKDOUBLE_BASE_URL"],
        variables["TASKDOUBLE_API_KEY"],
        variables.get("TASKDOUBLE_SCENARIO", ""),
    )


def carry_out(run: Run, job: Job) -> dict[str, Any]:
    """Call the adapter's function. Returns the line to report, with `error` if it raised one."""
    try:
        returned = run(job, job.tools)
        if returned is not None:
            job.line.update(returned)
        line = job.end(None if job.line.get("error") is None else str(job.line["error"]))
        json.dumps(line, allow_nan=False)
        return line
    except BaseException as problem:
        traceback.print_exc()
        return _make_json(job.end(repr(problem)))


def _make_json(line: dict[str, Any]) -> dict[str, Any]:
    """Replace what is no JSON by its description."""
    made: dict[str, Any] = {}
    for name, value in line.items():
        try:
            made[name] = json.loads(json.dumps(value, allow_nan=False, default=repr))
        except (TypeError, ValueError):
            made[name] = repr(value)
    return made


def describe_place(ident: int, frames: Mapping[int, Any]) -> str:
    """Where a thread is, in one line: the innermost place outside of this package and of the standard library."""
    frame = frames.get(ident)
    here, library = os.path.dirname(__file__), os.path.dirname(threading.__file__)
    while frame is not None:
        file = frame.f_code.co_filename
        is_other = file.startswith("<") or file.startswith((here, library)) and "site-packages" not in file
        if not is_other:
            return f"{os.path.basename(file)}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return "an unknown place"
