"""Scenarios: what is done with the learner's code, as data that can cross a process."""

from dataclasses import dataclass, field, replace
from typing import Any

LIMITS = ("steps", "tool_calls", "tokens", "result_chars")
UNLIMITED = 10**9
LONGEST_CALL = 160


@dataclass(frozen=True)
class Run:
    """The learner's agent answers the recording's question, `times` times over.

    `part` is the exercise that is tried; `expected` how many requests a right loop
    makes, by default one per turn; `options` go to the agent's constructor; `approve`
    is what a person says who is asked, None if there is nobody to ask. `instead` holds
    fixtures by tool: the tool runs, and then that function's outcome is given. Without
    `logs` there is neither audit log nor trace.
    """

    recording: str
    part: str
    agent: str = "support"
    limits: dict[str, int] = field(default_factory=lambda: only())
    options: dict[str, Any] = field(default_factory=dict)
    level: str = "openai"
    expected: int | None = None
    times: int = 1
    approve: bool | None = None
    instead: dict[str, Any] = field(default_factory=dict)
    logs: bool = True

    @property
    def called(self) -> str:
        """The call as one would write it; "" for a whole run, which says itself."""
        return ""

    def order(self, question: str) -> dict[str, Any]:
        """What the learner's side is told to do; it is told nothing of the replies."""
        return {
            "do": "run",
            "question": question,
            "agent": self.agent,
            "limits": self.limits,
            "options": self.options,
            "times": self.times,
            "person": self.approve is not None,
            "instead": self.instead,
            "logs": self.logs,
        }


@dataclass(frozen=True)
class Hook(Run):
    """One method of the learner's agent, called by itself; its name is the exercise.

    Arguments as for a `FunctionCall`. Without a recording there is no model to ask.
    """

    args: tuple[Any, ...] = ()

    @property
    def called(self) -> str:
        """The call as one would write it."""
        return _as_call(self.part, self.args)

    def order(self, question: str) -> dict[str, Any]:
        """What the learner's side is told to do."""
        given = {"do": "hook", "hook": self.part, "args": self.args}
        return super().order(question) | given


@dataclass(frozen=True)
class FunctionCall:
    """One call of a function the learner wrote; its name is the exercise.

    Arguments are JSON values (NaN and the infinities among them), `fixture(…)` or
    `result_of(…)`, at any depth. `recording` is what the fixture "client" replays.
    `then` is a name and arguments: what came back is a table, and the function under
    that name is called too. `times` is how often it is called with the same arguments;
    of what comes back, `attributes` alone are looked at, by name.
    """

    part: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    recording: str | None = None
    then: tuple[str, dict[str, Any]] | None = None
    times: int = 1
    attributes: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """The call as one would write it."""
        return _as_call(self.part, self.args, self.kwargs)

    def then_call(self, name: str, **kwargs: Any) -> "FunctionCall":
        """The same call, and after it one of the function under a name."""
        return replace(self, then=(name, kwargs))

    def twice(self) -> "FunctionCall":
        """The same call two times, with the same arguments; a list comes back."""
        return replace(self, times=2)

    def reading(self, *attributes: str) -> "FunctionCall":
        """The same call; a dict of these attributes of what it returns comes back."""
        return replace(self, attributes=attributes)

    def order(self, question: str = "") -> dict[str, Any]:
        """What the learner's side is told to do."""
        given = {"args": self.args, "kwargs": self.kwargs, "then": self.then}
        how = {"times": self.times, "attributes": self.attributes}
        return {"do": "call", "function": self.part, **given, **how}


@dataclass(frozen=True)
class Value:
    """What the learner assigned to a name, the exercise: a schema, say."""

    part: str
    called = ""

    def order(self, question: str = "") -> dict[str, Any]:
        """What the learner's side is told to do."""
        return {"do": "value", "name": self.part}


Scenario = Run | Hook | FunctionCall | Value


def run(recording: str, *, part: str, **how: Any) -> Run:
    """A scenario that runs the learner's agent on a recording; see `Run`."""
    return Run(recording, part, **how)


def hook(exercise: str, *args: Any, recording: str = "", **how: Any) -> Hook:
    """A scenario that calls one method of the learner's agent; see `Hook`."""
    return Hook(recording, exercise, args=args, **how)


def call(
    exercise: str, *args: Any, recording: str | None = None, **kwargs: Any
) -> FunctionCall:
    """A scenario that calls one function of the learner's; see `FunctionCall`."""
    return FunctionCall(exercise, args, kwargs, recording)


def value(exercise: str) -> Value:
    """A scenario that looks at what the learner assigned to a name."""
    return Value(exercise)


def fixture(name: str, *args: Any) -> dict[str, Any]:
    """An argument that JSON cannot hold, by its name in `labkit.checking.fixtures`."""
    return {"fixture": name, "args": args}


def result_of(inner: FunctionCall) -> dict[str, Any]:
    """An argument: whatever another call of the learner's returns."""
    return {"result_of": inner.order()}


def only(**caps: int) -> dict[str, int]:
    """Limits with these caps and no other, so that a scenario has one cause to stop."""
    if unknown := caps.keys() - set(LIMITS):
        raise ValueError(f"unknown limits: {', '.join(sorted(unknown))}")
    return dict.fromkeys(LIMITS, UNLIMITED) | caps


def _as_call(name: str, args: Any, kwargs: dict[str, Any] | None = None) -> str:
    given = [*map(_said, args), *(f"{k}={_said(v)}" for k, v in (kwargs or {}).items())]
    text = f"{name}({', '.join(given)})"
    return text if len(text) <= LONGEST_CALL else f"{text[:LONGEST_CALL]} …"


def _said(value: Any) -> str:
    """An argument as one would write it, a fixture under its name."""
    if isinstance(value, dict) and "fixture" in value:
        return _as_call(value["fixture"], value["args"])
    if isinstance(value, dict) and "result_of" in value:
        return f"{value['result_of']['function']}(…)"
    return repr(value)
