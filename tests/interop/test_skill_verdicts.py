"""The installed Hermes' own guard, asked in the background and shown beside ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from skills_app.guard.model import Verdict
from skills_app.models import Scan
from skills_app.services import catalogue, hermes_verdicts
from tests.skills_app.skill_homes import FETCH, put_skill, scan_home

pytestmark = [pytest.mark.interop, pytest.mark.django_db]


@pytest.fixture
def asked(home: Home, hermes_python: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose two skills the real guard was asked about: one both find dangerous, one only Hermes does."""
    monkeypatch.setenv("HERMES_PYTHON", str(hermes_python))
    hermes_verdicts.forget_agents()
    put_skill(home, body=FETCH.replace("sudo ", ""))
    put_skill(home, "writing/agents", body="Keep CLAUDE.md and AGENTS.md short.")
    scan_home(home)
    assert hermes_verdicts.ask_some(home, catalogue.look(home)) == 2
    return home


def test_each_content_is_asked_about_once(asked: Home) -> None:
    assert hermes_verdicts.ask_some(asked, catalogue.look(asked)) == 0
    assert Scan.objects.filter(scanner=Scan.HERMES).count() == 2
    put_skill(asked, body="Other words.")
    scan_home(asked)
    assert hermes_verdicts.ask_some(asked, catalogue.look(asked)) == 1


def test_their_verdict_stands_beside_ours_with_its_version_and_the_reason(asked: Home, client: Client) -> None:
    row = catalogue.current(asked).find("writing~agents")
    assert row is not None
    assert (row.ours, row.theirs) == (Verdict.SAFE, Verdict.DANGEROUS)
    page = re.sub(r"\s+", " ", client.get("/skills/writing~agents/").content.decode())
    assert "It comes to another verdict." in page
    assert f"Hermes {hermes_verdicts.known_version()}" in page
    assert "Why the two differ" in page
    assert "It agrees." in client.get("/skills/devops~deploy/").content.decode()


def test_a_hermes_that_cannot_be_asked_is_left_alone_for_a_while(
    asked: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_PYTHON", str(tmp_path / "no-python"))
    put_skill(asked, body="Other words.")
    scan_home(asked)
    assert hermes_verdicts.ask_some(asked, catalogue.look(asked)) == 0
    assert "cannot be started" in hermes_verdicts.problem()
