"""Which of thousands of answers are alike, without comparing each with each."""

from collections import Counter
from collections.abc import Iterator
from math import ceil

from labkit.grading.own_code import Shingles

ALIKE = 0.8
# An answer is compared with so many that hold the same passage, and not with all: what
# occurs in more answers than this says little, and the time stays linear.
COMPARED = 50

Pair = tuple[float, int, int]


def similarity(one: Shingles, other: Shingles) -> float:
    """How much of all that is in two answers is in both, 0 to 1 (Jaccard)."""
    return len(one & other) / (len(one | other) or 1)


def pairs(answers: list[Shingles], least: float = ALIKE) -> Iterator[Pair]:
    """The pairs that are at least so much alike: how much, and their places.

    Two answers that are alike share at least one of their rarest shingles, for there is
    no room for so many differences; so only those that share one are compared (prefix
    filtering: Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", 2007).
    """
    often = Counter(shingle for answer in answers for shingle in answer)
    holders: dict[int, list[int]] = {}
    for place in sorted(range(len(answers)), key=lambda n: len(answers[n])):
        answer = answers[place]
        rarest_first = sorted(answer, key=lambda shingle: (often[shingle], shingle))
        rarest = rarest_first[: len(answer) - ceil(least * len(answer)) + 1]
        near = {n for shingle in rarest for n in holders.get(shingle, ())}
        for other in sorted(near):
            if len(answers[other]) < least * len(answer):
                continue  # too short to be so much alike
            how_much = similarity(answer, answers[other])
            if how_much >= least:
                yield how_much, other, place
        for shingle in rarest:
            if len(kept := holders.setdefault(shingle, [])) < COMPARED:
                kept.append(place)


def groups(found: list[Pair]) -> list[list[Pair]]:
    """The pairs by what hangs together, the most alike first."""
    leader: dict[int, int] = {}

    def lead(place: int) -> int:
        while leader.setdefault(place, place) != place:
            leader[place] = place = leader[leader[place]]
        return place

    for _, one, other in found:
        leader[lead(one)] = lead(other)
    together: dict[int, list[Pair]] = {}
    for pair in sorted(found, key=lambda pair: (-pair[0], pair[1:])):
        together.setdefault(lead(pair[1]), []).append(pair)
    return list(together.values())
