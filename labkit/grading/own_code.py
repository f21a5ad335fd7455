"""A learner's own code in a lesson: without what was given, and free of names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby

from labkit.checking.check import load_checker
from labkit.checking.submission import read_submission
from labkit.finished import cut, target_of
from labkit.grading.code_tokens import Token, code_tokens
from labkit.lab import lab_folder

# Tokens in a row. Shorter ones occur in any code, longer ones break at each change.
SHINGLE = 8
GIVEN = 6
# Fewer shingles than this, about seven lines, are alike without being copied.
FEWEST = 40
# So much of the finished code is in a copy of it; an answer of one's own has a half.
COPIED = 0.9

Shingles = frozenset[int]


@dataclass(frozen=True)
class Piece:
    """Tokens in a row, and the cell they stand in."""

    cell: str
    tokens: list[Token]


@dataclass(frozen=True)
class LessonCode:
    """What a lesson gives, word by word, and the shingles of its finished parts."""

    cells: frozenset[str]
    given: frozenset[tuple[str, ...]]
    finished: dict[str, Shingles]

    def own(self, cells: Iterable[str]) -> list[Piece]:
        """The pieces of these cells that are not given."""
        new = (cell for cell in cells if cell.strip() not in self.cells)
        return [Piece(cell, row) for cell in new for row in self._rows(cell)]

    def _rows(self, cell: str) -> Iterator[list[Token]]:
        tokens = code_tokens(cell)
        texts = [token.text for token in tokens]
        given: set[int] = set()
        for begin in range(len(texts) - GIVEN + 1):
            if tuple(texts[begin : begin + GIVEN]) in self.given:
                given.update(range(begin, begin + GIVEN))
        numbered = enumerate(tokens)
        for is_given, row in groupby(numbered, key=lambda pair: pair[0] in given):
            if not is_given:
                yield [token for _, token in row]

    def copied_parts(self, shingles: Shingles) -> list[str]:
        """The parts that are the finished code, as far as it is long enough to tell."""
        return [
            part
            for part, finished in self.finished.items()
            if len(finished) >= FEWEST
            and len(shingles & finished) >= COPIED * len(finished)
        ]


def lesson_code(lesson: str) -> LessonCode:
    """The code of a lesson; LabError if there is no such lesson."""
    notebook = lab_folder() / "notebooks" / f"{lesson}.ipynb"
    sources = [c.source for c in read_submission(notebook).cells]
    rows = [[token.text for token in code_tokens(source)] for source in sources]
    given = {tuple(r[i : i + GIVEN]) for r in rows for i in range(len(r) - GIVEN + 1)}
    bare = LessonCode(frozenset(map(str.strip, sources)), frozenset(given), {})
    finished = {
        part: shingles_of(bare.own([cut(target_of(part)).text]))
        for part in load_checker(lesson).parts
    }
    return LessonCode(bare.cells, bare.given, finished)


def shingles_of(pieces: Iterable[Piece]) -> Shingles:
    """Digests of all short rows of kinds of tokens; alike for code with other names."""
    return frozenset(
        int.from_bytes(blake2b(row.encode(errors="replace"), digest_size=8).digest())
        for piece in pieces
        for row in _short_rows([token.kind for token in piece.tokens])
    )


def _short_rows(kinds: list[str]) -> Iterator[str]:
    for begin in range(max(1, len(kinds) - SHINGLE + 1)):
        yield " ".join(kinds[begin : begin + SHINGLE])
