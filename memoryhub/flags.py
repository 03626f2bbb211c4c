"""What should be said about each entry of a file: threats, secrets, copies, likenesses, length.

Puts the checks together; each check lives in a module of its own, the sentences in services/sentences.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from memoryhub import gauge, likeness, secrets, threats
from memoryhub.entries import MemoryFile
from memoryhub.secrets import Secret
from memoryhub.threats import Threat

TOO_LONG: Final = {"latin": 400, "cjk": 200}  # about the longest tenth of 840 published entries, by script
DANGER, CAUTION, NOTE = "danger", "caution", "note"


@dataclass(frozen=True)
class Flag:
    """One thing to say about an entry. ``code`` is stable; ``tone`` is danger, caution or note."""

    code: str
    tone: str
    data: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Checked:
    """An entry's flags, and the spans that they rest on."""

    flags: tuple[Flag, ...]
    threats: tuple[Threat, ...]
    secrets: tuple[Secret, ...]

    @property
    def tone(self) -> str:
        """The worst tone of the flags; empty when there is none worth a colour."""
        tones = [flag.tone for flag in self.flags]
        return next((tone for tone in (DANGER, CAUTION) if tone in tones), "")


def check(memory: MemoryFile) -> tuple[Checked, ...]:
    """Check every entry of a file, in file order."""
    return _checked(memory.texts)


@lru_cache(maxsize=64)
def _checked(texts: tuple[str, ...]) -> tuple[Checked, ...]:
    alike = _alike(texts)
    first: dict[str, int] = {}
    checked = []
    for place, text in enumerate(texts, 1):
        found, hidden = threats_in(text), secrets_in(text)
        flags = [threat_flag(threat) for threat in found]
        flags += [Flag("secret", CAUTION, {"kind": kind}) for kind in dict.fromkeys(s.kind for s in hidden)]
        if text in first:
            flags.append(Flag("duplicate", CAUTION, {"place": first[text]}))
        elif alike.get(place):
            flags.append(Flag("near_duplicate", NOTE, {"places": alike[place]}))
        first.setdefault(text, place)
        limit = TOO_LONG[gauge.script_of([text])]
        if len(text) > limit:
            flags.append(Flag("too_long", NOTE, {"chars": len(text), "usual": limit}))
        checked.append(Checked(tuple(flags), found, hidden))
    return tuple(checked)


@lru_cache(maxsize=4096)
def threats_in(text: str) -> tuple[Threat, ...]:
    """The threats in one text, remembered: scanning is pure."""
    return threats.scan(text)


@lru_cache(maxsize=4096)
def secrets_in(text: str) -> tuple[Secret, ...]:
    """The secret-looking values in one text, remembered."""
    return tuple(secrets.find_secrets(text))


def check_draft(text: str, others: Sequence[str]) -> Checked:
    """Check a text that is being written against the entries it will stand beside."""
    checked = _checked((text,))[0] if text else Checked((), (), ())
    extra = []
    if text in others:
        extra.append(Flag("duplicate", CAUTION, {"place": others.index(text) + 1}))
    elif text and (places := tuple(place + 1 for place in likeness.alike(text, others))):
        extra.append(Flag("near_duplicate", NOTE, {"places": places}))
    return Checked((*checked.flags, *extra), checked.threats, checked.secrets)


def threat_flag(threat: Threat) -> Flag:
    """The flag that a threat is shown as."""
    code = f"threat:{threat.id}"
    return Flag(code, DANGER, {"id": threat.id, "agent_blocks": threat.agent_blocks, "hidden": threat.hidden})


def _alike(texts: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Places (from 1) of entries that say much the same, exact copies left out."""
    others: dict[int, list[int]] = {}
    for pair in likeness.near_duplicates(texts):
        if texts[pair.first] != texts[pair.second]:
            others.setdefault(pair.first + 1, []).append(pair.second + 1)
            others.setdefault(pair.second + 1, []).append(pair.first + 1)
    return {place: tuple(sorted(set(them))) for place, them in others.items()}
