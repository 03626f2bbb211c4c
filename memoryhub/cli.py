"""``memoryhub COMMAND``: the same commands as ``python manage.py COMMAND``, with a help page of our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from memoryhub import __version__
from memoryhub.env import BadVariable

OURS: Final = ("memoryhub", "sessions_app", "skills_app")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process with its status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
    if given[:1] in (["--version"], ["version"]):
        sys.stdout.write(f"memoryhub {__version__}\n")
        return
    if not given or given in (["help"], ["--help"], ["-h"]):
        sys.stdout.write(_help())
        return
    try:
        _run(given)
    except BadVariable as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(2)


def _run(given: list[str]) -> None:
    import django
    from django.core.management import execute_from_command_line, get_commands

    django.setup()
    if given[0] not in {*get_commands(), "help"}:
        sys.stderr.write(f"There is no command {given[0]}. memoryhub --help lists them.\n")
        sys.exit(2)
    execute_from_command_line(["memoryhub", *given])


def _help() -> str:
    import django
    from django.core.management import get_commands, load_command_class

    django.setup()
    ours = sorted((name, app) for name, app in get_commands().items() if app in OURS)
    lines = [f"  {name:<10} {load_command_class(app, name).help}" for name, app in ours]
    return "\n".join(["memoryhub COMMAND [options]", "", *lines, "", "memoryhub COMMAND --help tells the options.", ""])
