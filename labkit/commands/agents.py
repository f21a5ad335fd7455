"""`labkit run`, `record`, `serve`, `eval`, `survive`: what is done with an agent."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from labkit.display.report import visible
from labkit.errors import LabError


def run(
    question: Annotated[str, typer.Argument(help="What the customer asks.")],
    agent: Annotated[
        str | None, typer.Option(help="support or workspace; as a rule found out.")
    ] = None,
    recording: Annotated[
        str | None,
        typer.Option(help="Replay this one, a name or a .jsonl; else by question."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Ask the model of OPENAI_API_KEY, ….")
    ] = False,
    trace: Annotated[Path | None, typer.Option(help="Append trace lines.")] = None,
    audit: Annotated[Path | None, typer.Option(help="Append audit lines.")] = None,
    allow_large_refunds: Annotated[
        bool, typer.Option("--allow-large-refunds", help="Lift the refund limit.")
    ] = False,
) -> None:
    """Let the finished agent answer a recorded question, or any with --live.

    On a terminal you are asked about a refund that the limit denies.
    """
    from labkit.replayed_run import run_replayed

    how = {
        "trace": trace,
        "audit": audit,
        "allow_large_refunds": allow_large_refunds,
        "approve": _asked if sys.stdin.isatty() else None,
    }
    if live:
        from labkit.live.runs import run_live

        if recording:
            raise LabError("--live asks a model, --recording a file; give one of them.")
        told = run_live(question, agent=agent, **how)
    else:
        told = run_replayed(question, agent=agent, recording=recording, **how)
    typer.echo("\n".join(told.lines()))
    raise typer.Exit(0 if told.result.stopped_by == "answered" else 1)


def record(
    name: Annotated[str, typer.Argument(help="A new name for the recording.")],
    question: Annotated[str, typer.Argument(help="What the agent is asked.")],
    agent: Annotated[
        str | None, typer.Option(help="support or workspace; as a rule found out.")
    ] = None,
    agent_file: Annotated[
        Path | None, typer.Option(help="A file with a MyAgent in it, to be asked.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder it is written to.")] = Path(),
) -> None:
    """Record what the model of OPENAI_API_KEY, … answers an agent."""
    from labkit.live.runs import record

    told, path = record(name, question, agent=agent, file=agent_file, folder=out)
    typer.echo("\n".join([*told.lines(), f"written to  {path}"]))


def serve(
    recording: Annotated[
        str | None, typer.Argument(help="A name or a .jsonl; else found by question.")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="0 takes a free one.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    level: Annotated[
        str | None, typer.Option(help="How strict it is; openai as a rule.")
    ] = None,
) -> None:
    """Serve recordings over HTTP on this machine, one conversation at a time."""
    from labkit.replay.serving import serve

    serve(recording, port, seed, level, typer.echo)


def evaluate(
    agent: Annotated[Path, typer.Argument(help="A file with a MyAgent in it.")],
    cases: Annotated[
        Path | None,
        typer.Option(help="Cases, .json or .jsonl; without it the shop's own six."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Ask the model of OPENAI_API_KEY, ….")
    ] = False,
    threshold: Annotated[
        float, typer.Option(help="The rate that has to pass, 0 to 1.")
    ] = 0.8,
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    junit: Annotated[
        Path | None, typer.Option(help="Also write JUnit XML to this file.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="An earlier report, as --json printed it.")
    ] = None,
) -> None:
    """Let an agent answer eval cases; exit 0 if enough of them pass."""
    from labkit.display.evals import eval_table
    from labkit.display.progress import tracked
    from labkit.evals import outputs
    from labkit.evals.cases import read_cases
    from labkit.evals.trial import try_agent

    if not 0 <= threshold <= 1:
        raise LabError(
            f"--threshold is a rate from 0 to 1, such as 0.8; not {threshold}."
        )
    earlier = outputs.read_earlier(compare) if compare else None
    chosen = read_cases(cases, seed)
    given = (agent, chosen, threshold, seed, tracked)
    asked: dict[str, str] = {}
    if live:
        from labkit.live.runs import try_live

        trial, asked = try_live(*given)
    else:
        trial = try_agent(*given)
    report = outputs.to_json(trial) | ({"live": asked} if asked else {})
    told = list(outputs.changes(earlier, report)) if earlier else []
    if junit:
        junit.write_text(outputs.junit(trial), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(report | ({"changes": told} if earlier else {})))
    else:
        told += [f"live: {asked['model']} at {asked['server']}"] if asked else []
        typer.echo("\n".join([eval_table(chosen, report, threshold).text, *told]))
    raise typer.Exit(trial.report.exit_code)


def survive(
    agent: Annotated[
        Path | None,
        typer.Argument(help="A file with a MyAgent in it; else the finished agent."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    only: Annotated[
        str | None, typer.Option(help="One failure, by its id or its name.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Put an agent through the failure collection; exit 0 if it survives it."""
    from labkit.display import survival
    from labkit.display.progress import tracked
    from labkit.survival.collection import failures, waiting
    from labkit.survival.survey import survey_file, survey_finished

    chosen = failures(seed, only)
    if agent:
        done = survey_file(agent, chosen, seed, tracked)
    else:
        done = survey_finished(chosen, seed, tracked)
    if as_json:
        typer.echo(json.dumps(survival.as_json(done, waiting())))
    else:
        left = [] if only else waiting()
        typer.echo(survival.survival_table([done], left).text)
    raise typer.Exit(done.exit_code)


def _asked(name: str, args: dict[str, Any], reason: str) -> bool:
    """What the person at the terminal says; without an answer it is no."""
    call = f"{name}({json.dumps(args)})"
    typer.echo(f"The model asks for {visible(call)}: {visible(reason)}.", err=True)
    try:
        return typer.confirm("Approve it?", default=False, err=True)
    except typer.Abort:
        return False
