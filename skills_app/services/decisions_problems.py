"""Why a decision was not carried out. Each is a sentence for a person; nothing was applied and nothing is lost."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from skills_app.pending.refusal import Refusal

if TYPE_CHECKING:
    from skills_app.services.decisions_look import Look


class DecisionProblem(Exception):
    """A decision was not carried out; ``code`` says why in a word."""

    code = "refused"


class ItemGone(DecisionProblem):
    """There is no such item (any more)."""

    code = "gone"

    def __init__(self, item: str) -> None:
        super().__init__("This write is not waiting any more: it was decided on elsewhere, or withdrawn.")
        self.item = item


class ItemChanged(DecisionProblem):
    """The record, or what it would change, is not what was shown. ``look`` is what it is now."""

    code = "changed"

    def __init__(self, look: Look | None = None) -> None:
        super().__init__("This write, or what it would change, is not what you saw any more. Nothing was applied.")
        self.look = look


class CannotApply(DecisionProblem):
    """Applying would fail; ``refusal`` says why and which ways out there are."""

    def __init__(self, refusal: Refusal, look: Look | None = None) -> None:
        super().__init__(refusal.sentence)
        self.code = refusal.code
        self.refusal = refusal
        self.look = look


class NotAcknowledged(DecisionProblem):
    """Something dangerous was not ticked, or no reason was given; ``missing`` are the ticks."""

    code = "not_acknowledged"

    def __init__(self, missing: Collection[str], look: Look) -> None:
        super().__init__("This write is dangerous. Tick what was found and give a reason, or reject it.")
        self.missing = tuple(sorted(missing))
        self.look = look


class DiskChanged(DecisionProblem):
    """A skill on disk is not what was shown, or has not been scanned since it changed."""

    code = "changed"

    def __init__(self) -> None:
        super().__init__("This skill is not what you saw any more. Nothing was decided.")


class DiskNotAcknowledged(DecisionProblem):
    """A finding of a skill on disk was not ticked, or no reason was given; ``missing`` are the fingerprints."""

    code = "not_acknowledged"

    def __init__(self, missing: Collection[str]) -> None:
        super().__init__("This skill is dangerous. Tick what was found and give a reason, or reject it.")
        self.missing = tuple(sorted(missing))


class ShellRefused(DecisionProblem):
    """Something dangerous is only approved on the page, unless a setting made there allows it."""

    code = "shell"

    def __init__(self) -> None:
        super().__init__("This write is dangerous, so it is approved on the page, where what was found can be read.")


class NotVerified(DecisionProblem):
    """What was to be written did not stand there afterwards; it was taken back as far as it was ours."""

    code = "not_verified"

    def __init__(self, sentence: str = "") -> None:
        said = f" ({sentence.rstrip('.')})" if sentence else ""
        super().__init__(f"The write did not come out as shown{said}. It was taken back and waits again.")


class CannotUndo(DecisionProblem):
    """A decision cannot be taken back; the sentence says why."""

    code = "cannot_undo"
