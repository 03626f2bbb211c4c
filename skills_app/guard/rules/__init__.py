"""The table of rules: one module a subject, in the order in which a person reads them."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Rule
from skills_app.guard.rules.credentials import CREDENTIALS
from skills_app.guard.rules.deceiving import DECEIVING
from skills_app.guard.rules.destructive import DESTRUCTIVE
from skills_app.guard.rules.download_and_run import DOWNLOAD_AND_RUN
from skills_app.guard.rules.execution import EXECUTION
from skills_app.guard.rules.exfiltration import EXFILTRATION
from skills_app.guard.rules.flows import FLOWS
from skills_app.guard.rules.injection import INJECTION
from skills_app.guard.rules.network import NETWORK
from skills_app.guard.rules.obfuscation import OBFUSCATION
from skills_app.guard.rules.packages import PACKAGES
from skills_app.guard.rules.persistence import PERSISTENCE
from skills_app.guard.rules.privileges import MINING, PRIVILEGES, TRAVERSAL
from skills_app.guard.rules.reading_secrets import READING_SECRETS
from skills_app.guard.rules.required_helpers import REQUIRED_HELPERS
from skills_app.guard.rules.sending import SENDING
from skills_app.guard.rules.steering import STEERING
from skills_app.guard.rules.structural import STRUCTURAL
from skills_app.guard.rules.unseen import UNSEEN

RULES: Final[tuple[Rule, ...]] = (
    *DOWNLOAD_AND_RUN,
    *REQUIRED_HELPERS,
    *PACKAGES,
    *EXFILTRATION,
    *READING_SECRETS,
    *SENDING,
    *INJECTION,
    *DECEIVING,
    *STEERING,
    *PERSISTENCE,
    *DESTRUCTIVE,
    *NETWORK,
    *OBFUSCATION,
    *EXECUTION,
    *TRAVERSAL,
    *MINING,
    *PRIVILEGES,
    *CREDENTIALS,
    *FLOWS,
    *STRUCTURAL,
    *UNSEEN,
)
