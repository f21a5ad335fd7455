"""`labkit grade`, `merge`, `report`: what is done with the submissions of a class."""

from pathlib import Path
from typing import Annotated

import typer

from labkit.errors import LabError


def grade(
    paths: Annotated[
        list[Path], typer.Argument(help="Files, folders or zips.", metavar="PATH...")
    ],
    out: Annotated[Path, typer.Option(help="The folder for what comes out.")],
    lessons: Annotated[
        list[str] | None,
        typer.Option(help="One lesson or several, by commas; else all."),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option(help="A CSV that says which file is whose.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Which shop, not the learners' 0; else drawn.")
    ] = None,
    slots: Annotated[
        int | None, typer.Option(min=1, help="How many run at a time.")
    ] = None,
    shard: Annotated[
        str | None, typer.Option(help="Only part i of N, such as 2/5.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="A dask scheduler, tls://… or on this machine.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Judge this corrected check again, on the evidence kept."),
    ] = None,
    allow_weak_isolation: Annotated[
        bool,
        typer.Option(
            "--allow-weak-isolation", help="Run code that you trust without a jail."
        ),
    ] = False,
) -> None:
    """Grade submissions; the same command again goes on where it was ended."""
    from labkit.display.progress import result_shown
    from labkit.grading import setup
    from labkit.grading.shards import shard as shard_of

    order = setup.Order(
        paths=paths,
        out=out,
        lessons=_listed(lessons),
        seed=seed,
        slots=slots,
        mapping=mapping,
        shard=shard_of(shard) if shard else None,
        cluster=cluster,
        allow_weak=allow_weak_isolation,
    )
    if only:
        from labkit.grading.rejudge import rejudge

        count = rejudge(order, _listed(only), typer.echo)
    else:
        with result_shown(typer.echo) as begin:
            count = setup.carry_out(order, lambda made: begin(made.total))
    _end(out, count.sentences(out), count.exit_code)


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Folders that were graded into.", metavar="DIR..."),
    ],
    out: Annotated[Path, typer.Option(help="The folder for all of them.")],
) -> None:
    """Join what shards have graded; joining again changes nothing."""
    from labkit.grading.count import counted
    from labkit.grading.shards import merge

    joined = merge(folders, out)
    try:
        count = counted(joined)
    finally:
        joined.close()
    _end(out, count.sentences(out), count.exit_code)


def report(
    folder: Annotated[
        Path, typer.Argument(help="A folder that was graded into.", metavar="DIR")
    ],
) -> None:
    """Write DIR/report.html and DIR/report.json on a graded class, and say the most."""
    from labkit.display.class_report import as_text
    from labkit.grading.class_report import write_report

    made, written = write_report(folder)
    typer.echo(as_text(made))
    typer.echo("\n".join(written), err=True)


def _end(out: Path, sentences: list[str], exit_code: int) -> None:
    """Write what other programs read, say what came of it, and exit."""
    from labkit.grading.exports import write_all

    for sentence in [*sentences, *write_all(out)]:
        typer.echo(sentence, err=True)
    raise typer.Exit(exit_code)


def _listed(words: list[str] | None) -> list[str]:
    """Words given one by one or by commas, as one list."""
    named = [word.strip() for given in words or [] for word in given.split(",")]
    if words and not all(named):
        raise LabError("A name between the commas is empty; leave the comma out.")
    return named
