"""``memoryhub pending``: what the agent wants to write and waits for a decision."""

from __future__ import annotations

from typing import Any

from memoryhub.management.commands._common import HubCommand
from skills_app.services import decisions
from skills_app.services.decisions_items import Item, items


class Command(HubCommand):
    help = "the writes that wait for your decision"

    def run(self, **options: Any) -> int | None:
        home = self.chosen_home(**options)
        decisions.recover(home)
        found = items(home)
        self.answer({"items": [item.as_json() for item in found]}, "\n".join(map(_line, found)) or "Nothing waits.")
        return None


def _line(item: Item) -> str:
    """One item in a line; what the agent wrote is quoted, control characters and line ends as escapes."""
    words = [item.id, item.action or item.kind, item.target, item.verdict, "cannot be applied" if item.stale else ""]
    told = item.summary.encode("unicode_escape").decode() if not item.summary.isprintable() else item.summary
    shown = "  ".join(word if word.isprintable() else ascii(word) for word in words if word)
    return f"{shown}  {told}"
