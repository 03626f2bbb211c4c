"""Forms are made for one home and work once (decision 7)."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from memoryhub.hermes.home import Home
from memoryhub.models import Submission
from memoryhub.services import submissions
from memoryhub.web.door import fingerprint
from tests.web import pages

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.web.pages"), pytest.mark.usefixtures("instance")]
BROWSER = {"Origin": "http://127.0.0.1:8765"}


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    pages.done.clear()


@pytest.fixture
def fields(client: Client, home: Home) -> dict[str, str]:
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', client.get("/test/form/").text))


def test_every_form_says_its_home_and_has_an_id_of_its_own(client: Client, home: Home, fields: dict[str, str]) -> None:
    other = dict(re.findall(r'name="(\w+)" value="([^"]*)"', client.get("/test/form/").text))
    assert fields["home_fingerprint"] == other["home_fingerprint"] == fingerprint(home.key)
    assert fields["profile"] == "default"
    assert fields["submission"] != other["submission"]


def test_a_double_submit_does_one_thing_and_leads_to_the_same_place(client: Client, fields: dict[str, str]) -> None:
    sent = fields | {"text": "one"}
    answers = [client.post("/test/act/", sent, headers=BROWSER) for _ in range(3)]
    assert {(each.status_code, each.headers["Location"]) for each in answers} == {(303, "/led/1/")}
    assert pages.done == ["one"]


def test_the_same_form_with_another_text_is_another_wish(client: Client, fields: dict[str, str]) -> None:
    for text in ("one", "two"):
        client.post("/test/act/", fields | {"text": text}, headers=BROWSER)
    assert pages.done == ["one", "two"]


def test_a_double_submit_by_htmx_leads_where_the_first_one_led(client: Client, fields: dict[str, str]) -> None:
    htmx = BROWSER | {"HX-Request": "true"}
    first, second = (client.post("/test/act/", fields, headers=htmx) for _ in range(2))
    assert first.headers["HX-Redirect"] == "/led/1/"
    assert second.headers["HX-Redirect"] == "/led/1/"
    assert pages.done == [""]


def test_a_refused_form_can_be_sent_again(client: Client, fields: dict[str, str]) -> None:
    for _ in range(2):
        assert client.post("/test/act/", fields | {"text": "wrong"}, headers=BROWSER).status_code == 422
    assert not Submission.objects.exists()


def test_a_crash_of_the_view_frees_the_id(client: Client, fields: dict[str, str]) -> None:
    client.raise_request_exception = False
    assert client.post("/test/act/", fields | {"text": "crash"}, headers=BROWSER).status_code == 500
    assert not Submission.objects.exists()


def test_a_form_of_another_home_is_refused_and_its_text_kept(client: Client, fields: dict[str, str]) -> None:
    old = fields | {"home_fingerprint": fingerprint("/another/home"), "text": "typed <b>"}
    answer = client.post("/test/act/", old, headers=BROWSER)
    assert answer.status_code == 409
    assert "typed &lt;b&gt;" in answer.text
    assert fields["submission"] not in answer.text
    part = client.post("/test/act/", old, headers=BROWSER | {"HX-Request": "true"})
    assert part.status_code == 409
    assert "<html" not in part.text
    assert pages.done == []


def test_a_form_of_another_profile_is_refused(client: Client, home: Home, fields: dict[str, str]) -> None:
    (home.path / "profiles" / "work").mkdir(parents=True)
    moved = {name: value for name, value in fields.items() if name != "profile"}
    assert client.post("/test/act/?profile=work", moved, headers=BROWSER).status_code == 409
    assert client.post("/test/act/", moved | {"profile": "work"}, headers=BROWSER).status_code == 409


@pytest.mark.parametrize("missing", ["home_fingerprint", "submission"])
@pytest.mark.parametrize("header", [BROWSER, {"Sec-Fetch-Site": "same-origin"}])
def test_a_browser_must_send_both_fields(
    client: Client, fields: dict[str, str], missing: str, header: dict[str, str]
) -> None:
    del fields[missing]
    assert client.post("/test/act/", fields, headers=header).status_code == 400
    assert pages.done == []


def test_a_script_may_leave_both_out(client: Client) -> None:
    assert client.post("/test/act/", {"text": "by script"}).status_code == 303
    assert pages.done == ["by script"]


def test_a_get_is_not_guarded_but_refused_by_the_view(client: Client, home: Home) -> None:
    answer = client.get("/test/act/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "only takes a form" in answer.text


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_works_and_the_other_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "WAIT", 60)

    def claim(_: int) -> str:
        try:
            earlier = submissions.submission_claim("key")
            if earlier is None:
                submissions.submission_finish("key", "/there/")
                return "did it"
            return earlier.location
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(claim, range(3))) == ["/there/", "/there/", "did it"]


def test_one_that_is_still_worked_on_is_not_done_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "WAIT", 0)
    assert submissions.submission_claim("key") is None
    earlier = submissions.submission_claim("key")
    assert earlier is not None
    assert not earlier.is_finished


def test_one_that_a_crash_left_is_taken_over() -> None:
    Submission.objects.create(id="key", created_at=timezone.now() - submissions.ABANDONED - timedelta(seconds=1))
    assert submissions.submission_claim("key") is None


def test_old_ids_are_forgotten() -> None:
    Submission.objects.create(id="old", created_at=timezone.now() - submissions.KEPT - timedelta(seconds=1))
    submissions.submission_claim("new")
    assert list(Submission.objects.values_list("id", flat=True)) == ["new"]
