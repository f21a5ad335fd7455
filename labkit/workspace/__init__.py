"""The workspace agent's room: two tools over a folder, and a code base to read."""

from labkit.workspace.files import SAMPLE, Workspace
from labkit.workspace.schemas import SYSTEM, TOOLS

__all__ = ["SAMPLE", "SYSTEM", "TOOLS", "Workspace"]
