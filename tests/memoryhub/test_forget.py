"""Forgetting a text: gone from all that is ours, whatever its spelling, and named where it is not ours."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.entries import entry_digest
from memoryhub.hermes.home import Home, profiles
from memoryhub.models import Content, EntryChange, Intent, Revision
from memoryhub.services import forget, memory, revisions, undo, writes
from memoryhub.spellings import MARK, Spelling
from tests.memoryhub.cases import PAGE, D, entry_id, texts

ROOT = Path(__file__).parents[2]
SECRET = "hunter2-Zebra"
WITH = f"The NAS password is {SECRET}, port 22"

db = pytest.mark.django_db


def ours() -> str:
    """Everything that our tables say, as text."""
    parts = [bytes(data).decode("utf-8", "replace") for data in Content.objects.values_list("data", flat=True)]
    for model in (EntryChange, Revision, Intent):
        parts += [repr(row) for row in model.objects.values()]
    return "\n".join(parts)


def keep_and_remove(home: Home, text: str = WITH) -> None:
    """Have a text in the history, but not in the file."""
    memory.entry_add(home, "memory", "stays", **PAGE)
    memory.entry_add(home, "memory", text, **PAGE, reason=f"told {SECRET}")
    memory.entry_replace(home, "memory", entry_id(home, text), f"{text} again", **PAGE)
    memory.entry_remove(home, "memory", entry_id(home, f"{text} again"), **PAGE)


@db
def test_the_text_goes_from_states_changes_and_reasons_and_the_rest_stays(home: Home) -> None:
    keep_and_remove(home)
    places = forget.text_places(home, SECRET)
    assert (places.revisions, places.changes, places.reasons) == (2, 3, 1)
    forget.text_forget(home, SECRET)
    assert SECRET not in ours()
    states = [revisions.file_of(row).texts for row in Revision.objects.order_by("id")]
    assert states[1] == ("stays", f"The NAS password is {MARK}, port 22")
    assert states[-1] == ("stays",)
    assert forget.text_places(home, SECRET).ours == 0


@db
def test_digests_of_what_was_forgotten_go_too(home: Home) -> None:
    keep_and_remove(home, SECRET)
    forget.text_forget(home, SECRET)
    digests = set(EntryChange.objects.values_list("digest", flat=True))
    assert entry_digest(SECRET) not in digests | set(EntryChange.objects.values_list("old_digest", flat=True))
    assert all(entry_digest(row.text) == row.digest for row in EntryChange.objects.all())


@db
def test_nothing_is_forgotten_while_a_memory_file_holds_it(home: Home) -> None:
    memory.entry_add(home, "memory", WITH, **PAGE)
    with pytest.raises(forget.StillThere) as refused:
        forget.text_forget(home, SECRET)
    (live,) = refused.value.places.copies.live
    assert (live.target, live.number, live.is_whole, live.profile) == ("memory", 1, False, "default")
    assert SECRET in ours()


@db
def test_another_profiles_file_counts_as_well(home: Home) -> None:
    keep_and_remove(home)
    other = home.path / "profiles" / "work" / "memories"
    other.mkdir(parents=True)
    (other / "USER.md").write_text(f"first{D}{SECRET}")
    with pytest.raises(forget.StillThere) as refused:
        forget.text_forget(home, SECRET)
    (live,) = refused.value.places.copies.live
    assert (live.profile, live.target, live.number, live.is_whole) == ("work", "user", 2, True)


@db
def test_what_another_profile_recorded_is_forgotten_too(home: Home) -> None:
    (home.path / "profiles" / "work" / "memories").mkdir(parents=True)
    work = profiles(home)[1]
    keep_and_remove(work)
    forget.text_forget(home, SECRET)
    assert SECRET not in ours()


@db
def test_files_of_hermes_that_hold_it_are_named_and_not_touched(home: Home) -> None:
    keep_and_remove(home, 'quoted "secret" 密码\nin two lines')
    text = 'quoted "secret" 密码\nin two lines'
    backup = home.memories / "MEMORY.md.bak.1767225600"
    backup.write_bytes(text.replace("\n", "\r\n").encode())
    archive = home.memories / "ARCHIVE.jsonl"
    archive.write_text(json.dumps({"content": text}) + "\n")
    staged = home.pending / "memory" / "0a1b2c3d.json"
    staged.parent.mkdir(parents=True)
    staged.write_text(json.dumps({"payload": {"content": text}}, ensure_ascii=False))
    before = [path.read_bytes() for path in (backup, archive, staged)]
    forgotten = forget.text_forget(home, text)
    assert set(forgotten.places.copies.left) == {path.resolve() for path in (backup, archive, staged)}
    assert [path.read_bytes() for path in (backup, archive, staged)] == before


@db
@pytest.mark.parametrize(
    "data",
    [
        f"one{D}wifi: pässwört-é9\nsecond line".encode(),
        f"one{D}wifi: pässwört-é9\r\nsecond line".encode(),
        "one\nwifi: pässwört-é9\nsecond line".encode("cp1252"),
        f"one{D}wifi: pässwört-é9\r\nsecond line".encode("utf-16"),
        "\ufeffone\nwifi: pässwört-é9\nsecond line".encode("utf-16-be"),
        "\ufeffone\nwifi: pässwört-é9\rsecond line".encode("utf-32-le"),
        f"\ufeffone{D}wifi: pässwört-é9\nsecond line{D}".encode(),
    ],
)
def test_every_encoding_and_line_end_is_found(home: Home, put: Callable[..., Path], data: bytes) -> None:
    put(data)
    writes.read(home, "memory")
    put(b"one")
    writes.read(home, "memory")
    forget.text_forget(home, "pässwört-é9\nsecond")
    for row in Revision.objects.all():
        texts_then = "".join(revisions.file_of(row).texts)
        assert "sswört" not in texts_then
        assert "ssw\ufffdrt" not in texts_then
    for change in EntryChange.objects.all():
        assert "ssw" not in change.text + change.old_text
    first = revisions.file_of(Revision.objects.order_by("id")[0])
    assert f"wifi: {MARK} line" in first.texts[-1]
    assert "\ufffd" not in first.texts[-1]


@db
def test_a_text_copied_from_a_page_that_shows_replacement_characters_is_found(
    home: Home, put: Callable[..., Path]
) -> None:
    put("code: g\u00e9heim-77".encode("latin-1"))
    writes.read(home, "memory")
    put(b"")
    writes.read(home, "memory")
    forget.text_forget(home, "g\ufffdheim-77")
    assert "heim" not in ours()


@db
def test_a_text_behind_a_nul_is_found(home: Home, put: Callable[..., Path]) -> None:
    put(f"odd\x00 {SECRET}".encode())
    writes.read(home, "memory")
    put(b"")
    writes.read(home, "memory")
    forget.text_forget(home, SECRET)
    assert SECRET not in ours()


@db
def test_case_is_kept_apart(home: Home) -> None:
    keep_and_remove(home, "zebra crossing")
    assert forget.text_places(home, "ZEBRA crossing").ours == 0


@db
def test_an_intent_that_holds_the_text_goes(home: Home) -> None:
    keep_and_remove(home)
    facts = {"digest": "0" * 64, "via": "page", "kind": "replace", "operation": "0" * 32}
    Intent.objects.create(home=home.key, target="memory", pairs=[["old", WITH]], **facts)
    Intent.objects.create(home=home.key, target="user", pairs=[["old", "new"]], **facts)
    forget.text_forget(home, SECRET)
    assert [intent.target for intent in Intent.objects.all()] == ["user"]


@db
@pytest.mark.parametrize(("text", "code"), [("abc", "short"), ("  ab\n", "short"), (f"one{D}two", "separator")])
def test_what_would_cut_too_much_is_refused(home: Home, text: str, code: str) -> None:
    with pytest.raises(forget.ForgetRefused) as refused:
        forget.text_forget(home, text)
    assert refused.value.code == code
    assert str(refused.value).endswith(".")


@db
def test_what_was_forgotten_does_not_come_back_by_undo(home: Home) -> None:
    memory.entry_add(home, "memory", "stays", **PAGE)
    memory.entry_add(home, "memory", SECRET, **PAGE)
    removed = memory.entry_remove(home, "memory", entry_id(home, SECRET), **PAGE)
    forget.text_forget(home, SECRET)
    with pytest.raises(undo.UndoForgotten):
        undo.change_undo(home, **PAGE, operation=removed.operation)
    memory.entry_add(home, "memory", "new", **PAGE)
    undo.change_undo(home, **PAGE)
    assert texts(home) == ["stays"]


@db
def test_two_states_that_become_alike_share_their_bytes(home: Home, put: Callable[..., Path]) -> None:
    for text in (f"x {SECRET}", f"x {MARK}", ""):
        put(text.encode())
        writes.read(home, "memory")
    forget.text_forget(home, SECRET)
    first, second = Revision.objects.order_by("id").select_related("content")[:2]
    assert first.content == second.content
    assert first.content is not None
    assert first.content.forgotten


@given(st.text(min_size=1), st.text(), st.text())
def test_after_cutting_the_text_is_not_found_again_unless_the_mark_is_it(text: str, before: str, after: str) -> None:
    spelling = Spelling(text)
    cut = spelling.cut_text(before + text + after)
    assert spelling.text not in cut.replace(MARK, "\x00\x00") or text in "\x00\x00"
    data = (before + text + after).encode("utf-8", "surrogatepass")
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and "\x00" not in text:
        assert spelling.is_in(data)


def test_the_bytes_leave_the_database_file_and_its_log(home: Home, environ: Callable[..., dict[str, str]]) -> None:
    command = [sys.executable, "-m", "tests.memoryhub.our_forgetting", str(home.path), SECRET]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        said = json.loads(child.stdout.readline())
        folder = Path(environ()["MEMORYHUB_DATA_DIR"])
        found = [path.name for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
        names = {path.name for path in folder.iterdir()}
        child.communicate("")
    assert child.returncode == 0
    assert said["scrubbed"]
    assert said["revisions"] == 33
    assert found == []
    assert any(name.endswith("-wal") for name in names), "the log was not open, so it was not looked at"
