"""The charts of a class report, where matplotlib is installed; tables say the same."""

import base64
import io
from importlib.util import find_spec
from typing import Any

PASSED, FAILED, OTHER = (
    "#0072b2",
    "#d55e00",
    "#bbbbbb",
)  # told apart by the colour-blind


def figure(lesson: dict[str, Any]) -> str:
    """A lesson's scores and checks as the address of a picture; "" without matplotlib.

    As a picture of its own, nothing in it can act on the page.
    """
    if find_spec("matplotlib") is None or not lesson["checks"]:
        return ""
    import matplotlib
    from matplotlib.figure import Figure

    checks = lesson["checks"]
    with matplotlib.rc_context({"svg.hashsalt": "labkit", "svg.fonttype": "none"}):
        drawn = Figure(figsize=(11, 1.6 + 0.32 * len(checks)), layout="constrained")
        left, right = drawn.subplots(1, 2, width_ratios=(2, 3))
        _scores(left, lesson)
        _outcomes(right, checks)
        file = io.BytesIO()
        drawn.savefig(file, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode()}"


def _scores(axes: Any, lesson: dict[str, Any]) -> None:
    points, students = zip(*lesson["scores"])
    axes.bar(points, students, color=PASSED)
    axes.set_title("Scores")
    axes.set_xlim(-0.7, lesson["points"] + 0.7)
    axes.set_xlabel("points")
    axes.set_ylabel("students")
    axes.yaxis.get_major_locator().set_params(integer=True)


def _outcomes(axes: Any, checks: list[dict[str, Any]]) -> None:
    names = [check["id"] for check in checks]
    passed = [check["outcomes"].get("passed", 0) for check in checks]
    failed = [check["failed"] for check in checks]
    others = [
        sum(check["outcomes"].values()) - p - f
        for check, p, f in zip(checks, passed, failed)
    ]
    left = [0] * len(checks)
    kinds = (("passed", passed, PASSED), ("failed", failed, FAILED))
    for name, counts, colour in (*kinds, ("not judged", others, OTHER)):
        axes.barh(names, counts, left=left, color=colour, label=name)
        left = [a + b for a, b in zip(left, counts)]
    axes.invert_yaxis()
    axes.set_title("Checks")
    axes.set_xlabel("students")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3)
