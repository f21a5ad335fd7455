"""The command line: `labkit start`, `check`, `run`, `doctor`, `dev …`.

Exit status 0: all passed; 1: something did not; 2: the command or the lab is wrong.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from labkit.display.report import visible
from labkit.errors import LabError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Loop Lab: write an AI agent's tool loop by hand, checked without a key.",
)
dev = typer.Typer(no_args_is_help=True, help="For those who write lessons.")
app.add_typer(dev, name="dev")


@app.command()
def start(
    folder: Annotated[
        Path, typer.Option("--dir", help="Where your notebooks are kept.")
    ] = Path("work"),
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
) -> None:
    """Copy the notebooks (never over yours) and open JupyterLab."""
    from labkit.start import copy_notebooks, open_lab

    for sentence in copy_notebooks(folder.absolute()):
        typer.echo(sentence)
    open_lab(folder.absolute(), browser)


@app.command()
def check(
    lesson: Annotated[str, typer.Argument(help="The lesson, such as lesson_03_loop.")],
    file: Annotated[Path, typer.Argument(help="A .ipynb or .py file.")],
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check one submission, in a process of its own."""
    from labkit.checking.check import load_checker
    from labkit.checking.judge import judge
    from labkit.checking.process import Spawned
    from labkit.checking.submission import read_submission
    from labkit.display.report import as_text

    checker = load_checker(lesson)
    submission = read_submission(file)
    report = judge(checker, Spawned(submission, checker.parts), submission.name, seed)
    typer.echo(json.dumps(report.to_json()) if as_json else as_text(report))
    raise typer.Exit(report.exit_code)


@app.command()
def run(
    question: Annotated[str, typer.Argument(help="What the customer asks.")],
    agent: Annotated[
        str | None, typer.Option(help="support or workspace; as a rule found out.")
    ] = None,
    recording: Annotated[
        str | None, typer.Option(help="Replay this one; as a rule found by question.")
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="Append trace lines.")] = None,
    audit: Annotated[Path | None, typer.Option(help="Append audit lines.")] = None,
    allow_large_refunds: Annotated[
        bool, typer.Option("--allow-large-refunds", help="Lift the refund limit.")
    ] = False,
) -> None:
    """Let the finished agent answer a recorded question.

    On a terminal you are asked about a refund that the limit denies.
    """
    from labkit.replayed_run import run_replayed

    told = run_replayed(
        question,
        agent=agent,
        recording=recording,
        trace=trace,
        audit=audit,
        allow_large_refunds=allow_large_refunds,
        approve=_asked if sys.stdin.isatty() else None,
    )
    typer.echo("\n".join(told.lines()))
    raise typer.Exit(0 if told.result.stopped_by == "answered" else 1)


@app.command(name="eval")
def evaluate(
    agent: Annotated[Path, typer.Argument(help="A file with a MyAgent in it.")],
    cases: Annotated[
        Path | None,
        typer.Option(help="Cases, .json or .jsonl; without it the shop's own six."),
    ] = None,
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
    trial = try_agent(agent, chosen, threshold, seed, tracked)
    report = outputs.to_json(trial)
    told = list(outputs.changes(earlier, report)) if earlier else []
    if junit:
        junit.write_text(outputs.junit(trial), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(report | ({"changes": told} if earlier else {})))
    else:
        typer.echo("\n".join([eval_table(chosen, report, threshold).text, *told]))
    raise typer.Exit(trial.report.exit_code)


@app.command()
def doctor() -> None:
    """Try everything the lab needs on this machine."""
    from rich.console import Console
    from rich.table import Table

    from labkit.doctor import examine

    findings = examine()
    table = Table(box=None, show_header=False)
    for finding in findings:
        sign = "✓" if finding.works else "✗"
        table.add_row(sign, finding.name, finding.seen)
    Console().print(table)
    raise typer.Exit(0 if all(finding.works for finding in findings) else 2)


@dev.command()
def new(
    lesson: Annotated[str, typer.Argument(help="Such as lesson_04_budgets.")],
    title: Annotated[str, typer.Argument(help='Such as "The budgets".')],
) -> None:
    """Lay out every place of a new lesson."""
    from labkit.authoring.scaffold import scaffold

    for path in scaffold(lesson, title):
        typer.echo(f"wrote {path}")


@dev.command()
def build(
    lesson: Annotated[
        str | None, typer.Argument(help="One notebook; else all.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what is not built.")
    ] = False,
) -> None:
    """Build the learner's and the solved notebook from their source."""
    from labkit.authoring.build import build, sources, stale
    from labkit.authoring.table import readme, with_table

    chosen = [path for path in sources() if lesson in (None, path.stem)]
    if not chosen:
        raise LabError(f"There is no notebook source {lesson!r}.")
    text = readme().read_text(encoding="utf-8")
    if check:
        faults = [fault for path in chosen for fault in stale(path)]
        if with_table(text) != text:
            faults.append("README.md has another table of notebooks; build it")
        typer.echo("".join(f"✗ {fault}\n" for fault in faults), nl=False)
        raise typer.Exit(1 if faults else 0)
    for path in chosen:
        for changed in build(path):
            typer.echo(f"built {changed}")
    readme().write_text(with_table(text), encoding="utf-8")


@dev.command()
def verify(
    lesson: Annotated[str | None, typer.Argument(help="One lesson; else all.")] = None,
) -> None:
    """Prove that the checks pass what is right and catch what is wrong."""
    from labkit.authoring.inventory import stray_files
    from labkit.authoring.verify import answers, hole_sizes, verify
    from labkit.lab import lessons

    faults = 0
    for name in [lesson] if lesson else lessons():
        found = list(verify(name))
        counts = f"{len(answers(name, 'wrong'))} wrong, {len(answers(name, 'right'))}"
        typer.echo(f"{'✗' if found else '✓'} {name}: {counts} right answers")
        typer.echo("".join(f"  {fault}\n" for fault in found), nl=False)
        typer.echo(f"  holes: {', '.join(hole_sizes(name)) or 'no notebook yet'}")
        faults += len(found)
    for fault in [] if lesson else stray_files():
        typer.echo(f"✗ {fault}")
        faults += 1
    raise typer.Exit(1 if faults else 0)


def _asked(name: str, args: dict[str, Any], reason: str) -> bool:
    """What the person at the terminal says; without an answer it is no."""
    call = f"{name}({json.dumps(args)})"
    typer.echo(f"The model asks for {visible(call)}: {visible(reason)}.", err=True)
    try:
        return typer.confirm("Approve it?", default=False, err=True)
    except typer.Abort:
        return False


def main() -> None:
    """Run the command line; an error meant for the user is one line and status 2."""
    try:
        app()
    except (LabError, OSError) as error:
        typer.echo(f"labkit: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
