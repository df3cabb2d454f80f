"""The pytest plugin: what a test gets, and when it fails."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Iterator

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from plugin_support import COMMAND, TOOLS, run_pytest  # noqa: E402

from taskdouble.mock import RunningMock, start_mock  # noqa: E402


@pytest.fixture(scope="module")
def shared() -> Iterator[RunningMock]:
    mock = start_mock(variables={"TASKDOUBLE_COMMAND": COMMAND, "TASKDOUBLE_SEED": "7"})
    yield mock
    mock.close()


@pytest.fixture
def run(tmp_path: Path, shared: RunningMock):
    return lambda test, *more: run_pytest(tmp_path, test, *more, variables={"TASKDOUBLE_URL": shared.base_url})


def test_a_client_passes_with_a_scenario(run) -> None:
    code, output = run(f"""
        import client, pytest

        @pytest.mark.taskdouble(scenario="tool-calls/one-call")
        def test_by_marker(taskdouble):
            assert client.run(taskdouble, custom_tools={TOOLS})["output"] == "It is 9 °C in Paris; take a coat."
            [create, *polls] = taskdouble.journal
            assert create["kind"] == "create" and create["operation"] == "createTask"
            assert taskdouble.findings == []
            assert taskdouble.tasks[0]["status"] == "done"
            assert taskdouble.task(taskdouble.tasks[0]["id"])["scenario"] == "tool-calls/one-call"
            assert "tool_call get_weather" in taskdouble.timeline()

        def test_as_a_dict(taskdouble):
            timeline = [{{"service": "finish", "output": "inline"}}]
            taskdouble.scenario({{"title": "T", "request": {{"task": "x"}}, "timeline": timeline}}, "polling/one-shot")
            assert client.run(taskdouble)["output"] == "inline"
            assert client.run(taskdouble)["output"] != "inline"

        def test_as_a_file(taskdouble, tmp_path):
            file = tmp_path / "mine.yaml"
            file.write_text("title: T\\nrequest: {{ task: x }}\\ntimeline:\\n  - {{ service: finish, output: of a file }}\\n")
            for path in (file, str(file)):
                taskdouble.scenario(path)
                assert taskdouble.job.request == {{"task": "x"}}
                assert client.run(taskdouble)["output"] == "of a file"
            assert [each for each in taskdouble._request("GET", "/scenarios")["scenarios"] if each["from"] == "added"] == []
    """)
    assert code == 0, output
    assert "3 passed" in output


def test_the_clock_the_network_gates_and_snapshots_are_those_of_the_test(run) -> None:
    code, output = run("""
        import client, pytest
        from urllib.error import HTTPError

        def test_clock(taskdouble):
            taskdouble.clock.pause()
            before = taskdouble.clock.now
            taskdouble.clock.advance("10m")
            taskdouble.clock.advance(1.5)
            assert taskdouble.clock.now == before + 601.5
            assert taskdouble.clock.next_due is None
            client.call(taskdouble, "POST", "/task", {"task": "x"})
            taskdouble.clock.advance_to_next()
            assert taskdouble.clock.now > before + 601.5

        @pytest.mark.taskdouble(network="fail 503 of getUsage times 1")
        def test_network(taskdouble):
            with pytest.raises(HTTPError):
                client.call(taskdouble, "GET", "/usage")
            client.call(taskdouble, "GET", "/usage")
            taskdouble.network({"network": "fail", "status": 500, "of": "getUsage"})
            with pytest.raises(HTTPError):
                client.call(taskdouble, "GET", "/usage")

        def test_gates_steps_and_snapshots(taskdouble):
            timeline = [{"service": "finish", "after": {"gate": "go"}}]
            taskdouble.scenario({"title": "T", "request": {"task": "x"}, "timeline": timeline})
            made = client.call(taskdouble, "POST", "/task", {"task": "x"})
            assert taskdouble.wait_until(gate="go", task_id=made["id"])["status"] == "running"
            kept = taskdouble.snapshot()
            taskdouble.open_gate("go")
            assert taskdouble.wait_until(task="done")["id"] == made["id"]
            taskdouble.restore(kept)
            assert taskdouble.tasks[0]["status"] == "running"
            taskdouble.step(made["id"], {"service": "finish", "status": "failed"})
            assert taskdouble.wait_until("finished")["status"] == "failed"
            taskdouble.reset()
            assert taskdouble.tasks == []
            client.call(taskdouble, "GET", "/usage")
    """)
    assert code == 0, output
    assert "3 passed" in output


def test_a_failing_test_shows_the_conversation_and_the_seed(run) -> None:
    code, output = run("""
        import client

        def test_it(taskdouble):
            client.call(taskdouble, "POST", "/task", {"task": "x"})
            assert 1 == 2
    """)
    assert code == 1
    assert "assert 1 == 2" in output
    assert "seed 7 (the same again: TASKDOUBLE_SEED=7), the conversation:" in output
    assert "   +0.000 s  client   POST /task → 200 task " in output


def test_a_broken_rule_fails_a_test_that_has_passed_unless_it_is_allowed(run) -> None:
    code, output = run(f"""
        import client, pytest

        def use(taskdouble):
            taskdouble.scenario("tool-calls/one-call")
            client.run(taskdouble, custom_tools={TOOLS}, replies=2)

        def test_broken(taskdouble):
            use(taskdouble)

        @pytest.mark.taskdouble(allow="replies/*")
        def test_allowed(taskdouble):
            use(taskdouble)
            assert [each["rule"] for each in taskdouble.findings] == ["replies/once"]
    """)
    assert code == 1
    assert "1 failed, 1 passed" in output
    assert "taskdouble: the client broke a rule of the API:\n  replies/once (" in output
    assert "reply to get_weather (weather): 200" in output, "the conversation is shown"


def test_a_test_without_a_request_of_its_key_fails(run) -> None:
    code, output = run("""
        import client, pytest

        def test_other_key(taskdouble):
            taskdouble.api_key += "-other"
            client.run(taskdouble)
            taskdouble.api_key = taskdouble.api_key[:-6]

        @pytest.mark.taskdouble(allow="*")
        def test_none(taskdouble):
            assert taskdouble.journal == []

        @pytest.mark.xfail(reason="known", strict=True)
        def test_known(taskdouble):
            pass

        def test_skipped(taskdouble):
            pytest.skip("not now")
    """)
    assert code == 1
    assert "1 failed, 1 passed, 1 skipped, 1 xfailed" in output
    assert "no request came with the key of this test: give taskdouble.base_url and taskdouble.api_key to the client" in output


def test_runs_once_for_each_scenario_of_a_glob(run) -> None:
    code, output = run(
        """
        import client
        from taskdouble.pytest_plugin import scenarios

        @scenarios("polling/one-*", "status-codes/failed")
        def test_it(taskdouble, taskdouble_scenario):
            job = taskdouble.job
            assert job.scenario == taskdouble_scenario
            assert job.api_key == taskdouble.api_key
            client.run(taskdouble, **job.request)
    """,
        "-v",
    )
    assert code == 0, output
    assert "test_it[polling/one-shot] PASSED" in output
    assert "test_it[status-codes/failed] PASSED" in output


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ('@scenarios("pollign/*")\ndef test_it(taskdouble): pass', "no scenario is called pollign/*"),
        ('@scenarios("polling/*")\ndef test_it(): pass', "a test of scenarios needs the fixture taskdouble"),
        ("@pytest.mark.taskdouble(scenaro='x')\ndef test_it(taskdouble): pass", "the marker does not have scenaro"),
        ("@pytest.mark.taskdouble('x')\ndef test_it(taskdouble): pass", "the marker does not have 'x'"),
        ("@pytest.mark.taskdouble(scenario='polling/one-shto')\ndef test_it(taskdouble): pass", "did you mean polling/one-shot?"),
        ("@pytest.mark.taskdouble(network='fial 503')\ndef test_it(taskdouble): pass", "fial"),
        ("def test_it(taskdouble): taskdouble.scenario('no/such.yaml')", "The scenario no/such.yaml cannot be read"),
        ("def test_it(taskdouble): taskdouble.scenario(5)", "A scenario is a name, a dict or the path of a file, not 5."),
        ("def test_it(taskdouble): taskdouble.scenario({'title': 't'})", 'which is missing; scenario: expected the key "timeline"'),
        ("def test_it(taskdouble): taskdouble.wait_until('done', timeout='0s')", "WaitTimeout: Waited 0 s for the status done. Now there is no task."),
        ("def test_it(taskdouble): taskdouble.wait_until(timeout=1)", "Nothing to wait for"),
        ("def test_it(taskdouble): taskdouble.job", "There is no job: choose a scenario first."),
    ],
)
def test_a_mistake_is_one_sentence(run, test: str, message: str) -> None:
    code, output = run(f"import pytest\nfrom taskdouble.pytest_plugin import scenarios\n\n{test}\n")
    assert code != 0
    assert message in output


def test_each_test_has_its_own_service_also_in_parallel(run) -> None:
    pytest.importorskip("xdist")
    code, output = run(
        """
        import client, pytest

        @pytest.mark.parametrize("n", range(12))
        def test_it(taskdouble, n):
            for _ in range(3):
                client.run(taskdouble)
            assert len(taskdouble.tasks) == 3
    """,
        "-p",
        "xdist",
        "-n",
        "3",
    )
    assert code == 0, output
    assert "12 passed" in output
