"""What a threat and a threat rule are."""

from __future__ import annotations

from dataclasses import dataclass

from memoryhub.threats.matching import Pattern, Span


@dataclass(frozen=True)
class ThreatRule:
    """One kind of threat, as a person reads it: what it finds, why that matters, when it is harmless."""

    id: str
    title: str
    why: str
    harmless: str
    pattern: Pattern | None  # None: found by code of its own (characters, not words)
    examples: tuple[str, ...]
    lookalikes: tuple[str, ...]
    kind: str = "agent"  # "agent": Hermes 0.19.0 looks for it too; "ours": only MemoryHub does


@dataclass(frozen=True)
class Threat:
    """One rule that a text hits.

    `id` is Hermes' own name for its kinds (`invisible_unicode_U+200B` for characters). `spans` are in code points of
    the text as given. `hidden` is a sentence that a reader does not see but the model does, or "". `meant` are the
    agent's rules that the disguised or unchecked words would hit.
    """

    id: str
    kind: str
    spans: tuple[Span, ...]
    hidden: str = ""
    agent_blocks: bool = True
    meant: tuple[str, ...] = ()
