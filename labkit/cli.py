"""The command line: `labkit check`, `run`, `doctor`, `dev verify`.

Exit status 0: all passed; 1: something did not pass; 2: the command or the lab is wrong.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

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
def check(
    lesson: Annotated[str, typer.Argument(help="The lesson, such as lesson_03_loop.")],
    file: Annotated[Path, typer.Argument(help="A .ipynb or .py file.")],
    seed: Annotated[int, typer.Option(help="Which shop: ids and figures.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check one submission, in a process of its own."""
    from labkit.checking.check import load_checker
    from labkit.checking.judge import judge
    from labkit.checking.place import Spawned
    from labkit.checking.render import as_text
    from labkit.checking.submission import read_submission

    checker = load_checker(lesson)
    submission = read_submission(file)
    report = judge(checker, Spawned(submission, checker.parts), submission.name, seed)
    typer.echo(json.dumps(report.to_json()) if as_json else as_text(report))
    raise typer.Exit(report.exit_code)


def main() -> None:
    """Run the command line; an error meant for the user is one line and status 2."""
    try:
        app()
    except LabError as error:
        typer.echo(f"labkit: {error}", err=True)
        sys.exit(2)
