"""Changing one setting of Hermes' config.yaml: one line is written, everything else is proved to say what it said.

The text is edited, not written anew: comments, order, quoting, line ends, mode and links stay. What cannot be changed
so is refused, with the line for the person to change by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from memoryhub.hermes import files
from memoryhub.hermes.config import UNREADABLE
from memoryhub.hermes.config_lines import LOADER, Document
from memoryhub.hermes.config_settings import Disabled, Gate, Setting

GATES: Final = ("memory.write_approval", "skills.write_approval", "skills.guard_agent_created")
_MOST_BYTES: Final = 1024 * 1024
_MARK: Final = "\ufeff"
_MOST_STEPS: Final = 50  # a name may stand on the list more than once
Tree = dict[Any, Any]


class EditRefused(files.FileProblem):
    """config.yaml was not changed; the text says why, ``by_hand`` what to write there oneself."""

    def __init__(self, path: Path, why: str, by_hand: str) -> None:
        super().__init__(path, f"{path.name} was not changed: {why}. To change it by hand, write: {by_hand}")
        self.by_hand = by_hand


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes before and after; equal when there was nothing to change. ``before`` is None where no file was.

    They may hold secrets: keep a copy private and show neither.
    """

    before: bytes | None
    after: bytes

    @property
    def is_change(self) -> bool:
        """Whether anything was written."""
        return self.before != self.after


def set_gate(path: Path, gate: str, on: bool) -> Edit:
    """Switch one of GATES. Raises EditRefused, or another FileProblem of reading and writing, with nothing changed."""
    section, _, key = gate.partition(".")
    if gate not in GATES:
        raise EditRefused(path, f"{gate} is none of the agent's gates", "nothing")
    return _change(path, Gate(section, key, on))


def set_disabled(path: Path, name: str, disabled: bool) -> Edit:
    """Put a skill's name on ``skills.disabled``, or take it off. Raises as ``set_gate`` does.

    Changes nothing where the list says so already. ``name`` is the agent's name for the skill.
    """
    if not name.strip():
        raise EditRefused(path, "the skill has no name to switch it off by", "nothing")
    return _change(path, Disabled(name.strip(), disabled))


def put_back(path: Path, edit: Edit) -> None:
    """Undo an edit: write the bytes before it. Raises files.Overtaken when the file holds something else by now.

    Where there was no file, an empty one is left.
    """
    files.write_atomic(path, edit.before or b"", edit.after)


def _change(path: Path, setting: Setting) -> Edit:
    before = files.read_regular(path, _MOST_BYTES)
    try:
        after = _edited(before or b"", setting)
    except _Why as why:
        raise EditRefused(path, str(why), setting.by_hand) from why
    if after == (before or b""):
        return Edit(before, before or b"")
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_atomic(path, after, before)
    return Edit(before, after)


class _Why(Exception):
    """Why the text cannot be changed, to stand in a sentence."""


def _edited(data: bytes, setting: Setting) -> bytes:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Why("it is not UTF-8") from error
    mark = _MARK if text.startswith(_MARK) else ""
    text = text.removeprefix(_MARK)
    for _ in range(_MOST_STEPS):
        tree = _parsed(text)
        value = _section(tree, setting.section).get(setting.key)
        if setting.is_done(value):
            return (mark + text).encode()
        text = _next(text, tree, value, setting)
    raise _Why("the name stands there too often")


def _next(text: str, tree: Tree, value: object, setting: Setting) -> str:
    """The first candidate that changes this one value as wanted, and nothing else."""
    try:
        for candidate in setting.candidates(Document(text), value):
            try:
                after = _parsed(candidate)
                new = _section(after, setting.section).get(setting.key)
            except _Why:
                continue
            if setting.is_step(value, new) and _rest_is_same(tree, after, setting):
                return candidate
    except UNREADABLE as error:
        raise _Why("its text cannot be followed") from error
    raise _Why("the way it is written leaves no line that could be changed alone")


def _parsed(text: str) -> Tree:
    try:
        tree = yaml.load(text, Loader=LOADER)  # noqa: S506 - the safe loader, in C where there is one
    except UNREADABLE as error:
        mark = getattr(error, "problem_mark", None)
        raise _Why(f"it cannot be read{f' (line {mark.line + 1})' if mark else ''}") from error
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise _Why("it is not a table of settings")
    return tree


def _section(tree: Tree, name: str) -> Tree:
    section = tree.get(name)
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise _Why(f"{name} is not a table of settings there")
    return section


def _rest_is_same(before: Tree, after: Tree, setting: Setting) -> bool:
    """Whether two configs say the same, in the same order, but for the one setting."""
    old, new = _section(before, setting.section), _section(after, setting.section)
    return _same(_without(before, setting.section), _without(after, setting.section), set()) and _same(
        _without(old, setting.key), _without(new, setting.key), set()
    )


def _without(tree: Tree, name: str) -> Tree:
    return {key: value for key, value in tree.items() if key != name}


def _same(one: object, other: object, seen: set[tuple[int, int]]) -> bool:
    """Whether two values are alike to the type, order of keys included; values that hold themselves come to an end."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict | list) and isinstance(other, dict | list):
        if (id(one), id(other)) in seen:
            return True
        seen.add((id(one), id(other)))
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = tuple(one.items()), tuple(other.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_same(a, b, seen) for a, b in zip(one, other, strict=True))
    return one == other or (one != one and other != other)  # the second: not-a-number
