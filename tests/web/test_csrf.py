"""Who may send a form (case D04): the token decides, a foreign Origin never passes, the refusal says why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from memoryhub.services import door
from memoryhub.web.instance import Instance
from tests.web import pages

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.web.pages"), pytest.mark.usefixtures("home", "instance")]
HERE = "http://127.0.0.1:8765"


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    pages.done.clear()


@pytest.fixture
def fields(csrf_client: Client) -> dict[str, str]:
    """The hidden fields of a form on a page, as a browser would send them."""
    import re

    text = csrf_client.get("/test/form/").text
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', text))


def test_a_token_without_origin_is_a_script_of_the_person_and_accepted(
    csrf_client: Client, fields: dict[str, str]
) -> None:
    assert csrf_client.post("/test/act/", fields).status_code == 303
    only_token = {"csrfmiddlewaretoken": fields["csrfmiddlewaretoken"]}
    assert csrf_client.post("/test/act/", only_token).status_code == 303
    by_header = csrf_client.post("/test/act/", headers={"X-CSRFToken": fields["csrfmiddlewaretoken"]})
    assert by_header.status_code == 303
    assert len(pages.done) == 3


def test_without_token_nothing_is_done_with_or_without_origin(csrf_client: Client) -> None:
    for headers in ({}, {"Origin": HERE}):
        answer = csrf_client.post("/test/act/", {"text": "x"}, headers=headers)
        assert answer.status_code == 403
        assert "csrfmiddlewaretoken" in answer.text
        assert "Nothing was changed" in answer.text or "nothing was changed" in answer.text
    assert pages.done == []


def test_what_was_typed_is_given_back_as_text(csrf_client: Client) -> None:
    answer = csrf_client.post("/test/act/", {"text": "a long thought <b>"})
    assert answer.status_code == 403
    assert "a long thought &lt;b&gt;" in answer.text


def test_the_own_origin_with_token_is_accepted(csrf_client: Client, fields: dict[str, str]) -> None:
    assert csrf_client.post("/test/act/", fields, headers={"Origin": HERE}).status_code == 303


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8765", "http://localhost:8765", "", "x"],
)
def test_a_foreign_origin_is_refused_with_its_name_and_the_way_to_allow_it(
    csrf_client: Client, fields: dict[str, str], origin: str
) -> None:
    answer = csrf_client.post("/test/act/", fields, headers={"Origin": origin})
    assert answer.status_code == 403
    assert pages.done == []
    if origin:
        assert f"--allow-origin {origin}" in answer.text
        assert HERE in answer.text


def test_a_null_origin_is_never_accepted(csrf_client: Client, fields: dict[str, str], instance: Instance) -> None:
    door.use_instance(replace(instance, allow_origins=frozenset({"https://hub.example"})))
    answer = csrf_client.post("/test/act/", fields, headers={"Origin": "null"})
    assert answer.status_code == 403
    assert "--allow-origin" not in answer.text


def test_an_origin_that_was_allowed_is_accepted_exactly(
    csrf_client: Client, fields: dict[str, str], instance: Instance
) -> None:
    door.use_instance(replace(instance, allow_origins=frozenset({"https://hub.example"})))
    assert csrf_client.post("/test/act/", fields, headers={"Origin": "https://hub.example"}).status_code == 303
    for near in (
        "https://hub.example:444",
        "http://hub.example",
        "https://sub.hub.example",
        "https://hub.example.evil",
    ):
        assert csrf_client.post("/test/act/", fields, headers={"Origin": near}).status_code == 403


def test_a_hostile_origin_is_shown_as_text(csrf_client: Client, fields: dict[str, str]) -> None:
    answer = csrf_client.post("/test/act/", fields, headers={"Origin": "<script>alert(1)</script>"})
    assert "<script>alert" not in answer.text


def test_the_csrf_cookie_is_named_for_the_instance(csrf_client: Client, fields: dict[str, str]) -> None:
    assert any(name.startswith("memoryhub_csrf_") for name in csrf_client.cookies)
