"""`labkit dev …`: what those need who write lessons."""

from pathlib import Path
from typing import Annotated

import typer

from labkit.errors import LabError


def new(
    lesson: Annotated[str, typer.Argument(help="Such as lesson_04_budgets.")],
    title: Annotated[str, typer.Argument(help='Such as "The budgets".')],
) -> None:
    """Lay out every place of a new lesson."""
    from labkit.authoring.scaffold import scaffold

    for path in scaffold(lesson, title):
        typer.echo(f"wrote {path}")


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


def autograder(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons it grades; else all.", metavar="LESSON"),
    ] = None,
    out: Annotated[Path, typer.Option(help="The zip to write.")] = Path(
        "autograder.zip"
    ),
    allow_weak_isolation: Annotated[
        bool,
        typer.Option(
            "--allow-weak-isolation",
            help="Grade also where the container allows no jail.",
        ),
    ] = False,
) -> None:
    """Make the zip with which Gradescope grades by labkit."""
    from labkit.grading.autograder import write_autograder

    held = write_autograder(lessons or [], out, allow_weak_isolation)
    typer.echo("\n".join([f"wrote {out}", *held]))


def site(
    out: Annotated[Path, typer.Argument(help="A new folder, to be served as it is.")],
) -> None:
    """Build the browser edition: a static site that needs no set-up and no key."""
    from labkit.authoring.site import build_site

    size = build_site(out)
    typer.echo(f"wrote {out}: {size / 1e6:.1f} MB; serve it, for example with")
    typer.echo(f"  python3 -m http.server --bind 127.0.0.1 --directory {out}")
