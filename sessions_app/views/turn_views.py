"""Turns as templates take them: plain values, nothing left to decide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from memoryhub.visible import Run
from sessions_app.facts import PartFacts


@dataclass(frozen=True)
class TextView:
    """A text: HTML where it is rendered, else runs. `left` is how many characters are not shown."""

    html: SafeString | None
    runs: tuple[Run, ...]
    chars: int
    left: int
    has_secret: bool
    is_marked: bool


@dataclass(frozen=True)
class ImageView:
    """An image: shown from our own route when `url` is set."""

    url: str
    kind: str
    size: int
    host: str


@dataclass(frozen=True)
class ResultView:
    """A tool's answer, folded."""

    id: int
    name: str
    text: TextView
    fields: tuple[tuple[str, TextView], ...]
    is_error: bool
    is_open: bool
    images: tuple[ImageView, ...]
    url: str
    at: datetime | None


@dataclass(frozen=True)
class CallView:
    """A tool call with its arguments as (name, text); `raw` when they cannot be read."""

    name: str
    arguments: tuple[tuple[str, TextView], ...]
    raw: TextView | None
    summary: str
    result: ResultView | None
    is_open: bool


@dataclass(frozen=True)
class Boundary:
    """What stands before a turn. `kind`: continued (another part begins), compacted, model."""

    kind: str
    part: PartFacts | None = None
    model: str = ""


@dataclass(frozen=True)
class TurnView:
    """One turn, ready to show."""

    id: int
    kind: str
    who: str
    at: datetime | None
    text: TextView | None
    reasoning: TextView | None
    calls: tuple[CallView, ...]
    images: tuple[ImageView, ...]
    result: ResultView | None
    tokens: int | None
    finish: str
    is_undone: bool
    is_cut: bool
    is_another: bool
    is_target: bool
    is_hit: bool
    has_secret: bool
    is_revealed: bool
    is_whole: bool
    is_rendered: bool
    can_render: bool
    url: str
    more_url: str
    reveal_url: str
    render_url: str
    text_url: str
    boundaries: tuple[Boundary, ...] = ()
