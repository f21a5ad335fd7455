"""The two agents of the lab: the same loop, and only the tool list differs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from labkit import shop, workspace


@dataclass(frozen=True)
class Kit:
    """What makes an agent of the loop: its tools, its system prompt, and their room.

    `room` is the class whose methods the tools are.
    """

    tools: list[dict[str, Any]]
    system: str
    room: type

    @property
    def names(self) -> list[str]:
        """The names of the declared tools, in order."""
        return [tool["function"]["name"] for tool in self.tools]

    def methods(self) -> dict[str, Callable[..., Any]]:
        """The unbound functions behind the tools; the shop's ledger is asked too."""
        extra = ["refunded_so_far"] if self.room is shop.Shop else []
        return {name: getattr(self.room, name) for name in self.names + extra}


KITS = {
    "support": Kit(shop.TOOLS, shop.SYSTEM, shop.Shop),
    "workspace": Kit(workspace.TOOLS, workspace.SYSTEM, workspace.Workspace),
}


def kit_for(tools_used: Iterable[str]) -> str:
    """The name of the first agent that has all these tools; "support" if none has."""
    used = set(tools_used)
    fitting = (name for name, kit in KITS.items() if used <= set(kit.names))
    return next(fitting, "support")
