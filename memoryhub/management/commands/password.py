"""``memoryhub password``: set what other machines must give before they see anything."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memoryhub.management.commands._common import HubCommand, data_dir
from memoryhub.web import passwords
from memoryhub.web.door import PASSWORD_LENGTH


class Command(HubCommand):
    """Ask twice, keep a hash. Browsers that came in with an older password must give the new one."""

    help = "set the password that other machines need"
    takes_profile = False
    needs_database = False

    def options(self, parser: ArgumentParser) -> None:
        """Where the password comes from, or that there shall be none."""
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--stdin", action="store_true", help="read it as one line from standard input")
        source.add_argument("--remove", action="store_true", help="forget it; only this machine can come in then")

    def run(self, **options: Any) -> None:
        """Set or remove the password."""
        folder = data_dir()
        if options["remove"]:
            removed = passwords.remove(folder)
            message = "The password was removed." if removed else "There was no password."
        else:
            password = sys.stdin.readline().rstrip("\r\n") if options["stdin"] else _ask()
            if len(password) < PASSWORD_LENGTH:
                raise CommandError(f"A password needs at least {PASSWORD_LENGTH} characters. Nothing was changed.")
            passwords.write(folder, password)
            message = "The password is set. It counts for every --host that other machines can reach."
        self.answer({"ok": True, "message": message}, message)


def _ask() -> str:
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask at. Give the password with --stdin.")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != password:
        raise CommandError("The two were not the same. Nothing was changed.")
    return password
