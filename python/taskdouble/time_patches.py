"""Replaces the functions of time, also where modules have references to them (`from time import sleep`)."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any, Callable

from .time_clocks import list_clock_patches, replace_methods
from .time_sockets import list_socket_patches
from .time_threads import list_thread_patches

#: Packages that keep real time: this one, Python's import and those that run tests.
_REAL = {
    *("taskdouble", "importlib", "_frozen_importlib", "_frozen_importlib_external", "subprocess"),
    *(
        "pytest",
        "_pytest",
        "pluggy",
        "py",
        "xdist",
        "execnet",
        "coverage",
        "pydevd",
        "debugpy",
        "pytest_timeout",
    ),
}

Undo = Callable[[], None]


class Patches:
    """All replacements of this process."""

    def __init__(self) -> None:
        self._patches = [*list_clock_patches(), *list_thread_patches(), *list_socket_patches()]
        self._replacements: dict[int, tuple[Any, Any]] = {}
        """By the id of what is replaced."""
        self._seen: set[int] = set()
        self._undo: list[Undo] = []
        for owner, name, replacement in self._patches:
            original = getattr(owner, name)
            if not isinstance(owner, type):
                self._replacements[id(original)] = (original, replacement)

    def install(self) -> None:
        """Does nothing if they are installed."""
        if self._undo:
            return
        self._undo.append(replace_methods())
        for owner, name, replacement in self._patches:
            self._replace(owner, name, replacement)
        for module in list(sys.modules.values()):
            name = getattr(module, "__name__", None)
            if isinstance(name, str) and name.partition(".")[0] not in _REAL:
                self._replace_references(module)
        self._seen.clear()

    def restore(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _replace(self, owner: Any, name: str, replacement: Any) -> None:
        before = vars(owner).get(name, _MISSING)
        try:
            setattr(owner, name, replacement)
        except (AttributeError, TypeError):
            return
        if before is _MISSING:
            self._undo.append(lambda: delattr(owner, name))
        else:
            self._undo.append(lambda: setattr(owner, name, before))

    def _replace_references(self, owner: Any) -> None:
        """In a module or class, also in the defaults of its functions."""
        if id(owner) in self._seen:
            return
        self._seen.add(id(owner))
        try:
            members = list(vars(owner).items())
        except TypeError:
            return
        for name, value in members:
            replacement = self._find(value)
            if replacement is not _MISSING:
                self._replace(owner, name, replacement)
                continue
            if isinstance(value, (staticmethod, classmethod)):
                replacement = self._find(value.__func__)
                if replacement is not _MISSING:
                    self._replace(owner, name, type(value)(replacement))
                    continue
                value = value.__func__
            if isinstance(value, FunctionType):
                self._replace_defaults(value)
            elif isinstance(value, type) and value.__module__.partition(".")[0] not in _REAL:
                self._replace_references(value)

    def _replace_defaults(self, function: FunctionType) -> None:
        before = function.__defaults__, function.__kwdefaults__
        values = [*(before[0] or ()), *(before[1] or {}).values()]
        if all(self._find(each) is _MISSING for each in values):
            return
        function.__defaults__ = before[0] and tuple(map(self._choose, before[0]))
        function.__kwdefaults__ = before[1] and {name: self._choose(each) for name, each in before[1].items()}

        def undo() -> None:
            function.__defaults__, function.__kwdefaults__ = before

        self._undo.append(undo)

    def _find(self, value: Any) -> Any:
        original, replacement = self._replacements.get(id(value), (None, _MISSING))
        return replacement if original is value else _MISSING

    def _choose(self, value: Any) -> Any:
        replacement = self._find(value)
        return value if replacement is _MISSING else replacement


_MISSING: Any = object()
_patches: list[Patches] = []


def install_patches() -> None:
    """The functions behave as before until there is virtual time."""
    if not _patches:
        _patches.append(Patches())
    _patches[0].install()


def restore_patches() -> None:
    if _patches:
        _patches[0].restore()
