"""The finished agent on a recording: what `labkit run` does."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.agents import KITS, kit_for
from labkit.errors import LabError
from labkit.lab import recording_file, recording_files
from labkit.replay.provider import Provider
from labkit.replay.recording import Recording, Turn, read_recording
from labkit.shop import Shop, facts_for
from labkit.workspace import Workspace

Approve = Callable[[str, dict[str, Any], str], bool]


@dataclass(frozen=True)
class Told:
    """A finished run, and the recording it was run on."""

    result: Any
    recording: Recording

    def lines(self) -> Iterator[str]:
        """The answer, and under it what it took."""
        result, header = self.result, self.recording.header
        tools = [call["name"] for call in result.tool_calls]
        yield from (result.answer, "")
        yield f"steps       {result.steps}"
        yield f"tools       {', '.join(tools) or 'none'}"
        yield f"tokens      {result.tokens} ({result.tokens_in} in)"
        yield f"stopped by  {result.stopped_by} {result.error}".rstrip()
        yield f"replayed    {self.recording.name}, {header['origin']}"
        if _plain(result.question) != _plain(self.recording.question):
            yield f"written for {self.recording.question}"


def run_replayed(
    question: str,
    *,
    agent: str | None = None,
    recording: str | None = None,
    trace: Path | None = None,
    audit: Path | None = None,
    allow_large_refunds: bool = False,
    approve: Approve | None = None,
) -> Told:
    """Let the finished agent answer a question that there is a recording of.

    `approve` is asked about refunds that the limit denies, if anybody is there.
    Raises LabError if there is none, or if `agent` lacks the tools it uses.
    """
    from labkit.agent import Agent
    from labkit.replay.transport import client_for

    replayed = _find(question, recording, facts_for(seed=0))
    name = agent or kit_for(tools_used(replayed))
    _require_tools(name, replayed)
    kit = KITS[name]
    with closing(Shop()) as shop:
        loop = Agent(
            client_for(Provider(replayed).answer),
            kit.tools,
            shop.functions if name == "support" else Workspace().functions,
            system=kit.system,
            trace=trace,
            audit=audit,
            allow_large_refunds=allow_large_refunds,
            approve=approve,
        )
        return Told(loop.run(question), replayed)


def tools_used(recording: Recording) -> set[str]:
    """The names of all tools that a recording's replies ask for."""
    return {
        call["function"]["name"]
        for message in map(_message, recording.turns)
        for call in message.get("tool_calls") or []
    }


def _find(question: str, name: str | None, facts: dict[str, str]) -> Recording:
    """The recording of that name, or the first whole one of that question."""
    if name:
        return read_recording(recording_file(name), facts)
    known = [read_recording(path, facts) for path in recording_files()]
    whole = [recording for recording in known if _ends_with_answer(recording)]
    for recording in whole:
        if _plain(recording.question) == _plain(question):
            return recording
    questions = "\n  ".join(sorted({recording.question for recording in whole}))
    raise LabError(
        f"There is no recording of the question {question!r}; name one with "
        f"--recording, or ask one of these:\n  {questions}"
    )


def _require_tools(agent: str, recording: Recording) -> None:
    if agent not in KITS:
        raise LabError(f"There is no agent {agent!r}; there are: {', '.join(KITS)}.")
    if missing := tools_used(recording) - set(KITS[agent].names):
        fitting = kit_for(missing)
        raise LabError(
            f"The {agent} agent has no {' and no '.join(sorted(missing))}, which "
            f"recording {recording.name!r} asks for; use --agent {fitting}."
        )


def _ends_with_answer(recording: Recording) -> bool:
    last = _message(recording.turns[-1])
    return bool(last.get("content")) and not last.get("tool_calls")


def _message(turn: Turn) -> dict[str, Any]:
    body = turn.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    return (choices[0].get("message") or {}) if choices else {}


def _plain(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip("?.! ")
