"""What a search gives back: hits, totals, and what was and was not covered. Plain values, nothing lazy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sessions_app.query_parts import SearchQuery

Sort = Literal["best", "newest", "oldest"]


@dataclass(frozen=True)
class Options:
    """How to search. Paging: `offset` counts hits; `key` is `Results.next_key` of the page before and is quicker.

    `reasoning` also looks through the model's reasoning, which no index holds; `rewound` also shows undone messages.
    `scan_ms` bounds reading texts where no index helps; `count_ms` bounds counting more than 10,000 hits.
    """

    sort: Sort = "best"
    limit: int = 20
    offset: int = 0
    key: int | None = None
    reasoning: bool = False
    rewound: bool = False
    now: datetime | None = None
    scan_ms: int = 1_500
    count_ms: int = 3


@dataclass(frozen=True)
class Hit:
    """One message found, or a session found by its title or id (`message_id` is None).

    `snippet` marks the text found with U+E000 … U+E001; `before` and `after` are the lines around it, unmarked.
    `place` is content, call (a tool call or a tool's name), reasoning, title or session.
    """

    message_id: int | None
    session_id: str
    lineage_id: str
    title: str
    role: str
    source: str
    model: str
    timestamp: datetime | None
    snippet: str
    before: str = ""
    after: str = ""
    place: str = "content"
    is_archived: bool = False
    is_rewound: bool = False
    is_compacted: bool = False


@dataclass(frozen=True)
class Gap:
    """Something the search did not cover, or did in another way than usual.

    Codes: index_missing, index_damaged, index_empty (`text` names the index), index_slow, no_tool_output_in_index,
    index_behind (`count` messages were read instead), scanned (`count` messages read, newest first, `since` the oldest
    of them, `is_all` whether that was all), best_of_newest (`count` hits compared), filters_cut (`count` hits checked
    by the filters, more are left), glued_words (`text` may also stand in Chinese text).
    """

    code: str
    text: str = ""
    count: int = 0
    since: datetime | None = None
    is_all: bool = False


@dataclass(frozen=True)
class Results:
    """A page of hits. `total` is exact or a lower bound. `relaxed` is "", "prefix" or "part": how words were widened.

    `query` is the one that was run; `hint` is "type_a_word" when there was nothing to look for.
    """

    query: SearchQuery
    hits: tuple[Hit, ...] = ()
    total: int = 0
    total_is_exact: bool = True
    relaxed: str = ""
    hint: str = ""
    gaps: tuple[Gap, ...] = ()
    next_key: int | None = None
    has_more: bool = False
    ms: float = 0.0
