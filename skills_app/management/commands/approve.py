"""``memoryhub approve ID…``: apply writes that wait. What is dangerous is approved on the page."""

from __future__ import annotations

from collections.abc import Sequence

from memoryhub.hermes.home import Home
from memoryhub.services.memory import SHELL
from skills_app.management.deciding import DecidingCommand
from skills_app.services.decisions import Approval
from skills_app.services.decisions_many import Outcome, approve_many


class Command(DecidingCommand):
    help = "apply writes that wait for your decision"

    def decide(self, home: Home, ids: Sequence[str], reason: str) -> list[Outcome]:
        return approve_many(home, [(item, Approval(reason=reason, via=SHELL)) for item in ids])
