"""What a job imports late is imported once for all jobs that follow, so that not each of them does it again."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterable

#: Libraries whose modules do not depend on the job. Other modules may read their configuration when they are imported.
_LIBRARIES = frozenset(
    (
        *("aiohttp", "aiosignal", "anyio", "async_timeout", "certifi", "chardet", "charset_normalizer", "frozenlist"),
        *("h11", "httpcore", "httpx", "idna", "multidict", "requests", "sniffio", "urllib3", "yarl"),
        *getattr(sys, "stdlib_module_names", ("encodings", "stringprep", "unicodedata")),
    )
)


class LateModules:
    """Remembers the modules of this process when a job begins."""

    def __init__(self) -> None:
        self._before = set(sys.modules)

    def list(self) -> list[str]:
        """The modules that have been imported since, in their order."""
        names = [name for name in sys.modules if name not in self._before]
        return [name for name in names if name.partition(".")[0] in _LIBRARIES]


def import_modules(names: Iterable[str]) -> None:
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            # The client has made it up itself.
            continue
    freeze_memory()


def freeze_memory() -> None:
    """The collector would write to memory that the jobs share with this process."""
    gc.collect()
    gc.freeze()


def prepare_requests() -> None:
    """The first request compiles regular expressions."""
    client = sys.modules.get("urllib.request")
    if client is not None:
        client.Request("http://127.0.0.1/")
