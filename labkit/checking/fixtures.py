"""What a scenario hands to the learner's code and JSON cannot hold."""

import builtins
import inspect
from collections.abc import Callable
from contextlib import closing
from functools import cache, wraps
from typing import Any

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from labkit import agent
from labkit.agents import KITS
from labkit.checking.plain import plain
from labkit.replay import connect
from labkit.replay.recording import Turn
from labkit.replay.transport import client_for
from labkit.shop import SYSTEM, TOOLS, Shop

Ask = Callable[[dict[str, Any]], dict[str, Any]]


class Stopped(BaseException):
    """The lab ended this scenario; no `except Exception` can swallow it."""


def asked(ask: Ask, kind: str, **fields: Any) -> dict[str, Any]:
    """The lab's answer to a question of this kind; Stopped if it ended the run."""
    answer = ask({"kind": kind, **fields})
    if "stop" in answer:
        raise Stopped(answer["stop"])
    return answer


def client(ask: Ask) -> openai.OpenAI:
    """The real client, answered by the lab."""

    def turn(request: dict[str, Any]) -> Turn:
        answer: Turn = asked(ask, "request", request=request)["turn"]
        return answer

    return client_for(turn)


def functions(ask: Ask, kit: str = "support") -> dict[str, Callable[..., Any]]:
    """The functions behind an agent's tools, by name, run by the lab."""
    methods = KITS[kit].methods()
    return {name: _proxy(method, ask) for name, method in methods.items()}


def message(ask: Ask, fields: dict[str, Any]) -> ChatCompletionMessage:
    """An assistant message as the SDK gives it, unknown and missing fields included."""
    return ChatCompletionMessage.construct(role="assistant", **fields)


def returning(ask: Ask, value: Any) -> Callable[..., Any]:
    """A function that takes anything and returns this value."""
    return lambda *args, **kwargs: value


def raising(ask: Ask, kind: str, text: str) -> Callable[..., Any]:
    """A function that raises this builtin exception."""

    def function(*args: Any, **kwargs: Any) -> Any:
        raise getattr(builtins, kind)(text)

    return function


def completion(ask: Ask, body: dict[str, Any]) -> ChatCompletion:
    """A reply with this body, as the client gives it."""
    answered = client_for(lambda request: {"body": body})
    return answered.chat.completions.create(model="any", messages=[])


def result(ask: Ask, fields: dict[str, Any]) -> agent.Result:
    """A Result with these fields, the others as they are at the start of a run."""
    return agent.Result(**{"question": "What is it?", **fields})


def call(ask: Ask, id: str, name: str, arguments: Any) -> agent.Call:
    """A call as `parse_tool_calls` gives it."""
    return agent.Call(id, name, arguments)


def runs(ask: Ask, outcomes: dict[str, Any]) -> Callable[..., Any]:
    """A `run` that gives, by case id, the Result with these fields, or raises.

    To raise, the fields are `{"raises": [builtin exception, text]}`.
    """

    def run(case: dict[str, Any]) -> agent.Result:
        fields = outcomes[case["id"]]
        if "raises" in fields:
            raising(ask, *fields["raises"])()
        return result(ask, fields)

    return run


def replayed(ask: Ask) -> Callable[..., Any]:
    """A `run` that lets the finished agent answer a case from its recording."""

    def run(case: dict[str, Any]) -> agent.Result:
        with closing(Shop()) as shop:
            return agent.Agent(
                connect(case["recording"]), TOOLS, shop.functions, system=SYSTEM
            ).run(case["question"])

    return run


def no_json(ask: Ask) -> object:
    """A value that JSON cannot hold."""
    return {"weights": {4.5, 7.25}}


FIXTURES: dict[str, Callable[..., Any]] = {
    "client": client,
    "functions": functions,
    "message": message,
    "returning": returning,
    "raising": raising,
    "completion": completion,
    "result": result,
    "call": call,
    "runs": runs,
    "replayed": replayed,
    "no_json": no_json,
}


def _proxy(tool: Callable[..., Any], ask: Ask) -> Callable[..., Any]:
    """A function with the tool's own signature; the lab runs the tool."""
    signature = _signature(tool)

    @wraps(tool)
    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs).arguments
        given = {name: plain(value) for name, value in bound.items()}
        answer = asked(ask, "tool", name=tool.__name__, args=given)
        if raised := answer.get("raised"):
            kind = getattr(builtins, raised[0], RuntimeError)
            raise kind(raised[1])
        return answer["result"]

    # Whoever asks for the signature gets the one a call has to fit: no self.
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


@cache
def _signature(tool: Callable[..., Any]) -> inspect.Signature:
    """What a call of the tool has to fit: the method's own signature without self."""
    whole = inspect.signature(tool)
    return whole.replace(parameters=list(whole.parameters.values())[1:])
