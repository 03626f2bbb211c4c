"""``memoryhub memory …``: list, change and look back on a memory file from a shell."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memoryhub import flags
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, TARGETS, Home
from memoryhub.management.commands._common import HubCommand
from memoryhub.models import EntryChange, Revision
from memoryhub.services import memory, undo, writes
from memoryhub.services.memory import SHELL
from memoryhub.services.writes import Saved
from memoryhub.store import MemoryChanged

REFUSALS = (EntryRefused, FileProblem, undo.NothingToUndo, undo.UndoConflict)


class Command(HubCommand):
    help = "list, add, replace, remove, move, restore, undo and history of memory entries"

    def options(self, parser: ArgumentParser) -> None:
        words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
        common = _common_options()
        _word(words, common, "list", "the entries of a file", self._list)
        _word(words, common, "history", "the revisions of a file, newest first", self._history)
        add = _word(words, common, "add", "add an entry", self._add)
        replace = _word(words, common, "replace", "reword an entry", self._replace)
        remove = _word(words, common, "remove", "delete an entry", self._remove)
        move = _word(words, common, "move", "move an entry to the other file", self._move)
        restore = _word(words, common, "restore", "make a recorded state the present one", self._restore)
        _word(words, common, "undo", "take your last change of a file back", self._undo)
        for each in (replace, remove, move):
            each.add_argument("id", metavar="ID", help="an entry's id, as list shows it")
        restore.add_argument("revision", metavar="REVISION", type=int, help="a revision's id, as history shows it")
        for each in (add, replace):
            each.add_argument("text", metavar="TEXT", help="the entry's text")
        for each in (add, replace, restore):
            each.add_argument(
                "--allow-flagged", action="store_true", help="save a text that looks like an attack; the agent hides it"
            )
        for each in (add, replace, remove, move, restore):
            each.add_argument("--reason", default="", help="why, for the history")

    def run(self, **options: Any) -> int | None:
        home = self.chosen_home(**options)
        action: Callable[..., int | None] = options.pop("action")
        return action(home, options["target"], options)

    def _list(self, home: Home, target: str, options: dict[str, Any]) -> None:
        file = writes.read(home, target)
        checked = flags.check(file)
        entries = [
            {
                "id": entry.id,
                "text": entry.text,
                "chars": entry.chars,
                "flags": [flag.code for flag in found.flags],
                "keep_value": None,
            }
            for entry, found in zip(file.entries, checked, strict=True)
        ]
        head = {"target": target, "used": file.used, "limit": file.limit, "percent": file.percent, "drift": file.drift}
        lines = [f"{FILE_NAMES[target]}: {file.used:,} of {file.limit:,} characters, {file.percent} %"]
        lines += [f"{entry.id}  {entry.text}" for entry in file.entries]
        self.answer({**head, "entries": entries}, "\n".join(lines))

    def _history(self, home: Home, target: str, options: dict[str, Any]) -> None:
        revisions = Revision.objects.filter(home=home.key, target=target).order_by("-id").prefetch_related("changes")
        writes.read(home, target)
        document = [_revision(revision) for revision in revisions]
        lines = [f"{r['id']}  {r['time']}  {r['writer']}  {r['used']:,}  {r['reason']}" for r in document]
        self.answer({"revisions": document}, "\n".join(lines))

    def _add(self, home: Home, target: str, options: dict[str, Any]) -> int:
        return self._change(home, target, "Added.", partial(memory.entry_add, **_text(options)))

    def _replace(self, home: Home, target: str, options: dict[str, Any]) -> int:
        change = partial(memory.entry_replace, entry_id=options["id"], **_text(options))
        return self._change(home, target, "Replaced.", change)

    def _remove(self, home: Home, target: str, options: dict[str, Any]) -> int:
        return self._change(home, target, "Removed.", partial(memory.entry_remove, **_entry(options)))

    def _move(self, home: Home, target: str, options: dict[str, Any]) -> int:
        return self._change(home, target, "Moved.", partial(memory.entry_move, **_entry(options)))

    def _restore(self, home: Home, target: str, options: dict[str, Any]) -> int:
        revision = Revision.objects.filter(home=home.key, target=target, id=options["revision"]).first()
        if revision is None:
            raise CommandError(f"{FILE_NAMES[target]} has no revision {options['revision']}.")

        def change(home: Home, target: str) -> Saved:
            is_allowed = options["allow_flagged"]
            return undo.revision_restore(home, revision, via=SHELL, reason=options["reason"], allow_flagged=is_allowed)

        return self._change(home, target, "Restored.", change)

    def _undo(self, home: Home, target: str, options: dict[str, Any]) -> int:
        def change(home: Home, target: str) -> Saved:
            return undo.change_undo(home, via=SHELL, target=target)

        return self._change(home, target, "Undone.", change)

    def _change(self, home: Home, target: str, done: str, change: Callable[[Home, str], Saved]) -> int:
        """Make one change and answer with the file as it now stands, changed or not."""
        try:
            saved = change(home, target)
        except MemoryChanged as changed:
            return self._refuse_change(changed.memory, f"{FILE_NAMES[target]} has no entry {changed.entry_id}.")
        except REFUSALS as refused:
            return self._refuse_change(_now(home, target), str(refused))
        self.answer(_outcome(True, done, saved.files[target]), done)
        return 0

    def _refuse_change(self, file: MemoryFile | None, sentence: str) -> int:
        if self.as_json:
            self.answer(_outcome(False, sentence, file), "")
        else:
            self.stderr.write(sentence)
        return 1


def _common_options() -> ArgumentParser:
    common = ArgumentParser(add_help=False)
    common.add_argument("--target", required=True, choices=TARGETS, help="memory (MEMORY.md) or user (USER.md)")
    # The same options stand before the word; one that is not given here must not undo the one given there.
    common.add_argument("--home", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="the Hermes home")
    common.add_argument("--profile", metavar="NAME", default=argparse.SUPPRESS, help="the profile under the home")
    common.add_argument(
        "--json", action="store_true", dest="as_json", default=argparse.SUPPRESS, help="answer as one JSON document"
    )
    return common


def _word(
    words: Any, common: ArgumentParser, name: str, help_text: str, action: Callable[..., int | None]
) -> ArgumentParser:
    parser: ArgumentParser = words.add_parser(name, parents=[common], help=help_text)
    parser.set_defaults(action=action)
    return parser


def _text(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "text": options["text"],
        "via": SHELL,
        "reason": options["reason"],
        "allow_flagged": options["allow_flagged"],
    }


def _entry(options: dict[str, Any]) -> dict[str, Any]:
    return {"entry_id": options["id"], "via": SHELL, "reason": options["reason"]}


def _now(home: Home, target: str) -> MemoryFile | None:
    try:
        return writes.read(home, target)
    except FileProblem:
        return None


def _outcome(ok: bool, message: str, file: MemoryFile | None) -> dict[str, Any]:
    used, limit = (file.used, file.limit) if file is not None else (None, None)
    return {"ok": ok, "message": message, "used": used, "limit": limit}


def _revision(revision: Revision) -> dict[str, Any]:
    changes = sorted(revision.changes.all(), key=lambda change: change.pk)
    came = [change.text for change in changes if change.kind != EntryChange.REMOVED]
    went = [change.old_text or change.text for change in changes if change.kind != EntryChange.ADDED]
    return {
        "id": revision.pk,
        "time": revision.created_at.isoformat(timespec="seconds"),
        "writer": revision.writer,
        "reason": revision.reason,
        "used": revision.used,
        "added": came,
        "removed": went,
    }
