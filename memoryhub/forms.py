"""What a person types on the memory pages, turned into texts and ids. Whether it can be stored is not decided here."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

TEXT_LIMIT: Final = 200_000


class TextField(forms.CharField):
    """A text exactly as typed: nothing stripped, no character refused (entries.clean names what cannot be stored)."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", TEXT_LIMIT)
        super().__init__(strip=False, **options)
        self.validators = [v for v in self.validators if "Null" not in type(v).__name__]


class EntryForm(forms.Form):
    """One entry's text, an optional reason, and the tick that lets a flagged text be saved."""

    text = TextField(
        label=_("Text"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "true", "dir": "auto", "data-focus": True}),
    )
    reason = forms.CharField(label=_("Reason (optional, for the history)"), required=False, max_length=500)
    allow_flagged = forms.BooleanField(
        label=_("Save it all the same; the agent will not see this entry"), required=False
    )
    seen_text = TextField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, prefix_id: str, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{prefix_id}-%s", "label_suffix": "", **kwargs})


class MergeForm(EntryForm):
    """Several entries and the one text that takes their place."""

    entry = forms.MultipleChoiceField(required=False, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, entry_ids: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["text"].widget.attrs["data-focus"]  # first the texts that it merges
        self.fields["entry"].choices = [(entry_id, entry_id) for entry_id in entry_ids]  # type: ignore[attr-defined]


class RawForm(forms.Form):
    """The whole file as text, made from the bytes with ``digest``."""

    text = TextField(
        label=_("The file"),
        required=False,
        max_length=8 * 1024 * 1024,
        widget=forms.Textarea(attrs={"rows": 20, "spellcheck": "false", "dir": "auto", "class": "raw"}),
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason (optional, for the history)"), required=False, max_length=500)
    allow_flagged = forms.BooleanField(
        label=_("Save flagged texts all the same; the agent will not see those entries"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
