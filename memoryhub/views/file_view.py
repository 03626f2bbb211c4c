"""One memory file as a page shows it: gauge, cards, notices, and what can be done with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memoryhub import flags, gauge, repair, store, visible
from memoryhub.entries import Entry, MemoryFile, entry_digest
from memoryhub.flags import Checked
from memoryhub.gauge import Gauge
from memoryhub.hermes.config import Config, read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.secrets import Secret
from memoryhub.services import links, revisions, writes
from memoryhub.services.revisions import Stamp
from memoryhub.services.sentences import Words, flag_words, notice_sentence, repair_words
from memoryhub.store import Access
from memoryhub.views.open_forms import Stranded
from memoryhub.visible import Run

OTHER = {"memory": "user", "user": "memory"}
TONES = {flags.DANGER: "red", flags.CAUTION: "amber", flags.NOTE: ""}
MOST_CARDS = 2_000  # nobody's memory has a tenth of it; a page of more would keep a thread busy for minutes
MASK = "••••••••"


@dataclass(frozen=True)
class FlagView:
    """A flag as its badge and sentence."""

    word: str
    why: str
    tone: str


@dataclass(frozen=True)
class Signed:
    """Who did something, and when if that is known."""

    writer: str
    at: Any


@dataclass(frozen=True)
class Card:
    """One entry, ready to show. ``id`` is unique on the page, ``entry_id`` in its file."""

    id: str
    entry_id: str
    target: str
    number: int
    url: str
    runs: tuple[Run, ...]
    chars: int
    share: int
    tone: str
    flags: tuple[FlagView, ...]
    has_secret: bool
    written: Signed | None
    changed: Signed | None
    versions: int
    is_first: bool
    is_last: bool
    is_changed: bool = False


@dataclass(frozen=True)
class Sized:
    """What the gauge needs of an entry."""

    id: str
    chars: int


@dataclass(frozen=True)
class FileView:
    """A memory file's section of the page. ``problem`` is a sentence when the file cannot be shown at all."""

    target: str
    other: str
    path: Path
    config: Config
    problem: str = ""
    is_too_long: bool = False
    memory: MemoryFile | None = None
    gauge: Gauge | None = None
    pushed: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    notices: tuple[str, ...] = ()
    repairs: tuple[tuple[str, Words], ...] = ()
    access: Access = field(default_factory=Access)
    stranded: tuple[Stranded, ...] = ()

    @property
    def name(self) -> str:
        return FILE_NAMES[self.target]

    @property
    def is_writable(self) -> bool:
        return self.memory is not None and self.memory.decodable and not self.access.problem

    @property
    def is_enabled(self) -> bool:
        return self.config.enabled(self.target)

    @property
    def tidies(self) -> bool:
        """Whether saving any change also brings the file into its normal form."""
        return self.memory is not None and self.memory.decodable and not self.memory.is_normal


def build(home: Home, target: str, *, changed: Collection[str] = (), revealed: Collection[str] = ()) -> FileView:
    """Read a file fresh and prepare all that the page shows of it; never raises for what is on disk.

    ``changed`` and ``revealed`` are entry ids: just changed by the person, and shown without masking secrets.
    """
    config = read_config(home.config_file)
    blank = FileView(target, OTHER[target], home.memory_path(target), config)
    try:
        memory = writes.read(home, target)
    except FileProblem as problem:
        return replace(blank, problem=str(problem))
    if len(memory.entries) > MOST_CARDS:
        facts = {"file": blank.name, "count": f"{len(memory.entries):,}", "most": f"{MOST_CARDS:,}"}
        sentence = _("%(file)s holds %(count)s entries, more than a page shows (%(most)s). Shorten it as text.")
        return replace(blank, problem=sentence % facts, is_too_long=True)
    access = store.access(home, target, links.consented(home, target), Path.home())
    return of_memory(blank, memory, access, revisions.stamps(home, memory), changed=changed, revealed=revealed)


