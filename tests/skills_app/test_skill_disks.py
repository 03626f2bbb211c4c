"""Skills folders as nobody plans them: whatever lies there, the listing comes, each skill once, nothing is written."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_app.library import FileKind, content_digest, discovery, glance, hermes_digests, loading, shipped_md5
from skills_app.library.drafts import _read_skill_file
from tests.skills_app.builders import library_of, listed, make_skill, write_json

NAMES = st.sampled_from(
    [
        "a",
        "b",
        "SKILL.md",
        "skill.md",
        ".archive",
        ".hub",
        "references",
        "x y",
        "é",
        "\udce9",
        "-",
        "lock.json",
        ".git",
        "…",
    ]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
CONTENTS = st.sampled_from(
    [
        b"",
        b"---\nname: a\ndescription: d\n---\nx\n",
        b"---\nname: b\ndescription: &a [*a]\n---\n",
        b"\xff\xfe\x00",
        b"---\nname: 7\n---\n\xe9",
        b'{"installed": {"a": {"install_path": "..", "source": 7}}}',
    ]
)
THINGS = st.one_of(
    st.tuples(st.just("file"), CONTENTS),
    st.tuples(st.just("folder"), st.just(b"")),
    st.tuples(st.just("pipe"), st.just(b"")),
    st.tuples(
        st.just("link"), st.one_of(PATHS, st.sampled_from(["..", ".", "../..", "/etc", "a", "../a"])).map(os.fsencode)
    ),
)


def put(root: Path, path: str, kind: str, content: bytes) -> None:
    """Put a thing there unless something stands in the way; nothing is put through a link."""
    place = root / path
    if os.path.lexists(place) or not Path(os.path.realpath(place.parent)).is_relative_to(root):
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            place.write_bytes(content)
        elif kind == "folder":
            place.mkdir()
        elif kind == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to(os.fsdecode(content))
    except OSError:
        return


def everything(root: Path) -> list[tuple[str, int]]:
    return sorted((str(each), each.lstat().st_mtime_ns) for each in root.rglob("*"))


@given(st.lists(st.tuples(PATHS, THINGS), max_size=14))
def test_any_folder_gives_a_listing(
    tmp_path_factory: pytest.TempPathFactory, things: list[tuple[str, tuple[str, bytes]]]
) -> None:
    home = tmp_path_factory.mktemp("home").resolve()
    root = home / "skills"
    root.mkdir()
    for path, (kind, content) in things:
        put(root, path, kind, content)
    before = everything(home)
    listing = listed(home)
    found = [*listing.skills, *listing.archived]
    assert not [key for key, times in Counter(each.key for each in found).items() if times > 1]
    assert not [
        place for place, times in Counter((each.root.label, each.relative) for each in found).items() if times > 1
    ]
    for skill in found:
        listing_text = f"{skill.key}{skill.name}{skill.folder_name}{skill.problems}{skill.evidence}{dict(skill.header)}"
        listing_text.encode()
        assert skill.skill_file or skill.problems
        assert content_digest(skill).sha256
        hermes_digests(skill)
        shipped_md5(skill)
    assert glance(listing.roots) == glance(listing.roots)
    assert everything(home) == before
    shutil.rmtree(home)


def test_a_skill_file_is_read_once_while_it_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skills_app.library.drafts._SETTLED_NS", -(10**15))
    for number in range(5):
        make_skill(tmp_path, f"skill-{number}")
    library_of(tmp_path)
    before = _read_skill_file.cache_info()
    assert len(library_of(tmp_path).skills) == 5
    after = _read_skill_file.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (5, 0)


def test_a_listing_is_made_anew_only_when_something_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skills_app.library.loading._SETTLED_NS", -(10**15))
    folder = make_skill(tmp_path, "tidy")
    seen = [library_of(tmp_path)]

    def is_new() -> bool:
        assert library_of(tmp_path) is library_of(tmp_path)
        seen.append(library_of(tmp_path))
        return seen[-1] is not seen[-2]

    assert not is_new()
    make_skill(tmp_path, "other")
    assert is_new()
    (folder / "notes.md").write_text("x")
    assert is_new()
    (folder / "link").symlink_to("../../outside.txt")
    assert is_new()
    (tmp_path / "outside.txt").write_text("x")
    assert is_new()
    assert seen[-1].skills[1].files[1].kind is FileKind.LINK_OUT
    write_json(tmp_path, ".usage.json", {"tidy": {"pinned": True}})
    assert is_new()
    assert seen[-1].skills[1].pinned
    shutil.rmtree(tmp_path / "skills" / "other")
    assert is_new()
    assert not is_new()


def test_a_listing_of_a_moment_ago_is_not_trusted(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    assert library_of(tmp_path) == library_of(tmp_path)
    assert library_of(tmp_path) is not library_of(tmp_path)


def test_the_homes_that_are_remembered_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_SETTLED_NS", -(10**15))
    for number in range(30):
        make_skill(tmp_path / str(number), "tidy")
        library_of(tmp_path / str(number))
    assert len(loading._remembered) <= 8


def test_folders_that_go_while_they_are_listed_leave_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(tmp_path, "gone")
    make_skill(tmp_path, "kept")
    find = discovery.find_skills

    def find_and_lose(*arguments: object) -> object:
        found = find(*arguments)  # type: ignore[arg-type]
        shutil.rmtree(tmp_path / "skills" / "gone", ignore_errors=True)
        return found

    monkeypatch.setattr(discovery, "find_skills", find_and_lose)
    gone, kept = listed(tmp_path).skills
    assert (gone.loaded, kept.loaded) == (False, True)
