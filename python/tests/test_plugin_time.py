"""The fixture `virtual_time`: the client's waits and the service's clock are one time."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from plugin_support import run_pytest  # noqa: E402


def test_waits_move_the_clock_of_the_service(tmp_path: Path) -> None:
    code, output = run_pytest(
        tmp_path,
        """
        import threading, time
        import client, pytest

        SLOW = {"title": "T", "request": {"task": "x"}, "timeline": [{"service": "finish", "after": "30m"}]}

        def test_half_an_hour(taskdouble, virtual_time):
            taskdouble.scenario(SLOW)
            before = time.time()
            client.run(taskdouble, pause=60)
            assert len(taskdouble.journal) == 32
            assert round(time.time() - before) == 1800

        def test_waits_for_a_client_in_a_thread(taskdouble, virtual_time):
            taskdouble.scenario(SLOW)
            thread = threading.Thread(target=client.run, args=(taskdouble,), kwargs={"pause": 10})
            thread.start()
            assert taskdouble.wait_until("running")["polls"] >= 0
            with pytest.raises(AssertionError, match="Now task .* is running"):
                taskdouble.wait_until("done", timeout="1m")
            made = taskdouble.tasks[0]
            assert made["polls"] in range(5, 9)
            thread.join()
            assert taskdouble.wait_until("done")["polls"] > 100
            with pytest.raises(AssertionError, match="cannot come any more"):
                taskdouble.wait_until("failed", task_id=made["id"], timeout="1m")

        def test_rules_and_conversation(taskdouble, virtual_time):
            taskdouble.scenario("tool-calls/one-call")
            client.run(taskdouble, custom_tools=%s, pause=1, replies=2)

        def test_real_time_again(taskdouble):
            client.run(taskdouble)
        """
        % '[{"name": "get_weather", "description": "Weather", "inputs": {"type": "object"}, "output": "temp_c"}]',
    )
    assert "1 failed, 3 passed" in output, output
    assert "taskdouble: the client broke a rule of the API:\n  replies/once" in output
    assert "+1.000 s  client   GET /task/" in output
    assert code == 1
