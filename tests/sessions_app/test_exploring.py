"""Results by conversation, with counts to narrow by and hits over time; filters; paging by key."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sessions_app.query_language import parse
from sessions_app.search import Options, explore, search
from tests.builders import make_state_db, message, session

MONTH = 31 * 86_400.0
FEBRUARY = datetime(2026, 2, 3, tzinfo=UTC).timestamp()


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    """Thirty sessions of ten messages; every second message says ibis."""
    sessions, rows = [], []
    for number in range(30):
        source, model = ("cli", "telegram", "cron")[number % 3], ("alpha", "beta")[number % 2]
        name = f"s{number:02}"
        sessions.append(session(name, source=source, model=model, title=f"Talk {number}", cwd=f"/srv/p{number % 2}"))
        for step in range(10):
            stamp = FEBRUARY + (number // 10) * MONTH + step
            role = ("user", "assistant")[step % 2]
            rows.append(message(name, role, "an ibis again" if step % 2 else "nothing", timestamp=stamp))
    return make_state_db(tmp_path / "state.db", sessions=sessions, messages=rows)


def facets(path: Path, typed: str) -> dict[str, dict[str, int]]:
    return {one.field: dict(one.values) for one in explore(path, parse(typed)).counts.facets}


def test_counts_add_up(busy: Path) -> None:
    found = explore(busy, parse("ibis"))
    assert (found.results.total, found.counts.number, found.counts.is_window) == (150, 150, False)
    assert facets(busy, "ibis") == {
        "source": {"cli": 50, "telegram": 50, "cron": 50},
        "role": {"assistant": 150},
        "model": {"alpha": 75, "beta": 75},
        "month": {"2026-02": 50, "2026-03": 50, "2026-04": 50},
    }


@pytest.mark.parametrize(
    ("filters", "total"),
    [
        ("source:cli", 50), ("source:CLI", 50), ("source:cli source:cron", 100),
        ("-source:cli", 100), ("model:alp", 75),
        ("role:user", 0), ("role:assistant", 150), ("-role:assistant", 0), ("title:talk", 150), ('title:"Talk 7"', 5),
        ("session:s03", 5), ("folder:/srv/p1", 75), ("after:2026-03", 100), ("before:2026-03", 50),
        ("after:2026-03 before:2026-04", 50), ("source:cli model:alpha after:2026-03", 15), ("is:archived", 0),
        ("source:nowhere", 0), ("tool:terminal", 0), ("has:error", 0),
    ],
)  # fmt: skip
def test_filters_narrow_and_totals_stay_exact(busy: Path, filters: str, total: int) -> None:
    results = search(busy, parse(f"ibis {filters}"), Options(limit=200))
    assert (results.total, results.total_is_exact, len(results.hits)) == (total, True, total)


def test_filters_alone_list_messages(busy: Path) -> None:
    results = search(busy, parse("source:cli role:user"), Options(sort="newest", limit=5))
    assert (results.total, results.hits[0].source) == (50, "cli")
    assert [hit.message_id for hit in results.hits] == sorted(
        (hit.message_id or 0 for hit in results.hits), reverse=True
    )


@pytest.mark.parametrize("sort", ["newest", "oldest", "best"])
def test_paging_shows_every_conversation_once(busy: Path, sort: str) -> None:
    seen: list[str] = []
    key: int | None = None
    for _ in range(10):
        found = explore(busy, parse("ibis"), Options(sort=sort, limit=7, key=key))  # type: ignore[arg-type]
        seen += [group.lineage_id for group in found.groups]
        assert all((group.count, group.count_is_exact) == (5, True) for group in found.groups)
        key = found.next_key
        if key is None:
            break
    assert sorted(seen) == [f"s{number:02}" for number in range(30)]
    if sort != "best":
        assert seen == sorted(seen, reverse=sort == "newest")


@pytest.mark.parametrize("sort", ["newest", "oldest", "best"])
def test_paging_by_offset_and_by_key_shows_every_message_once(busy: Path, sort: str) -> None:
    by_offset = [
        hit.message_id
        for offset in range(0, 160, 40)
        for hit in search(busy, parse("ibis"), Options(sort=sort, limit=40, offset=offset)).hits  # type: ignore[arg-type]
    ]
    assert len(by_offset) == len(set(by_offset)) == 150
    if sort == "best":
        return
    by_key, key = [], None
    while True:
        page = search(busy, parse("ibis"), Options(sort=sort, limit=40, key=key))  # type: ignore[arg-type]
        by_key += [hit.message_id for hit in page.hits]
        key = page.next_key
        if not page.has_more:
            break
    assert by_key == by_offset


def test_months_run_without_holes(tmp_path: Path) -> None:
    rows = [message("s", content="ibis", timestamp=FEBRUARY + months * MONTH) for months in (0, 3)]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    months = explore(path, parse("ibis")).counts.months
    assert months == ((date(2026, 2, 1), 1), (date(2026, 3, 1), 0), (date(2026, 4, 1), 0), (date(2026, 5, 1), 1))


def test_what_the_person_said_comes_before_what_a_tool_printed(tmp_path: Path) -> None:
    rows = [
        message("s", "tool", "ibis " + "output " * 300, tool_name="terminal"),
        message("s", "user", "where is the ibis"),
        message("s", "tool", "ibis " + "output " * 300, tool_name="terminal"),
    ]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    assert search(path, parse("ibis")).hits[0].message_id == 2


def test_many_hits_are_ranked_counted_and_paged(tmp_path: Path) -> None:
    rows = [message("s", content=f"ibis {number}" + " ibis ibis ibis" * (number == 7)) for number in range(900)]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    results = search(path, parse("ibis"), Options(limit=5))
    assert (results.total, results.total_is_exact, results.has_more) == (900, True, True)
    assert results.hits[0].message_id == 8
    seen = [
        hit.message_id
        for offset in range(0, 900, 100)
        for hit in search(path, parse("ibis"), Options(limit=100, offset=offset)).hits
    ]
    assert len(seen) == len(set(seen)) == 900


def test_reasoning_is_searched_on_request(tmp_path: Path) -> None:
    rows = [message("s", "assistant", "an answer", reasoning="think of an ibis"), message("s", content="ibis")]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    assert search(path, parse("ibis")).total == 1
    results = search(path, parse("ibis"), Options(reasoning=True, sort="oldest"))
    assert [(hit.message_id, hit.place) for hit in results.hits] == [(1, "reasoning"), (2, "content")]


def test_the_file_is_not_changed_by_searching(busy: Path) -> None:
    before = busy.read_bytes()
    for typed in ("ibis", "ib", "again*", "source:cli", "世"):
        explore(busy, parse(typed))
    assert busy.read_bytes() == before


def test_filters_over_too_many_hits_still_page_through_all_in_order(tmp_path: Path) -> None:
    # More hits than filters check at once: the totals are lower bounds, the pages go on.
    sessions = [session("mine", source="cli"), session("other", source="cron")]
    sessions += [session(f"x{number}", source="cli") for number in range(1_100)]
    rows = [message("mine" if number % 50 == 0 else "other", content="ibis") for number in range(12_000)]
    path = make_state_db(tmp_path / "state.db", sessions=sessions, messages=rows)
    every = list(range(1, 12_001, 50))
    for sort, expected in (("newest", every[::-1]), ("oldest", every)):
        seen: list[int | None] = []
        key: int | None = None
        for _ in range(60):
            page = search(path, parse("ibis source:cli"), Options(sort=sort, limit=20, key=key))  # type: ignore[arg-type]
            seen += [hit.message_id for hit in page.hits]
            assert page.total <= len(every)
            key = page.next_key
            if key is None:
                break
        assert seen == expected
