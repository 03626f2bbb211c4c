"""What is worth doing about a state.db, in words: a title, what to do, and how it looks (red, amber or nothing)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

ADVICE: Final = {
    "index_damaged": (
        _("A search index is damaged"),
        _(
            "The messages are fine. Stop Hermes and run: hermes sessions repair (it keeps a copy). If it "
            "finds nothing to repair, search goes on reading the texts."
        ),
        "red",
    ),
    "index_missing": (
        _("There is no search index"),
        _("Search reads the texts, which is slow. A Hermes with full-text search makes one when it starts."),
        "amber",
    ),
    "trigram_missing": (
        _("There is no trigram index"),
        _("Words are found as usual; code and Chinese, Japanese or Korean text are read, which is slower."),
        "amber",
    ),
    "index_behind": (
        _("A search index lacks some messages"),
        _("They are read separately. Restarting Hermes usually brings the index up to date."),
        "amber",
    ),
    "orphans": (
        _("Some messages belong to no stored session"),
        _("Their sessions were deleted. They are still found by searching."),
        "amber",
    ),
    "wal_large": (
        _("The write-ahead log is large"),
        _("A program that reads for long keeps it from being written back. It shrinks when Hermes is restarted."),
        "amber",
    ),
    "not_wal": (
        _("The file is not in WAL mode"),
        _("Reading may have to wait while Hermes writes. Hermes switches it on when it starts."),
        "",
    ),
    "older": (
        _("The file was made by an older Hermes"),
        _("Everything it has is shown. Hermes updates it by itself."),
        "",
    ),
    "newer": (
        _("The file was made by a newer Hermes"),
        _("Look for a newer MemoryHub if something seems to be missing."),
        "",
    ),
    "free_pages": (
        _("Much of the file is free"),
        _("Sessions were deleted. With Hermes stopped, run: hermes sessions optimize"),
        "",
    ),
    "trigram_large": (
        _("The trigram index takes much of the file"),
        _("It is what finds code and Chinese text at once. That is its price; nothing needs to be done."),
        "",
    ),
}
