"""Homes, profiles and their config: which folder belongs to whom, and what config.yaml says."""

import os
from pathlib import Path

import pytest

from memoryhub.hermes.config import Config, read_config
from memoryhub.hermes.home import active_profile, find_profile, profiles, resolve_home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("work", "empty", "Zoë 2#?"):
        (tmp_path / "h" / "profiles" / name).mkdir(parents=True)
    (tmp_path / "h/profiles/.hidden").mkdir()
    (tmp_path / "h/profiles/file").write_text("")
    return tmp_path / "h"


def test_the_option_wins_over_the_variable_and_that_over_the_default(root: Path, tmp_path: Path) -> None:
    assert resolve_home(root, {"HERMES_HOME": "/x"}).path == root
    assert resolve_home(None, {"HERMES_HOME": str(root)}).path == root
    assert resolve_home(None, {"HERMES_HOME": ""}).path == Path.home() / ".hermes"


def test_a_home_inside_profiles_knows_its_root(root: Path) -> None:
    home = resolve_home(root / "profiles/work", {})
    assert (home.name, home.root) == ("work", root)
    assert [each.name for each in profiles(home)] == ["default", "Zoë 2#?", "empty", "work"]


def test_profiles_are_folders_with_plain_names(root: Path) -> None:
    found = profiles(resolve_home(root, {}))
    assert [each.name for each in found] == ["default", "Zoë 2#?", "empty", "work"]
    assert found[3].memory_path("user") == root / "profiles/work/memories/USER.md"


@pytest.mark.parametrize("name", ["../x", "..", "", "work/..", "/etc", "file", ".hidden", "work\0"])
def test_a_profile_name_is_looked_up_and_never_joined(root: Path, name: str) -> None:
    assert find_profile(resolve_home(root, {}), name) is None


def test_a_home_and_a_link_to_it_are_one_home(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    assert resolve_home(link, {}).key == resolve_home(root, {}).key


def test_a_profile_whose_name_no_page_could_show_is_left_out(root: Path) -> None:
    (root / "profiles" / os.fsdecode(b"bad\xff")).mkdir()
    away = root / os.fsdecode(b"away\xff")
    away.mkdir()
    (root / "profiles/link").symlink_to(away)
    assert [home.name for home in profiles(resolve_home(root, {}))] == ["default", "Zoë 2#?", "empty", "work"]


def test_a_home_that_is_a_link_to_itself_has_a_key(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert resolve_home(tmp_path / "loop", {}).key


def test_listing_profiles_makes_no_folder(tmp_path: Path) -> None:
    assert [each.name for each in profiles(resolve_home(tmp_path / "new", {}))] == ["default"]
    assert not (tmp_path / "new").exists()


def test_the_active_profile_is_read_and_may_be_missing(root: Path) -> None:
    assert active_profile(root) is None
    (root / "active_profile").write_text("work\n")
    assert active_profile(root) == "work"
    (root / "active_profile").write_bytes(b"\xff")
    assert active_profile(root) is None


def config(tmp_path: Path, text: str | bytes) -> Config:
    path = tmp_path / "config.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_config(path)


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        ("20", 20),
        ("'500'", 500),
        ("500.7", 500),
        ("0x10", 16),
        ("-5", -5),
        ("abc", 2200),
        ("null", 2200),
        (".inf", 2200),
    ],
)
def test_a_limit_is_read_as_the_agent_reads_it(tmp_path: Path, value: str, limit: int) -> None:
    assert config(tmp_path, f"memory:\n  memory_char_limit: {value}\n").limit("memory") == limit


@pytest.mark.parametrize(
    ("value", "enabled"),
    [("false", False), ("off", False), ("no", False), ("0", False), ("yes", True), ("maybe", True)],
)
def test_a_switch_may_be_written_in_many_ways(tmp_path: Path, value: str, enabled: bool) -> None:
    assert config(tmp_path, f"memory: {{memory_enabled: {value}}}").enabled("memory") is enabled


@pytest.mark.parametrize(
    ("value", "on"), [("true", True), ("approve", True), ("'1'", True), ("off", False), ("x", False)]
)
def test_a_gate_may_be_written_in_many_ways(tmp_path: Path, value: str, on: bool) -> None:
    assert config(tmp_path, f"memory: {{write_approval: {value}}}").memory_write_approval is on


def test_a_missing_or_empty_config_means_the_defaults_without_complaint(tmp_path: Path) -> None:
    assert read_config(tmp_path / "none.yaml") == Config()
    assert config(tmp_path, "") == Config()
    assert config(tmp_path, "memory:\n") == Config()


@pytest.mark.parametrize("text", ["memory: [", "- a\n- b", "memory: *x", b"\xff\xfe\x00", "\x00", "{" * 5000])
def test_a_broken_config_means_the_defaults_and_a_sentence(tmp_path: Path, text: str | bytes) -> None:
    found = config(tmp_path, text)
    assert found.limit("user") == 1375
    assert found.problem
    assert found.problem.endswith("The defaults are used.")


@pytest.mark.parametrize(
    "value", ["!!bool maybe", "!!int ''", "!!float abc", "!!timestamp abc", "!!binary é", "!!set [a]", "{[a]: 1}"]
)
def test_a_value_that_its_own_tag_contradicts_is_a_sentence(tmp_path: Path, value: str) -> None:
    assert "The defaults are used." in (config(tmp_path, f"model: {value}\n").problem or "")


def test_a_gate_that_holds_itself_many_times_over_is_off(tmp_path: Path) -> None:
    nested = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    assert not config(tmp_path, f"a0: &a0 [x]\n{nested}memory: {{write_approval: *a11}}\n").memory_write_approval


def test_the_same_bytes_are_read_once(tmp_path: Path) -> None:
    first = config(tmp_path, "memory: {memory_char_limit: 77}")
    assert config(tmp_path, "memory: {memory_char_limit: 77}") is first
    assert config(tmp_path, "memory: {memory_char_limit: 78}").limit("memory") == 78


def test_a_config_of_megabytes_is_not_read(tmp_path: Path) -> None:
    assert "larger than 1 MiB" in (config(tmp_path, "# " + "x" * 1024 * 1024).problem or "")


def test_a_config_that_is_a_folder_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").mkdir()
    assert "folder" in (read_config(tmp_path / "config.yaml").problem or "")


def test_a_limit_beyond_every_measure_is_bounded(tmp_path: Path) -> None:
    assert config(tmp_path, "memory: {memory_char_limit: 99999999999999999999}").limit("memory") == 10**15


def test_half_a_character_in_the_name_of_a_provider_can_be_shown(tmp_path: Path) -> None:
    config(tmp_path, 'memory: {provider: "\\ud800x"}').provider.encode()
