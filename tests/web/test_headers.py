"""The headers of every answer (case D13): pages, parts, static files, errors."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.web.pages"), pytest.mark.usefixtures("home")]
PATHS = [
    "/test/whose/",
    "/test/page/",
    "/nothing/",
    "/test/act/",
    "/test/fail/lock/",
    "/static/css/tokens.css",
    "/static/nothing.css",
    "/static/../memoryhub/settings.py",
    "/open/",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_every_answer_carries_the_security_headers(client: Client, anonymous: Client, method: str, path: str) -> None:
    for browser in (client, Client(headers={"host": "127.0.0.1:8765"})):
        answer = getattr(browser, method)(path)
        answer.close()
        headers = answer.headers
        policy = headers["Content-Security-Policy"]
        for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"):
            assert part in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "data:" not in policy
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] in {"same-origin", "no-referrer"}
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", [path for path in PATHS if path != "/static/css/tokens.css"])
def test_everything_but_a_static_file_is_kept_by_nobody(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Cache-Control"] == "no-store"
    assert "HX-Request" in headers["Vary"]


def test_a_static_file_may_be_kept_and_needs_no_cookie(anonymous: Client) -> None:
    answer = anonymous.get("/static/css/tokens.css")
    assert answer.status_code == 200
    assert "max-age" in answer.headers["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in answer.headers
    answer.close()


FORMS = [
    "../../.env",
    "..%2f..%2f.env",
    "..%252f..%252f.env",
    "%2e%2e/%2e%2e/.env",
    "....//....//.env",
    "..\\..\\.env",
    "/etc/hostname",
    "//etc/hostname",
    "C:\\Windows\\win.ini",
    "css/tokens.css%00.png",
    "css/../../pyproject.toml",
    "%c0%ae%c0%ae/.env",
    "css/tokens.css/",
    "..;/..;/.env",
    "~/.ssh/config",
]


@pytest.mark.parametrize("form", FORMS)
def test_no_spelling_leads_out_of_the_static_folder(client: Client, form: str) -> None:
    assert client.get(f"/static/{form}").status_code in {400, 404}
