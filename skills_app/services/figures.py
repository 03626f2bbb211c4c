"""How many skills of a home have which verdict: for ``memoryhub status`` and the overview."""

from __future__ import annotations

from collections import Counter

from memoryhub.hermes.home import Home
from skills_app.guard.model import Verdict
from skills_app.services import catalogue


def status_figures(home: Home) -> dict[str, int]:
    """The skills that the agent can load by verdict; ``unscanned`` are those without one."""
    counted = Counter(row.verdict for row in catalogue.current(home).rows)
    return {**{verdict.value: counted[verdict] for verdict in Verdict}, "unscanned": counted[None]}
