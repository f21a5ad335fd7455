"""`labkit start`, `check`, `progress`, `reset`, …: what a learner needs."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


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


def check(
    lesson: Annotated[str, typer.Argument(help="The lesson, such as lesson_03_loop.")],
    file: Annotated[Path, typer.Argument(help="A .ipynb or .py file.")],
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check one submission, in a process of its own."""
    from labkit.assembly.saved import nearest
    from labkit.checking.check import load_checker
    from labkit.checking.judge import judge
    from labkit.checking.process import Spawned
    from labkit.checking.submission import read_submission
    from labkit.display.report import as_text
    from labkit.progress import keep_progress

    checker = load_checker(lesson)
    submission = read_submission(file)
    report = judge(checker, Spawned(submission, checker.parts), submission.name, seed)
    if nearest(file.parent).is_dir():  # a learner's folder
        report.notes += keep_progress(report, file.parent)
    typer.echo(json.dumps(report.to_json()) if as_json else as_text(report))
    raise typer.Exit(report.exit_code)


def assemble(
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Your notebooks; else found from here.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write.")] = Path("my_agent"),
) -> None:
    """Join the parts that passed to an agent.py that needs no labkit."""
    from labkit.assembly.folder import assemble
    from labkit.assembly.saved import work_folder

    for sentence in assemble(work_folder(folder), out):
        typer.echo(sentence)


def progress(
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Your notebooks; else found from here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show which lessons and checks pass, and what is next.

    Where no terminal is, a line for each lesson, by tabs: lesson, checks that pass,
    checks that ever passed, all checks, parts that pass, all parts.
    """
    from labkit.assembly.saved import work_folder
    from labkit.display import lesson_progress
    from labkit.errors import LabError
    from labkit.progress import progress

    here = work_folder(folder)
    if not here.is_dir():
        raise LabError(f"There is no folder {here}; name yours with --dir.")
    lessons = progress(here)
    if as_json:
        typer.echo(json.dumps(lesson_progress.as_json(lessons)))
    elif sys.stdout.isatty():
        typer.echo(lesson_progress.bars(lessons).text)
    else:
        typer.echo("\n".join(map(lesson_progress.tabbed, lessons)))


def reset(
    lesson: Annotated[str, typer.Argument(help="A notebook, such as lesson_03_loop.")],
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Your notebooks; else found from here.")
    ] = None,
) -> None:
    """Put a fresh notebook in place of yours, which is kept beside it."""
    from labkit.assembly.saved import work_folder
    from labkit.start import reset

    for sentence in reset(lesson, work_folder(folder)):
        typer.echo(sentence)


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
