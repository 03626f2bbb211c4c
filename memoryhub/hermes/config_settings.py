"""The settings of config.yaml that MemoryHub changes: what each may read like, and when a change is the right one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from memoryhub.hermes.config import gate_is_on, texts_of
from memoryhub.hermes.config_lines import Document, as_written, scalar, with_item, with_value, without_item


class Setting(Protocol):
    """One setting to change: how the text may read, and how to tell that it does."""

    @property
    def section(self) -> str:
        """The table it stands in."""

    @property
    def key(self) -> str:
        """Its name there."""

    @property
    def by_hand(self) -> str:
        """What a person writes to make the change."""

    def is_done(self, value: object) -> bool:
        """Whether the value says what is wanted."""

    def is_step(self, old: object, new: object) -> bool:
        """Whether going from one value to the other is one step towards that, and nothing else."""

    def candidates(self, document: Document, value: object) -> Iterator[str]:
        """Texts that may be that step, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A yes or no, in whatever words."""

    section: str
    key: str
    on: bool

    @property
    def by_hand(self) -> str:
        return f"{self.key}: {'true' if self.on else 'false'}, below {self.section}:"

    def is_done(self, value: object) -> bool:
        return gate_is_on(value) is self.on

    def is_step(self, old: object, new: object) -> bool:
        return self.is_done(new)

    def candidates(self, document: Document, value: object) -> Iterator[str]:
        old = document.find(document.find(document.root, self.section).node, self.key).node
        for text in dict.fromkeys((as_written(old, self.on), "true" if self.on else "false")):
            yield from with_value(document, self.section, self.key, text)


@dataclass(frozen=True, slots=True)
class Disabled:
    """A skill's name on, or off, the list of what is switched off."""

    name: str
    disabled: bool
    section: str = "skills"
    key: str = "disabled"

    @property
    def by_hand(self) -> str:
        return f"{'' if self.disabled else 'no '}- {scalar(self.name)} in the list disabled:, below skills:"

    def is_done(self, value: object) -> bool:
        return (self.name in texts_of(value)) is self.disabled

    def is_step(self, old: object, new: object) -> bool:
        before, after = list(texts_of(old)), list(texts_of(new))
        if not isinstance(new, list):
            return False
        if self.disabled:
            return after in ([*before, self.name], [self.name, *before]) and _keeps(old, new)
        return sorted([*after, self.name]) == sorted(before) and _keeps(new, old)

    def candidates(self, document: Document, value: object) -> Iterator[str]:
        if self.disabled:
            yield from with_item(document, self.section, self.key, self.name, texts_of(value))
        else:
            yield from without_item(document, self.section, self.key, self.name)


def _keeps(few: object, many: object) -> bool:
    """Whether one list holds one item more than the other; a single value that stands for a list holds no others."""
    return not isinstance(few, list) or not isinstance(many, list) or len(many) == len(few) + 1
