"""``memoryhub COMMAND``: the same commands as ``python manage.py COMMAND``, with a help page of our own."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Sequence

from memoryhub import __version__


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
    from django.core.management import execute_from_command_line

    execute_from_command_line(["memoryhub", *given])


def _help() -> str:
    import django
    from django.core.management import load_command_class

    from memoryhub.management import commands

    django.setup()
    names = sorted(name for _, name, _ in pkgutil.iter_modules(commands.__path__) if not name.startswith("_"))
    lines = [f"  {name:<10} {load_command_class('memoryhub', name).help}" for name in names]
    return "\n".join(["memoryhub COMMAND [options]", "", *lines, "", "memoryhub COMMAND --help tells the options.", ""])
