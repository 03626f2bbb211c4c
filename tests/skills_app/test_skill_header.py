"""SKILL.md as a format: what its header says, what the agent makes of it, and a sentence for everything odd."""

from __future__ import annotations

from datetime import date

import pytest

from skills_app.library.header import read_header, runs_on

GOOD = "---\nname: tidy\ndescription: Tidies up\n---\n\n# Tidy\n"


def problems(text: str) -> list[str]:
    return [each.code for each in read_header(text).problems]


def test_a_plain_header_has_no_problems() -> None:
    header = read_header(GOOD)
    assert (header.agent_name, header.name, header.description) == ("tidy", "tidy", "Tidies up")
    assert header.problems == ()
    assert header.text == "name: tidy\ndescription: Tidies up"


def test_a_long_way_down_to_the_text_does_not_push_the_header_out_of_reach() -> None:
    assert read_header(GOOD.replace("# Tidy", "\n" * 100_000 + "# Tidy")) == read_header(GOOD)


# What stands in SKILL.md, the code of what is wrong, the name that the agent takes (None: the folder's).
ODD: dict[str, tuple[str, str, str | None]] = {
    "a heading first": ("# Tidy\n\nTidies up.\n", "no_header", None),
    "nothing at all": ("", "no_header", None),
    "a blank line first": ("\n---\nname: tidy\n---\nx\n", "late_header", None),
    "never closed": ("---\nname: tidy\ndescription: d\n# Body\n", "unclosed_header", None),
    "closed without a line end": ("---\nname: tidy\ndescription: d\n---", "unclosed_header", None),
    "nothing below": ("---\nname: tidy\ndescription: d\n---\n \n", "empty_body", "tidy"),
    "no name": ("---\ndescription: d\n---\nx\n", "missing_name", None),
    "no description": ("---\nname: tidy\n---\nx\n", "missing_description", "tidy"),
    "description of nothing": ("---\nname: tidy\ndescription: ''\n---\nx\n", "missing_description", "tidy"),
    "empty header": ("---\n---\nx\n", "header_not_mapping", None),
    "a list": ("---\n- name\n- tidy\n---\nx\n", "header_not_mapping", None),
    "a sentence": ("---\njust words\n---\nx\n", "header_not_mapping", None),
    "not YAML": ("---\nname: tidy\ndescription: a: b: c\n---\nx\n", "header_not_yaml", "tidy"),
    "tab": ("---\nname: tidy\n\tdescription: d\n---\nx\n", "header_not_yaml", "tidy"),
    "twice": ("---\nname: a\nname: b\ndescription: d\n---\nx\n", "repeated_field", "b"),
    "long name": (f"---\nname: {'n' * 70}\ndescription: d\n---\nx\n", "name_too_long", "n" * 64),
    "long description": (f"---\nname: tidy\ndescription: {'d' * 1025}\n---\nx\n", "description_too_long", "tidy"),
    "capitals": ("---\nname: Tidy Up\ndescription: d\n---\nx\n", "name_shape", "Tidy Up"),
    "empty text": ("---\nname: ' '\ndescription: d\n---\nx\n", "empty_name", None),
    "very long header": (f"---\nname: tidy\ndescription: d\nx: {'y' * 4000}\n---\nx\n", "header_beyond_reach", None),
}


@pytest.mark.parametrize("kind", ODD)
def test_every_oddity_has_a_sentence_and_the_agent_still_lists_the_skill(kind: str) -> None:
    text, code, name = ODD[kind]
    header = read_header(text)
    found = next(each for each in header.problems if each.code == code)
    assert found.sentence.endswith(".")
    assert found.advice.endswith(".")
    assert not found.keeps_out
    assert header.agent_name == name
    assert not header.description.startswith("---")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("2048", "a number"),
        ("1.5", "a number"),
        ("yes", "yes or no"),
        ("off", "yes or no"),
        ("2026-01-05", "a date"),
        ("2026-01-05 10:00:00", "a date"),
        ("", "empty"),
        ("~", "empty"),
        ("[a, b]", "a list"),
        ("{a: b}", "not a text"),
        ("0x1F", "a number"),
        ("12:30:45", "a number"),
    ],
)
def test_a_name_that_yaml_takes_for_something_else_keeps_the_skill_out(value: str, what: str) -> None:
    (problem,) = read_header(f"---\nname: {value}\ndescription: d\n---\nx\n").problems
    assert problem.keeps_out
    assert problem.sentence == f"The agent ignores this skill: name is {what}."


@pytest.mark.parametrize("value", ["42", "true", "2026-01-05", "3.5"])
def test_so_does_a_description_that_is_no_text(value: str) -> None:
    (problem,) = read_header(f"---\nname: tidy\ndescription: {value}\n---\nx\n").problems
    assert (problem.code, problem.keeps_out) == ("description_type", True)


@pytest.mark.parametrize("value", ["", "0", "false", "~"])
def test_nothing_for_a_description_is_replaced_by_prose_or_keeps_the_skill_out(value: str) -> None:
    header = f"---\nname: tidy\ndescription: {value}\n---\n# Heading\n"
    assert [each.code for each in read_header(header + "Prose.\n").problems] == ["missing_description"]
    (problem,) = read_header(header).problems
    assert (problem.code, problem.keeps_out) == ("description_type", True)


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("metadata:\n  hermes:\n    tags: [a, b, a]", ("a", "b")),
        ("metadata:\n  hermes:\n    tags: a, 'b'", ("a", "b")),
        ("tags: '[a, b]'", ("a", "b")),
        ("tags: [1, true, null]", ("1", "true")),
        ("tags: {a: b}", ()),
        ("metadata: [1]", ()),
        ("metadata:\n  hermes: x\ntags: [c]", ("c",)),
    ],
)
def test_tags_are_read_from_where_agents_write_them(lines: str, tags: tuple[str, ...]) -> None:
    assert read_header(f"---\nname: tidy\ndescription: d\n{lines}\n---\nx\n").tags == tags


def test_every_field_is_kept_as_text() -> None:
    header = read_header(
        "---\nname: tidy\ndescription: d\nversion: 1.0\nday: 2026-01-05\nlist: [a, {b: c}]\non: yes\nnone:\n---\nx\n"
    )
    wanted = {"version": "1.0", "day": date(2026, 1, 5).isoformat(), "list": "a, b: c", "true": "true", "none": ""}
    assert {key: header.fields[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    ("platforms", "system", "runs"),
    [
        ("[macos, linux]", "linux", True),
        ("[macos]", "linux", False),
        ("macos", "darwin", True),
        ("[windows]", "win32", True),
        ("[Linux]", "linux", True),
        ("[]", "linux", True),
        ("", "linux", True),
        ("[freebsd]", "linux", False),
    ],
)
def test_platforms_decide_whether_the_agent_loads_it_here(platforms: str, system: str, runs: bool) -> None:
    header = read_header(f"---\nname: tidy\ndescription: d\nplatforms: {platforms}\n---\nx\n")
    assert runs_on(header.platforms, system) is runs


@pytest.mark.parametrize(
    ("environments", "is_marked"),
    [
        ("[kanban]", True),
        ("Docker", True),
        ("[docker, s6]", True),
        ("[docker, mine]", False),
        ("[]", False),
        ("", False),
    ],
)
def test_a_skill_for_some_environments_is_marked_where_the_agent_tells_them_apart(
    environments: str, is_marked: bool
) -> None:
    found = read_header(f"---\nname: tidy\ndescription: d\nenvironments: {environments}\n---\nx\n").problems
    assert [each.code for each in found] == (["some_environments"] if is_marked else [])
