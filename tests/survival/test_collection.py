"""The collection is whole, told in our own words, and found by id and by name."""

from collections import Counter

import pytest

from labkit import LabError
from labkit.checking.fixtures import FIXTURES
from labkit.lab import lab_folder
from labkit.replay import Recording
from labkit.shop import TOOLS
from labkit.survival.collection import LAYERS, failures, waiting

FILES = sorted((lab_folder() / "recordings" / "failures").glob("*.jsonl"))
FAILURES = failures()
each = pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
# As many as the reports that the collection was made from.
REPORTS = 101


def test_each_file_is_a_failure_and_stands_in_its_layers_place() -> None:
    assert sorted(failure.name for failure in FAILURES) == [f.stem for f in FILES]
    ids = [failure.header["id"] for failure in FAILURES]
    assert ids == sorted(ids, key=lambda id: (LAYERS.index(id[0]), id))


def test_every_report_is_recorded_or_waits_and_none_does_both() -> None:
    ids = [failure.header["id"] for failure in FAILURES]
    ids += [entry.id for entry in waiting()]
    assert [id for id, count in Counter(ids).items() if count > 1] == []
    assert len(ids) == REPORTS


def test_what_waits_waits_for_a_lesson_of_part_2() -> None:
    for entry in waiting():
        assert "lesson_09" <= entry.lesson < "lesson_17", entry
        assert entry.source.startswith("https://")
        assert entry.title


def test_what_waits_for_one_lesson_stands_together() -> None:
    lessons = [entry.lesson for entry in waiting()]
    assert lessons == sorted(lessons)


@each
def test_a_failure_names_its_report_and_was_written_by_hand(failure: Recording) -> None:
    assert failure.header["origin"] == "invented"
    assert failure.header["source"].startswith("https://")
    assert failure.header["right"]["does"].endswith(".")
    assert not failure.header["title"].endswith(".")


@each
def test_a_setup_names_tools_and_fixtures_there_are(failure: Recording) -> None:
    names = {tool["function"]["name"] for tool in TOOLS}
    instead = failure.header.get("setup", {}).get("instead", {})
    assert instead.keys() <= names
    assert {fixture["fixture"] for fixture in instead.values()} <= FIXTURES.keys()
    assert set(failure.header["right"].get("tools", [])) <= names


@pytest.mark.parametrize("only", ["B10", "cut_inside_the_arguments"])
def test_one_is_chosen_by_its_id_or_its_name(only: str) -> None:
    assert [f.name for f in failures(only=only)] == ["cut_inside_the_arguments"]


def test_the_figures_are_those_of_the_seeded_shop() -> None:
    amounts = {failures(seed, "B17")[0].question for seed in range(3)}
    assert len(amounts) == 3


@pytest.mark.parametrize(
    ("only", "told"),
    [
        ("B11", "no failure 'B11'; there are: B01, B03,"),
        ("cut_inside_arguments", "did you mean cut_inside_the_arguments?"),
        ("S01", "S01 waits for lesson_12_streaming"),
    ],
)
def test_one_there_is_not_is_told_in_a_sentence(only: str, told: str) -> None:
    with pytest.raises(LabError) as refused:
        failures(only=only)
    assert told in str(refused.value)
