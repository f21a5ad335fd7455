"""The learner's side of a scenario: build the agent, let it run, say what came back.

Everything from outside comes through one function, `ask`: a question as a dict in, an
answer as a dict out. What is returned here is a claim; the lab judges it.
"""

import builtins
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial, wraps
from pathlib import Path
from threading import RLock
from typing import Any

from labkit import agent
from labkit.agents import KITS
from labkit.checking.fixtures import FIXTURES, Ask, Stopped, asked, client, functions
from labkit.checking.log_file import LogFile, log_files
from labkit.checking.plain import described, plain
from labkit.checking.written import NotStarted, called_part

CHUNK = 8192


def perform(
    order: dict[str, Any], names: Mapping[str, Any], ask: Ask
) -> dict[str, Any]:
    """Carry out an order; `returned`, `raised` or `not_started`, as plain JSON.

    The order's `folder` is where the audit log and the trace are kept meanwhile, or
    its `log_files` say in which files.
    """
    with _captured(ask, log_files(order)) as ask:
        try:
            return {"returned": plain(DO[order["do"]](order, names, ask))}
        except NotStarted as error:
            return {"not_started": called_part(error)}
        except BaseException as error:
            return {"raised": described(error)}


def _run_agent(order: dict[str, Any], names: Mapping[str, Any], ask: Ask) -> Any:
    learner = _agent(order, names, ask)
    return _results(lambda: learner.run(order["question"]), order["times"])


def _call_hook(order: dict[str, Any], names: Mapping[str, Any], ask: Ask) -> Any:
    learner = _agent(order, names, ask)
    args = _argument(order["args"], names, ask)
    return _results(lambda: getattr(learner, order["hook"])(*args), order["times"])


def _results(do: Callable[[], Any], times: int) -> Any:
    """What came back, or the list of it where it is done more than once."""
    results = [do() for _ in range(times)]
    return results if times > 1 else results[0]


def _agent(order: dict[str, Any], names: Mapping[str, Any], ask: Ask) -> Any:
    kit = KITS[order["agent"]]
    tools = functions(ask, order["agent"])
    for name, fixture in order["instead"].items():
        tools[name] = _after(tools[name], _argument(fixture, names, ask))
    logs = {log.kind: Path(log.path) for log in log_files(order)}
    return _built(
        names["MyAgent"],
        client(ask),
        kit.tools,
        tools,
        system=kit.system,
        limits=agent.Limits(**order["limits"]),
        audit=logs.get("audit"),
        trace=logs.get("trace"),
        approve=partial(_approved, ask) if order["person"] else None,
        sleep=lambda seconds: asked(ask, "slept", seconds=plain(seconds)),
        **order["options"],
    )


def _after(tool: Callable[..., Any], then: Callable[..., Any]) -> Callable[..., Any]:
    """The tool runs, and what comes of it is what the other function makes of it."""

    @wraps(tool)
    def function(*args: Any, **kwargs: Any) -> Any:
        tool(*args, **kwargs)
        return then()

    return function


def _built(learner: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The learner's agent; a constructor of another shape is told which one fits."""
    try:
        return learner(*args, **kwargs)
    except TypeError as error:
        raise TypeError(
            f"{error} (the lab builds MyAgent(client, tools, functions, system=…, "
            "limits=…, …), as Agent.__init__ takes it)"
        ) from error


def _call_function(order: dict[str, Any], names: Mapping[str, Any], ask: Ask) -> Any:
    args, kwargs = _argument([order["args"], order["kwargs"]], names, ask)

    def do() -> Any:
        back = names[order["function"]](*args, **kwargs)
        if order["then"]:
            name, given = order["then"]
            back = back[name](**given)
        return _read(back, order["attributes"]) if order["attributes"] else back

    return _results(do, order["times"])


def _read(back: Any, attributes: list[str]) -> dict[str, Any]:
    """These attributes, or keys, of what came back; what it lacks is left out."""
    if isinstance(back, Mapping):
        return {name: back[name] for name in attributes if name in back}
    return {name: getattr(back, name) for name in attributes if hasattr(back, name)}


def _value(order: dict[str, Any], names: Mapping[str, Any], ask: Ask) -> Any:
    return names[order["name"]]


def _argument(arg: Any, names: Mapping[str, Any], ask: Ask) -> Any:
    """An argument with what JSON could not hold put in its place."""
    if isinstance(arg, list):
        return [_argument(item, names, ask) for item in arg]
    if not isinstance(arg, dict):
        return arg
    if "result_of" in arg:
        return _call_function(arg["result_of"], names, ask)
    if "fixture" in arg:
        args = [_argument(item, names, ask) for item in arg["args"]]
        return FIXTURES[arg["fixture"]](ask, *args)
    return {key: _argument(item, names, ask) for key, item in arg.items()}


def _approved(ask: Ask, name: str, args: Any, reason: str) -> bool:
    fields = {"name": name, "args": plain(args), "reason": plain(reason)}
    return bool(asked(ask, "approval", **fields)["approved"])


class _Printed(io.TextIOBase):
    """Standard output while learner's code runs: handed to the lab piece by piece."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.pieces: list[str] = []
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.pieces.append(text)
        self.length += len(text)
        if self.length > CHUNK:
            self.hand_over()
        return len(text)

    def hand_over(self) -> None:
        text, self.pieces, self.length = "".join(self.pieces), [], 0
        for start in range(0, len(text), CHUNK * 8):
            asked(self.ask, "printed", text=text[start : start + CHUNK * 8])


@contextmanager
def _captured(ask: Ask, logs: list[LogFile]) -> Iterator[Ask]:
    """What is printed or logged goes to the lab, before whatever is asked next."""
    printed = _Printed(ask)
    for log in logs:
        log.begin()
    turn, ended = RLock(), False  # the learner may ask from several threads

    def ask_after_printing(question: dict[str, Any]) -> dict[str, Any]:
        with turn:
            if ended:
                raise Stopped("this scenario is over")
            hand_over()
            return ask(question)

    def hand_over() -> None:
        printed.hand_over()
        for log in logs:
            log.hand_over(ask)

    with redirect_stdout(printed), redirect_stderr(printed), _nobody_to_ask():
        yield ask_after_printing
        with turn, suppress(Stopped):
            ended = True
            hand_over()


@contextmanager
def _nobody_to_ask() -> Iterator[None]:
    def no_input(prompt: object = "") -> str:
        raise EOFError("input() has nobody to answer it while a check runs")

    original, builtins.input = builtins.input, no_input
    try:
        yield
    finally:
        builtins.input = original


DO = {"run": _run_agent, "hook": _call_hook, "call": _call_function, "value": _value}
