"""The YAML of a skill's header, loaded so that no text of 16 KiB can cost more than its reading.

Refuses what refers to itself, grows through aliases or names types of a language. Nothing is ever constructed but plain
values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import yaml

MOST_CHARACTERS: Final = 16_384
_MOST_NODES: Final = 5_000
_STANDARD: Final = "tag:yaml.org,2002:"
_PLAIN_TAGS: Final = frozenset(
    _STANDARD + name
    for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp", "set", "omap", "pairs", "merge")
)
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Only a text with one of these characters can hold an anchor, an alias or a tag.
_NEEDS_A_LOOK: Final = re.compile(r"[&*!]")
_NOT_PLAIN: Final = ("&", "*", "!", "[", "{", "|", ">")
_FIELD: Final = re.compile(r"^([^\s#:][^:\n]*?)[ \t]*:(?:[ \t]|$)", re.MULTILINE)
# What PyYAML raises beside its own errors, see memoryhub.hermes.config.
_ERRORS: Final = (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class HeaderYaml:
    """What became of a header: its fields (never to be changed), and why not, where it was not taken as YAML."""

    fields: Mapping[Any, Any] = field(default_factory=dict)
    refused: str = ""  # why we do not read what the agent would
    place: str = ""  # " (line 3)": where it stops being YAML
    is_yaml: bool = True
    is_mapping: bool = True
    repeated: tuple[str, ...] = ()


class _Refused(Exception):
    """The header is not read; the text says why."""


@lru_cache(maxsize=4096)
def load_header(text: str) -> HeaderYaml:
    """Load the text between the ``---`` lines; never raises.

    What is not YAML, or is refused, is read line by line as ``key: value``, as the agent does with what is not YAML.
    """
    try:
        _check(text)
        found = yaml.load(text, Loader=_LOADER)  # noqa: S506 - the safe loader, in C where there is one
    except _Refused as refusal:
        plain = {name: value for name, value in _lines(text).items() if not value.startswith(_NOT_PLAIN)}
        return HeaderYaml(plain, refused=str(refusal))
    except _ERRORS as error:
        return HeaderYaml(_lines(text), place=_place(error), is_yaml=False)
    if not isinstance(found, dict):
        return HeaderYaml(is_mapping=False)
    return HeaderYaml(found, repeated=_repeated(text))


def _check(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise _Refused(f"it is longer than {MOST_CHARACTERS:,} characters")
    if _NEEDS_A_LOOK.search(text):
        _weigh(text)


def _weigh(text: str) -> None:
    """Walk the events and count what aliases would make of them; raises _Refused, or PyYAML's errors."""
    sizes: dict[str, int] = {}  # nodes below each anchor, aliases resolved
    open_nodes: list[tuple[str | None, int]] = [(None, 0)]  # anchor, and how many nodes came before it
    count = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.NodeEvent):
            count += _size(event, sizes, open_nodes)
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, count - 1))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = count - before
        if count > _MOST_NODES:
            raise _Refused("its aliases make it far larger than it looks")


def _size(event: yaml.NodeEvent, sizes: dict[str, int], open_nodes: list[tuple[str | None, int]]) -> int:
    if isinstance(event, yaml.AliasEvent) and event.anchor:
        if any(anchor == event.anchor for anchor, _ in open_nodes):
            raise _Refused("it refers to itself")
        return sizes.get(event.anchor, 1)
    tag = getattr(event, "tag", None)
    if tag and tag != "!" and tag not in _PLAIN_TAGS:
        raise _Refused(f"it asks for a type of a programming language ({tag.removeprefix(_STANDARD)[:60]})")
    if isinstance(event, yaml.ScalarEvent) and event.anchor:
        sizes[event.anchor] = 1
    return 1


def _lines(text: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in text.strip().split("\n") if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs}


def _repeated(text: str) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for name in _FIELD.findall(text):
        seen[name] = seen.get(name, 0) + 1
    return tuple(name for name, times in seen.items() if times > 1)


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" (line {mark.line + 1})" if mark is not None else ""
