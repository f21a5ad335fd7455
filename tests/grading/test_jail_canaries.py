"""The doctor's canaries see a jail that holds, and one that does not."""

import sys

import pytest

from labkit.checking.place import Caps
from labkit.errors import LabError
from labkit.grading.canaries import try_canaries
from labkit.grading.grounds import Jail
from labkit.grading.weak import WeakGrounds

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="jails are Linux'"),
    pytest.mark.xdist_group("jail"),
]


@pytest.mark.parametrize("tier", ["namespaces", "landlock"])
def test_a_jail_holds_them_all(tier: str) -> None:
    jail = Jail(tier, Caps())
    try:
        assert "ways out are shut" in try_canaries(jail)
    finally:
        jail.close()


def test_without_a_jail_they_are_seen_outside() -> None:
    weak = WeakGrounds()
    try:
        with pytest.raises(
            LabError, match=r"must not: .*'read a check'.*'start a prog"
        ):
            try_canaries(weak)
    finally:
        weak.close()
