"""``memoryhub scan``: the skills guard, on the home's library or on any folder or file. Writes nothing of Hermes'."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError

from memoryhub.management.commands._common import HubCommand
from skills_app.guard.child import scan_many
from skills_app.guard.model import Tier, Verdict
from skills_app.guard.report import Scanned, to_json, to_text
from skills_app.guard.rules import RULES
from skills_app.guard.sarif import to_sarif
from skills_app.guard.targets import NoSkill, Target, scan_file, targets_at
from skills_app.services.reading import read_listing

_FAILS: Final = ("caution", "dangerous")


class Command(HubCommand):
    help = "the skills guard, on the library or on any folder or file"
    needs_database = False

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a skill, a folder of skills, a file")
        tiers = [tier.value for tier in Tier]
        parser.add_argument("--trust", choices=tiers, metavar="TIER", help=f"how far to trust them: {', '.join(tiers)}")
        parser.add_argument("--fail-on", choices=_FAILS, help="exit with 1 when a skill is at least that")
        parser.add_argument("--sarif", type=Path, metavar="FILE", help="also write the findings as SARIF 2.1.0")

    def run(self, **options: Any) -> int:
        scanned = sorted(self._scanned(**options), key=lambda one: one.path)
        if options["sarif"]:
            _write(options["sarif"], to_sarif(scanned, RULES))
        self.answer(to_json(scanned), to_text(scanned))
        least = Verdict(options["fail_on"]).rank if options["fail_on"] else None
        return int(least is not None and any(one.report.verdict.rank >= least for one in scanned))

    def _scanned(self, **options: Any) -> Iterator[Scanned]:
        given = Tier(options["trust"]) if options["trust"] else None
        if not options["paths"]:
            yield from self._library(given, **options)
            return
        try:
            files = [path for path in options["paths"] if path.is_file()]
            folders = [each for path in options["paths"] if not path.is_file() for each in targets_at(path)]
            yield from (Scanned(path.name, str(path), given or Tier.LOCAL, scan_file(path)) for path in files)
        except NoSkill as problem:
            raise CommandError(str(problem)) from problem
        yield from _scan([(target, given or Tier.LOCAL) for target in folders])

    def _library(self, given: Tier | None, **options: Any) -> Iterator[Scanned]:
        listing = read_listing(self.chosen_home(**options))
        yield from _scan([(Target(one.name, one.path), given or one.tier) for one in listing.skills if one.files])


def _scan(targets: list[tuple[Target, Tier]]) -> Iterator[Scanned]:
    by_path = {target.path: (target, tier) for target, tier in targets}
    for path, report in scan_many(list(by_path)):
        target, tier = by_path[path]
        yield Scanned(target.name, str(path), tier, report)


def _write(path: Path, log: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(log, ensure_ascii=False, indent=1), "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or 'for an unknown reason'}.") from error
