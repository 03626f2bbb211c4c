"""What goes wrong becomes a page with a sentence (case D16), for pages and for htmx, inside the door and outside."""

from __future__ import annotations

import logging

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from tests.web import pages

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.web.pages"), pytest.mark.usefixtures("home", "instance")]


@pytest.mark.parametrize("problem", ["lock", "full", "state", "own"])
def test_what_is_unavailable_is_503_with_a_sentence_and_advice(client: Client, problem: str) -> None:
    answer = client.get(f"/test/fail/{problem}/")
    assert answer.status_code == 503
    assert "Traceback" not in answer.text
    assert answer.context["advice"]
    if problem != "own":
        assert answer.context["sentence"] == str(pages.PROBLEMS[problem])
    part = client.get(f"/test/fail/{problem}/", headers={"HX-Request": "true"})
    assert part.status_code == 503
    assert "<html" not in part.text


def test_a_mistake_of_ours_is_our_own_page_and_is_logged_without_the_query(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.raise_request_exception = False
    with caplog.at_level(logging.ERROR, "django.request"):
        answer = client.get("/test/fail/ours/?q=something+private")
    assert answer.status_code == 500
    assert "mistake in the program" in answer.text
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text
    assert "private" not in caplog.text


def test_too_large_a_form_is_400(client: Client) -> None:
    assert client.get("/test/fail/big/").status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/nothing/", "/test/whose", "/%00", "/a%2fb/", "/..%2f..%2fetc/", "/%ff%fe", "/%ed%a0%bd/", "/" + "a" * 5000],
)
def test_no_address_is_a_500(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in {301, 400, 404}


def test_an_unknown_profile_is_404(client: Client, home: Home) -> None:
    (home.path / "profiles" / "work").mkdir(parents=True)
    assert client.get("/test/whose/?profile=work").text == "work"
    assert client.get("/test/whose/").text == "default"
    for name in ("nobody", "../..", "/etc", "work/..", "%00", "WORK ", "."):
        assert client.get("/test/whose/", {"profile": name}).status_code == 404
    assert client.post("/test/whose/", {"profile": "work"}).text == "work"


def test_a_page_and_its_part_come_from_the_same_view(client: Client) -> None:
    assert "<html" in client.get("/test/page/").text
    part = client.get("/test/page/", headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "a &lt;part&gt;" in part


def test_going_back_gets_the_whole_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/test/page/", headers=headers).text
