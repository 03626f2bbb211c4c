"""What all commands share: ``--home``, ``--profile``, ``--json``, refusals as one sentence, the exit status."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from memoryhub import __version__, data_folder
from memoryhub.data_folder import DataFolderProblem
from memoryhub.entries import EntryRefused
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home, find_profile, is_utf8, profiles, resolve_home
from memoryhub.hermes.state_db_problems import StateDbProblem
from memoryhub.services.migration import migrate_once

PROBLEMS = (FileProblem, StateDbProblem, DataFolderProblem, EntryRefused)


class HubCommand(BaseCommand):
    """A command of the contract in product.md. Subclasses give ``options`` and ``run``.

    ``run`` returns the exit status or None for 0. A refusal is a CommandError: one sentence on standard error and
    status 1; with ``--json`` it is ``{"ok": false, "message": …}`` on standard output as well.
    """

    requires_system_checks = ()
    takes_json: ClassVar[bool] = True
    takes_profile: ClassVar[bool] = True
    needs_database: ClassVar[bool] = True
    as_json: bool = False

    def get_version(self) -> str:
        """Our version, not Django's."""
        return __version__

    def add_arguments(self, parser: CommandParser) -> None:
        """The options that all commands share, then those of the command."""
        parser.add_argument("--home", type=Path, metavar="DIR", help="the Hermes home (else HERMES_HOME, ~/.hermes)")
        if self.takes_profile:
            parser.add_argument("--profile", metavar="NAME", help="the profile under the home")
        if self.takes_json:
            parser.add_argument("--json", action="store_true", dest="as_json", help="answer as one JSON document")
        self.options(parser)

    def options(self, parser: ArgumentParser) -> None:
        """Add what only this command takes."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the command; turn the problems we know into a sentence and the exit status."""
        self.as_json = options.get("as_json", False)
        try:
            if self.needs_database:
                migrate_once(data_dir())
            status = self.run(**options)
        except PROBLEMS as problem:
            self._refuse(str(problem))
        except CommandError as error:
            self._refuse(str(error))
        except OperationalError as error:
            self._refuse(
                f"MemoryHub's own database cannot be used at the moment ({error}). Look again before you repeat."
            )
        else:
            if status:
                sys.exit(status)

    def run(self, **options: Any) -> int | None:
        """Do what the command is for."""
        raise NotImplementedError

    def answer(self, document: dict[str, Any], text: str) -> None:
        """Print the one JSON document, or the text for a person."""
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) if self.as_json else text)

    def chosen_home(self, *, home: Path | None = None, profile: str | None = None, **_: Any) -> Home:
        """The home and profile that the options name; a CommandError when there is none."""
        found = resolve_home(home, os.environ)
        if not found.exists:
            raise CommandError(f"There is no Hermes home at {found.path}. Name one with --home DIR.")
        return with_profile(require_utf8(found), profile)

    def _refuse(self, sentence: str) -> NoReturn:
        if self.as_json:
            self.stdout.write(json.dumps({"ok": False, "message": sentence}, ensure_ascii=False))
        if not getattr(self, "_called_from_command_line", False):
            raise CommandError(sentence)
        self.stderr.write(sentence)  # Django would put the name of the exception before it
        sys.exit(1)


def require_utf8(home: Home) -> Home:
    """``home``, or a CommandError when no page could show its path."""
    if not is_utf8(home.path):
        shown = str(home.path).encode("utf-8", "backslashreplace").decode()
        raise CommandError(f"The path {shown} leads to a name that is not UTF-8, which no page can show. Rename it.")
    return home


def with_profile(home: Home, name: str | None) -> Home:
    """The profile ``name`` of ``home``, or ``home`` itself when no name is given; a CommandError when unknown."""
    if not name:
        return home
    found = find_profile(home, name)
    if found is None:
        known = ", ".join(each.name for each in profiles(home))
        raise CommandError(f"{home.root} has no profile {name}. It has: {known}.")
    return found


def data_dir() -> Path:
    """Our data folder, made ready (0700, with a private database file)."""
    folder: Path = settings.DATA_DIR
    data_folder.prepare(folder)
    return folder
