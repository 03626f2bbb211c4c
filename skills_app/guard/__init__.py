"""The guard of skills: what a skill could do to the person who installs it, with the evidence.

Who calls what (all pure, no Django):

- ``scanner.scan_skill(folder, *, limit_seconds=20.0, rules=None) -> Report``: one skill on disk, in this process.
- ``scanner.scan_texts({"SKILL.md": b"…"}, *, limit_seconds=20.0, rules=None) -> Report``: the same from memory.
- ``child.scan_many(folders, *, workers=None, limit_seconds=…) -> Iterator[tuple[Path, Report]]``: in child processes.
- ``policy.decide(tier, verdict) -> Policy``, ``policy.verdict_of(findings)``, ``policy.reason_of(…)``.
- ``report.to_json(report, …)``, ``report.to_text(report, …)``, ``sarif.to_sarif(reports, …)``.
- ``hermes_guard.scan(python, folder, source) -> HermesVerdict``; ``disagreements.compare(ours, theirs)``.
- ``RULES_VERSION``: changes whenever any rule or any code of the guard does; cached reports are bound to it.

``rules/`` holds the table of rules. Those without a pattern (``rules/structure.py``, ``rules/flows.py``) are found by
code. What is read from a skill is never executed, imported or followed out of its folder.
"""

from __future__ import annotations

from skills_app.guard.version import RULES_VERSION

__all__ = ["RULES_VERSION"]
