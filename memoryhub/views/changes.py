"""What came and went between two states, ready for templates/memoryhub/_diff_entries.html.

Secret values are masked and unseen characters named before texts are compared, so that a diff shows neither.
"""

from __future__ import annotations

from dataclasses import dataclass

from memoryhub import diffs, flags, secrets, visible
from memoryhub.diffs import EntryDiff, Piece


@dataclass(frozen=True)
class ChangeRow:
    """One entry that was added, removed, replaced or moved; ``pieces`` tells how a replaced one differs, by words."""

    kind: str
    text: str
    pieces: tuple[Piece, ...] = ()


def change_rows(difference: EntryDiff, *, revealed: bool = False) -> list[ChangeRow]:
    """The rows of a difference: replaced ones first, then what came, what went, what only moved."""
    rows = [
        ChangeRow("replaced", shown(new, revealed=revealed), word_pieces(old, new, revealed=revealed))
        for old, new in difference.replaced
    ]
    kinds = (("added", difference.added), ("removed", difference.removed), ("moved", difference.moved))
    return rows + [ChangeRow(kind, shown(text, revealed=revealed)) for kind, texts in kinds for text in texts]


def word_pieces(old: str, new: str, *, revealed: bool = False) -> tuple[Piece, ...]:
    """The word-level difference of two texts as they are shown."""
    return diffs.words(shown(old, revealed=revealed), shown(new, revealed=revealed))


def shown(text: str, *, revealed: bool = False) -> str:
    """A text with secrets masked (unless ``revealed``) and unseen characters written out as ⟨U+200B⟩."""
    masked = text if revealed else secrets.mask(text, flags.secrets_in(text))
    return "".join(
        run.text if run.kind in ("text", "mark") else f"⟨{run.label or run.kind}⟩" for run in visible.runs(masked)
    )
