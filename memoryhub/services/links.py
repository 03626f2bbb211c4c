"""The owner's consent to write through a link that leaves their home: one destination, remembered until it changes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from memoryhub.hermes.home import Home
from memoryhub.models import Preference


def consented(home: Home, target: str) -> Path | None:
    """The destination that the owner agreed to for this file, or None."""
    preference = Preference.objects.filter(key=_key(home, target)).first()
    return Path(preference.value) if preference else None


def consent(home: Home, target: str, destination: Path) -> None:
    """Remember that this file may be written through its link, as long as it leads to ``destination``."""
    Preference.objects.update_or_create(key=_key(home, target), defaults={"value": str(destination)})


def _key(home: Home, target: str) -> str:
    return f"link:{target}:{hashlib.sha256(home.key.encode()).hexdigest()[:32]}"
