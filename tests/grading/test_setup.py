"""What is ordered is refused in a sentence where it makes no sense."""

from pathlib import Path

import pytest

from labkit.errors import LabError
from labkit.grading.batch import Show
from labkit.grading.plan import Plan
from labkit.grading.setup import Order, carry_out
from labkit.grading.shards import Shard
from tests.grading.batches import LESSON, hand_in, right


def nothing_shown(made: Plan) -> Show:
    return lambda record: None


@pytest.mark.parametrize("out", [".", "graded", "ann/../graded/deep"])
def test_results_do_not_go_where_submissions_lie(tmp_path: Path, out: str) -> None:
    folder = hand_in(tmp_path / "in", ann=right())
    with pytest.raises(LabError, match="give an --out outside of it"):
        Order([folder], folder / out)
    assert sorted(path.name for path in folder.iterdir()) == ["ann"]


def test_results_may_lie_beside_submissions(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right())
    Order([folder], tmp_path / "in-graded")
    Order([folder], tmp_path)


def test_a_shard_without_students_is_no_fault(tmp_path: Path) -> None:
    shard = Shard(1, 9)
    assert not shard.holds("ann")
    folder = hand_in(tmp_path / "in", ann=right())
    order = Order([folder], tmp_path / "out", [LESSON], seed=7, shard=shard)
    order.allow_weak = True
    assert carry_out(order, nothing_shown).exit_code == 0