def of_memory(
    blank: FileView,
    memory: MemoryFile,
    access: Access,
    stamps: dict[str, Stamp],
    *,
    changed: Collection[str] = (),
    revealed: Collection[str] = (),
) -> FileView:
    """The section for a file that could be read."""
    checked = flags.check(memory)
    counted = [entry for entry in memory.entries if entry.copy == 1]
    sized = [Sized(_dom_id(memory.target, entry), entry.chars) for entry in counted]
    tones = {_dom_id(memory.target, e): c.tone for e, c in zip(memory.entries, checked, strict=True) if c.tone}
    script = _script(memory.texts)
    drawn = gauge.build(sized, limit=memory.limit, target=memory.target, script=script, tones=tones)
    page = reverse("memory:entry_show", args=[memory.target, "0"]).removesuffix("0/")  # once: 500 look-ups take time
    cards = [
        _card(memory, entry, page + entry.id + "/", found, stamps.get(entry_digest(entry.text)), changed, revealed)
        for entry, found in zip(memory.entries, checked, strict=True)
    ]
    return replace(
        blank,
        memory=memory,
        gauge=drawn,
        pushed=gauge.pushed_out(sized, limit=memory.limit, length=drawn.usual),
        cards=tuple(cards),
        notices=tuple(notice_sentence(notice, FILE_NAMES[memory.target]) for notice in memory.notices),
        repairs=tuple((offer.code, repair_words(offer.code)) for offer in repair.offers(memory)),
        access=access,
    )


@lru_cache(maxsize=16)
def _script(texts: tuple[str, ...]) -> gauge.Script:
    return gauge.script_of(texts)


def masked_runs(text: str, found: Checked, *, revealed: bool) -> tuple[Run, ...]:
    """The text in runs: unseen characters named, threatening words marked, secret values masked."""
    marks = [(start, end, "threat") for threat in found.threats for start, end in threat.spans]
    if revealed or not found.secrets:
        return visible.runs(text, marks)
    runs: list[Run] = []
    at = 0
    for secret in _apart(found.secrets):
        runs += visible.runs(text[at : secret.start], _within(marks, at, secret.start))
        runs.append(Run(MASK, "secret", secret.kind))
        at = secret.end
    return (*runs, *visible.runs(text[at:], _within(marks, at, len(text))))


def _apart(secrets: Sequence[Secret]) -> list[Secret]:
    kept: list[Secret] = []
    for secret in sorted(secrets, key=lambda each: each.start):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def _within(marks: Sequence[tuple[int, int, str]], start: int, end: int) -> list[tuple[int, int, str]]:
    return [(max(a, start) - start, min(b, end) - start, kind) for a, b, kind in marks if a < end and b > start]


def _card(
    memory: MemoryFile,
    entry: Entry,
    url: str,
    found: Checked,
    stamp: Stamp | None,
    changed: Collection[str],
    revealed: Collection[str],
) -> Card:
    is_revealed = entry.id in revealed
    limit = memory.limit or memory.used or 1
    return Card(
        id=_dom_id(memory.target, entry),
        entry_id=entry.id,
        target=memory.target,
        number=entry.index + 1,
        url=url,
        runs=masked_runs(entry.text, found, revealed=is_revealed),
        chars=entry.chars,
        share=int(entry.chars * 100 / max(1, limit) + 0.5),
        tone=found.tone,
        flags=flag_views(found),
        has_secret=bool(found.secrets) and not is_revealed,
        written=Signed(stamp.born_writer, stamp.born_at) if stamp and stamp.born_at else None,
        changed=Signed(stamp.writer, stamp.at) if stamp and stamp.at and stamp.versions > 1 else None,
        versions=stamp.versions if stamp else 1,
        is_first=entry.index == 0,
        is_last=entry.index == len(memory.entries) - 1,
        is_changed=entry.id in changed,
    )


def _dom_id(target: str, entry: Entry) -> str:
    return f"{target}-{entry.id}"


def flag_views(found: Checked) -> tuple[FlagView, ...]:
    """The flags as badges, each word once, with all that is said under it."""
    views: dict[str, FlagView] = {}
    for flag in found.flags:
        words = flag_words(flag)
        before = views.get(words.label)
        why = f"{before.why}\n{words.sentence}" if before else words.sentence
        views[words.label] = FlagView(words.label, why, before.tone if before else TONES[flag.tone])
    return tuple(views.values())


def rendered(text: str) -> SafeString:
    """An entry's Markdown as safe HTML, only on request: memory files are plain text."""
    from memoryhub.web import markup  # the Markdown reader is rarely needed and not small

    return mark_safe(markup.to_html(text, image_words=_("external image not loaded: %s")))  # noqa: S308 - web/markup.py is one of the two makers of safe HTML
