"""The kit of taskdouble for Python: adapters for `taskdouble client`, and virtual time for tests with its mock."""

from __future__ import annotations

from .adapter import Job, Result, Tool, ToolError, Tools, adapter
from .virtual_time import NothingDue, VirtualTime, virtual_time

__version__ = "0.1.0"
__all__ = [
    "Job",
    "NothingDue",
    "Result",
    "Tool",
    "ToolError",
    "Tools",
    "VirtualTime",
    "adapter",
    "virtual_time",
]
