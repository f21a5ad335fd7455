"""A number with what it counts, as one says it: 1 call, 2 calls, 3 copies of a file."""


def quantity(number: int | str, what: str) -> str:
    """A number and what it counts, in the plural unless there is just one.

    What stands before " of " is what is counted.
    """
    counted, of, rest = what.partition(" of ")
    if str(number) != "1":
        counted = f"{counted[:-1]}ies" if counted.endswith("y") else f"{counted}s"
    return f"{number} {counted}{of}{rest}"
