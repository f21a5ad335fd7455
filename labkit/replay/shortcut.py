"""A shorter way through the openai client for requests that are plain JSON already.

The client walks each request along its type hints, to rename fields and to encode
dates, files and models: about half the time of a replayed completion (openai 3.57). A
chat completion of plain JSON comes out of that walk as it went in; a test compares.
The few addresses that all requests go to are taken apart once.
"""

from functools import lru_cache
from typing import Any

from httpx2 import _urls
from openai.resources.chat.completions import completions


def take_the_shortcut() -> None:
    """From here on, in this process, plain requests are not walked; others are.

    For evals, which replay thousands of requests. Where a version of the client has no
    such walk, nothing changes.
    """
    parse = getattr(_urls, "urlparse", None)
    if parse is not None and not hasattr(parse, "cache_info"):
        _urls.__dict__["urlparse"] = lru_cache(maxsize=512)(parse)
    walk = getattr(completions, "maybe_transform", None)
    if walk is None:
        return

    def transformed(data: Any, expected: Any) -> Any:
        given = {key: value for key, value in data.items() if _is_given(value)}
        return given if _is_plain(given) else walk(data, expected)

    completions.__dict__["maybe_transform"] = transformed


def _is_given(value: Any) -> bool:
    return type(value).__name__ not in ("NotGiven", "Omit")


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return all(map(_is_plain, value.values()))
    if kind is list:
        return all(map(_is_plain, value))
    return value is None or kind in (str, int, float, bool)
