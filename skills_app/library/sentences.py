"""What can be wrong with a skill, in words: one function a kind, so that every page says the same."""

from __future__ import annotations

from typing import Final

from skills_app.library.model import Problem

SHOWN: Final = 80  # characters of a foreign text inside a sentence


def quoted(text: str) -> str:
    """Foreign text for use inside a sentence: one line, bounded, in quotes."""
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return f'"{line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"}"'


def _out(code: str, why: str, advice: str) -> Problem:
    return Problem(code, f"The agent does not load this skill: {why}.", advice, keeps_out=True)


def no_skill_file() -> Problem:
    return _out("no_skill_file", "its folder holds no SKILL.md", "Put the SKILL.md back, or remove the folder.")


def skill_file_case(name: str) -> Problem:
    return _out("skill_file_case", f"its file is called {quoted(name)}", "Rename the file to SKILL.md, in capitals.")


def not_a_file(what: str) -> Problem:
    return _out("not_a_file", f"SKILL.md is {what}, not a file", "Put a text file named SKILL.md in its place.")


def unreadable(reason: str) -> Problem:
    return _out("unreadable", f"SKILL.md cannot be read ({reason})", "Give your account the right to read the file.")


def unreadable_folder(reason: str) -> Problem:
    return _out(
        "unreadable_folder",
        f"its folder cannot be opened ({reason})",
        "Give your account the right to open the folder.",
    )


def link_out(target: str) -> Problem:
    return Problem(
        "link_out",
        f"This folder is a link that leads out of the skills folders, to {quoted(target)}. The agent follows it; "
        "MemoryHub does not, so nothing in it was read or scanned.",
        "To see it here, name the folder it leads to in skills.external_dirs of config.yaml.",
    )


def skill_file_link_out(target: str) -> Problem:
    return Problem(
        "skill_file_link_out",
        f"SKILL.md is a link that leads out of the skills folders, to {quoted(target)}. The agent reads it; MemoryHub "
        "does not follow it.",
        "Put the file itself in its place.",
    )


def broken_link(target: str) -> Problem:
    return _out("broken_link", f"it is a link to {quoted(target)}, where nothing is", "Remove the link, or mend it.")


def link_loop(path: str) -> Problem:
    return Problem(
        "link_loop",
        f"The link {quoted(path)} leads back to a folder it lies in. The agent follows it round and lists skills many "
        "times, under wrong categories.",
        "Remove the link.",
    )


def encoding(name: str) -> Problem:
    return _out("encoding", f"SKILL.md is {name}, and only UTF-8 is read", "Save the file as UTF-8.")


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


def name_differs(name: str, folder: str) -> Problem:
    return Problem(
        "name_differs",
        f"The header says {quoted(name)}, the folder is called {quoted(folder)}: the agent lists it under the one and "
        "edits it under the other, and its records may stand under either.",
        "Give both the same name.",
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


def duplicate(other: str, name: str) -> Problem:
    return Problem(
        "duplicate",
        f"Not loaded: {other} has the same name, {quoted(name)}, and comes first.",
        "Rename one of them, in the header and its folder.",
        keeps_out=True,
    )


def same_name(others: int, name: str) -> Problem:
    more = "another skill is" if others == 1 else f"{others} other skills are"
    return Problem(
        "same_name",
        f"The agent lists this one, but {more} called {quoted(name)} too, so asking for it by name can fail.",
        "Rename one of them, in the header and its folder.",
    )


def other_platform(platforms: str) -> Problem:
    return Problem(
        "other_platform",
        f"The agent does not load this skill here: it is meant for {quoted(platforms)}.",
        "Nothing needs doing, unless platforms: in the header is wrong.",
        keeps_out=True,
    )


def nested(host: str) -> Problem:
    return Problem(
        "nested",
        f"This skill lies inside another one, {host}; the agent loads both.",
        "Move it out if nobody meant it to be there.",
    )


def hidden_folder(part: str) -> Problem:
    return Problem(
        "hidden_folder",
        f"The folder {quoted(part)} is hidden by its name, yet the agent loads the skill in it.",
        "Look whether you want it.",
    )


def left_over() -> Problem:
    return Problem(
        "left_over",
        "The folder's name ends in .bak: an update of the agent leaves such a copy when it is cut short, and the agent "
        "loads it.",
        "Compare it with the skill of that name, then remove one of them.",
    )


def in_the_root() -> Problem:
    return Problem(
        "in_the_root",
        "SKILL.md lies in the skills folder itself, so the whole library counts as its folder.",
        "Give it a folder of its own.",
    )


def many_files(limit: int) -> Problem:
    return Problem(
        "many_files",
        f"The folder holds more than {limit:,} files; the rest is not listed here.",
        "Remove what does not belong to the skill.",
    )


def damaged_record(name: str) -> Problem:
    return Problem(
        "damaged_record",
        f"The install record {quoted(name)} is about this skill, but it is damaged.",
        "Leave uninstalling to hermes skills uninstall only after the record is right.",
    )


def also_linked(aliases: int, first: str) -> Problem:
    more = "" if aliases == 1 else f" and {aliases - 1:,} more"
    return Problem(
        "also_linked",
        f"The agent also comes to this folder through the link {quoted(first)}{more}; it is listed here once.",
        "Nothing needs doing.",
    )


def root_problem(sentence: str, configured: str) -> Problem:
    named = f"skills.external_dirs in config.yaml names it as {quoted(configured)}." if configured else ""
    return Problem("root", sentence, f"{named} Its skills are missing here and from the agent's list.".strip())


def records_problem(sentence: str) -> Problem:
    return Problem("records", sentence, "Repair the file, or move it away so that the agent can start a new one.")


def walk_cut_short(folder: str, limit: int) -> Problem:
    return Problem(
        "too_many_folders",
        f"The folder {folder} holds more than {limit:,} folders; skills beyond them are not listed.",
        "Name a folder that holds skills only.",
    )
