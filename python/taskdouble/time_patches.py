"""Replaces the functions of time, also where modules have references to them (`from time import sleep`)."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any, Callable

from .time_clocks import list_clock_patches, replace_methods
from .time_polls import list_poll_patches, list_program_patches
from .time_signals import list_signal_patches
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

_MISSING: Any = object()


class Attribute:
    """An attribute to replace."""

    def __init__(self, owner: Any, name: str, replacement: Any) -> None:
        self._owner = owner
        self._name = name
        self._replacement = replacement
        self._original = vars(owner).get(name, _MISSING)

    def replace(self) -> None:
        if vars(self._owner).get(self._name, _MISSING) is self._original:
            setattr(self._owner, self._name, self._replacement)

    def restore(self) -> None:
        if vars(self._owner).get(self._name) is not self._replacement:
            return
        if self._original is _MISSING:
            delattr(self._owner, self._name)
        else:
            setattr(self._owner, self._name, self._original)


class Defaults:
    """Default values of a function to replace."""

    def __init__(self, function: FunctionType, choose: Callable[[Any], Any]) -> None:
        self._function = function
        self._before = function.__defaults__, function.__kwdefaults__
        self._defaults = function.__defaults__ and tuple(map(choose, function.__defaults__))
        named = function.__kwdefaults__
        self._named = named and {name: choose(value) for name, value in named.items()}

    def replace(self) -> None:
        self._function.__defaults__, self._function.__kwdefaults__ = self._defaults, self._named

    def restore(self) -> None:
        self._function.__defaults__, self._function.__kwdefaults__ = self._before


class Patches:
    """All replacements of this process."""

    def __init__(self) -> None:
        self._is_installed = False
        self._undo_methods: Callable[[], None] = lambda: None
        waits = [*list_socket_patches(), *list_poll_patches(), *list_signal_patches()]
        patches = [*list_clock_patches(), *list_thread_patches(), *waits]
        self._replacements: dict[int, tuple[Any, Any]] = {}
        """By the id of what is replaced."""
        for owner, name, replacement in patches:
            original = getattr(owner, name)
            if not isinstance(owner, type):
                self._replacements[id(original)] = (original, replacement)
        self._places: list[Attribute | Defaults] = [
            Attribute(*patch) for patch in [*patches, *list_program_patches()]
        ]
        self._sizes: dict[int, int] = {}
        """How many members each searched module had, by its id."""

    def install(self) -> None:
        """Does nothing if they are installed."""
        if self._is_installed:
            return
        self._is_installed = True
        seen: set[int] = set()
        for module in list(sys.modules.values()):
            name = getattr(module, "__name__", None)
            if not isinstance(name, str) or name.partition(".")[0] in _REAL:
                continue
            size = len(vars(module))
            if self._sizes.get(id(module)) != size:
                self._sizes[id(module)] = size
                self._search(module, seen)
        for place in self._places:
            place.replace()
        self._undo_methods = replace_methods()

    def restore(self) -> None:
        if self._is_installed:
            self._is_installed = False
            self._undo_methods()
            for place in reversed(self._places):
                place.restore()

    def _search(self, owner: Any, seen: set[int]) -> None:
        """Find references in a module or class, also in the defaults of its functions."""
        if id(owner) in seen:
            return
        seen.add(id(owner))
        for name, value in list(vars(owner).items()):
            if isinstance(value, (staticmethod, classmethod)):
                replacement = self._find(value.__func__)
                if replacement is not _MISSING:
                    self._places.append(Attribute(owner, name, type(value)(replacement)))
                value = value.__func__
            else:
                replacement = self._find(value)
                if replacement is not _MISSING:
                    self._places.append(Attribute(owner, name, replacement))
            if isinstance(value, FunctionType):
                values = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
                if any(self._find(each) is not _MISSING for each in values):
                    self._places.append(Defaults(value, self._choose))
            elif isinstance(value, type) and value.__module__.partition(".")[0] not in _REAL:
                self._search(value, seen)

    def _find(self, value: Any) -> Any:
        original, replacement = self._replacements.get(id(value), (None, _MISSING))
        return replacement if original is value else _MISSING

    def _choose(self, value: Any) -> Any:
        replacement = self._find(value)
        return value if replacement is _MISSING else replacement


_patches: list[Patches] = []


def install_patches() -> None:
    """The functions behave as before until there is virtual time."""
    if not _patches:
        _patches.append(Patches())
    _patches[0].install()


def restore_patches() -> None:
    if _patches:
        _patches[0].restore()
