"""Making an oversized tool result fit, and saying so."""


def truncate(text: str, limit: int) -> str:
    """`text` if it fits, else its beginning and a marker, `limit` characters in all.

    The marker says how many characters were left out and how many there were, so that a
    model can tell half a table from a whole one. `limit` is at least 200.
    """
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


def marker(left_out: int, whole: int) -> str:
    """What stands where a text was cut: how much is missing, and how much there was."""
    return f"\n[{left_out} of {whole} characters left out; ask for less at a time]"
