"""Looks at a home as a starting dashboard does and prints its whole recorded history as one JSON document."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
django.setup()

from memoryhub.hermes.home import resolve_home  # noqa: E402
from memoryhub.models import EntryChange, Intent, Revision  # noqa: E402
from memoryhub.services import revisions  # noqa: E402
from memoryhub.services.watch import Watcher  # noqa: E402


def change_row(change: EntryChange) -> dict[str, object]:
    return {"kind": change.kind, "text": change.text, "old": change.old_text, "writer": change.writer}


def revision_row(revision: Revision) -> dict[str, object]:
    """One revision with the entries that its file held."""
    return {
        "id": revision.pk,
        "target": revision.target,
        "writer": revision.writer,
        "kind": revision.kind,
        "texts": list(revisions.file_of(revision).texts),
        "changes": [change_row(change) for change in revision.changes.order_by("id")],
    }


def history(after: int = 0) -> dict[str, object]:
    """The revisions after ``after``, oldest first, and the number of intents left, once a start has looked."""
    home = resolve_home(None, os.environ)
    Watcher(home).look()
    rows = Revision.objects.filter(home=home.key, id__gt=after).select_related("content").order_by("id")
    return {"revisions": [revision_row(row) for row in rows], "intents": Intent.objects.count()}


if __name__ == "__main__":
    json.dump(history(), sys.stdout)
