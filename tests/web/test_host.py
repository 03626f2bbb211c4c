"""Which Host headers are ours (cases D01 and D02), and that a foreign one learns nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from memoryhub.services import door as door_service
from memoryhub.web import door
from memoryhub.web.instance import Instance

OURS = [
    "127.0.0.1:8765",
    "127.0.0.1",
    "127.0.0.2:80",
    "127.255.255.254",
    "localhost:9000",
    "LOCALHOST",
    "[::1]:8765",
    "[::1]",
]
FOREIGN = [
    "attacker.example:8765", "127.0.0.1.attacker.example:8765", "attacker.example", "localhost.:8765", "localhost.",
    "127.0.0.1:8765, attacker.example", "127.0.0.1,127.0.0.1", "", " ", "::1", "0.0.0.0:8765", "128.0.0.1", "127.1",
    "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1:port", "127.0.0.1:", "127.0.0.1@evil", "user@127.0.0.1", "[::2]", "[::1",
    "[::ffff:127.0.0.1]", "localhost/", "localhost\x00", "lоcalhost", "sub.localhost", "127.0.0.1:8765:1",
]  # fmt: skip
EVERYWHERE = ["/", "/open/", "/open/token/", "/static/css/base.css", "/nothing/here/", "/memory/", "/static/../x"]


@pytest.mark.parametrize("header", OURS)
def test_every_spelling_of_this_machine_is_ours(instance: Instance, header: str) -> None:
    assert instance.accepts_host(header)


@pytest.mark.parametrize("header", [None, *FOREIGN])
def test_any_other_host_header_is_foreign(instance: Instance, header: str | None) -> None:
    assert not instance.accepts_host(header)


def test_the_bound_address_and_allowed_names_are_ours_exactly(instance: Instance) -> None:
    wide = replace(instance, host="192.168.1.5", allow_hosts=frozenset({"hub.example"}))
    assert wide.accepts_host("192.168.1.5:8765")
    assert wide.accepts_host("HUB.example")
    assert not wide.accepts_host("sub.hub.example")
    assert not wide.accepts_host("192.168.1.6")


def test_listening_everywhere_does_not_allow_every_name(instance: Instance) -> None:
    assert not replace(instance, host="0.0.0.0").accepts_host("192.168.1.5")


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("method", ["get", "head", "post", "options"])
def test_a_foreign_host_gets_400_before_everything_else(method: str, path: str) -> None:
    for host in ("attacker.example:8765", "localhost.:8765"):
        answer = getattr(Client(headers={"host": host}), method)(path)
        assert answer.status_code == 400
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"
        assert "MemoryHub" not in answer.text


def test_a_request_without_host_gets_400() -> None:
    assert Client().get("/open/").status_code == 400  # Django's client sends none by itself


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8765"),
        ("::1", "http://[::1]:8765"),
        ("localhost", "http://localhost:8765"),
        ("0.0.0.0", "http://127.0.0.1:8765"),
        ("::", "http://[::1]:8765"),
    ],
)
def test_the_printed_address_is_one_a_browser_can_open(instance: Instance, host: str, url: str) -> None:
    assert replace(instance, host=host).url == url


def test_two_dashboards_on_one_machine_have_cookies_of_their_own(instance: Instance) -> None:
    other = replace(instance, port=8766)
    assert instance.cookie_name("door", "key") != other.cookie_name("door", "key")
    assert instance.cookie_name("door", "key") != instance.cookie_name("csrf", "key")
    assert instance.cookie_name("door", "key") == replace(instance).cookie_name("door", "key")


@pytest.mark.parametrize("origin", ["https://hub.example", "http://hub.example:8080", "https://[::1]:443"])
def test_an_origin_is_scheme_host_and_port(origin: str) -> None:
    assert door.is_origin(origin)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "hub.example",
        "https://hub.example/",
        "https://*.example",
        "ftp://hub",
        "https://",
        "https://u@h",
        "https://h:x",
    ],
)
def test_anything_else_is_no_origin(text: str) -> None:
    assert not door.is_origin(text)


def test_the_default_instance_is_that_of_the_environment(home: object) -> None:
    assert door_service.current_instance().home == home
