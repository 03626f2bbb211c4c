"""The table of rules: one module a subject, in the order in which a person reads them.

In a pattern ``[ ]`` stands for one to five blanks, as nobody can tell them apart.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from skills_app.guard.model import Rule
from skills_app.guard.rules.agent_settings import AGENT_SETTINGS
from skills_app.guard.rules.bending import BENDING
from skills_app.guard.rules.copies import COPIES
from skills_app.guard.rules.credentials import CREDENTIALS
from skills_app.guard.rules.deceiving import DECEIVING
from skills_app.guard.rules.decoders import DECODERS
from skills_app.guard.rules.destructive import DESTRUCTIVE
from skills_app.guard.rules.download_and_run import DOWNLOAD_AND_RUN
from skills_app.guard.rules.execution import EXECUTION
from skills_app.guard.rules.exfiltration import EXFILTRATION
from skills_app.guard.rules.flows import FLOWS
from skills_app.guard.rules.injection import INJECTION
from skills_app.guard.rules.losing import LOSING
from skills_app.guard.rules.made_of_text import MADE_OF_TEXT
from skills_app.guard.rules.network import NETWORK
from skills_app.guard.rules.obfuscation import OBFUSCATION
from skills_app.guard.rules.packages import PACKAGES
from skills_app.guard.rules.persistence import PERSISTENCE
from skills_app.guard.rules.privileges import MINING, PRIVILEGES, TRAVERSAL
from skills_app.guard.rules.protection import PROTECTION
from skills_app.guard.rules.reading_secrets import READING_SECRETS
from skills_app.guard.rules.required_helpers import REQUIRED_HELPERS
from skills_app.guard.rules.roles import ROLES
from skills_app.guard.rules.saved_and_run import SAVED_AND_RUN
from skills_app.guard.rules.sending import SENDING
from skills_app.guard.rules.standing_orders import STANDING_ORDERS
from skills_app.guard.rules.steering import STEERING
from skills_app.guard.rules.stolen_keys import STOLEN_KEYS
from skills_app.guard.rules.stores import STORES
from skills_app.guard.rules.structural import STRUCTURAL
from skills_app.guard.rules.unseen import UNSEEN
from skills_app.guard.rules.ways_out import WAYS_OUT

_ROWS: Final[tuple[Rule, ...]] = (
    *DOWNLOAD_AND_RUN,
    *SAVED_AND_RUN,
    *REQUIRED_HELPERS,
    *PROTECTION,
    *PACKAGES,
    *EXFILTRATION,
    *WAYS_OUT,
    *READING_SECRETS,
    *STORES,
    *SENDING,
    *COPIES,
    *STOLEN_KEYS,
    *INJECTION,
    *ROLES,
    *DECEIVING,
    *BENDING,
    *STEERING,
    *STANDING_ORDERS,
    *PERSISTENCE,
    *AGENT_SETTINGS,
    *DESTRUCTIVE,
    *LOSING,
    *NETWORK,
    *OBFUSCATION,
    *MADE_OF_TEXT,
    *DECODERS,
    *EXECUTION,
    *TRAVERSAL,
    *MINING,
    *PRIVILEGES,
    *CREDENTIALS,
    *FLOWS,
    *STRUCTURAL,
    *UNSEEN,
)

_ONE_BLANK: Final = re.compile(r"\[ \](?![{?*+])")


def _wider(rule: Rule) -> Rule:
    return replace(rule, pattern=_ONE_BLANK.sub(r"[ \\t]{1,5}", rule.pattern))


RULES: Final[tuple[Rule, ...]] = tuple(map(_wider, _ROWS))
