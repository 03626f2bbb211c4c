"""``memoryhub doctor``: check the home, its files, the databases and the gates, and say what to do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memoryhub.management.commands._common import HubCommand
from memoryhub.services.doctor import examine


class Command(HubCommand):
    help = "checks home, files, database and gates; says what to do"

    def run(self, **options: Any) -> int:
        checks = examine(self.chosen_home(**options))
        lines = [f"{'ok  ' if check.ok else 'LOOK'}  {check.name}: {check.message}" for check in checks]
        self.answer({"checks": [asdict(check) for check in checks]}, "\n".join(lines))
        return 0 if all(check.ok for check in checks) else 1
