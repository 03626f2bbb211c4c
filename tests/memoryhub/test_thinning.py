"""Thinning: bounded, the newest and the first kept, no entry's stamp lost, each revision still true."""

import random
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from memoryhub import diffs
from memoryhub.entries import entry_digest, parse, serialize
from memoryhub.hermes.home import Home
from memoryhub.models import Content, EntryChange, Revision
from memoryhub.services import revisions, thinning
from memoryhub.services.revisions import Cause

pytestmark = pytest.mark.django_db


def record(home: Home, texts: Sequence[str], writer: str = "you") -> Revision:
    return revisions.record(home, parse(serialize(texts), "memory", 2200), Cause(writer=writer, kind="replace"))


def age_all(days_between: float = 1.0) -> None:
    """Give the revisions times in the past, the newest now."""
    rows = list(Revision.objects.order_by("-id"))
    for number, row in enumerate(rows):
        row.created_at = timezone.now() - timedelta(days=number * days_between)
    Revision.objects.bulk_update(rows, ["created_at"])


def walk(rng: random.Random, steps: int) -> list[list[str]]:
    """States that follow one another by adding, removing, rewording and reordering."""
    texts: list[str] = []
    states = []
    for number in range(steps):
        kind = rng.choice(["add", "add", "remove", "replace", "replace", "back"])
        if kind == "add" or not texts:
            texts = [*texts, f"the fact number {number} of this walk"]
        elif kind == "remove":
            texts = [text for text in texts if text != rng.choice(texts)]
        elif kind == "replace":
            place = rng.randrange(len(texts))
            texts = [*texts[:place], texts[place] + f", as of {number}", *texts[place + 1 :]]
        elif states:
            texts = list(rng.choice(states))
        states.append(texts)
    return states


def test_below_the_bound_nothing_goes(home: Home) -> None:
    for number in range(10):
        record(home, [str(number)])
    assert thinning.thin(home.key, "memory", kept=10, newest=3, step=2) == 0


def test_the_bound_holds_and_the_newest_and_the_first_stay(home: Home) -> None:
    for number in range(60):
        record(home, [str(number)])
    ids = list(Revision.objects.order_by("id").values_list("id", flat=True))
    age_all()
    thinning.thin(home.key, "memory", kept=30, newest=10, step=5)
    left = list(Revision.objects.order_by("id").values_list("id", flat=True))
    assert len(left) == 25
    assert left[-10:] == ids[-10:]
    assert left[0] == ids[0]


def test_the_usual_bound_is_five_thousand_and_five_hundred() -> None:
    assert (thinning.KEPT, thinning.NEWEST) == (5000, 500)


def test_more_of_what_is_older_goes(home: Home) -> None:
    for number in range(80):
        record(home, [str(number)])
    ids = list(Revision.objects.order_by("id").values_list("id", flat=True))
    age_all()
    thinning.thin(home.key, "memory", kept=40, newest=10, step=0)
    left = set(Revision.objects.values_list("id", flat=True))
    older, younger = ids[:35], ids[35:70]
    assert len(left & set(older)) < len(left & set(younger))


def test_recording_keeps_the_bound(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning.thin, "__kwdefaults__", {"kept": 20, "newest": 5, "step": 3})
    for number in range(50):
        record(home, [str(number)])
        assert Revision.objects.count() <= 20


def test_the_other_file_and_other_homes_are_left_alone(home: Home) -> None:
    for number in range(9):
        record(home, [str(number)])
        revisions.record(home, parse(str(number).encode(), "user", 1375), Cause(kind="replace"))
    thinning.thin(home.key, "memory", kept=5, newest=2, step=0)
    assert Revision.objects.filter(target="user").count() == 9


def test_bytes_that_no_revision_holds_any_more_go(home: Home) -> None:
    for number in range(20):
        record(home, [str(number)])
    age_all()
    thinning.thin(home.key, "memory", kept=10, newest=2, step=0)
    assert Content.objects.count() == 10


@pytest.mark.parametrize("seed", range(8))
def test_no_entry_loses_its_stamp_and_every_revision_tells_what_changed_since_the_one_before(
    home: Home, seed: int
) -> None:
    states = walk(random.Random(seed), 60)
    for number, state in enumerate(states):
        record(home, state, "agent" if number % 3 else "you")
    now = parse(serialize(states[-1]), "memory", 2200)
    before = revisions.stamps(home, now)
    age_all()
    thinning.thin(home.key, "memory", kept=15, newest=4, step=0)
    assert revisions.stamps(home, now) == before
    assert len(before) == len(set(now.texts))
    _assert_truthful()


def _assert_truthful() -> None:
    """What came and went by the changes is what differs between neighbours, copies and what came back left aside."""
    rows = list(Revision.objects.order_by("id").select_related("content"))
    for earlier, later in pairwise(rows):
        old, new = revisions.file_of(earlier).texts, revisions.file_of(later).texts
        difference = diffs.entries(old, new)
        went = {*difference.removed, *(text for text, _ in difference.replaced)}
        changes = list(later.changes.all())
        told = {c.text for c in changes if c.kind == EntryChange.REMOVED} | {c.old_text for c in changes} - {""}
        assert went <= told
        assert told - went <= {c.text for c in changes if c.kind != EntryChange.REMOVED} | set(new)
        came = {*difference.added, *(text for _, text in difference.replaced)}
        assert came <= {c.text for c in changes if c.kind != EntryChange.REMOVED}


def test_a_chain_of_wordings_is_folded_into_one(home: Home) -> None:
    for text in ("start", "the port is 22", "the port is 222", "the port is 2222", "end"):
        record(home, ["start", text] if text not in ("start", "end") else ["start"])
    age_all()
    thinning._fold(home.key, "memory", Revision.objects.order_by("id")[2].pk)
    row = Revision.objects.order_by("id")[2]
    assert [(c.kind, c.old_text, c.text) for c in row.changes.all()] == [
        ("replaced", "the port is 22", "the port is 2222")
    ]
    thinning._fold(home.key, "memory", row.pk)
    last = Revision.objects.latest("id")
    assert [(c.kind, c.text) for c in last.changes.all()] == [("removed", "the port is 22")]
    assert last.changes.get().digest == entry_digest("the port is 22")
