"""What config.yaml says of skills: folders, switches and names, in every form Hermes takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryhub.hermes.config import SkillsConfig, read_config


def config(folder: Path, text: str) -> SkillsConfig:
    (folder / "config.yaml").write_text(text, encoding="utf-8")
    return read_config(folder / "config.yaml").skills


def test_without_a_file_or_with_a_broken_one_it_is_the_defaults(tmp_path: Path) -> None:
    assert read_config(tmp_path / "none.yaml").skills == SkillsConfig()
    assert config(tmp_path, "skills: [") == SkillsConfig()
    assert config(tmp_path, "skills: 7") == SkillsConfig()


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("[a, b]", {"a", "b"}),
        ("a", {"a"}),
        ("[' a ', '', 2048, 1.5, [x], null]", {"a", "2048", "1.5"}),
        ("", set()),
        ("{a: 1}", {"a"}),
        ("!!set {a, b}", {"a", "b"}),
        ("&x [*x, a]", {"a"}),
    ],
)
def test_names_are_a_list_or_one_of_it(tmp_path: Path, written: str, names: set[str]) -> None:
    assert config(tmp_path, f"skills:\n  disabled: {written}\n").disabled == names
    found = config(tmp_path, f"skills:\n  platform_disabled:\n    telegram: {written}\n    7: [z]\n").platform_disabled
    assert found == {"telegram": names, "7": {"z"}}


def test_folders_keep_their_order_and_their_words(tmp_path: Path) -> None:
    found = config(
        tmp_path,
        "skills:\n  external_dirs: [~/b, $A/c, 'a b']\n  create_dir: brain\n  trusted_project_dirs: [/repo]\n"
        "  project_discovery: false\n  inline_shell: on\n",
    )
    assert found.external_dirs == ("~/b", "$A/c", "a b")
    assert (found.create_dir, found.trusted_project_dirs) == ("brain", ("/repo",))
    assert (found.project_discovery, found.inline_shell) == (False, True)


@pytest.mark.parametrize(
    "section", ["platform_disabled: [a]", "platform_disabled: x", "external_dirs: {a: 1}", "create_dir:"]
)
def test_other_shapes_do_no_harm(tmp_path: Path, section: str) -> None:
    found = config(tmp_path, f"skills:\n  {section}\n")
    assert dict(found.platform_disabled) == {}
    assert (found.create_dir, found.external_dirs) == ("", ())
