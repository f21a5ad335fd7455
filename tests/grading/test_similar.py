"""Answers that are alike are found; answers of one's own are left in peace."""

import random
import re
from pathlib import Path

import pytest

from labkit.checking.submission import read_submission
from labkit.grading.alike import groups, pairs, similarity
from labkit.grading.code_tokens import code_tokens
from labkit.grading.own_code import LessonCode, lesson_code, shingles_of
from labkit.grading.similar import Answer, Group, Similar, similar
from labkit.lab import lab_folder, lessons
from tests.grading.graded_folder import LOOP, answer


@pytest.fixture(scope="module")
def code() -> LessonCode:
    return lesson_code(LOOP)


def cells(path: Path) -> list[str]:
    return [cell.source for cell in read_submission(path).cells]


def notebook(lesson: str, kind: str = "") -> list[str]:
    return cells(lab_folder() / "notebooks" / kind / f"{lesson}.ipynb")


def handed_in(**students: list[str]) -> list[Answer]:
    return [Answer(name, repr(text), text) for name, text in students.items()]


def rewritten(source: str) -> str:
    """The same code with other names and texts, other remarks and more room."""
    source = re.sub(r"\b(result|response|message|call|content)\b", r"my_\1", source)
    source = re.sub(r'"""fails.*?"""', '"""mine"""', source)
    return source.replace("\n", "  # mine\n\n")


def found_in(code: LessonCode, **students: list[str]) -> Similar:
    return similar(code, handed_in(**students))


def only_group(found: Similar) -> Group:
    [group] = found.groups
    return group


def test_other_names_texts_remarks_and_layout_hide_nothing(code: LessonCode) -> None:
    [one] = cells(answer(LOOP, "right", "small_methods"))
    group = only_group(found_in(code, ann=[one], ben=[rewritten(one)]))
    assert group.students == ["ann", "ben"]
    assert group.similarity > 0.9
    assert group.names < 1
    assert any("def " in line for line in group.passage)


def test_a_moved_and_extended_copy_is_still_alike(code: LessonCode) -> None:
    [one] = cells(answer(LOOP, "right", "small_methods"))
    more = f"{one}\n\ndef count(things):\n    return len(list(things)) + 1\n"
    group = only_group(found_in(code, ann=[one], ben=[more]))
    assert 0.8 <= group.similarity < 1


@pytest.mark.parametrize("lesson", lessons())
def test_answers_written_apart_are_not_alike(lesson: str) -> None:
    folder = lab_folder() / "checkers" / "right" / lesson
    apart = {path.stem: cells(path) for path in folder.glob("*.py")}
    found = similar(lesson_code(lesson), handed_in(**apart))
    for group in found.groups:
        # Written as one: the second is the first with a class in between.
        assert set(group.students) == {"class_between", "reference_style"}


@pytest.mark.parametrize("lesson", lessons())
def test_the_finished_code_is_named_as_such(lesson: str) -> None:
    code = lesson_code(lesson)
    found = similar(code, handed_in(ann=notebook(lesson, "solved")))
    long = {part for part, shingles in code.finished.items() if len(shingles) >= 40}
    assert found.finished == {part: ["ann"] for part in long}


def test_two_copies_of_the_finished_code_are_no_group(code: LessonCode) -> None:
    solved = notebook(LOOP, "solved")
    found = found_in(code, ann=solved, ben=[*solved, "x = 1"])
    assert found.finished == {"step": ["ann", "ben"]}
    assert found.groups == []


@pytest.mark.parametrize("lesson", lessons())
def test_what_the_notebook_gives_does_not_count(lesson: str) -> None:
    given = notebook(lesson)
    found = similar(lesson_code(lesson), handed_in(ann=given, ben=[*given, "x = 1"]))
    assert (found.groups, found.finished, found.short) == ([], {}, 2)


def test_given_cells_do_not_count_where_they_were_joined_to_one(
    code: LessonCode,
) -> None:
    given = "\n\n".join(notebook(LOOP))
    assert len(shingles_of(code.own([given]))) < 40


def test_the_same_file_is_told_apart_from_what_is_alike(code: LessonCode) -> None:
    one = cells(answer(LOOP, "right", "small_methods"))
    answers = [Answer(name, "same digest", one) for name in ("ann", "ben", "ann")]
    found = similar(code, answers)
    assert found.same_file == [["ann", "ben"]]
    assert found.groups == []
    assert found.compared == 1


def test_two_versions_of_one_student_are_nobodys_business(code: LessonCode) -> None:
    one = cells(answer(LOOP, "right", "small_methods"))
    answers = [Answer("ann", "1", one), Answer("ann", "2", [*one, "x = 1"])]
    assert similar(code, answers).groups == []


def test_what_half_a_class_writes_is_called_usual(code: LessonCode) -> None:
    [one] = cells(answer(LOOP, "right", "small_methods"))
    many = {f"s{n}": [f"{one}\nscratch_{n} = 1\n"] for n in range(12)}
    assert only_group(found_in(code, **many)).usual
    few = dict(list(many.items())[:5])
    assert not only_group(found_in(code, **few)).usual


@pytest.mark.parametrize(
    "source",
    ["x = (", "'''", "def f(:\n  \x00", "(" * 500, "  a\n b\n  c", "x = $ ?", "\ud800"],
)
def test_what_is_no_python_is_read_as_far_as_it_goes(source: str) -> None:
    tokens = code_tokens(f"before = 1\n{source}\n")
    assert [token.text for token in tokens][:3] == ["before", "=", "1"]


def test_a_text_with_fields_is_one_token() -> None:
    kinds = [token.kind for token in code_tokens('say(f"{a!r:>{w}} {b}", "c")\n')]
    assert kinds == ["n", "(", "s", ",", "s", ")"]


def test_remarks_docstrings_and_magics_are_no_code() -> None:
    source = '"""what"""\n%time x\n# remark\ndef f():\n    "doc"\n    return "text"\n'
    texts = [token.text for token in code_tokens(source)]
    assert texts == ["def", "f", "(", ")", ":", "return", '"text"']


def sets(number: int, seed: int = 1) -> list[frozenset[int]]:
    """Sets in which some are close to others, some are not."""
    draw = random.Random(seed)
    made = [frozenset(draw.sample(range(5000), 60)) for _ in range(number // 2)]
    for near in made[: number - len(made)]:
        kept = draw.sample(sorted(near), draw.randint(40, 60))
        made.append(frozenset(kept) | {draw.randrange(5000, 9000)})
    return made


def test_what_is_found_is_what_comparing_all_would_find() -> None:
    made = sets(200)
    everything = {
        (a, b)
        for b in range(len(made))
        for a in range(b)
        if similarity(made[a], made[b]) >= 0.8
    }
    assert len(everything) > 20
    assert {tuple(sorted(both)) for _, *both in pairs(made)} == everything


def test_groups_hang_together_and_begin_with_the_closest() -> None:
    made = groups([(0.8, 0, 1), (0.9, 1, 2), (0.85, 5, 6)])
    assert made == [[(0.9, 1, 2), (0.8, 0, 1)], [(0.85, 5, 6)]]
