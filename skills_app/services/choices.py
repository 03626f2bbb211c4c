"""Whose verdict decides: a preference of the person's, set on the settings page."""

from __future__ import annotations

from memoryhub.models import Preference
from skills_app.judging import Choice

KEY = "skills-verdict"


def current_choice() -> Choice:
    """The verdict that decides; ours until something else was chosen."""
    kept = Preference.objects.filter(key=KEY).values_list("value", flat=True).first()
    return Choice(kept) if kept in set(Choice) else Choice.OURS


def choice_set(choice: Choice) -> None:
    """Let another verdict decide."""
    Preference.objects.update_or_create(key=KEY, defaults={"value": choice.value})
