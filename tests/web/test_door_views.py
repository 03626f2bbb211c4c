"""The open link, the page that asks for it, and what is seen without it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryhub.services import door

pytestmark = pytest.mark.django_db


def test_an_open_link_lets_a_browser_in_and_works_once(anonymous: Client) -> None:
    token = door.token_create()
    first = anonymous.get(f"/open/{token}/")
    assert first.status_code == 200
    assert 'http-equiv="refresh"' in first.text
    other = Client(headers={"host": "127.0.0.1:8765"})
    second = other.get(f"/open/{token}/")
    assert second.status_code == 403
    assert not any("door" in name for name in other.cookies)


def test_a_link_older_than_ten_minutes_is_refused(anonymous: Client) -> None:
    token = door.token_create(timezone.now() - timedelta(minutes=11))
    assert anonymous.get(f"/open/{token}/").status_code == 403
