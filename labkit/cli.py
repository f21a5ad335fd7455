"""The command line: every command of `labkit`, and how an error ends one.

Exit status 0: all passed; 1: something did not; 2: the command or the lab is wrong.
"""

import io
import sys

import typer

from labkit.commands import agents, authors, instructors, learners
from labkit.errors import LabError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Loop Lab: write an AI agent's tool loop by hand, checked without a key.",
)
dev = typer.Typer(no_args_is_help=True, help="For those who write lessons.")
app.add_typer(dev, name="dev")

app.command()(learners.start)
app.command()(learners.check)
app.command()(learners.assemble)
app.command()(learners.progress)
app.command()(learners.reset)
app.command()(learners.doctor)
app.command()(agents.run)
app.command(name="eval")(agents.evaluate)
app.command()(agents.survive)
app.command()(agents.record)
app.command()(agents.serve)
app.command()(instructors.grade)
app.command()(instructors.merge)
app.command()(instructors.report)
dev.command()(authors.new)
dev.command()(authors.build)
dev.command()(authors.verify)
dev.command()(authors.autograder)
dev.command()(authors.site)


def main() -> None:
    """Run the command line; an error meant for the user is one line and status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # in Windows' old pages there is no ✓
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except (LabError, OSError) as error:
        typer.echo(f"labkit: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
