"""Reading the history for pages: a page of revisions with what came and went, the points of the chart, neighbours.

The number of statements does not grow with the rows, nor what is read with the length of the texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import BinaryField, Case, Count, F, OuterRef, QuerySet, Subquery, When, Window
from django.db.models.functions import Left, Length, RowNumber

from memoryhub.chart import Point
from memoryhub.entries import parse
from memoryhub.hermes.home import Home
from memoryhub.models import Content, EntryChange, Revision

PAGE: Final = 25
MOST_CHANGES: Final = 8
MOST_CHARS: Final = 2_000
_SMALL: Final = 64 * 1024


@dataclass(frozen=True)
class Listed:
    """One revision of a page. ``before`` and ``used_before`` are of the state before it; None for the first.

    ``changes`` are the first few of ``change_count``, all that came and went, their texts cut at MOST_CHARS.
    ``is_readable`` tells whether the agent could decode the state (None where it was too large to look at),
    ``forgotten`` whether a text was cut out.
    """

    revision: Revision
    before: int | None
    used_before: int | None
    changes: tuple[EntryChange, ...]
    change_count: int
    digest: str
    forgotten: bool
    is_readable: bool | None


@dataclass(frozen=True)
class Page:
    """Revisions, newest first; the pages beside begin at ``before=older`` and ``after=newer``, None at the ends.

    ``recorded`` counts all states of the file, whoever wrote them.
    """

    rows: tuple[Listed, ...]
    older: int | None
    newer: int | None
    recorded: int


def page(
    home: Home, target: str, *, writer: str = "", before: int | None = None, after: int | None = None, size: int = PAGE
) -> Page:
    """The revisions older than ``before``, or the ones just newer than ``after``, else the newest."""
    everything = Revision.objects.filter(home=home.key, target=target)
    mine = everything.filter(writer=writer) if writer else everything
    wanted = _with_neighbour(mine)
    if after is not None and before is None:
        found = list(wanted.filter(id__gt=after).order_by("id")[: size + 1])
        has_newer, has_older = len(found) > size, mine.filter(id__lte=after).exists()
        revisions = found[:size][::-1]
    else:
        found = list((wanted if before is None else wanted.filter(id__lt=before)).order_by("-id")[: size + 1])
        has_newer, has_older = before is not None, len(found) > size
        revisions = found[:size]
    if not revisions:
        return Page((), None, None, everything.count())
    rows = _listed(revisions)
    newer = revisions[0].pk if has_newer else None
    older = revisions[-1].pk if has_older else None
    return Page(rows, older, newer, everything.count())


def points(home: Home, target: str) -> list[Point]:
    """Every state of a file as a point of the chart. One statement."""
    rows = Revision.objects.filter(home=home.key, target=target).order_by("id")
    return [
        Point(at, used, limit, writer, str(pk))
        for pk, at, used, limit, writer in rows.values_list("id", "created_at", "used", "limit", "writer")
    ]


def neighbours(revision: Revision) -> tuple[int | None, int | None]:
    """The ids of the states before and after this one."""
    same = Revision.objects.filter(home=revision.home, target=revision.target)
    older = same.filter(id__lt=revision.pk).order_by("-id").values_list("id", flat=True).first()
    newer = same.filter(id__gt=revision.pk).order_by("id").values_list("id", flat=True).first()
    return older, newer


def _with_neighbour(mine: QuerySet[Revision]) -> QuerySet[Revision]:
    earlier = Revision.objects.filter(home=OuterRef("home"), target=OuterRef("target"), id__lt=OuterRef("id"))
    earlier = earlier.order_by("-id")
    changes = EntryChange.objects.filter(revision=OuterRef("pk")).order_by().values("revision")
    return mine.annotate(
        before=Subquery(earlier.values("id")[:1]),
        used_before=Subquery(earlier.values("used")[:1]),
        change_count=Subquery(changes.annotate(n=Count("pk")).values("n")),
    )


def _listed(revisions: Sequence[Revision]) -> tuple[Listed, ...]:
    changes = _changes([revision.pk for revision in revisions])
    contents = _contents([revision.content_id for revision in revisions if revision.content_id])
    rows = []
    for revision in revisions:
        content = contents.get(revision.content_id or 0)
        rows.append(
            Listed(
                revision,
                getattr(revision, "before", None),
                getattr(revision, "used_before", None),
                tuple(changes.get(revision.pk, ())),
                (getattr(revision, "change_count", None) or 0) + revision.left_out,
                content.digest if content else "",
                content.forgotten if content else False,
                _is_readable(content, revision),
            )
        )
    return tuple(rows)


def _changes(ids: Sequence[int]) -> Mapping[int, list[EntryChange]]:
    """The first few changes of each revision, long texts cut."""
    place = Window(RowNumber(), partition_by=F("revision_id"), order_by=F("id").asc())
    rows = EntryChange.objects.filter(revision__in=ids).annotate(
        place=place, start=Left("text", MOST_CHARS + 1), old_start=Left("old_text", MOST_CHARS + 1)
    )
    found: dict[int, list[EntryChange]] = {}
    for row in rows.filter(place__lte=MOST_CHANGES).defer("text", "old_text").order_by("id"):
        row.text, row.old_text = row.start, row.old_start
        found.setdefault(row.revision_id, []).append(row)
    return found


def _contents(ids: Sequence[int]) -> Mapping[int, Content]:
    small = Case(When(size__lte=_SMALL, then=F("data")), default=None, output_field=BinaryField())
    rows = Content.objects.filter(id__in=ids).defer("data").annotate(size=Length("data")).annotate(small=small)
    return {row.pk: row for row in rows}


def _is_readable(content: Content | None, revision: Revision) -> bool | None:
    small = getattr(content, "small", None)
    if content is None or small is None:
        return True if content is None else None
    return parse(bytes(small), revision.target, revision.limit).decodable
