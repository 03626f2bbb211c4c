"""Where in the text of a config.yaml one value stands, and how the text reads with that value changed.

Works on characters, so every line but the one stays as it is. Gives candidates, the likeliest first; whether one of
them says the right thing is for the caller to find out by parsing it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS: Final = (
    ("true", "false"),
    ("True", "False"),
    ("TRUE", "FALSE"),
    ("on", "off"),
    ("On", "Off"),
    ("ON", "OFF"),
    ("yes", "no"),
    ("Yes", "No"),
    ("YES", "NO"),
    ("1", "0"),
    ("enabled", "disabled"),
)
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9._-]*")
_AFTER_ITEM: Final = re.compile(r"[ \t]*,?[ \t]*(#[^\n]*)?\r?\n?")
_ITEM_PREFIX: Final = re.compile(r"[ ]*-[ \t]+")


@dataclass(frozen=True, slots=True)
class Value:
    """One value and its key. ``node`` is None where the key is not written."""

    key: Node | None
    node: Node | None


class Document:
    """The text of a config.yaml and where its sections and values stand. Raises what PyYAML raises."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        self.root = yaml.compose(text, Loader=LOADER)

    def find(self, parent: Node | None, name: str) -> Value:
        """The value of key ``name`` in ``parent``; of repeated keys the last, which is the one that counts."""
        pairs = parent.value if isinstance(parent, MappingNode) else []
        found = [(k, v) for k, v in pairs if isinstance(k, ScalarNode) and k.value == name]
        return Value(*found[-1]) if found else Value(None, None)

    def spliced(self, start: int, end: int, replacement: str) -> str:
        """The text with the characters from ``start`` to ``end`` replaced."""
        return self.text[:start] + replacement + self.text[end:]

    def line_start(self, index: int) -> int:
        """Where the line of a character begins."""
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Where the next line begins; the end of the text in the last line."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1

    def with_line_after(self, index: int, line: str) -> str:
        """The text with a line put in below the line of a character."""
        end = self.line_end(index)
        before = "" if self.text[:end].endswith("\n") or not end else self.newline
        return self.spliced(end, end, f"{before}{line}{self.newline}")


def with_value(document: Document, section: str, key: str, value: str) -> Iterator[str]:
    """Texts in which ``section.key`` has ``value`` (YAML on one line), written over what is there or put in anew."""
    block = document.find(document.root, section)
    old = document.find(block.node, key)
    if old.node is not None:
        yield from _written_over(document, old, value)
    elif isinstance(block.node, MappingNode):
        yield from _put_in(document, block, f"{key}: {value}")
    elif block.key is not None and _is_empty(block.node):
        yield from _first_entry(document, block, f"{key}: {value}")
    elif block.key is None:
        yield from _new_section(document, section, f"{key}: {value}")


def as_written(old: Node | None, on: bool) -> str:
    """``true`` or ``false`` in the words, the case and the quotes of the value that it replaces."""
    if not isinstance(old, ScalarNode):
        return "true" if on else "false"
    pair = next((pair for pair in _WORDS if old.value.strip() in pair), _WORDS[0])
    quote = old.style if old.style in ("'", '"') else ""
    return f"{quote}{pair[0] if on else pair[1]}{quote}"


def with_item(document: Document, section: str, key: str, name: str, present: Sequence[str]) -> Iterator[str]:
    """Texts in which the list ``section.key``, which now holds ``present``, holds ``name`` too."""
    old = document.find(document.find(document.root, section).node, key).node
    item = scalar(name)
    if isinstance(old, SequenceNode) and old.value:
        last = old.value[-1]
        if old.flow_style:
            yield document.spliced(last.end_mark.index, last.end_mark.index, f", {item}")
        else:
            start = document.line_start(last.start_mark.index)
            if prefix := _ITEM_PREFIX.match(document.text, start):
                yield document.with_line_after(last.start_mark.index, f"{prefix[0]}{item}")
                first = document.line_start(old.start_mark.index)
                yield document.spliced(first, first, f"{prefix[0]}{item}{document.newline}")
    else:
        yield from with_value(document, section, key, f"[{', '.join(scalar(each) for each in (*present, name))}]")


