"""``memoryhub open``: a fresh one-time link to the dashboard that runs."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memoryhub import running
from memoryhub.hermes.home import resolve_home
from memoryhub.management.commands._common import HubCommand, data_dir
from memoryhub.services import door


class Command(HubCommand):
    """Find the running dashboard and let a new link into its door."""

    help = "print a fresh one-time link to the running dashboard"
    takes_profile = False

    def options(self, parser: ArgumentParser) -> None:
        """Which dashboard, when several run."""
        parser.add_argument("--port", type=int, help="the one on this port, when several run")

    def run(self, **options: Any) -> None:
        """Print the link."""
        found = _choose(running.find_running(data_dir()), options["home"], options["port"])
        link = f"{found.url}/open/{door.token_create()}/"
        self.answer({"url": link, "home": found.home, "port": found.port}, link)


def _choose(all_: tuple[running.Running, ...], home: Path | None, port: int | None) -> running.Running:
    """The one dashboard that is meant; a CommandError that names the choices when that is not clear."""
    if not all_:
        raise CommandError("No dashboard is running. Start one with: memoryhub serve")
    fitting = [each for each in all_ if port in (None, each.port)]
    if home or len(fitting) > 1:
        wanted = resolve_home(home, os.environ).key
        same_home = [each for each in fitting if resolve_home(Path(each.home), {}).key == wanted]
        fitting = same_home if home or same_home else fitting
    if len(fitting) == 1:
        return fitting[0]
    listed = "; ".join(f"--port {each.port} ({each.home})" for each in all_)
    raise CommandError(f"Say which dashboard you mean: {listed}")
