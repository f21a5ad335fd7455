"""Submissions of one lesson that are alike, and in which way, for a person to judge."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from labkit.display.report import one_line
from labkit.grading.alike import groups, pairs
from labkit.grading.code_tokens import Token
from labkit.grading.own_code import (
    FEWEST,
    LessonCode,
    Piece,
    Shingles,
    shingles_of,
)

LONGEST_PASSAGE = 8
MOST_TOKENS = 1000
# In more than this share of a class, it is what anybody would write.
USUAL = 0.1


@dataclass(frozen=True)
class Answer:
    """A student's code in one lesson, cell by cell; equal files have one digest."""

    student: str
    sha256: str
    cells: list[str]


@dataclass
class Group:
    """Students whose answers are alike: the closest two, and what these share.

    `similarity` and `names` are shares, 0 to 1: of short passages with names left out,
    and of the names in what both have in the same order. `usual` says that so many
    wrote this that nobody need have copied it.
    """

    students: list[str]
    closest: tuple[str, str]
    similarity: float
    names: float
    passage: list[str]
    usual: bool


@dataclass
class Similar:
    """What was found in one lesson; `short` answers are too short to tell."""

    compared: int = 0
    short: int = 0
    same_file: list[list[str]] = field(default_factory=list)
    finished: dict[str, list[str]] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)


def similar(code: LessonCode, answers: Iterable[Answer]) -> Similar:
    """Who handed in the same file, the finished code, or something alike."""
    found = Similar()
    holders: dict[str, list[str]] = {}
    kept: list[tuple[Answer, Shingles]] = []
    for answer in answers:
        holders.setdefault(answer.sha256, []).append(answer.student)
        if len(holders[answer.sha256]) == 1:
            kept.append((answer, shingles_of(code.own(answer.cells))))
    found.same_file = [who for each in holders.values() if len(who := _once(each)) > 1]
    found.compared = len(kept)
    left = []
    for answer, shingles in kept:
        copied = code.copied_parts(shingles)
        for part in copied:
            found.finished.setdefault(part, []).extend(_once(holders[answer.sha256]))
        rest = shingles.difference(*(code.finished[part] for part in copied))
        found.short += len(shingles) < FEWEST
        if len(rest) >= FEWEST:
            left.append((answer, rest))
    found.groups = _groups(code, left, holders)
    return found


def _groups(
    code: LessonCode,
    answers: list[tuple[Answer, Shingles]],
    holders: dict[str, list[str]],
) -> list[Group]:
    made = []
    for together in groups(list(pairs([shingles for _, shingles in answers]))):
        places = sorted({place for _, *both in together for place in both})
        digests = [answers[place][0].sha256 for place in places]
        students = _once(student for digest in digests for student in holders[digest])
        if len(students) < 2:
            continue  # one student's two versions
        how_much, one, other = together[0]
        first, second = answers[one][0], answers[other][0]
        names, passage = shared(code, first.cells, second.cells)
        usual = len(students) > max(10, USUAL * len(answers))
        closest = (first.student, second.student)
        made.append(Group(students, closest, how_much, names, passage, usual))
    return made


def shared(
    code: LessonCode, one: list[str], other: list[str]
) -> tuple[float, list[str]]:
    """The share of names that two answers have in common, and the longest passage.

    Of the passage, the first lines as they stand in the first answer.
    """
    left, right = (
        [(t, piece) for piece in code.own(cells) for t in piece.tokens][:MOST_TOKENS]
        for cells in (one, other)
    )
    rows = [[token.kind for token, _ in side] for side in (left, right)]
    matcher = SequenceMatcher(None, rows[0], rows[1], autojunk=False)
    blocks = matcher.get_matching_blocks()
    names = [
        left[block.a + n][0].text == right[block.b + n][0].text
        for block in blocks
        for n in range(block.size)
        if left[block.a + n][0].kind == "n"
    ]
    longest = max(blocks, key=lambda block: block.size)
    passage = _lines(left[longest.a : longest.a + longest.size])
    return sum(names) / (len(names) or 1), passage


def _lines(tokens: list[tuple[Token, Piece]]) -> list[str]:
    """The first lines on which tokens stand, indented, without control characters."""
    where = dict.fromkeys((piece.cell, token.line) for token, piece in tokens)
    lines = [cell.split("\n")[line - 1] for cell, line in where]
    return [
        " " * (len(line) - len(line.lstrip())) + one_line(line)
        for line in lines[:LONGEST_PASSAGE]
    ]


def _once(students: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(students))
