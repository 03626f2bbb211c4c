"""How many skills of a home have which verdict: for ``memoryhub status`` and the overview."""

from __future__ import annotations

from collections import Counter

from memoryhub.hermes.home import Home
from skills_app.guard.model import Verdict
from skills_app.services import catalogue


def status_figures(home: Home) -> dict[str, int] | None:
    """The skills that the agent can load by verdict; ``unscanned`` are those without one. None where there are none."""
    known = catalogue.current(home)
    if not known.rows and not known.archived and not home.skills.exists():
        return None
    counted = Counter(row.verdict for row in known.rows)
    return {**{verdict.value: counted[verdict] for verdict in Verdict}, "unscanned": counted[None]}
