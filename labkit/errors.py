"""The error that a user, not a programmer, is meant to read."""


class LabError(Exception):
    """One sentence that names the thing, the fault and the mend; shown as it is."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in a notebook instead of a traceback."""
        return [f"LabError: {self}"]
