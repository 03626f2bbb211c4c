"""``memoryhub status``: gauges and counts of every profile."""

from __future__ import annotations

from typing import Any

from memoryhub.hermes.home import FILE_NAMES, TARGETS
from memoryhub.management.commands._common import HubCommand
from memoryhub.services.status import status


class Command(HubCommand):
    help = "gauges and counts of every profile"

    def run(self, **options: Any) -> None:
        document = status(self.chosen_home(**options))
        if wanted := options.get("profile"):
            document["profiles"] = [each for each in document["profiles"] if each["name"] == wanted]
        lines = [f"Hermes home {document['home']}"]
        for profile in document["profiles"]:
            lines += ["", profile["name"], *_lines(profile)]
        self.answer(document, "\n".join(lines))


def _lines(profile: dict[str, Any]) -> list[str]:
    lines = []
    for target in TARGETS:
        file = profile[target]
        figures = (
            f"{file['used']:,} of {file['limit']:,} characters, {file['percent']} %, {file['entries']} entries"
            if file
            else "cannot be read; memoryhub doctor says why"
        )
        lines.append(f"  {FILE_NAMES[target]:<10} {figures}")
    pending = profile["pending"]
    lines.append(f"  {'pending':<10} {_number(pending['memory'])} memory, {_number(pending['skills'])} skills")
    lines.append(f"  {'sessions':<10} {_number(profile['sessions'])}, {_number(profile['messages'])} messages")
    if profile["skills"]:
        lines.append(f"  {'skills':<10} {', '.join(f'{count:,} {word}' for word, count in profile['skills'].items())}")
    return lines


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"
