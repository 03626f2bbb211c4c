"""Everything our own database keeps; each file one subject."""

from memoryhub.models.door import OpenToken, Preference, Submission
from memoryhub.models.history import Content, EntryChange, Intent, Revision, Writer

__all__ = ["Content", "EntryChange", "Intent", "OpenToken", "Preference", "Revision", "Submission", "Writer"]
