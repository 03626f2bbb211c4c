"""Fixtures of the session tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.home import Home
from sessions_app import catalogue
from sessions_app.search import known
from sessions_app.search.readers import READERS
from tests.builders import Row, make_state_db


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Each test sees its own files as a fresh process would."""
    catalogue.forget_all()
    known.forget_all()
    READERS.close_all()


@pytest.fixture
def stored(home: Home) -> Callable[..., Path]:
    """Make the home's state.db of these rows."""

    def make(sessions: Iterable[Row] = (), messages: Iterable[Row] = (), **more: Any) -> Path:
        return make_state_db(home.state_db, sessions=sessions, messages=messages, **more)

    return make
