"""The pytest plugin: a mock for the session, and a key of its own for each test."""
from __future__ import annotations

import hashlib
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Dict, Generator, Iterator, List, Optional, Sequence

import pytest

from .admin import TaskdoubleError
from .mock import RunningMock, start_mock
from .task_double import TaskDouble

_MARKER = "taskdouble"
_PARAMETERS = ("scenario", "scenarios", "network", "allow")
#: The parameter of tests of several scenarios.
_SCENARIO = "taskdouble_scenario"


def _fail(message: str) -> BaseException:
    """A failure without a traceback."""
    failure: BaseException = pytest.fail.Exception(f"taskdouble: {message}", pytrace=False)
    return failure


def scenarios(*globs: str, **more: Any) -> pytest.MarkDecorator:
    """Runs the test once for each scenario whose name matches one of the globs ("races/*"). The next task follows it."""
    return pytest.mark.taskdouble(scenarios=globs, **more)


class MockSession:
    """The mock of this process, started when the first test needs it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._mock: Optional[RunningMock] = None
        self._problem: Optional[str] = None
        self._run = os.urandom(4).hex()

    def require(self) -> RunningMock:
        """Fails the test if the mock cannot be started."""
        if self._mock is None and self._problem is None:
            try:
                options: List[str] = self._config.getini("taskdouble_mock")
                self._mock = start_mock(options, Path(str(self._config.rootpath)))
            except TaskdoubleError as error:
                self._problem = str(error)
        if self._mock is None:
            raise _fail(self._problem or "")
        return self._mock

    def create_key(self, node_id: str) -> str:
        """The same for each run of the test, as ids depend on it. A mock of others may have met it before."""
        name = node_id if self._mock is None or self._mock.is_ours else f"{self._run} {node_id}"
        return f"test-{hashlib.sha1(name.encode()).hexdigest()[:16]}"

    def close(self) -> None:
        if self._mock is not None:
            self._mock.close()
            self._mock = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("taskdouble_mock", "options of the command 'taskdouble mock' for the mock of the tests", "args")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(scenario=..., scenarios=..., network=..., allow=...): scenario(s) that the next task follows, network rules, "
        "and globs of rules whose findings do not fail the test",
    )
    setattr(config, "_taskdouble", MockSession(config))


def pytest_unconfigure(config: pytest.Config) -> None:
    session = getattr(config, "_taskdouble", None)
    if session is not None:
        session.close()


def _find_session(config: pytest.Config) -> MockSession:
    session: MockSession = getattr(config, "_taskdouble")
    return session


def _read_markers(markers: Iterator[pytest.Mark]) -> Dict[str, Any]:
    """The values of all markers of a test; the closest one decides."""
    read: Dict[str, Any] = {}
    for mark in markers:
        unknown = [name for name in mark.kwargs if name not in _PARAMETERS]
        if mark.args or unknown:
            wrong = unknown[0] if unknown else repr(mark.args[0])
            raise _fail(f"the marker does not have {wrong}; it has {', '.join(_PARAMETERS)}, each by its name.")
        for name, value in mark.kwargs.items():
            read.setdefault(name, value)
    return read


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    globs = _read_markers(metafunc.definition.iter_markers(_MARKER)).get("scenarios")
    if globs is None:
        return
    if _SCENARIO not in metafunc.fixturenames:
        raise _fail("a test of scenarios needs the fixture taskdouble.")
    wanted = [globs] if isinstance(globs, str) else list(globs)
    try:
        names = _find_session(metafunc.config).require().list_scenarios()
    except TaskdoubleError as error:
        raise _fail(str(error)) from None
    matching = [name for name in names if any(fnmatchcase(name, glob) for glob in wanted)]
    if not matching:
        raise _fail(f"no scenario is called {' or '.join(wanted)}: \"taskdouble scenarios list\" lists them.")
    metafunc.parametrize(_SCENARIO, matching)


@pytest.fixture
def taskdouble_scenario() -> None:
    """The scenario of this run of a test of several scenarios."""
    return None


@pytest.fixture(scope="session")
def taskdouble_mock(request: pytest.FixtureRequest) -> RunningMock:
    """The mock that all tests of this process share."""
    return _find_session(request.config).require()


@pytest.fixture
def taskdouble(
    request: pytest.FixtureRequest,
    taskdouble_mock: RunningMock,
    taskdouble_scenario: Optional[str],
) -> Iterator[TaskDouble]:
    """
    The service for this test: give `base_url` and `api_key` to the client. A test that passes fails after all if the client broke a
    rule of the API, or sent no request.
    """
    marker = _read_markers(request.node.iter_markers(_MARKER))
    double = TaskDouble(taskdouble_mock, _find_session(request.config).create_key(request.node.nodeid))
    try:
        scenario = taskdouble_scenario or marker.get("scenario")
        if scenario is not None:
            double.scenario(*scenario) if isinstance(scenario, (list, tuple)) else double.scenario(scenario)
        if marker.get("network") is not None:
            double.network(marker["network"])
    except TaskdoubleError as error:
        raise _fail(str(error)) from None
    yield double
    try:
        double.reset()
    except TaskdoubleError:
        # The mock is gone, and the test has shown it.
        pass


@pytest.fixture
def virtual_time(taskdouble: TaskDouble, taskdouble_mock: RunningMock) -> Iterator[Any]:
    """Waits of the client in this process take no time, and the clock of the service moves with them."""
    from .virtual_time import virtual_time as run

    seed = taskdouble_mock.seed
    taskdouble.clock.pause()
    with run(taskdouble.base_url, taskdouble.api_key, seed=seed if isinstance(seed, int) else None) as running:
        yield running


def _find_double(item: pytest.Item) -> Optional[TaskDouble]:
    double = getattr(item, "funcargs", {}).get("taskdouble")
    return double if isinstance(double, TaskDouble) else None


# After the test itself, which has not failed.
@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    double = _find_double(item)
    if double is None:
        return
    given = _read_markers(item.iter_markers(_MARKER)).get("allow", ())
    allowed = [given] if isinstance(given, str) else list(given)
    if "*" in allowed:
        return
    try:
        broken = list_broken(double.findings, allowed)
        is_silent = not broken and not double.has_requests
    except TaskdoubleError as error:
        raise _fail(str(error)) from None
    if is_silent:
        text = "no request came with the key of this test: give taskdouble.base_url and taskdouble.api_key to the client"
        raise _fail(f"{text}, or mark the test with taskdouble(allow=\"*\").")
    if broken:
        count = "a rule" if len(broken) == 1 else f"{len(broken)} rules"
        raise _fail("\n".join([f"the client broke {count} of the API:", *broken]))


def list_broken(findings: Sequence[Dict[str, Any]], allowed: Sequence[str]) -> List[str]:
    """The findings that fail a test, a line each."""
    return [
        f"  {each['rule']} ({each['requirement']}): {each['message']}"
        for each in findings
        if each["level"] == "must" and not any(fnmatchcase(each["rule"], glob) for glob in allowed)
    ]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    double = _find_double(item)
    if double is None or not report.failed or call.when != "call":
        return
    seed = _find_session(item.config).require().seed
    try:
        conversation = double.timeline()
    except Exception as error:
        # Virtual time, which the test may have broken, is still on. The failure of the test must be shown.
        conversation = f"  (cannot be shown: {error})"
    head = f"seed {seed} (the same again: TASKDOUBLE_SEED={seed}), the conversation:"
    report.sections.append(("taskdouble", f"{head}\n{conversation}"))
