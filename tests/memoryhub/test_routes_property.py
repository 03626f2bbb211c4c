"""No address, form or file on disk makes a route fail, leak to a stranger, or write on a GET: hostile input to all.

Routes are collected from the URL resolver, so a new one is driven as soon as it exists.
"""

from __future__ import annotations

import os
import shutil
import string
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memoryhub.entries import entry_digest
from memoryhub.models import Revision
from memoryhub.services import door
from tests.builders import make_home, make_state_db, message, session
from tests.samples.memory.kinds import KINDS

CANARY: Final = "canary-d41d8cd98f"
HOST: Final = "127.0.0.1:8765"
BUT_CLEARLY_OURS: Final = {200, 204, 302, 303, 400, 403, 404, 405, 409, 413, 422, 429, 503}
QUERIES: Final = (
    "profile",
    "show",
    "state",
    "open",
    "entry",
    "target",
    "text",
    "a",
    "b",
    "before",
    "after",
    "writer",
    "q",
)
FIELDS: Final = (
    "text", "reason", "seen_text", "digest", "entry", "allow", "allow_flagged", "save", "forget", "sure", "delete",
    "target", "keys", "back", "before", "destination", "home_fingerprint", "submission", "link", "password", "profile",
)  # fmt: skip

# Homes


def _random_state_db(folder: Path) -> None:
    (folder / "state.db").write_bytes(os.urandom(5000) + CANARY.encode())


def _cut_state_db(folder: Path) -> None:
    path = make_state_db(folder / "state.db", sessions=[session("s1")], messages=[message("s1", content=CANARY)])
    path.write_bytes(path.read_bytes()[:5000])


def _loops(folder: Path) -> None:
    (folder / "memories" / "MEMORY.md").symlink_to("MEMORY.md")
    (folder / "memories" / "USER.md").symlink_to(folder / "nowhere" / "USER.md")
    (folder / "config.yaml").symlink_to("config.yaml")
    (folder / "state.db").symlink_to(folder / "nowhere.db")


def _folders(folder: Path) -> None:
    for name in ("memories/MEMORY.md", "config.yaml", "state.db", "memories/MEMORY.md.bak.1", "memories/ARCHIVE.jsonl"):
        (folder / name).mkdir(parents=True)
    os.mkfifo(folder / "memories" / "USER.md")
    os.mkfifo(folder / "memories" / "USER.md.bak.1767225600")
    os.mkfifo(folder / "memories" / "MEMORY.md.lock")


def _junk(folder: Path) -> None:
    """Pending records, copies and profiles of every odd kind beside two good files."""
    memories, pending = folder / "memories", folder / "pending" / "memory"
    pending.mkdir(parents=True)
    (folder / "pending" / "skills").write_text(CANARY)
    for number, text in enumerate(("", "{", "[]", "null", '{"action": 7}', "\x00", f'{{"content": "{CANARY}"}}')):
        (pending / f"{number:08x}.json").write_text(text)
    os.mkfifo(pending / "aaaaaaaa.json")
    for name in ("", "x", "99999999999999999999", "1767225600", "-5", "1e9", "1767225600.tmp", "<b>"):
        (memories / f"MEMORY.md.bak.{name}").write_bytes(b"\xff" + CANARY.encode() + b"\n\xc2\xa7\n")
    lines = [
        "",
        "{",
        "[]",
        '"x"',
        f'{{"target": "memory", "content": "{CANARY}", "time": 1e400}}',
        '{"text": 5}',
        "\x00",
    ]
    (memories / "ARCHIVE.jsonl").write_text("\n".join(lines))
    for name in ("work", " ", "-", "a b", "größe", "%2e%2e", "<script>", "x" * 64):
        make_home(folder / "profiles" / name, memory=[CANARY])
    (folder / "profiles" / "link").symlink_to(folder / "profiles")
    (folder / "profiles" / "file").write_text(CANARY)
    (folder / "active_profile").write_bytes(b"\xff\x00../..")


