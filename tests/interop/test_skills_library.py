"""Our listing beside the real Hermes': the same skills and names, the same digests, records and ways back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.hermes.config_edit import set_disabled
from tests.interop.hermes import Hermes
from tests.interop.skills import Asked, asked, clear
from tests.skills_app.builders import listed, make_skill

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with asked(hermes_python, tmp_path_factory.mktemp("hermes")) as both:
        yield both


@pytest.fixture
def empty(hermes: Asked) -> Asked:
    clear(hermes[1])
    return hermes


def assert_same(real: Hermes, home: Path) -> None:
    """Hermes lists the skills that we call loaded, in the order and with the categories and descriptions we show."""
    theirs = real.ask("skills")
    assert "error" not in theirs, theirs
    ours = listed(home, environ={"HOME": str(home), "HERMES_HOME": str(home)}).skills
    loaded = [each for each in ours if each.loaded]
    assert [each.name for each in loaded] == theirs["listed"]
    every = {each.name: each for each in ours if not any(problem.keeps_out for problem in each.problems)}
    assert set(every) == {name for name, _, _ in theirs["found"]}
    for name, description, category in theirs["found"]:
        skill = every[name]
        assert (skill.category or None) == category
        if skill.description and not {"description_too_long", "header_beyond_reach"} & {p.code for p in skill.problems}:
            assert skill.description == description.strip()


HEADERS = (
    "name: {name}\ndescription: Does a thing\n",
    "name: {name}\ndescription: Does a thing\nplatforms: [linux, macos]\n",
    "name: {name}\ndescription: Only there\nplatforms: [macos]\n",
    "name: {name}\ndescription: Only there\nplatforms: windows\n",
    "name: {name}\n",
    "description: without a name\n",
    "name: 2048\ndescription: d\n",
    "name: yes\ndescription: d\n",
    "name: 2026-01-05\ndescription: d\n",
    "name:\ndescription: d\n",
    "name: {name}\ndescription: 42\n",
    "name: {name}\ndescription: true\n",
    "name: {name}\ndescription: 0\n",
    "name: {name}\ndescription: a: b: c\n",
    "name: '{name}'\ndescription: \"quoted: text\"\n",
    "name: {name}\nname: {name}-again\ndescription: d\n",
    "name: {name}\n\tdescription: tab\n",
    "- a\n- list\n",
    "just words\n",
    "",
    "name: " + "n" * 80 + "\ndescription: d\n",
    "name: {name}\ndescription: " + "d" * 1500 + "\n",
    "name: {name}\ndescription: d\nnote: " + "x" * 4100 + "\n",
    "name: Some Words {name}\ndescription: d\n",
    "name: {name}\ndescription: !!python/object/apply:os.getcwd []\n",
    "name: {name}\ndescription: d\na: &a [x, x]\nb: [*a, *a]\n",
    "name: {name}\ndescription: >-\n  folded\n  text\n",
    "name: [a, b]\ndescription: d\n",
    "name: {{a: b}}\ndescription: d\n",
    "name: {name}\ndescription: é “ü” 日本\n",
)
FRAMES = (
    "---\n{header}---\n\n# Body\n\nProse.\n",
    "---\r\n{header}---\r\n\r\n# Body\r\n",
    "\ufeff---\n{header}---\nProse.\n",
    "\n---\n{header}---\nProse.\n",
    "---\n{header}# never closed\n",
    "---\n{header}---",
    "--- \n{header}---  \nProse.\n",
    "---\n{header}---\n",
    "# Heading\n\nProse first.\n",
    "---\n{header}\n----\nProse.\n",
    "---\n{header}---\n" + "\n" * 5_000 + "Prose.\n",
)
ENCODINGS = ("utf-8",) * 8 + ("utf-16", "cp1252")
FOLDERS = ("", "", "devops/", "devops/cloud/", "zeta/", ".hidden/", "references/", "tidy-1/", "tidy-2/sub/")
PLACES = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(["tidy-1", "tidy-2", "a.b", "A", "a-b", "x.bak"]))
TEXTS = st.tuples(st.sampled_from(HEADERS), st.sampled_from(FRAMES[:1] * 6 + FRAMES), st.sampled_from(ENCODINGS))


def written(header: str, frame: str, encoding: str, name: str) -> bytes:
    return frame.format(header=header.format(name=name)).encode(encoding, "replace")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    library=st.dictionaries(PLACES, TEXTS, max_size=14),
    other=st.dictionaries(PLACES, TEXTS, max_size=4),
    data=st.data(),
)
def test_a_generated_library_is_listed_alike(
    empty: Asked, library: dict[Any, Any], other: dict[Any, Any], data: st.DataObject
) -> None:
    real, home = empty
    clear(home)
    for (folder, name), text in library.items():
        make_skill(home, f"{folder}{name}", raw=written(*text, name))
    for (folder, name), text in other.items():
        make_skill(home / "shared", f"{folder}{name}", raw=written(*text, name))
    off = data.draw(st.lists(st.sampled_from(["tidy-1", "tidy-2", "a.b", "2048"]), max_size=2))
    (home / "config.yaml").write_text(
        f"skills:\n  external_dirs: [shared/skills, nowhere]\n  disabled: [{', '.join(off)}]\n"
    )
    assert_same(real, home)


def test_every_kind_of_header_is_listed_alike(empty: Asked) -> None:
    real, home = empty
    for number, header in enumerate(HEADERS):
        for frame_number, frame in enumerate(FRAMES):
            for encoding in sorted(set(ENCODINGS)):
                name = f"s-{number:02}-{frame_number}-{encoding}"
                make_skill(home, name, raw=written(header, frame, encoding, name))
    assert_same(real, home)


def test_places_that_hold_no_skills_are_passed_over_alike(empty: Asked) -> None:
    real, home = empty
    make_skill(home, "host")
    for inner in ("references", "templates", "assets", "scripts", "examples", "docs", ".git", "node_modules", "venv"):
        make_skill(home, f"host/{inner}", name=f"in-{inner.strip('.')}")
        make_skill(home, f"{inner}/other", name=f"under-{inner.strip('.')}")
    make_skill(home, ".archive/old")
    make_skill(home, ".hub/quarantine/new")
    make_skill(home, ".", name="root")
    (make_skill(home, "lower") / "SKILL.md").rename(home / "skills" / "lower" / "skill.md")
    (home / "skills" / "folder" / "SKILL.md").mkdir(parents=True)
    (home / "skills" / "linked").symlink_to("host")
    (home / "skills" / "gone").symlink_to("nowhere")
    assert_same(real, home)


@pytest.mark.parametrize(
    "text", ["disabled: [a, ' b ', 2048, yes, null]", "disabled: a", "disabled:", "disabled: {a: 1}"]
)
def test_the_list_of_disabled_skills_is_read_alike(empty: Asked, text: str) -> None:
    real, home = empty
    make_skill(home, "a")
    (home / "config.yaml").write_text(f"skills:\n  {text}\n")
    theirs = real.ask("skills")
    ours = listed(home).skills[0]
    assert ours.is_disabled == ("a" in theirs["disabled"])
    assert ours.loaded == ("a" in theirs["listed"])


def test_what_we_switch_off_hermes_does_not_load_and_back(empty: Asked) -> None:
    real, home = empty
    make_skill(home, "tidy")
    make_skill(home, "other")
    (home / "config.yaml").write_text("# mine\nskills:\n  external_dirs: []  # none\n")
    set_disabled(home / "config.yaml", "tidy", True)
    assert real.ask("skills")["listed"] == ["other"]
    assert not real.ask("view", name="tidy")["success"]
    assert_same(real, home)
    set_disabled(home / "config.yaml", "tidy", False)
    assert real.ask("skills")["listed"] == ["other", "tidy"]
    assert real.ask("view", name="tidy")["success"]


@pytest.mark.parametrize(
    "text", ["shared/skills", "[~/shared/skills]", "['${HERMES_HOME}/shared/skills', skills, '']", "{a: b}"]
)
def test_external_folders_are_found_alike(empty: Asked, text: str) -> None:
    real, home = empty
    make_skill(home / "shared", "team")
    (home / "config.yaml").write_text(f"skills:\n  external_dirs: {text}\n")
    roots = listed(home, environ={"HOME": str(home)}).roots
    ours = [str(each.real) for each in roots if each.kind == "external" and not each.problem]
    assert ours == real.ask("roots")["external"]
    assert_same(real, home)
