"""`labkit start`, `check`, `assemble`, `doctor`: what a learner needs."""

import json
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


def assemble(
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Your notebooks; else found from here.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write.")] = Path("my_agent"),
) -> None:
    """Join the parts that passed to an agent.py that needs no labkit."""
    from labkit.assembly.folder import assemble
    from labkit.assembly.saved import nearest

    work = Path("work")
    here = folder or (Path() if nearest(Path()).is_dir() else work)
    for sentence in assemble(here, out):
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
