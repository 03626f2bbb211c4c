"""SKILL.md as a format: its encoding, its header and what the agent makes of it. Bytes in, facts and problems out.

What the agent does was found by running 0.19.0: its list reads the first 4,000 characters; the header must begin with
the first of them; values that are no text make it drop the skill.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from memoryhub.hermes.values import whole
from skills_app.library import header_sentences
from skills_app.library.header_yaml import HeaderYaml, load_header
from skills_app.library.model import Problem

AGENT_READS: Final = 4_000  # characters of SKILL.md that the agent's list looks at
MOST_CHARACTERS: Final = 100_000
LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1_024
NAME_SHAPE: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_CLOSING: Final = re.compile(r"\n---[^\S\n]*\n")
_UNFINISHED: Final = re.compile(r"\n---\s*\Z")
_ENVIRONMENTS: Final = frozenset(["kanban", "docker", "s6"])  # those that 0.19.0 tells apart; others hide nothing
_MOST_FIELDS: Final = 60
_MOST_PARTS: Final = 100
_LONGEST_FIELD: Final = 2_000


@dataclass(frozen=True, slots=True)
class Header:
    """What SKILL.md says about itself.

    ``agent_name`` is the name that the agent's list takes, None when that is the folder's name. ``fields`` is every
    field as bounded, encodable text; ``platforms`` as written.
    """

    agent_name: str | None = None
    name: str = ""
    description: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    related_skills: tuple[str, ...] = ()
    text: str = ""
    problems: tuple[Problem, ...] = ()


def read_header(skill_text: str) -> Header:
    """Read the text of a SKILL.md (line feeds only, no byte-order mark); never raises."""
    if not skill_text.startswith("---"):
        late = skill_text.lstrip().startswith("---\n")
        return Header(problems=(header_sentences.late_header() if late else header_sentences.no_header(),))
    closing = _CLOSING.search(skill_text, 3)
    if closing is None:
        return Header(problems=(header_sentences.unclosed_header(), *_nothing_below(skill_text)))
    loaded = load_header(skill_text[3 : closing.start()])
    problems = _yaml_problems(loaded)
    if is_seen := closing.end() <= AGENT_READS:
        problems += _name_problems(loaded)
        problems += _description_problems(loaded, has_prose=_has_prose(skill_text[closing.end() : AGENT_READS]))
        problems += _environment_problems(platforms_of(loaded.fields.get("environments")))
    else:
        problems.insert(0, header_sentences.header_beyond_reach(AGENT_READS))
    if not skill_text[closing.end() :].strip():
        problems.append(header_sentences.empty_body())
    return _header(loaded, skill_text[3 : closing.start()].strip("\n"), problems, is_seen=is_seen)


def _nothing_below(text: str) -> list[Problem]:
    return [header_sentences.empty_body()] if _UNFINISHED.search(text, 3) else []


def _yaml_problems(loaded: HeaderYaml) -> list[Problem]:
    if loaded.refused:
        return [header_sentences.header_refused(loaded.refused)]
    if not loaded.is_yaml:
        return [header_sentences.header_not_yaml(loaded.place)]
    if not loaded.is_mapping:
        return [header_sentences.header_not_mapping()]
    return [header_sentences.repeated_field(name) for name in loaded.repeated]


def _header(loaded: HeaderYaml, text: str, problems: list[Problem], *, is_seen: bool) -> Header:
    fields = loaded.fields
    name, description = fields.get("name"), fields.get("description")
    is_taken = is_seen and isinstance(name, str) and name.strip() != ""
    return Header(
        agent_name=whole(str(name))[:LONGEST_NAME] if is_taken else None,
        name=_plain(name) if isinstance(name, str) else _as_text(name),
        description=_plain(description) if isinstance(description, str) else "",
        fields=_all_fields(fields),
        platforms=platforms_of(fields.get("platforms")) if is_seen else (),
        tags=_list_of(fields, "tags"),
        related_skills=_list_of(fields, "related_skills"),
        text=text,
        problems=tuple(problems),
    )


def _name_problems(loaded: HeaderYaml) -> list[Problem]:
    if "name" not in loaded.fields:
        return [header_sentences.missing_name()] if loaded.is_mapping else []
    name = loaded.fields["name"]
    if not isinstance(name, str):
        return [header_sentences.field_type("name", what_is(name))]
    if not name.strip():
        return [header_sentences.empty_name()]
    found = [] if len(name) <= LONGEST_NAME else [header_sentences.name_too_long(len(name), LONGEST_NAME)]
    return found if NAME_SHAPE.fullmatch(name) else [*found, header_sentences.name_shape()]


def _description_problems(loaded: HeaderYaml, *, has_prose: bool) -> list[Problem]:
    description = loaded.fields.get("description", "")
    if isinstance(description, str) and len(description) > LONGEST_DESCRIPTION:
        return [header_sentences.description_too_long(len(description), LONGEST_DESCRIPTION)]
    # Nothing, zero and no are replaced by the first line of prose, where there is one.
    if not isinstance(description, str) and (description or not (has_prose or isinstance(description, list | dict))):
        return [header_sentences.field_type("description", what_is(description))]
    return [] if description or loaded.refused else [header_sentences.missing_description()]


def _environment_problems(environments: tuple[str, ...]) -> list[Problem]:
    named = [each for each in environments if each]
    return [header_sentences.some_environments(", ".join(named))] if named and _ENVIRONMENTS.issuperset(named) else []


def _has_prose(body: str) -> bool:
    """Whether a line stands there that is no heading: what the agent takes for a missing description."""
    return any(line and not line.startswith("#") for line in map(str.strip, body.split("\n")))


def what_is(value: object) -> str:
    """Say in a word what YAML made of a value that should be text."""
    kinds = ((type(None), "empty"), (bool, "yes or no"), (int | float, "a number"), (date, "a date"), (list, "a list"))
    return next((word for kind, word in kinds if isinstance(value, kind)), "not a text")


def platforms_of(value: object) -> tuple[str, ...]:
    """The platforms that a header names, as the agent compares them: lower case, one text or a list of texts."""
    if not value:
        return ()
    items = value if isinstance(value, list) else [value]
    return tuple(_as_text(item).lower().strip() for item in items[:_MOST_PARTS])


def runs_on(platforms: tuple[str, ...], system: str) -> bool:
    """Whether a skill for ``platforms`` is loaded on ``system`` (a value of ``sys.platform``)."""
    known = {"macos": "darwin", "windows": "win32"}
    return not platforms or any(system.startswith(known.get(each, each)) for each in platforms)


def _list_of(fields: Mapping[Any, Any], name: str) -> tuple[str, ...]:
    """A list that stands under metadata.hermes, or at the top as other agents write it; commas divide a plain text."""
    metadata = fields.get("metadata")
    hermes = metadata.get("hermes") if isinstance(metadata, dict) else None
    value = (hermes.get(name) if isinstance(hermes, dict) else None) or fields.get(name)
    if isinstance(value, str):
        value = value.strip().removeprefix("[").removesuffix("]").split(",")
    if not isinstance(value, list):
        return ()
    texts = (_as_text(item).strip().strip("\"'") for item in value[:_MOST_PARTS])
    return tuple(dict.fromkeys(text for text in texts if text))


def _all_fields(fields: Mapping[Any, Any]) -> dict[str, str]:
    pairs = list(fields.items())[:_MOST_FIELDS]
    return {_as_text(key)[:200]: _as_text(value) for key, value in pairs}


def _plain(text: str) -> str:
    return whole(text).strip()[: LONGEST_DESCRIPTION * 4]


def _as_text(value: object, depth: int = 0) -> str:
    """Any value of a header as bounded text: lists with commas, mappings with colons."""
    if isinstance(value, dict) and depth < 4:
        parts = [f"{_as_text(k, depth + 1)}: {_as_text(v, depth + 1)}" for k, v in list(value.items())[:_MOST_PARTS]]
        return "; ".join(parts)[:_LONGEST_FIELD]
    if isinstance(value, list | tuple | set) and depth < 4:
        return ", ".join(_as_text(item, depth + 1) for item in list(value)[:_MOST_PARTS])[:_LONGEST_FIELD]
    if isinstance(value, dict | list | tuple | set):
        return "…"
    return _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return whole(str(value))[:_LONGEST_FIELD]
    except ValueError:  # Python prints no whole number of more than some thousand digits
        return "(a very long number)"
