"""Changing one setting of config.yaml: that one value and nothing else, or a refusal that says what to write."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memoryhub.hermes import files
from memoryhub.hermes.config import read_config
from memoryhub.hermes.config_edit import GATES, Edit, EditRefused, put_back, set_disabled, set_gate

ON: dict[str, tuple[str, str]] = {
    "no file": ("", "skills:\n  write_approval: true\n"),
    "comments only": ("# mine\n", "# mine\nskills:\n  write_approval: true\n"),
    "no final line end": ("a: 1", "a: 1\nskills:\n  write_approval: true\n"),
    "empty section": ("skills: # x\n", "skills: # x\n  write_approval: true\n"),
    "null section": ("skills: ~ # x\nm: 1\n", "skills:  # x\n  write_approval: true\nm: 1\n"),
    "empty braces": ("skills: {}\n", "skills: {write_approval: true}\n"),
    "braces": ("skills: {a: 1} # x\n", "skills: {write_approval: true, a: 1} # x\n"),
    "all in braces": ('{"m": 1}\n', '{skills: {write_approval: true}, "m": 1}\n'),
    "other keys": ("skills:\n  # about a\n  a: 1\n", "skills:\n  write_approval: true\n  # about a\n  a: 1\n"),
    "four blanks": ("skills:\n    a: 1\n", "skills:\n    write_approval: true\n    a: 1\n"),
    "false": ("skills:\n  write_approval: false # x\n", "skills:\n  write_approval: true # x\n"),
    "False": ("skills:\n  write_approval: False\n", "skills:\n  write_approval: True\n"),
    "off": ("skills:\n  write_approval: off\n", "skills:\n  write_approval: on\n"),
    "NO": ("skills:\n  write_approval: NO\n", "skills:\n  write_approval: YES\n"),
    "zero": ("skills:\n  write_approval: 0\n", "skills:\n  write_approval: 1\n"),
    "quoted": ("skills:\n  write_approval: 'off'\n", "skills:\n  write_approval: 'on'\n"),
    "quoted word": ('skills:\n  write_approval: "never"\n', 'skills:\n  write_approval: "true"\n'),
    "no value": ("skills:\n  write_approval:\n  a: 1\n", "skills:\n  write_approval: true\n  a: 1\n"),
    "twice": (
        "skills:\n  write_approval: no\n  write_approval: no\n",
        "skills:\n  write_approval: no\n  write_approval: yes\n",
    ),
    "CRLF": ("skills:\r\n  a: 1\r\n", "skills:\r\n  write_approval: true\r\n  a: 1\r\n"),
    "CRLF, none": ("a: 1\r\n", "a: 1\r\nskills:\r\n  write_approval: true\r\n"),
    "byte-order mark": ("\ufeffa: 1\n", "\ufeffa: 1\nskills:\n  write_approval: true\n"),
    "a text at the end": ("note: |\n  text", "skills:\n  write_approval: true\nnote: |\n  text"),
    "end of document": ("a: 1\n...\n", "skills:\n  write_approval: true\na: 1\n...\n"),
    "merged": (
        "b: &b {write_approval: off}\nskills:\n  <<: *b\n",
        "b: &b {write_approval: off}\nskills:\n  write_approval: true\n  <<: *b\n",
    ),
}


def edit(folder: Path, text: str, change: Callable[[Path], Edit]) -> str:
    path = folder / "config.yaml"
    if text:
        path.write_bytes(text.encode())
    made = change(path)
    assert (made.before or b"").decode() == text
    assert not path.exists() or path.read_bytes() == made.after
    return made.after.decode()


@pytest.mark.parametrize("kind", ON)
def test_a_gate_is_switched_on_where_it_stands(tmp_path: Path, kind: str) -> None:
    before, after = ON[kind]
    assert edit(tmp_path, before, lambda path: set_gate(path, "skills.write_approval", True)) == after
    assert read_config(tmp_path / "config.yaml").skills_write_approval


@pytest.mark.parametrize("kind", ON)
def test_switching_off_what_was_switched_on_says_the_same_as_before(tmp_path: Path, kind: str) -> None:
    edit(tmp_path, ON[kind][1], lambda path: set_gate(path, "skills.write_approval", False))
    config = read_config(tmp_path / "config.yaml")
    assert not config.skills_write_approval
    assert config.problem is None


@pytest.mark.parametrize("value", ["true", "On", "yes", "1", "'approve'", "enabled"])
def test_a_gate_that_says_so_already_is_left_alone(tmp_path: Path, value: str) -> None:
    text = f"memory:\n  write_approval: {value}\n"
    assert edit(tmp_path, text, lambda path: set_gate(path, "memory.write_approval", True)) == text


def test_every_gate_can_be_switched_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    for gate in GATES:
        assert set_gate(path, gate, True).is_change
    config = read_config(path)
    assert (config.memory_write_approval, config.skills_write_approval, config.guard_agent_created) == (True,) * 3
    for gate in GATES:
        assert set_gate(path, gate, False).is_change
    assert not any(read_config(path).__dict__[name] for name in ("memory_write_approval", "skills_write_approval"))


REFUSED: dict[str, bytes] = {
    "broken": b"skills: [\n",
    "tabs": b"skills:\n\ta: 1\n",
    "no table": b"- a\n",
    "a list for a section": b"skills: [1]\n",
    "not UTF-8": b"skills:\n  note: caf\xe9\n",
    "two documents": b"a: 1\n---\nb: 2\n",
    "an alias": b"x: &v false\nskills:\n  write_approval: *v\n",
    "an anchor that is used": b"skills:\n  write_approval: &v false\nx: *v\n",
    "a section that is used": b"skills: &s\n  a: 1\nt: *s\n",
    "a list for a value": b"skills:\n  write_approval:\n    - 1\n",
    "a type of a language": b"skills: !!python/object/apply:os.getcwd []\n",
    "holds itself": b"a: &a [*a]\n- 1\n",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_changed_alone_is_refused_with_the_line_to_write(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(REFUSED[kind])
    with pytest.raises(EditRefused, match="config.yaml was not changed: .* write_approval: true, below skills:"):
        set_gate(path, "skills.write_approval", True)
    assert path.read_bytes() == REFUSED[kind]


def test_a_config_that_holds_itself_can_still_be_changed_elsewhere(tmp_path: Path) -> None:
    text = "a: &a [*a]\n"
    after = edit(tmp_path, text, lambda path: set_gate(path, "skills.write_approval", True))
    assert after == text + "skills:\n  write_approval: true\n"


def test_only_gates_can_be_switched(tmp_path: Path) -> None:
    with pytest.raises(EditRefused, match="none of the agent's gates"):
        set_gate(tmp_path / "config.yaml", "model.api_key", True)


ADDED: dict[str, tuple[str, str]] = {
    "no file": ("", "skills:\n  disabled: [pdf]\n"),
    "empty list": ("skills:\n  disabled: []\n", "skills:\n  disabled: [pdf]\n"),
    "no value": ("skills:\n  disabled: # x\n", "skills:\n  disabled: [pdf] # x\n"),
    "null": ("skills:\n  disabled: null # x\n", "skills:\n  disabled: [pdf] # x\n"),
    "one text": ("skills:\n  disabled: other\n", "skills:\n  disabled: [other, pdf]\n"),
    "brackets": ("skills:\n  disabled: [b, a] # x\n", "skills:\n  disabled: [b, a, pdf] # x\n"),
    "brackets over lines": (
        "skills:\n  disabled: [\n    a, # x\n  ]\n",
        "skills:\n  disabled: [\n    a, pdf, # x\n  ]\n",
    ),
    "lines": (
        "skills:\n  disabled:\n    - b # x\n    # y\n    - a # z\n  # w\n  m: 1\n",
        "skills:\n  disabled:\n    - b # x\n    # y\n    - a # z\n    - pdf\n  # w\n  m: 1\n",
    ),
    "lines, not indented": ("skills:\n  disabled:\n  - a", "skills:\n  disabled:\n  - a\n  - pdf\n"),
    "long last item": ("skills:\n  disabled:\n  - >-\n    a\n", "skills:\n  disabled:\n  - pdf\n  - >-\n    a\n"),
    "numbers": ("skills:\n  disabled: [2048]\n", "skills:\n  disabled: [2048, pdf]\n"),
    "CRLF": ("skills:\r\n  disabled:\r\n  - a\r\n", "skills:\r\n  disabled:\r\n  - a\r\n  - pdf\r\n"),
}


@pytest.mark.parametrize("kind", ADDED)
def test_a_name_is_put_on_the_list_of_disabled_skills(tmp_path: Path, kind: str) -> None:
    before, after = ADDED[kind]
    assert edit(tmp_path, before, lambda path: set_disabled(path, "pdf", True)) == after
    assert "pdf" in read_config(tmp_path / "config.yaml").skills.disabled


@pytest.mark.parametrize("kind", ADDED)
def test_taking_the_name_off_again_leaves_the_others(tmp_path: Path, kind: str) -> None:
    before, after = ADDED[kind]
    edit(tmp_path, after, lambda path: set_disabled(path, "pdf", False))
    (tmp_path / "before.yaml").write_bytes(before.encode())
    assert read_config(tmp_path / "config.yaml").skills == read_config(tmp_path / "before.yaml").skills


REMOVED: dict[str, tuple[str, str]] = {
    "one text": ("skills:\n  disabled: pdf # x\n", "skills:\n  disabled: [] # x\n"),
    "the only one": ("skills:\n  disabled:\n  - pdf # x\n  # y\n", "skills:\n  disabled: []\n  # y\n"),
    "in the middle": ("skills:\n  disabled: [a, pdf, b]\n", "skills:\n  disabled: [a, b]\n"),
    "the last": ("skills:\n  disabled: [a, pdf]\n", "skills:\n  disabled: [a]\n"),
    "its own line": ("skills:\n  disabled: [\n    a, # x\n    pdf\n  ]\n", "skills:\n  disabled: [\n    a, # x\n  ]\n"),
    "twice": ("skills:\n  disabled: [pdf, 'pdf', a]\n", "skills:\n  disabled: [a]\n"),
    "twice, alone": ("skills:\n  disabled:\n  - pdf\n  - pdf", "skills:\n  disabled: []\n"),
    "over lines": ("skills:\n  disabled:\n  - >-\n    pdf\n  - a\n", "skills:\n  disabled:\n  - a\n"),
    "with blanks": ("skills:\n  disabled: [' pdf ', a]\n", "skills:\n  disabled: [a]\n"),
}


@pytest.mark.parametrize("kind", REMOVED)
def test_a_name_is_taken_off_the_list(tmp_path: Path, kind: str) -> None:
    before, after = REMOVED[kind]
    assert edit(tmp_path, before, lambda path: set_disabled(path, "pdf", False)) == after


@pytest.mark.parametrize(
    "name", ["yes", "2048", "null", "a: b", "#x", "[x]", "ü ñ", 'q"uo\\te', "\u202e rtl", "- x", "~"]
)
def test_any_name_is_written_so_that_it_reads_as_the_same_text(tmp_path: Path, name: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("skills:\n  disabled: [a]\n")
    set_disabled(path, name, True)
    assert read_config(path).skills.disabled == {"a", name}
    set_disabled(path, name, False)
    assert path.read_text() == "skills:\n  disabled: [a]\n"


def test_a_link_stays_a_link_and_the_mode_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.yaml"
    target.write_text("a: 1\n")
    target.chmod(0o640)
    (tmp_path / "config.yaml").symlink_to("dotfiles.yaml")
    set_gate(tmp_path / "config.yaml", "memory.write_approval", True)
    assert (tmp_path / "config.yaml").is_symlink()
    assert target.read_text() == "a: 1\nmemory:\n  write_approval: true\n"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_config_is_private(tmp_path: Path) -> None:
    set_gate(tmp_path / "config.yaml", "memory.write_approval", True)
    assert (tmp_path / "config.yaml").stat().st_mode & 0o777 == 0o600


def test_an_edit_can_be_undone_unless_somebody_wrote_since(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: 1\n")
    made = set_gate(path, "memory.write_approval", True)
    put_back(path, made)
    assert path.read_text() == "a: 1\n"
    path.write_text("a: 2\n")
    with pytest.raises(files.Overtaken):
        put_back(path, made)
    assert path.read_text() == "a: 2\n"


def test_a_folder_or_a_pipe_in_its_place_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").mkdir()
    with pytest.raises(files.NotAFile):
        set_gate(tmp_path / "config.yaml", "memory.write_approval", True)
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(files.NotAFile):
        set_disabled(tmp_path / "pipe.yaml", "pdf", True)