def without_item(document: Document, section: str, key: str, name: str) -> Iterator[str]:
    """Texts in which the list ``section.key`` holds one ``name`` less; its last one leaves ``[]``."""
    old = document.find(document.find(document.root, section).node, key)
    if not isinstance(old.node, SequenceNode):
        yield from _written_over(document, old, "[]")
        return
    position = max((i for i, each in enumerate(old.node.value) if _is_named(each, name)), default=None)
    if position is None:
        return
    if len(old.node.value) > 1 or not old.node.flow_style:
        yield from _taken_out(document, old, old.node, position)
    yield document.spliced(old.node.start_mark.index, old.node.end_mark.index, "[]")


def scalar(text: str) -> str:
    """A text as a YAML value on one line: bare when it reads as the same text, else in double quotes."""
    if _PLAIN.fullmatch(text) and yaml.safe_load(text) == text:
        return text
    return str(yaml.safe_dump(text, default_style='"', width=2**30)).strip()


def _written_over(document: Document, old: Value, value: str) -> Iterator[str]:
    node, key = old.node, old.key
    if node is None or key is None or node.start_mark.index < key.end_mark.index:
        return  # an alias: the value stands elsewhere
    start, end = node.start_mark.index, node.end_mark.index
    is_short = isinstance(node, ScalarNode) or (isinstance(node, SequenceNode) and not node.value)
    if is_short and "\n" not in document.text[start:end]:
        yield document.spliced(start, end, value if start < end else f" {value}")


def _put_in(document: Document, block: Value, entry: str) -> Iterator[str]:
    node = block.node
    if not isinstance(node, MappingNode) or block.key is None:
        return
    start = node.start_mark.index
    if node.flow_style:
        if document.text[start] == "{":
            yield document.spliced(start + 1, start + 1, f"{entry}, " if node.value else entry)
        return
    indent = " " * node.value[0][0].start_mark.column
    yield document.with_line_after(block.key.end_mark.index, indent + entry)
    first = document.line_start(node.value[0][0].start_mark.index)
    yield document.spliced(first, first, f"{indent}{entry}{document.newline}")


def _first_entry(document: Document, block: Value, entry: str) -> Iterator[str]:
    """Below a section that is there and empty; one in braces stays in braces."""
    node, key = block.node, block.key
    if node is None or key is None:
        return
    emptied = Document(document.spliced(node.start_mark.index, node.end_mark.index, ""))
    yield emptied.with_line_after(key.end_mark.index, f"{' ' * (key.start_mark.column + 2)}{entry}")
    yield document.spliced(node.start_mark.index, node.end_mark.index, f" {{{entry}}}")


def _new_section(document: Document, section: str, entry: str) -> Iterator[str]:
    root, newline = document.root, document.newline
    if isinstance(root, MappingNode) and root.flow_style:
        start = root.start_mark.index + 1
        yield document.spliced(start, start, f"{section}: {{{entry}}}{', ' if root.value else ''}")
        return
    indent = " " * (root.value[0][0].start_mark.column if isinstance(root, MappingNode) else 0)
    lines = f"{indent}{section}:{newline}{indent}  {entry}{newline}"
    text = document.text
    yield f"{text}{'' if not text or text.endswith(newline) else newline}{lines}"
    if isinstance(root, MappingNode):
        first = document.line_start(root.value[0][0].start_mark.index)
        yield document.spliced(first, first, lines)


def _is_empty(node: Node | None) -> bool:
    return isinstance(node, ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _is_named(node: Node, name: str) -> bool:
    return isinstance(node, ScalarNode) and str(yaml.SafeLoader("").construct_object(node)).strip() == name


def _taken_out(document: Document, old: Value, items: SequenceNode, position: int) -> Iterator[str]:
    """The text without one item: without its line where it has one of its own, else without it and one comma."""
    item = items.value[position]
    start, end = item.start_mark.index, item.end_mark.index
    line = document.line_start(start), document.line_end(max(start, end - 1))
    before, after = document.text[line[0] : start], document.text[end : line[1]]
    if before.strip() in ("", "-") and _AFTER_ITEM.fullmatch(after):
        text = document.spliced(*line, "")
        if len(items.value) == 1 and old.key is not None:
            colon = old.key.end_mark.index + 1
            text = f"{text[:colon]} []{text[colon:]}"
        yield text
    elif position + 1 < len(items.value):
        yield document.spliced(start, items.value[position + 1].start_mark.index, "")
    elif position:
        yield document.spliced(items.value[position - 1].end_mark.index, end, "")
