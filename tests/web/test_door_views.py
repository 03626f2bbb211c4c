"""The open link, the page that asks for it, and what is seen without it (cases D05, D13, D23)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from memoryhub.models import OpenToken
from memoryhub.services import door
from memoryhub.views import door as views
from memoryhub.web import passwords
from memoryhub.web.instance import Instance

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.web.pages"), pytest.mark.usefixtures("instance")]
PRIVATE = ["/", "/memory/", "/test/whose/", "/nothing/", "/static/nothing.css", "/favicon.ico", "/openx/"]


def has_cookie(client: Client) -> bool:
    return any(name.startswith("memoryhub_door") and morsel.value for name, morsel in client.cookies.items())


@pytest.fixture
def public(instance: Instance) -> Iterator[Instance]:
    """A dashboard that other machines can reach, with a password."""
    wide = replace(instance, host="192.168.1.5")
    passwords.write(wide.data_dir, "correct horse battery")
    door.use_instance(wide)
    views._guesses.forgive()
    yield wide
    views._guesses.forgive()


def test_an_open_link_lets_a_browser_in_and_works_once(anonymous: Client) -> None:
    token = door.token_create()
    first = anonymous.get(f"/open/{token}/")
    assert first.status_code == 200
    assert 'http-equiv="refresh"' in first.text
    assert 'href="/"' in first.text
    assert anonymous.get("/test/whose/").text == "default"
    other = Client(headers={"host": "127.0.0.1:8765"})
    second = other.get(f"/open/{token}/")
    assert second.status_code == 403
    assert "memoryhub open" in second.text
    assert not has_cookie(other)


def test_the_cookie_is_strict_http_only_and_named_for_the_instance(anonymous: Client, instance: Instance) -> None:
    anonymous.get(f"/open/{door.token_create()}/")
    (cookie,) = (morsel for name, morsel in anonymous.cookies.items() if "door" in name)
    assert cookie["samesite"] == "Strict"
    assert cookie["httponly"]
    assert cookie.key.startswith("memoryhub_door_")


def test_no_page_repeats_a_token_and_none_is_kept_in_clear(anonymous: Client) -> None:
    token = door.token_create()
    assert token not in anonymous.get(f"/open/{token}/").text
    assert token not in str(OpenToken.objects.values())
    assert token not in Client(headers={"host": "localhost"}).get(f"/open/{token}/").text


def test_a_link_older_than_ten_minutes_is_refused(anonymous: Client) -> None:
    token = door.token_create(timezone.now() - timedelta(minutes=10, seconds=1))
    assert anonymous.get(f"/open/{token}/").status_code == 403
    assert not has_cookie(anonymous)


@pytest.mark.parametrize("token", ["x", "x" * 43, "..%2f", "%00", "é", "x" * 5000])
def test_a_wrong_token_is_refused(anonymous: Client, token: str) -> None:
    assert anonymous.get(f"/open/{token}/").status_code in {403, 404}
    assert not has_cookie(anonymous)


def test_previews_and_prefetches_do_not_use_a_link_up(anonymous: Client) -> None:
    token = door.token_create()
    assert anonymous.head(f"/open/{token}/").status_code == 204
    assert anonymous.get(f"/open/{token}/", headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 204
    assert not has_cookie(anonymous)
    assert anonymous.get(f"/open/{token}/").status_code == 200


def test_opening_a_used_link_again_in_the_same_browser_leads_on(client: Client) -> None:
    assert 'http-equiv="refresh"' in client.get("/open/whatever/").text
    assert 'http-equiv="refresh"' in client.get("/open/").text


@pytest.mark.django_db(transaction=True)
def test_of_two_browsers_with_one_link_one_comes_in() -> None:
    for _ in range(5):
        token = door.token_create()

        def use(_: int, token: str = token) -> bool:
            try:
                return door.token_consume(token)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(use, range(2))) == [False, True]


def test_a_pasted_link_lets_in(anonymous: Client) -> None:
    answer = anonymous.post("/open/", {"link": f" http://127.0.0.1:8765/open/{door.token_create()}/ "})
    assert answer.status_code == 200
    assert has_cookie(anonymous)


def test_pasted_nonsense_is_422_with_a_sentence(anonymous: Client) -> None:
    answer = anonymous.post("/open/", {"link": "<script>"})
    assert answer.status_code == 422
    assert "Paste the whole line" in answer.text


def test_pasting_needs_the_csrf_token_of_the_page(db: None) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8765"})
    assert strict.post("/open/", {"link": door.token_create()}).status_code == 403
    token = strict.get("/memory/").context["csrf_token"]
    assert strict.post("/open/", {"link": door.token_create(), "csrfmiddlewaretoken": token}).status_code == 200


@pytest.mark.parametrize("path", PRIVATE)
def test_without_the_cookie_every_page_asks_for_the_link_and_shows_nothing(
    anonymous: Client, instance: Instance, path: str
) -> None:
    for method in (anonymous.get, anonymous.post, anonymous.put, anonymous.delete):
        answer = method(path)
        assert answer.status_code == 403
        assert "memoryhub open" in answer.text
        assert str(instance.home.path) not in answer.text
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("value", ["", "entered", "x:y:z", "ImVudGVyZWQi:1xXmpd:KNbOrSZ05jH8SBIufPkng7Vb6HSvqJwt"])
def test_a_forged_cookie_opens_nothing(anonymous: Client, value: str) -> None:
    anonymous.cookies[door._cookie_name()] = value
    assert anonymous.get("/test/whose/").status_code == 403


def test_the_cookie_of_another_dashboard_opens_nothing(client: Client, instance: Instance) -> None:
    value = client.cookies[door._cookie_name()].value
    assert client.get("/test/whose/").status_code == 200
    door.use_instance(replace(instance, port=9999))
    client.cookies[door._cookie_name()] = value
    assert client.get("/test/whose/").status_code == 403


def test_the_closed_page_leads_on_for_a_strict_cookie_that_was_held_back(anonymous: Client) -> None:
    assert 'href="/memory/?profile=x"' in anonymous.get("/memory/?profile=x").text
    assert 'href="//evil' not in anonymous.get("//evil.example/").text


def test_htmx_without_the_cookie_loads_the_whole_page_again(anonymous: Client) -> None:
    answer = anonymous.get("/test/whose/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Refresh"], answer.text) == (403, "true", "")


def test_the_open_link_tells_nobody_where_it_came_from(anonymous: Client) -> None:
    answer = anonymous.get(f"/open/{door.token_create()}/")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert anonymous.get("/test/whose/").headers["Referrer-Policy"] == "same-origin"


def test_a_page_with_a_form_is_never_without_referrer_or_chromium_sends_a_null_origin(anonymous: Client) -> None:
    refused = anonymous.get("/open/used-already/")
    assert "<form" in refused.text
    assert refused.headers["Referrer-Policy"] == "same-origin"


def test_on_this_machine_no_password_is_asked_or_taken(anonymous: Client) -> None:
    assert "password" not in anonymous.get("/").text
    assert anonymous.post("/open/password/", {"password": ""}).status_code == 422


@pytest.mark.usefixtures("public")
def test_other_machines_come_in_with_the_password(anonymous: Client) -> None:
    assert 'type="password"' in anonymous.get("/").text
    assert anonymous.post("/open/password/", {"password": "wrong"}).status_code == 422
    assert not has_cookie(anonymous)
    assert anonymous.post("/open/password/", {"password": "correct horse battery"}).status_code == 200
    assert anonymous.get("/test/whose/").status_code == 200


@pytest.mark.usefixtures("public")
def test_the_sixth_wrong_password_must_wait(anonymous: Client) -> None:
    statuses = [anonymous.post("/open/password/", {"password": "wrong"}).status_code for _ in range(6)]
    assert statuses == [422] * 5 + [429]
    late = anonymous.post("/open/password/", {"password": "correct horse battery"})
    assert (late.status_code, late.headers["Retry-After"]) == (429, "60")
    assert anonymous.get(f"/open/{door.token_create()}/").status_code == 200  # the owner's link still works


def test_a_new_password_shuts_the_door_for_those_who_knew_the_old_one(anonymous: Client, public: Instance) -> None:
    anonymous.post("/open/password/", {"password": "correct horse battery"})
    assert anonymous.get("/test/whose/").status_code == 200
    passwords.write(public.data_dir, "another long password")
    assert anonymous.get("/test/whose/").status_code == 403


def test_the_password_address_only_takes_a_form(anonymous: Client) -> None:
    answer = anonymous.get("/open/password/")
    assert answer.status_code == 405
    assert "only takes a form" in answer.text
