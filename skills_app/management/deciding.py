"""What ``approve`` and ``reject`` share: ids and a reason in, one result for each id out."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from memoryhub.hermes.home import Home
from memoryhub.management.commands._common import HubCommand
from skills_app.services import decisions
from skills_app.services.decisions_many import Outcome


class DecidingCommand(HubCommand):
    """A command that decides on items. Subclasses give ``decide``; the status is 1 when any of them failed."""

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="+", metavar="ID", help="as `memoryhub pending` shows it")
        parser.add_argument("--reason", default="", help="why, for the history")

    def run(self, **options: Any) -> int | None:
        home = self.chosen_home(**options)
        decisions.recover(home)
        found = self.decide(home, list(dict.fromkeys(options["ids"])), options["reason"])
        results = [{"id": each.item, "ok": each.ok, "message": each.message} for each in found]
        self.answer({"results": results}, "\n".join(f"{each.item}: {each.message}" for each in found))
        return 0 if all(each.ok for each in found) else 1

    def decide(self, home: Home, ids: Sequence[str], reason: str) -> list[Outcome]:
        """Decide on each of the items."""
        raise NotImplementedError
