"""What can be wrong with a SKILL.md itself, in words: its encoding and its header."""

from __future__ import annotations

from skills_app.library.model import Problem
from skills_app.library.sentences import keeps_out, quoted


def encoding(name: str) -> Problem:
    return keeps_out("encoding", f"SKILL.md is {name}, and only UTF-8 is read", "Save the file as UTF-8.")


def byte_order_mark() -> Problem:
    return Problem(
        "byte_order_mark",
        "SKILL.md begins with a byte-order mark, as Windows editors write it. The agent reads past it.",
        "Nothing needs doing; saving as UTF-8 without the mark removes it.",
    )


def too_large(limit_kib: int) -> Problem:
    return Problem(
        "too_large",
        f"SKILL.md is larger than {limit_kib:,} KiB; only its beginning was read here. The agent reads all of it.",
        "Move the bulk to files under references.",
    )


def too_long(characters: int, limit: int) -> Problem:
    return Problem(
        "too_long",
        f"SKILL.md has {characters:,} characters; the agent refuses to edit a skill beyond {limit:,}.",
        "Move parts of it to files under references.",
    )


def no_header() -> Problem:
    return Problem(
        "no_header",
        "SKILL.md has no header: it does not begin with ---. The agent takes the folder's name and the first line of "
        "prose.",
        "Put a header with name and description between two --- lines at the very beginning.",
    )


def late_header() -> Problem:
    return Problem(
        "late_header",
        "The header does not begin in the first line, so the agent does not see it and takes --- for the description.",
        "Remove everything above the first ---.",
    )


def unclosed_header() -> Problem:
    return Problem(
        "unclosed_header",
        "The header is not closed: no line --- with a line end follows it, so the agent ignores what it says.",
        "End the header with a line of --- and write the instructions below it.",
    )


def header_beyond_reach(limit: int) -> Problem:
    return Problem(
        "header_beyond_reach",
        f"The header ends after the first {limit:,} characters, which is all that the agent's list reads, so the list "
        "ignores it.",
        "Shorten the header.",
    )


def header_not_yaml(place: str) -> Problem:
    return Problem(
        "header_not_yaml",
        f"The header is not valid YAML{place}. The agent falls back to reading it line by line as key: value.",
        "Put texts that hold a colon, a quote or a # in quotes.",
    )


def header_not_mapping() -> Problem:
    return Problem(
        "header_not_mapping",
        "The header holds no fields, so the agent ignores it and takes the folder's name.",
        "Write it as lines of key: value.",
    )


def header_refused(why: str) -> Problem:
    return Problem(
        "header_refused",
        f"The header was refused: {why}. It is not read here, and it can make the agent's whole list of skills fail.",
        "Write plain values without anchors, aliases and tags.",
    )


def repeated_field(name: str) -> Problem:
    return Problem(
        "repeated_field",
        f"The header has the field {quoted(name)} more than once; the agent takes the last one.",
        "Keep one of them.",
    )


def field_type(name: str, what: str) -> Problem:
    return Problem(
        f"{name}_type",
        f"The agent ignores this skill: {name} is {what}.",
        "Give it a value." if what == "empty" else "Put it in quotes.",
        keeps_out=True,
    )


def missing_name() -> Problem:
    return Problem(
        "missing_name",
        "The header gives no name, so the agent takes the folder's name.",
        "Add name: with the folder's name.",
    )


def empty_name() -> Problem:
    return Problem("empty_name", "The name in the header is empty text.", "Write the folder's name there.")


def name_too_long(length: int, limit: int) -> Problem:
    return Problem(
        "name_too_long",
        f"The name has {length:,} characters; the agent cuts it after {limit}.",
        "Shorten it.",
    )


def name_shape() -> Problem:
    return Problem(
        "name_shape",
        "The name has other characters than lower-case letters, digits, dots, underscores and hyphens, so the agent's "
        "tools cannot address it.",
        "Rename it, and its folder with it.",
    )


def missing_description() -> Problem:
    return Problem(
        "missing_description",
        "The header gives no description, so the agent shows the first line of prose.",
        "Add description: with one sentence that says when to use the skill.",
    )


def description_too_long(length: int, limit: int) -> Problem:
    return Problem(
        "description_too_long",
        f"The description has {length:,} characters; the agent cuts it after {limit:,}.",
        "Shorten it.",
    )


def empty_body() -> Problem:
    return Problem("empty_body", "Nothing stands below the header.", "Write the instructions below the second ---.")


def some_environments(names: str) -> Problem:
    return Problem(
        "some_environments",
        f"The agent offers this skill only where it runs in {quoted(names)}; asked for by name it loads everywhere.",
        "Nothing needs doing, unless environments: in the header is wrong.",
    )
