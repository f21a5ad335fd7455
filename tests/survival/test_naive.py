"""Each failure can be lost: some agent with one mistake loses it."""

import pytest

from labkit import Agent
from labkit.survival.collection import failures
from labkit.survival.survey import survey_class
from tests.survival.naive import LOSES

KNOWN = {failure.header["id"]: failure for failure in failures()}


@pytest.mark.parametrize("naive", LOSES, ids=lambda agent: agent.__name__)
def test_one_mistake_loses_what_it_should(naive: type[Agent]) -> None:
    ids = LOSES[naive].split()
    survey = survey_class(naive, "naive", [KNOWN[id] for id in ids])
    assert [outcome.failure.header["id"] for outcome in survey.lost] == ids


def test_no_failure_is_survived_by_all_of_them() -> None:
    lost = {id for ids in LOSES.values() for id in ids.split()}
    assert KNOWN.keys() - lost == set()
