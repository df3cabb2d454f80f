"""The protocol of adapters, from the side of the harness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import KIT, PATIENCE, PYTHON, Adapter, Service, TimeServer

FILE = str(Path(__file__).with_name("client_of_tests.py"))
ENDED = {"status": "done", "output": None, "results": [], "asked": {}, "tool_runs": []}


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(polls=3)
    yield service
    service.close()


@pytest.fixture
def adapter() -> Iterator[Adapter]:
    running = Adapter(FILE)
    assert running.read() == {
        "adapter": 1,
        "language": "python",
        "isolation": "fork",
        "time": "virtual",
        "other_job": True,
    }
    yield running
    assert running.close() == 0


def create_job(how: str, **more: Any) -> dict[str, Any]:
    job = {"request": {"task": how}, "tools": {}, "actions": [], "close": None, "cancel_after_ms": None}
    return {**job, "deadline_ms": 60_000, "optional_fields": [], "asks": [], **more}


def do(adapter: Adapter, how: str, id: str = "1", base_url: str = "http://127.0.0.1:9", **more: Any) -> dict[str, Any]:
    adapter.send(id=id, base_url=base_url, api_key="key", scenario=f"s{id}", job=create_job(how), **more)
    return adapter.read()


def test_each_job_has_a_process_of_its_own_in_virtual_time(adapter: Adapter, service: Service) -> None:
    time = TimeServer(service)
    reports = []
    for id in ("1", "2"):
        message = {"base_url": service.base_url, "api_key": "key", "scenario": f"s{id}", "job": create_job("poll")}
        adapter.send(id=id, time=time.config, **message)
        assert time.run() == "ended"
        reports.append(adapter.read())
    assert [each["id"] for each in reports] == ["1", "2"]
    results = [each["result"] for each in reports]
    assert [each["jobs"] for each in results] == [["s1"], ["s2"]]
    assert [each["env"] for each in results] == ["s1", "s2"]
    assert [each["status"] for each in results] == ["done", "done"]
    # The seed of the server decides.
    assert results[0]["random"] == results[1]["random"]
    assert time.fired == [2000, 4000, 6000] * 2
    assert service.requests == ["POST /task", *["GET /task/s1"] * 3, "POST /task", *["GET /task/s2"] * 3]


def test_what_a_client_prints_is_no_message(adapter: Adapter) -> None:
    report = do(adapter, "print")
    assert report["result"] == {**ENDED, "jobs": ["s1"]}
    assert len(report["stderr"]) == 8000 and report["stderr"].endswith("xend\n")
    assert adapter.other_lines == ["not a messagefrom another program\n"]


def test_the_ends_of_a_job(adapter: Adapter) -> None:
    raised = do(adapter, "raise")
    assert (raised["exit_code"], raised["result"]["error"]) == (1, "ValueError('no luck')")
    assert raised["result"]["status"] == "running" and "no luck" in raised["stderr"]
    left = do(adapter, "exit")
    assert (left["exit_code"], left["result"]["error"]) == (1, "SystemExit(0)")
    given_up = do(adapter, "give up")
    assert (given_up["exit_code"], given_up["result"]["error"]) == (1, "no")
    wrong = do(adapter, "no JSON")["result"]
    assert (wrong["output"], wrong["results"]) == ({"value": "{1, 2}"}, "[nan]")
    assert wrong["error"] == "TypeError('Object of type set is not JSON serializable')"
    assert do(adapter, "crash", "7") == {"id": "7", "exit_code": 3, "stderr": ""}
    assert do(adapter, "kill", "8") == {"id": "8", "signal": "SIGKILL", "stderr": ""}
    # The next job has no traces of them.
    assert do(adapter, "tools", "9")["exit_code"] == 1


def test_a_job_is_cancelled(adapter: Adapter) -> None:
    adapter.send(id="1", base_url="", api_key="", scenario="", job=create_job("hang"))
    adapter.send(cancel="0")
    adapter.send(cancel="1")
    assert adapter.read() == {"id": "1", "signal": "SIGKILL", "stderr": ""}


@pytest.mark.skipif(sys.platform != "linux", reason="processes that are left behind are found on Linux only")
@pytest.mark.parametrize("arguments", [[], ["thread"]])
def test_processes_that_a_job_leaves_behind_are_counted_and_ended(arguments: list[str]) -> None:
    adapter = Adapter(FILE, *arguments)
    adapter.read()
    report = do(adapter, "leave processes")
    assert (report["exit_code"], report["left_behind"]) == (0, 2)
    assert "left_behind" not in do(adapter, "give up", "2")
    assert adapter.close() == 0


def test_the_end_of_stdin_ends_a_job() -> None:
    adapter = Adapter(FILE)
    adapter.read()
    adapter.send(id="1", base_url="", api_key="", scenario="", job=create_job("hang"))
    assert adapter.close() == 0


def test_a_client_that_hangs_gives_up_and_says_where(adapter: Adapter, service: Service) -> None:
    time = TimeServer()
    adapter.send(id="1", base_url=service.base_url, api_key="", scenario="", job=create_job("hang"), time=time.config)
    assert time.run() == "ended"
    report = adapter.read()
    assert report["exit_code"] == 1
    place = report["result"]["error"]
    assert place.startswith("gave up after 54 s: the client was at client_of_tests.py:"), place
    assert place.endswith(" in run")
    assert time.fired == [54_000]


def test_threads_and_loops_of_a_client(adapter: Adapter) -> None:
    for how, fired in (("leave", [5000]), ("asyncio", [3000])):
        time = TimeServer()
        adapter.send(id="1", base_url="http://x", api_key="", scenario="", job=create_job(how), time=time.config)
        assert time.run() == "ended"
        assert (adapter.read()["exit_code"], time.fired) == (0, fired)


def test_the_tools_of_a_job(adapter: Adapter) -> None:
    outcomes = [
        {"code": 200, "output": 1},
        {"code": 200, "output": 2},
        {"code": 400, "output": "which city?"},
        {"code": 500, "output": None},
    ]
    request = {"task": "tools", "custom_tools": [{"name": "get_weather", "description": "Tells it."}]}
    job = {**create_job("tools", tools={"get_weather": outcomes}), "request": request}
    adapter.send(id="1", base_url="", api_key="", scenario="s1", job=job)
    line = adapter.read()["result"]
    assert line["results"] == [
        {
            "name": "goto",
            "code": 200,
            "output": [
                1,
                2,
                ["get_weather", 400, "which city?", "which city?"],
                ["get_weather", 500, None, "get_weather: code 500"],
                {"code": 500, "output": None},
                {"code": 400, "output": "no tool other"},
                "Tells it.",
            ],
        }
    ]
    inputs = [{"city": "Oslo"}, {"city": "Rome"}, {}, {}, None]
    assert line["tool_runs"] == [{"name": "get_weather", "input": each} for each in inputs]


@pytest.mark.parametrize("starts", ["before", "with"])
def test_two_jobs_in_one_process(adapter: Adapter, service: Service, starts: str) -> None:
    time = TimeServer(service)
    common = {"base_url": service.base_url, "api_key": "key"}
    other = {**common, "scenario": "other", "job": create_job("poll"), "starts": starts}
    adapter.send(id="1", scenario="main", job=create_job("poll"), other_job=other, time=time.config, **common)
    assert time.run() == "ended"
    report = adapter.read()
    assert (report["result"]["status"], report["other"]["result"]["status"]) == ("done", "done")
    assert (report["exit_code"], report["other"]["exit_code"]) == (0, 0)
    assert report["result"]["jobs"] == ["other", "main"]
    polls = ["GET /task/other", "GET /task/main"]
    if starts == "before":
        assert service.requests == ["POST /task", *polls[:1] * 3, "POST /task", *polls[1:] * 3]
    else:
        assert service.requests == ["POST /task", "POST /task", *polls * 3]


def test_another_job_that_hangs_does_not_stop_the_job(adapter: Adapter, service: Service) -> None:
    time = TimeServer(service)
    common = {"base_url": service.base_url, "api_key": "key"}
    other = {**common, "scenario": "other", "job": create_job("hang"), "starts": "before"}
    adapter.send(id="1", scenario="main", job=create_job("poll"), other_job=other, time=time.config, **common)
    assert time.run() == "ended"
    report = adapter.read()
    assert report["result"]["status"] == "done"
    assert report["other"]["result"]["error"].startswith("gave up after 54 s")
    assert time.fired == [54_000, 61_000, 63_000, 65_000, 67_000]


def run_once(how: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(KIT), "TASKDOUBLE_JOB": json.dumps(create_job(how))}
    environment.update(TASKDOUBLE_BASE_URL="http://x", TASKDOUBLE_API_KEY="key", TASKDOUBLE_SCENARIO="s1", **variables)
    return subprocess.run([PYTHON, FILE], env=environment, capture_output=True, text=True, timeout=PATIENCE)


def test_a_command_for_one_job() -> None:
    done = run_once("print")
    assert (done.returncode, json.loads(done.stdout)) == (0, {**ENDED, "jobs": ["s1"]})
    failed = run_once("raise")
    assert (failed.returncode, json.loads(failed.stdout)["error"]) == (1, "ValueError('no luck')")


def test_started_by_hand_it_says_how_to_start_it() -> None:
    environment = {**os.environ, "PYTHONPATH": str(KIT)}
    done = subprocess.run([PYTHON, FILE], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert "taskdouble client -- python3 " in done.stderr


@pytest.mark.parametrize("reason", ["thread", "Windows"])
def test_where_a_process_cannot_fork_each_job_has_a_fresh_process(service: Service, reason: str) -> None:
    adapter = Adapter(FILE, reason)
    handshake = adapter.read()
    assert (handshake["isolation"], handshake["other_job"]) == ("process", False)
    time = TimeServer(service)
    message = {"base_url": service.base_url, "api_key": "key", "scenario": "s1", "job": create_job("poll")}
    adapter.send(id="1", time=time.config, **message)
    time.run()
    report = adapter.read()
    assert (report["exit_code"], report["result"]["jobs"]) == (0, ["s1"])
    assert time.fired == [2000, 4000, 6000]
    assert do(adapter, "crash", "7") == {"id": "7", "exit_code": 3, "stderr": ""}
    adapter.send(id="8", base_url="", api_key="", scenario="", job=create_job("hang"))
    adapter.send(cancel="8")
    assert adapter.read() == {"id": "8", "signal": "SIGKILL", "stderr": ""}
    assert adapter.close() == 0
