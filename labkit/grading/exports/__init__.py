"""A graded batch for other programs: gradebooks, Gradescope, CI."""

from pathlib import Path


def write_all(out: Path) -> list[str]:
    """Write every export and every student's page into a graded folder.

    What comes back says what was written where, a line each.
    """
    from labkit.grading import pages
    from labkit.grading.exports import gradebook, gradescope, junit
    from labkit.grading.results import Results

    results = Results(out)
    kinds = (gradebook, gradescope, junit, pages)
    return [line for kind in kinds for line in kind.write(results)]
