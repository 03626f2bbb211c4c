"""``memoryhub reject ID…``: take writes that wait away; their content is kept."""

from __future__ import annotations

from collections.abc import Sequence

from memoryhub.hermes.home import Home
from memoryhub.services.memory import SHELL
from skills_app.management.deciding import DecidingCommand
from skills_app.services.decisions_many import Outcome, reject_many


class Command(DecidingCommand):
    help = "reject writes that wait for your decision"

    def decide(self, home: Home, ids: Sequence[str], reason: str) -> list[Outcome]:
        return reject_many(home, [(item, None) for item in ids], reason=reason, via=SHELL)
