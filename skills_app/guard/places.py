"""What a piece of a text is where it stands: prose, code, comment, quotation, deny list or prohibition."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from skills_app.guard.model import Kind, Place, Role
from skills_app.guard.text import SourceText


@dataclass
class PlaceIndex:
    """The roles of a text by where their stretches begin."""

    kind: Kind
    starts: list[int] = field(default_factory=lambda: [0])
    places: list[tuple[Role, str]] = field(default_factory=list)

    def at(self, offset: int) -> Place:
        """The place of an offset."""
        role, language = self.places[max(0, bisect_right(self.starts, offset) - 1)]
        return Place(self.kind, role, language)


def index_places(source: SourceText) -> PlaceIndex:
    """Find the roles of a whole text."""
    role = Role.PROSE if source.language in ("markdown", "text") else Role.CODE
    return PlaceIndex(source.kind, [0], [(role, source.language)])


_ = Sequence
