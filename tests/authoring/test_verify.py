"""Each lesson proves itself; and the proof notices what is wrong with a lesson."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from labkit import lab
from labkit.authoring import verify as proof
from labkit.authoring.inventory import inventory_faults, stray_files
from labkit.checking.check import load_checker

LESSON = "lesson_03_loop"


@pytest.mark.parametrize("lesson", lab.lessons())
def test_a_lesson_holds_what_it_promises(lesson: str) -> None:
    assert list(proof.verify(lesson)) == []


def test_no_file_belongs_to_no_lesson() -> None:
    assert list(stray_files()) == []


def test_a_wrong_answer_must_name_a_check(lab_copy: Path) -> None:
    wrong = lab_copy / "checkers" / "wrong" / LESSON / "no_id.py"
    text = wrong.read_text().replace("fails: answers_each_call", "fails: nothing")
    wrong.write_text(text)
    faults = list(proof._caught(load_checker(LESSON), wrong))
    assert faults == [
        'wrong/no_id.py: the first line must be """fails: name_of_a_check"""'
    ]


def test_a_wrong_answer_must_turn_the_named_check_red_first(lab_copy: Path) -> None:
    wrong = lab_copy / "checkers" / "wrong" / LESSON / "no_id.py"
    text = wrong.read_text().replace("answers_each_call", "answers_at_once")
    wrong.write_text(text)
    faults = list(proof._caught(load_checker(LESSON), wrong))
    assert faults == [
        "wrong/no_id.py: answers_each_call is red first, not answers_at_once"
    ]


def test_a_right_answer_among_the_wrong_ones_is_noticed(lab_copy: Path) -> None:
    folder = lab_copy / "checkers"
    wrong = folder / "wrong" / LESSON / "passes.py"
    right = (folder / "right" / LESSON / "small_methods.py").read_text()
    wrong.write_text(f'"""fails: answers_at_once"""\n{right}')
    faults = list(proof._caught(load_checker(LESSON), wrong))
    assert faults == ["wrong/passes.py: passes every check"]


def test_an_unused_recording_is_noticed(lab_copy: Path) -> None:
    source = lab_copy / "recordings" / LESSON / "at_once.jsonl"
    shutil.copy(source, source.with_name("nobody_asks.jsonl"))
    assert list(inventory_faults(load_checker(LESSON))) == [
        f"recordings/{LESSON}/nobody_asks.jsonl is used by nothing"
    ]


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        ('["", "What?"]', "the hints of step have an empty one"),
        ('["Do this."]', "the first hint of step asks no question"),
        ('["Why? " + "word " * 50]', "a hint of step has 51 words"),
    ],
)
def test_hints_are_a_ladder_that_begins_with_a_question(
    lab_copy: Path, new: str, fault: str
) -> None:
    checker = load_checker(LESSON)
    hints = {"step": eval(new)}
    [found] = inventory_faults(replace(checker, hints=hints))
    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("learned", "fault"),
    [(" ", "LEARNED is missing"), ("word " * 50, "LEARNED has 50 words")],
)
def test_a_lesson_says_in_one_sentence_what_was_learned(
    lab_copy: Path, learned: str, fault: str
) -> None:
    [found] = inventory_faults(replace(load_checker(LESSON), learned=learned))
    assert found.startswith(fault)


@pytest.mark.parametrize(
    "stray",
    [
        "checkers/notes.txt",
        "checkers/wrong/lesson_99_x/a.py",
        "checkers/right/a.py",
        "recordings/lesson_99_x/a.jsonl",
        "recordings/lesson_03_loop/a.json",
    ],
)
def test_a_stray_file_is_named(lab_copy: Path, stray: str) -> None:
    (lab_copy / stray).parent.mkdir(parents=True, exist_ok=True)
    (lab_copy / stray).write_text("x")
    assert list(stray_files()) == [f"{stray} belongs to no lesson"]