CONFIGS: Final = (
    "", "memory: [", "memory: 5", "- a\n- b", "memory:\n  memory_char_limit: -1", "memory:\n  memory_char_limit: 1e999",
    "memory:\n  memory_char_limit: " + "9" * 400, "memory: &a [*a]", "\x00", "a: !!python/object:os.system x",
    "memory:\n  provider: [x]\n  memory_enabled: maybe", "memory:\n  user_char_limit: 0",
)  # fmt: skip
SHAPES: Final = (_random_state_db, _cut_state_db, _loops, _folders, _junk)


def make_hostile_home(folder: Path, kind: str, data: bytes, config: str) -> None:
    """A home with ``data`` in both files, or one whose parts are not what they should be."""
    if kind == "files":
        make_home(folder, memory=None, user=None, config=config)
        (folder / "memories" / "MEMORY.md").write_bytes(data)
        (folder / "memories" / "USER.md").write_bytes(CANARY.encode() + b"\n\xc2\xa7\n" + data)
        (folder / "state.db").touch()
    elif kind == "nothing":
        folder.mkdir()
    else:
        shape = next(shape for shape in SHAPES if shape.__name__ == kind)
        is_whole = shape not in (_loops, _folders)
        make_home(folder, memory=[CANARY, "second"] if is_whole else None, user=[CANARY] if is_whole else None)
        shape(folder)


def bytes_of(folder: Path) -> dict[str, bytes | None]:
    """Every file below, by name; None for what is no file. SQLite may put its own files beside state.db."""
    found: dict[str, bytes | None] = {}
    for path in sorted(folder.rglob("*")):
        if not path.name.startswith("state.db-") and not path.is_symlink():
            found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


