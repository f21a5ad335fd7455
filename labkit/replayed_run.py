"""The finished agent on a recording: what `labkit run` does."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.agents import KITS, kit_for
from labkit.display.report import one_line, visible
from labkit.errors import LabError
from labkit.lab import recording_files
from labkit.replay import find_recording
from labkit.replay.provider import Provider
from labkit.replay.recording import Recording, Turn, read_recording
from labkit.shop import Shop, facts_for
from labkit.workspace import Workspace


@dataclass(frozen=True)
class Told:
    """A finished run, and lines that say where its answers came from."""

    result: Any
    origin: list[str]

    def lines(self) -> Iterator[str]:
        """The answer, and under it what it took."""
        result = self.result
        tools = [visible(call["name"]) for call in result.tool_calls]
        yield from (*map(one_line, result.answer.splitlines()), "")
        yield f"steps       {result.steps}"
        yield f"tools       {', '.join(tools) or 'none'}"
        yield f"tokens      {result.tokens} ({result.tokens_in} in)"
        yield f"stopped by  {visible(f'{result.stopped_by} {result.error}')}".rstrip()
        yield from self.origin


def run_replayed(
    question: str,
    *,
    agent: str | None = None,
    recording: str | None = None,
    **how: Any,
) -> Told:
    """Let the finished agent answer a question that there is a recording of.

    `recording` is a name, or the path of a .jsonl; `how` goes to the agent: `trace`,
    `audit`, `allow_large_refunds`, and `approve`, which is asked about refunds that the
    limit denies. Raises LabError if there is no recording, or if `agent` lacks the
    tools it uses.
    """
    replayed = named_recording(recording) if recording else asked_recording(question)
    name = agent or kit_for(tools_used(replayed))
    _require_tools(name, replayed)
    result = answered(Provider(replayed).answer, name, question, **how)
    origin = [f"replayed    {replayed.name}, {replayed.header['origin']}"]
    if _plain(question) != _plain(replayed.question):
        origin.append(f"written for {replayed.question}")
    return Told(result, origin)


def answered(
    answer: Callable[[dict[str, Any]], Turn], name: str, question: str, **how: Any
) -> Any:
    """The Result of the finished agent of that name, whose requests `answer` gets."""
    from labkit.agent import Agent
    from labkit.replay.transport import client_for

    kit = KITS[name]
    with closing(Shop()) as shop, client_for(answer) as client:
        functions = shop.functions if name == "support" else Workspace().functions
        return Agent(client, kit.tools, functions, system=kit.system, **how).run(
            question
        )


def fitting_agent(name: str | None, question: str) -> str:
    """This agent; without a name the one that a recording of the question is for."""
    if name:
        return _known_agent(name)
    try:
        return kit_for(tools_used(asked_recording(question)))
    except LabError:
        return "support"


def tools_used(recording: Recording) -> set[str]:
    """The names of all tools that a recording's replies ask for."""
    return {
        call["function"]["name"]
        for message in map(_message, recording.turns)
        for call in message.get("tool_calls") or []
    }


def named_recording(name: str, seed: int = 0) -> Recording:
    """The recording of that name, or in the .jsonl file of that path."""
    if name.endswith(".jsonl"):
        return read_recording(Path(name), facts_for(seed), seed)
    return find_recording(name, seed)


def asked_recording(question: str, seed: int = 0) -> Recording:
    """The first whole recording of a question; LabError with those there are.

    The failure collection is asked by name alone.
    """
    facts = facts_for(seed)
    known = [read_recording(path, facts, seed) for path in recording_files()]
    whole = [r for r in known if _ends_with_answer(r) and "right" not in r.header]
    for recording in whole:
        if _plain(recording.question) == _plain(question):
            return recording
    questions = "\n  ".join(sorted({recording.question for recording in whole}))
    raise LabError(
        f"There is no recording of the question {question!r}; name one with "
        f"--recording, or ask one of these:\n  {questions}"
    )


def _known_agent(name: str) -> str:
    if name not in KITS:
        raise LabError(f"There is no agent {name!r}; there are: {', '.join(KITS)}.")
    return name


def _require_tools(agent: str, recording: Recording) -> None:
    if missing := tools_used(recording) - set(KITS[_known_agent(agent)].names):
        fitting = kit_for(missing)
        raise LabError(
            f"The {agent} agent has no {' and no '.join(sorted(missing))}, which "
            f"recording {recording.name!r} asks for; use --agent {fitting}."
        )


def _ends_with_answer(recording: Recording) -> bool:
    last = _message(recording.turns[-1])
    return bool(last.get("content")) and not last.get("tool_calls")


def _message(turn: Turn) -> dict[str, Any]:
    """The message in a turn; a live one may hold anything, and then there is none."""
    try:
        return dict(turn["body"]["choices"][0]["message"])
    except (LookupError, TypeError, ValueError):
        return {}


def _plain(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip("?.! ")
