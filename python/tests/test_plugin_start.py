"""How the plugin starts the mock, and what it says when that is not possible: one sentence that says what to do."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from plugin_support import COMMAND, run_pytest  # noqa: E402

from taskdouble.admin import TaskdoubleError  # noqa: E402
from taskdouble.mock import find_command, start_mock  # noqa: E402

USE = """
import client

def test_it(taskdouble):
    client.run(taskdouble)
"""


def write_command(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{body}\n")
    path.chmod(0o755)
    return path


def fail_to_start(variables: dict[str, str], directory: Path, *options: str) -> str:
    with pytest.raises(TaskdoubleError) as caught:
        start_mock(options, directory, {"PATH": os.environ["PATH"], **variables}).close()
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_mock_ends_with_the_tests(tmp_path: Path) -> None:
    code, output = run_pytest(
        tmp_path,
        """
        import client

        def test_it(taskdouble, taskdouble_mock):
            client.run(taskdouble)
            print("pid", taskdouble_mock._process._process.pid)
        """,
        "-s",
    )
    assert code == 0, output
    [pid] = re.findall(r"pid (\d+)", output)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def test_options_of_the_mock_are_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "tox.ini").write_text("[pytest]\ntaskdouble_mock = --network 'fail 503 of getUsage' --seed 5\n")
    code, output = run_pytest(
        tmp_path,
        """
        import client, pytest
        from urllib.error import HTTPError

        def test_it(taskdouble, taskdouble_mock):
            assert taskdouble_mock.seed == 5
            with pytest.raises(HTTPError):
                client.call(taskdouble, "GET", "/usage")
        """,
        "-c",
        "tox.ini",
    )
    assert code == 0, output


def test_the_same_test_has_the_same_ids_each_time(tmp_path: Path) -> None:
    test = """
        import client

        def test_it(taskdouble):
            print("task", client.run(taskdouble)["id"])
    """
    found = [re.findall(r"task (\S+)", run_pytest(tmp_path, test, "-s")[1]) for _ in range(2)]
    assert len(found[0]) == 1
    assert found[0] == found[1]


def test_a_command_is_found_in_the_path_or_in_the_project(tmp_path: Path) -> None:
    node = write_command(tmp_path / "bin" / "node", "")
    local = write_command(tmp_path / "node_modules" / ".bin" / "taskdouble", "")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    path = {"PATH": str(node.parent)}
    assert find_command(path, below) == [str(local)]
    one_file = tmp_path / "a" / "taskdouble.mjs"
    one_file.write_text("")
    assert find_command(path, below) == ["node", str(one_file)]
    installed = write_command(tmp_path / "bin" / "taskdouble", "")
    assert find_command(path, below) == [str(installed)]
    assert find_command({**path, "TASKDOUBLE_COMMAND": "node 'a b.js'"}, below) == ["node", "a b.js"]


def test_no_command(tmp_path: Path) -> None:
    message = fail_to_start({"PATH": str(tmp_path)}, tmp_path)
    assert message.startswith("There is no command taskdouble here: copy taskdouble.mjs into the project, or set TASKDOUBLE_COMMAND")
    message = fail_to_start({"TASKDOUBLE_COMMAND": "no-such-command mock"}, tmp_path)
    assert message.startswith("TASKDOUBLE_COMMAND=no-such-command mock: there is no command no-such-command; copy")


def test_no_node(tmp_path: Path) -> None:
    write_command(tmp_path / "node_modules" / ".bin" / "taskdouble", "")
    message = fail_to_start({"PATH": str(tmp_path)}, tmp_path)
    assert "needs Node.js, and there is no command node: install Node.js 20.19 or later" in message


@pytest.mark.parametrize("version", ['"9.9.0"', "null"])
def test_a_command_of_another_version(tmp_path: Path, version: str) -> None:
    line = f'{{"base_url": "http://127.0.0.1:1", "seed": 1, "version": {version}}}'
    command = write_command(tmp_path / "other", f"import time\nprint('{line}', flush=True)\ntime.sleep(600)")
    message = fail_to_start({"TASKDOUBLE_COMMAND": str(command)}, tmp_path)
    other = "taskdouble 9.9.0" if "9" in version else "an older taskdouble"
    assert re.search(rf"is {other}, and this package is \d\S+: install the same version of both\.$", message)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import sys\nsys.exit('taskdouble: Node.js 20.19 is needed, this is 16.0')", "Node.js 20.19 is needed"),
        ("print('hello')", "hello"),
        ("", "it printed no reason"),
        ("raise ValueError('broken')", "ValueError: broken"),
    ],
)
def test_a_command_that_fails(tmp_path: Path, body: str, reason: str) -> None:
    command = write_command(tmp_path / "command", body)
    message = fail_to_start({"TASKDOUBLE_COMMAND": str(command)}, tmp_path)
    assert message.startswith("The mock did not start: ")
    assert reason in message
    is_another = reason in ("hello", "it printed no reason")
    assert ("set TASKDOUBLE_COMMAND to the command" in message) is is_another


def test_a_port_that_is_taken_and_an_option_that_there_is_not(tmp_path: Path) -> None:
    mock = start_mock(variables={"TASKDOUBLE_COMMAND": COMMAND})
    port = mock.base_url.rsplit(":", 1)[1]
    variables = {"TASKDOUBLE_COMMAND": COMMAND}
    assert f"port {port} on 127.0.0.1 is taken: choose one with --port" in fail_to_start(variables, tmp_path, "--port", port)
    assert "unknown option '--prot'" in fail_to_start(variables, tmp_path, "--prot", port)
    mock.close()


def test_a_url_without_a_mock(tmp_path: Path) -> None:
    unused = "http://127.0.0.1:9"
    message = fail_to_start({"TASKDOUBLE_URL": unused}, tmp_path)
    assert message.startswith(f"The mock at TASKDOUBLE_URL={unused} does not respond (")
    assert message.endswith("start it, or unset TASKDOUBLE_URL.")
    assert "is no address" in fail_to_start({"TASKDOUBLE_URL": "http://localhost:port"}, tmp_path)
    server = 'from http.server import *\ns = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)\n'
    line = '{"base_url": "http://127.0.0.1:%d", "seed": 1, "version": "0.1.0"}'
    command = write_command(tmp_path / "other", f"{server}print('{line}' % s.server_port, flush=True)\ns.serve_forever()")
    other = start_mock(variables={"TASKDOUBLE_COMMAND": str(command), "PATH": os.environ["PATH"]})
    message = fail_to_start({"TASKDOUBLE_URL": other.base_url}, tmp_path)
    other.close()
    assert message == f'TASKDOUBLE_URL={other.base_url} is no mock of taskdouble: start one with "taskdouble mock".'


def test_a_problem_of_the_start_is_the_failure_of_each_test(tmp_path: Path) -> None:
    command = write_command(tmp_path / "failing", "import sys\nopen('starts', 'a').write('x')\nsys.exit('no way')")
    test = "def test_one(taskdouble): pass\n\ndef test_two(taskdouble): pass\n"
    code, output = run_pytest(tmp_path, test, variables={"TASKDOUBLE_COMMAND": shlex.quote(str(command))})
    assert code == 1
    assert output.count("taskdouble: The mock did not start: no way.") >= 2
    assert "Traceback" not in output
    assert (tmp_path / "starts").read_text() == "x", "it is tried once"


def test_a_mock_that_ends_during_the_tests(tmp_path: Path) -> None:
    code, output = run_pytest(
        tmp_path,
        """
        import os, signal

        def test_one(taskdouble, taskdouble_mock):
            os.kill(taskdouble_mock._process._process.pid, signal.SIGKILL)
            taskdouble.tasks

        def test_two(taskdouble):
            pass
        """,
    )
    assert code == 1
    assert "The mock ended during the tests (signal 9): run the tests again" in output
    assert "2 failed" in output
