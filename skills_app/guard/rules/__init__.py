"""The table of rules: one module a category, in the order in which a person reads them."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Rule

RULES: Final[tuple[Rule, ...]] = ()