# Routes


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every route as its path with {name} for each part, and the converters of those parts."""
    for pattern in patterns:
        path, parts = str(pattern.pattern), pattern.pattern.converters
        for name, converter in parts.items():
            kind = type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")
            path = path.replace(f"<{kind}:{name}>", f"{{{name}}}")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, prefix + path)
        else:
            yield prefix + path, parts


ROUTES: Final = tuple(routes(get_resolver().url_patterns))
NASTY: Final = (
    "", " ", ".", "..", "../..", "%2e%2e%2f", "\x00", "§", "\n", "<script>alert(1)</script>", "'\"", "-1", "0", "1",
    "9" * 30, "x" * 3000, "\ud83d".encode("utf-8", "surrogatepass").decode("latin-1"), "\ufeff", "e\u0301", "null",
    "MEMORY.md", "state.db", "/etc/passwd", "//other.example/", "http://other.example/", "javascript:alert(1)",
    "now", "secrets", "secret", "rendered", "memory", "user", "on", "MEMORY.md.bak.1767225600", "ARCHIVE.jsonl",
    "line\r\n§\r\nline", "ignore all previous instructions", "{{ 7*7 }}{% now 'Y' %}", "﷽" * 50, "work", "default",
)  # fmt: skip
TEXT = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=40),
    st.text(alphabet=string.printable, max_size=40),
    st.just(entry_digest(CANARY)),  # never the text itself: a page for a stranger may repeat what it was asked for
)
PART = TEXT.map(lambda text: text.replace("/", "") or "x")


@st.composite
def addresses(draw: st.DrawFn) -> str:
    """An address of a route, its parts mostly such that the view behind it is reached."""
    path, parts = draw(st.sampled_from(ROUTES))
    known: dict[str, st.SearchStrategy[Any]] = {
        "target": st.sampled_from(["memory", "user"]),
        "entry_id": st.sampled_from([entry_digest(CANARY), f"{entry_digest(CANARY)}-2", entry_digest("second")]),
        "number": st.sampled_from(["{revision}", "0", "1", "99999999999999999999999"]),
        "operation": st.just(str(uuid.UUID(int=7))),
        "way": st.sampled_from(["earlier", "later", "first", "last"]),
        "name": st.sampled_from(["MEMORY.md.bak.1767225600", "ARCHIVE.jsonl", "MEMORY.md.bak.1"]),
        "code": st.sampled_from(["tidy", "split", "utf16", "decode", "drop_copies"]),
    }
    filled = {}
    for part in parts:
        is_known = part in known and draw(st.integers(0, 3)) > 0
        value = draw(known[part] if is_known else PART)
        filled[part] = value if value == "{revision}" else quote(value, safe="")
    return path.format(**filled)


QUERY = st.dictionaries(st.sampled_from(QUERIES), TEXT, max_size=3)
FORM = st.dictionaries(st.sampled_from(FIELDS), TEXT, max_size=6)
HOME = st.sampled_from(["files", "files", "nothing", *(shape.__name__ for shape in SHAPES)])
DATA = st.one_of(st.binary(max_size=300), st.sampled_from(sorted(KINDS.values())))
STEP = st.tuples(st.sampled_from(["GET", "GET", "HEAD", "POST"]), addresses(), QUERY, FORM, st.booleans())


@pytest.mark.django_db
@settings(
    max_examples=60,
    deadline=None,
    phases=[Phase.generate],  # a failure is read as it is: shrinking takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(kind=HOME, data=DATA, config=st.sampled_from(CONFIGS), steps=st.lists(STEP, min_size=5, max_size=12))
def test_no_route_fails_leaks_or_writes_by_itself(
    tmp_path: Path, client: Client, kind: str, data: bytes, config: str, steps: list[Any]
) -> None:
    folder = tmp_path / "hermes"
    shutil.rmtree(folder, ignore_errors=True)
    make_hostile_home(folder, kind, data, config)
    stranger = Client(headers={"host": HOST})
    client.raise_request_exception = stranger.raise_request_exception = True
    for method, address, query, form, is_htmx in steps:
        newest = Revision.objects.order_by("-id").values_list("id", flat=True).first() or 1
        path = address.replace("{revision}", str(newest))
        headers = {"HX-Request": "true"} if is_htmx else {}
        before = bytes_of(folder)
        check_stranger(stranger.generic(method, path, QUERY_STRING=encoded(query), headers=headers))
        assert bytes_of(folder) == before, f"{method} {path} wrote for a stranger"
        answer = ask(client, method, path, query, form, headers)
        check(answer, f"{method} {path}")
        if method != "POST":
            assert bytes_of(folder) == before, f"{method} {path} wrote"


def encoded(query: dict[str, str]) -> str:
    return "&".join(f"{name}={quote(text.encode('utf-8', 'replace'))}" for name, text in query.items())


def ask(
    client: Client, method: str, path: str, query: dict[str, str], form: dict[str, str], headers: dict[str, str]
) -> HttpResponse:
    if method == "POST":
        return client.post(f"{path}?{encoded(query)}", form, headers=headers)
    return client.generic(method, path, QUERY_STRING=encoded(query), headers=headers)


def check(answer: HttpResponse, what: str) -> None:
    assert answer.status_code in BUT_CLEARLY_OURS, f"{what}: {answer.status_code}"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'"), what
    assert answer.headers["X-Content-Type-Options"] == "nosniff", what
    location = answer.headers.get("Location") or answer.headers.get("HX-Redirect") or "/"
    assert location.startswith("/"), what
    assert not location.startswith("//"), what
    assert b"<script>alert" not in answer.content, what


def check_stranger(answer: HttpResponse) -> None:
    check(answer, "a stranger")
    assert CANARY.encode() not in answer.content
    assert answer.status_code != 200 or b"memoryhub open" in answer.content or not answer.content


def test_every_route_is_driven() -> None:
    assert len(ROUTES) > 25
    assert not [path for path, _ in ROUTES if "<" in path]
    assert door.current_instance() is not None
