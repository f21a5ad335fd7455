"""The error that a user, not a programmer, is meant to read."""


class LabError(Exception):
    """One sentence that names the thing, the fault and the mend; shown as it is."""
