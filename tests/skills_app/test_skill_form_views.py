"""The forms of the skill pages: each does its work once, and refuses what it must."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from memoryhub.models import Preference
from skills_app.models import Decision, Dismissal
from tests.skills_app.skill_homes import FETCH, put_skill, scan_home

SHOW = "/skills/devops~deploy/"
DISMISS = f"{SHOW}dismiss/"
DISABLE = f"{SHOW}switch/disable/"


def body(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def found(client: Client, home: Home) -> dict[str, str]:
    """What the form of the first finding sends."""
    put_skill(home, body=FETCH)
    scan_home(home)
    page = body(client.get(SHOW))
    fields = {name: re.search(f'name="{name}" value="([^"]+)"', page) for name in ("finding", "digest")}
    return {name: match[1] for name, match in fields.items() if match} | {"reason": "Our own host.", "scope": "digest"}


def test_a_finding_is_dismissed_with_its_reason_and_stays_visible(client: Client, found: dict[str, str]) -> None:
    answer = client.post(DISMISS, found)
    assert answer.status_code == 303
    page = body(client.get(SHOW))
    assert "Our own host." in page
    assert "1 dismissed finding" in page
    assert Dismissal.objects.get().author == "you"


def test_the_profile_is_kept(client: Client, home: Home) -> None:
    work = Home("work", home.path / "profiles/work", home.path)
    put_skill(work)
    answer = client.post(f"{DISABLE}?profile=work")
    assert answer["Location"] == f"{SHOW}?profile=work"
    assert "deploy" in work.config_file.read_text()
    assert not home.config_file.exists()


@pytest.mark.parametrize("wrong", [{"reason": " "}, {"scope": "everything"}, {"finding": ""}, {"reason": "x" * 1_001}])
def test_bad_input_is_refused_and_what_was_typed_stays(
    client: Client, found: dict[str, str], wrong: dict[str, str]
) -> None:
    answer = client.post(DISMISS, {**found, **wrong})
    assert answer.status_code == 422
    assert not Dismissal.objects.exists()
    if "reason" not in wrong and "finding" not in wrong:
        assert 'value="Our own host."' in body(answer)


def test_a_skill_that_changed_meanwhile_is_not_dismissed(client: Client, home: Home, found: dict[str, str]) -> None:
    put_skill(home, body=f"Changed. {FETCH}")
    for scanned in (False, True):
        if scanned:
            scan_home(home)
        answer = client.post(DISMISS, found)
        assert answer.status_code == 409
        assert "was changed since this page was made" in body(answer)
    assert not Dismissal.objects.exists()


def test_a_dismissal_is_taken_back_once(client: Client, found: dict[str, str]) -> None:
    client.post(DISMISS, found)
    url = f"{SHOW}dismissals/{Dismissal.objects.get().pk}/withdraw/"
    assert client.post(url).status_code == 303
    assert "dismissed finding" not in body(client.get(SHOW))
    assert client.post(url).status_code == 409
    assert client.post(f"{SHOW}dismissals/99/withdraw/").status_code == 404


def test_disable_and_its_undo(client: Client, home: Home) -> None:
    put_skill(home)
    answer = client.post(DISABLE, follow=True)
    page = body(answer)
    assert "is disabled" in page
    assert 'action="/skills/devops~deploy/switch/enable/"' in page
    assert client.post(f"{SHOW}switch/enable/").status_code == 303
    assert [one.action for one in Decision.objects.order_by("id")] == ["disable", "enable"]


def test_a_config_that_cannot_be_edited_is_left_alone(client: Client, home: Home) -> None:
    put_skill(home)
    home.config_file.write_text("skills: [\n")
    answer = client.post(DISABLE)
    assert answer.status_code == 409
    assert "config.yaml" in body(answer)
    assert home.config_file.read_text() == "skills: [\n"
    assert not Decision.objects.exists()


def test_pin_unpin_and_restore(client: Client, home: Home) -> None:
    put_skill(home)
    put_skill(home, ".archive/old")
    (home.skills / ".usage.json").write_text(json.dumps({"deploy": {"use_count": 1}}))
    assert client.post(f"{SHOW}switch/pin/").status_code == 303
    assert json.loads((home.skills / ".usage.json").read_text())["deploy"]["pinned"] is True
    assert client.post(f"{SHOW}switch/unpin/").status_code == 303
    archived = re.search(r'href="(/skills/[^"]*old[^"]*/)"', body(client.get("/skills/archived/")))
    assert archived
    assert client.post(f"{archived[1]}switch/disable/").status_code == 409
    assert client.post(f"{archived[1]}switch/restore/").status_code == 303
    assert (home.skills / "old/SKILL.md").exists()


def test_what_lies_in_an_external_folder_is_never_written(client: Client, home: Home) -> None:
    shared = home.path / "shared"
    put_skill(Home("x", home.path / "elsewhere", home.path), "team/tool")
    (home.path / "elsewhere/skills").rename(shared)
    home.config_file.write_text("skills:\n  external_dirs: [./shared]\n")
    page = body(client.get("/skills/"))
    url = re.search(r'href="(/skills/[^"]*tool[^"]*/)"', page)
    assert url
    assert "external" in page
    assert client.post(f"{url[1]}switch/pin/").status_code == 409
    assert client.post(f"{url[1]}switch/disable/").status_code == 303


def test_the_setting_is_kept_and_nonsense_is_not(client: Client, home: Home) -> None:
    assert "which verdict decides" in body(client.get("/settings/"))
    assert client.post("/skills/settings/", {"choice": "stricter"}).status_code == 303
    assert Preference.objects.get(key="skills-verdict").value == "stricter"
    client.post("/skills/settings/", {"choice": "nobody"})
    assert Preference.objects.get(key="skills-verdict").value == "stricter"


@pytest.mark.parametrize("url", [DISMISS, DISABLE, f"{SHOW}dismissals/1/withdraw/", "/skills/settings/"])
def test_get_is_refused_and_so_is_a_form_without_its_token(
    client: Client, csrf_client: Client, home: Home, url: str
) -> None:
    put_skill(home)
    assert client.get(url).status_code == 405
    assert csrf_client.post(url, {"choice": "hermes"}).status_code == 403
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    "url",
    ["/skills/gone/dismiss/", "/skills/gone/switch/disable/", f"{SHOW}switch/erase/", "/skills/gone/file/?path=x"],
)
def test_what_is_not_there_is_not_there(client: Client, home: Home, url: str) -> None:
    put_skill(home)
    answer = client.get(url) if "file" in url else client.post(url, {"reason": "x"})
    assert answer.status_code == 404


def test_a_form_of_another_home_changes_nothing(client: Client, home: Home) -> None:
    put_skill(home)
    answer = client.post(DISABLE, {"home_fingerprint": "another", "submission": "1"})
    assert answer.status_code == 409
    assert not home.config_file.exists()


def test_a_form_sent_twice_does_one_thing(client: Client, found: dict[str, str]) -> None:
    page = body(client.get(SHOW))
    mark = re.search(r'name="home_fingerprint" value="([^"]+)"', page)
    assert mark
    fields = {**found, "submission": "once", "home_fingerprint": mark[1]}
    assert [client.post(DISMISS, fields).status_code for _ in range(2)] == [303, 303]
    assert Dismissal.objects.count() == 1
