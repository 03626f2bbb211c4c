"""What a skill write would do, step by step on a copy in memory: the same code previews it and prepares applying it.

Matching is exact, as the first of Hermes' own ways of matching is; a patch that only Hermes' tolerant matching finds is
refused here as ``text_gone`` and can be tried with the installed Hermes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from memoryhub.hermes import files
from skills_app.writing import rules
from skills_app.writing.model import SkillChange, SkillState, SkillWrite, WriteRefused
from skills_app.writing.rules import SKILL_FILE
from skills_app.writing.shelf import Held, Shelf


def plan(shelf: Shelf, writes: Sequence[SkillWrite]) -> tuple[SkillChange, ...]:
    """The changes that the writes make, one after the other. Raises WriteRefused, with the step in ``data``."""
    planned = shelf.over()
    for place, write in enumerate(writes, 1):
        try:
            step(planned, write)
        except WriteRefused as refused:
            refused.data.setdefault("step", place)
            raise
    return planned.changes()


def step(shelf: Shelf, write: SkillWrite) -> None:
    """Plan one write on ``shelf``. Raises WriteRefused."""
    act = _ACTIONS.get(write.action)
    if act is None:
        raise WriteRefused("unknown_action", f"“{write.action}” is no action that is known here.")
    act(shelf, write)


def _create(shelf: Shelf, write: SkillWrite) -> None:
    text = _given(write.content, "content")
    rules.require_name(write.name)
    category = rules.require_category(write.category)
    rules.require_header(text)
    rules.require_length(text)
    if shelf.find(write.name) is not None:
        raise WriteRefused("name_taken", f"There is a skill called {write.name} already.", name=write.name)
    folder = shelf.own / category / write.name
    if not files.contained(folder, shelf.own) or (category and (shelf.own / category).is_symlink()):
        raise WriteRefused("path_leaves", "The category is a link that leads out of the skills folder.")
    if category and (shelf.own / category).exists() and not (shelf.own / category).is_dir():
        raise WriteRefused("not_a_folder", f"A file called {category} stands where the category would be.")
    held = shelf.held(folder, shelf.own)
    if SKILL_FILE in _now(held).files:  # made since the shelf was looked through
        raise WriteRefused("name_taken", f"There is a skill called {write.name} already.", name=write.name)
    _put_file(shelf, held, SKILL_FILE, text)


def _edit(shelf: Shelf, write: SkillWrite) -> None:
    text = _given(write.content, "content")
    rules.require_header(text)
    rules.require_length(text)
    _put_file(shelf, _require(shelf, write.name), SKILL_FILE, text)


def _patch(shelf: Shelf, write: SkillWrite) -> None:
    _given(write.old_string, "old_string")
    if write.new_string is None:
        raise WriteRefused("missing", "It gives no new_string.", field="new_string")
    held = _require(shelf, write.name)
    path = rules.require_path(write.file_path) if write.file_path else SKILL_FILE
    after = replaced(_text(held, path), write)
    rules.require_length(after, path)
    if not write.file_path:
        rules.require_header(after)
    _put_file(shelf, held, path, after)


def _write_file(shelf: Shelf, write: SkillWrite) -> None:
    given = _given(write.file_path, "file_path")
    if write.file_content is None:
        raise WriteRefused("missing", "It gives no file_content.", field="file_content")
    path = rules.require_path(given)
    rules.require_size(write.file_content)
    rules.require_length(write.file_content, path)
    held = _require(shelf, write.name)
    if path in _now(held).files:
        _text(held, path)  # what is no text is not overwritten by Hermes either
    _put_file(shelf, held, path, write.file_content)


def _remove_file(shelf: Shelf, write: SkillWrite) -> None:
    path = rules.require_path(_given(write.file_path, "file_path"))
    held = _require(shelf, write.name)
    _require_file(held, path)
    now = _now(held)
    shelf.put(held, replace(now, files={p: data for p, data in now.files.items() if p != path}))


def _delete(shelf: Shelf, write: SkillWrite) -> None:
    held = _require(shelf, write.name)
    if write.name in shelf.pinned():
        raise WriteRefused("pinned", f"{write.name} is pinned, so Hermes does not delete it.", name=write.name)
    heir = (write.absorbed_into or "").strip()
    if heir == write.name:
        raise WriteRefused("absorbed_into", "A skill cannot be absorbed into itself.", name=heir)
    if heir and shelf.find(heir) is None:
        raise WriteRefused("absorbed_into", f"There is no skill called {heir} that could have absorbed it.", name=heir)
    if held.folder == held.root:
        raise WriteRefused("path_leaves", "The skill is the skills folder itself, which is never deleted.")
    shelf.put(held, None)


_ACTIONS: Final[Mapping[str, Callable[[Shelf, SkillWrite], None]]] = {
    "create": _create,
    "edit": _edit,
    "patch": _patch,
    "write_file": _write_file,
    "remove_file": _remove_file,
    "delete": _delete,
}


def replaced(text: str, write: SkillWrite) -> str:
    """``text`` with the patch applied by exact matching. Raises WriteRefused."""
    old, new = write.old_string or "", write.new_string or ""
    if old == new:
        raise WriteRefused("no_change", "The old text and the new text are the same.")
    count = text.count(old)  # places that overlap count once, as in Hermes
    if count == 0:
        raise WriteRefused("text_gone", "The text to be replaced is not there any more.")
    if count > 1 and not write.replace_all:
        raise WriteRefused("two_matches", f"The text to be replaced stands there {count:,} times.", matches=count)
    if "\t" in old:  # Hermes takes a spelled-out tab for a tab where the replaced text holds a real one
        new = new.replace("\\t", "\t")
    return text.replace(old, new)


def _given(text: str | None, field: str) -> str:
    if not text:
        raise WriteRefused("missing", f"It gives no {field}.", field=field)
    return text


def _require(shelf: Shelf, name: str) -> Held:
    held = shelf.find(name)
    if held is None:
        raise WriteRefused("no_skill", f"There is no skill called {name}.", name=name)
    return held


def _now(held: Held) -> SkillState:
    return held.now or SkillState({})


def _require_file(held: Held, path: str) -> bytes:
    now = _now(held)
    above = [parent.as_posix() for parent in Path(path).parents]
    if path in now.links or any(each in now.links for each in above):
        raise WriteRefused("link", f"{path} is a link or lies behind one, and is not written through.", path=path)
    if path not in now.files:
        raise WriteRefused("no_file", f"The skill has no file {path}.", path=path)
    return now.files[path]


def _text(held: Held, path: str) -> str:
    """A file as Hermes reads it: UTF-8, every line end a newline."""
    try:
        text = _require_file(held, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise WriteRefused("not_text", f"{path} is no text, so Hermes cannot write it.", path=path) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _put_file(shelf: Shelf, held: Held, path: str, text: str) -> None:
    now = _now(held)
    above = [parent.as_posix() for parent in Path(path).parents if parent != Path()]
    if path in now.links or any(each in now.links for each in above):
        raise WriteRefused("link", f"{path} is a link or lies behind one, and is not written through.", path=path)
    if any(each in now.files for each in above) or any(other.startswith(f"{path}/") for other in now.files):
        raise WriteRefused("bad_path", f"{path} is a folder, or a file stands where its folder would be.", path=path)
    shelf.put(held, replace(now, files={**now.files, path: text.encode("utf-8")}))
