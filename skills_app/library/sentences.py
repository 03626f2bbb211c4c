"""What can be wrong with a skill and the records about it, in words: one function a kind, the same on every page."""

from __future__ import annotations

from typing import Final

from skills_app.library.model import Problem

SHOWN: Final = 80  # characters of a foreign text inside a sentence
PATH_SHOWN: Final = 400
UNREAD: Final = frozenset(["link_out", "skill_file_link_out"])  # codes of skills that the agent reads and we do not


def quoted(text: str, most: int = SHOWN) -> str:
    """Foreign text for use inside a sentence: one line, bounded, in quotes."""
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'


def keeps_out(code: str, why: str, advice: str) -> Problem:
    """A problem because of which the agent does not load the skill."""
    return Problem(code, f"The agent does not load this skill: {why}.", advice, keeps_out=True)


def no_skill_file() -> Problem:
    return keeps_out("no_skill_file", "its folder holds no SKILL.md", "Put the SKILL.md back, or remove the folder.")


def skill_file_case(name: str) -> Problem:
    return keeps_out(
        "skill_file_case", f"its file is called {quoted(name)}", "Rename the file to SKILL.md, in capitals."
    )


def not_a_file(what: str) -> Problem:
    return keeps_out("not_a_file", f"SKILL.md is {what}, not a file", "Put a text file named SKILL.md in its place.")


def unreadable(reason: str) -> Problem:
    return keeps_out(
        "unreadable", f"SKILL.md cannot be read ({reason})", "Give your account the right to read the file."
    )


def unreadable_folder(reason: str) -> Problem:
    return keeps_out(
        "unreadable_folder",
        f"its folder cannot be opened ({reason})",
        "Give your account the right to open the folder.",
    )


def link_out(target: str) -> Problem:
    return Problem(
        "link_out",
        f"This folder is a link that leads out of the skills folders, to {quoted(target, PATH_SHOWN)}. The agent "
        "follows it; MemoryHub does not, so nothing in it was read or scanned.",
        "To see it here, name the folder it leads to in skills.external_dirs of config.yaml.",
    )


def skill_file_link_out(target: str) -> Problem:
    return Problem(
        "skill_file_link_out",
        f"SKILL.md is a link that leads out of the skills folders, to {quoted(target, PATH_SHOWN)}. The agent reads "
        "it; MemoryHub does not follow it.",
        "Put the file itself in its place.",
    )


def broken_link(target: str) -> Problem:
    return keeps_out(
        "broken_link", f"it is a link to {quoted(target, PATH_SHOWN)}, where nothing is", "Remove the link, or mend it."
    )


def link_loop(path: str) -> Problem:
    return Problem(
        "link_loop",
        f"The link {quoted(path)} leads back to a folder it lies in. The agent follows it round and lists skills many "
        "times, under wrong categories.",
        "Remove the link.",
    )


def name_differs(name: str, folder: str) -> Problem:
    return Problem(
        "name_differs",
        f"The header says {quoted(name)}, the folder is called {quoted(folder)}: the agent lists it under the one and "
        "edits it under the other, and its records may stand under either.",
        "Give both the same name.",
    )


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
