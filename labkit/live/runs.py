"""The finished agent, or an agent's file, on a live model: to be read, or recorded."""

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from labkit.agent import MODEL, Result
from labkit.agent_file import agent_in
from labkit.checking.scenario import Run
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.evals.cases import Case
from labkit.evals.trial import Trial, result_of, try_agent
from labkit.live.endpoint import Endpoint, from_environment
from labkit.live.model import LIVE, Ask, LiveModel
from labkit.live.reading import models_in
from labkit.replay.recorder import Recorder, free_path, write_recording
from labkit.replayed_run import Told, answered, fitting_agent
from labkit.watched import STOCK_LIMITS

NO_TOOL = (
    "note: the model asked for no tool; if it cannot, name another in OPENAI_MODEL"
)
# What of a request says how the model picked its words.
SAMPLING = (
    "frequency_penalty",
    "max_completion_tokens",
    "max_tokens",
    "presence_penalty",
    "reasoning_effort",
    "seed",
    "stop",
    "temperature",
    "tool_choice",
    "top_p",
)


def run_live(question: str, *, agent: str | None = None, **how: Any) -> Told:
    """Let the finished agent answer a question on the model of the environment.

    `how` goes to the agent. Raises LabError where no model is configured, or where not
    one message of a model's came.
    """
    name = fitting_agent(agent, question)
    with closing(from_environment()) as endpoint:
        recorder = Recorder(endpoint.answer)
        result = answered(recorder.answer, name, question, **how)
        endpoint.require_reply()
    return Told(result, _model_lines(endpoint, recorder, result))


def try_live(
    file: Path,
    cases: list[Case],
    threshold: float,
    seed: int = 0,
    track: Callable[[list[Case]], Iterable[Case]] = iter,
) -> tuple[Trial, dict[str, str]]:
    """A trial as of `try_agent`, on the model of the environment, and which that is.

    Raises LabError where no model is configured, or where not one reply came.
    """
    with closing(from_environment()) as endpoint:
        trial = try_agent(file, cases, threshold, seed, track, endpoint.answer)
        endpoint.require_reply()
    return trial, {"model": endpoint.model or MODEL, "server": endpoint.host}


def record(
    name: str,
    question: str,
    *,
    agent: str | None = None,
    file: Path | None = None,
    folder: Path = Path(),
) -> tuple[Told, Path]:
    """Run an agent on the model of the environment, and write what it said to a file.

    The agent is the finished one, or the `MyAgent` in `file`. Raises LabError for a
    name that is taken, and where `run_live` does; then there is no file. An agent that
    fails on what the model said is a LabError too, and the file is written.
    """
    path = free_path(name, folder)
    kit = fitting_agent(agent, question)
    with closing(from_environment()) as endpoint:
        recorder = Recorder(endpoint.answer)
        try:
            run = partial(_answered_by_file, file) if file else answered
            result = run(recorder.answer, kit, question)
        except LabError as error:
            endpoint.require_reply()
            if recorder.turns:
                _write(path, endpoint, recorder, question, kit)
                raise LabError(f"{path} is written, but {error}") from None
            raise
        endpoint.require_reply()
        _write(path, endpoint, recorder, question, kit)
    return Told(result, _model_lines(endpoint, recorder, result)), path


def _answered_by_file(file: Path, answer: Ask, kit: str, question: str) -> Result:
    """The Result of an agent's file; LabError if it gave none."""
    scenario = Run("live", "", kit, limits=STOCK_LIMITS, logs=False)
    with agent_in(file, LIVE) as place:
        seen = place.perform(World(scenario, provider=LiveModel(question, answer)))
    try:
        return result_of(seen, question)
    except Exception as error:
        raise LabError(f"{file}: {type(error).__name__}: {error}") from None


def _write(
    path: Path, endpoint: Endpoint, recorder: Recorder, question: str, kit: str
) -> None:
    if endpoint.leaked:
        raise LabError(
            f"{endpoint.url} sent the key back in an answer, so nothing was "
            "recorded; make a key that nobody has seen."
        )
    if not recorder.turns:
        raise LabError("The agent asked the model nothing, so nothing was recorded.")
    header = _header(endpoint, recorder, question, kit)
    write_recording(path, header, recorder.turns, endpoint.key)


def _header(
    endpoint: Endpoint, recorder: Recorder, question: str, kit: str
) -> dict[str, Any]:
    asked, said = _models(endpoint, recorder)
    request = recorder.requests[-1]
    sampling = {key: request[key] for key in SAMPLING if key in request}
    return {
        "format": 1,
        "title": f"The {kit} agent on {asked}",
        "origin": "live",
        "model": asked,
        "model_answered": said,
        "server": endpoint.host,
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "sampling": sampling or {"all": "as the server has it"},
        "question": question,
    }


def _model_lines(endpoint: Endpoint, recorder: Recorder, result: Result) -> list[str]:
    asked, said = _models(endpoint, recorder)
    answering = "" if said in ("", asked) else f", answered by {said}"
    lines = [f"live        {asked} at {endpoint.host}{answering}"]
    tried = result.stopped_by == "answered" and not result.tool_calls
    return [*lines, NO_TOOL] if tried else lines


def _models(endpoint: Endpoint, recorder: Recorder) -> tuple[str, str]:
    """The model that was asked for, and the one the answers say they are from."""
    asked = endpoint.model or str(recorder.requests[-1].get("model", ""))
    said = set().union(*map(models_in, recorder.turns))
    return asked, ", ".join(sorted(said))
