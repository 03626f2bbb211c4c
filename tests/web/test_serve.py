"""``memoryhub serve`` as a person meets it: real processes, real ports (cases D01, D02, D05, D22)."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from memoryhub import running
from memoryhub.hermes.home import Home
from memoryhub.services import serving
from tests.web.served import Served, command

Environ = Callable[..., dict[str, str]]


def test_from_the_ready_line_to_a_clean_end(home: Home, environ: Environ, tmp_path: Path) -> None:
    with Served(environ(), "--no-open", "--port", "0", "-v", "2") as served:
        assert served.url.startswith("http://127.0.0.1:")
        assert served.get("/").status == 403
        first = served.come_in()
        assert first.status == 200
        assert "SameSite=Strict" in first.headers["Set-Cookie"]
        assert served.get("/", {"Host": "attacker.example"}).status == 400
        page = served.get("/?q=private-words")
        assert page.status == 200
        assert str(home.path) in page.text
        cookie, served.cookie = served.cookie, ""
        assert served.get(served.link).status == 403
        served.cookie = cookie
        token = served.link.rstrip("/").rpartition("/")[2]
        status, out, err = served.finish()
    assert status == 0
    assert "private-words" not in out + err
    assert token not in err
    assert "GET '/' 200" in err
    assert list((tmp_path / "data" / "running").iterdir()) == []


def test_odd_requests_learn_nothing_on_the_wire(home: Home, environ: Environ) -> None:
    requests = {
        b"GET / HTTP/1.0\r\n\r\n": b"400",
        b"GET / HTTP/1.1\r\n\r\n": b"400",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: attacker.example\r\n\r\n": b"400",
        b"GET / HTTP/1.1\r\nHost: attacker.example\r\nX-Forwarded-Host: 127.0.0.1\r\n\r\n": b"400",
        b"GET /events HTTP/1.1\r\nHost: attacker.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n": b"400",
        b"GET /static/css/base.css HTTP/1.1\r\nHost: localhost.\r\n\r\n": b"400",
        b"GET http://attacker.example/ HTTP/1.1\r\nHost: attacker.example\r\n\r\n": b"400",
        b"BREW / HTTP/1.1\r\nHost: attacker.example\r\n\r\n": b"400",
        b"GET / HTTP/1.1\r\nHost: LOCALHOST:9200\r\n\r\n": b"403",
    }
    with Served(environ(), "--no-open", "--port", "0") as served:
        port = int(served.url.rpartition(":")[2])
        for request, status in requests.items():
            with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
                wire.sendall(request)
                answer = wire.recv(65536)
            assert answer.split(b" ", 2)[1] == status, request
            assert str(home.path).encode() not in answer
            assert b"X-Frame-Options: DENY" in answer
            assert b"waitress" not in answer.lower()


def test_ctrl_c_ends_it_as_cleanly(home: Home, environ: Environ) -> None:
    with Served(environ(), "--no-open", "--port", "0") as served:
        status, _, err = served.finish(signal.SIGINT)
    assert (status, err) == (0, "")


def test_nothing_in_the_data_folder_is_readable_by_others(home: Home, environ: Environ, tmp_path: Path) -> None:
    with Served(environ(), "--no-open", "--port", "0") as served:
        served.come_in()
        folder = tmp_path / "data"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for path in folder.rglob("*"):
            with suppress(FileNotFoundError):  # SQLite's helper files come and go
                found = path.stat()
                assert not (stat.S_ISREG(found.st_mode) and found.st_size) or stat.S_IMODE(found.st_mode) == 0o600, path


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.2", "http://127.0.0.2:"), ("::1", "http://[::1]:"), ("localhost", "http://localhost:")]
)
def test_loopback_in_other_spellings(home: Home, environ: Environ, host: str, url: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with Served(environ(), "--no-open", "--port", "0", "--host", host) as served:
        assert served.url.startswith(url)
        assert served.come_in().status == 200
        assert served.get("/").status == 200


def test_two_dashboards_on_one_data_folder(home: Home, environ: Environ, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "memories").mkdir(parents=True)
    with (
        Served(environ(), "--no-open", "--port", "0") as one,
        Served(environ(), "--no-open", "--port", "0", "--home", str(other)) as two,
    ):
        one.come_in()
        two.come_in()
        assert str(home.path) in one.get("/").text
        assert str(other) in two.get("/").text
        assert two.get("/", {"Cookie": one.cookie}).status == 403
        opened = command(environ(), "open", "--home", str(other), "--json")
        assert json.loads(opened.stdout)["url"].startswith(two.url)
        assert command(environ(), "open").stdout.startswith(one.url)  # HERMES_HOME decides
        assert one.get(command(environ(), "open").stdout.strip()).status == 200


def test_two_first_starts_at_once(home: Home, environ: Environ) -> None:
    with Served(environ(), "--no-open", "--port", "0") as one, Served(environ(), "--no-open", "--port", "0") as two:
        assert one.come_in().status == two.come_in().status == 200
        assert one.get("/").status == two.get("/").status == 200


def test_a_port_in_use_by_our_own_dashboard_names_its_home_and_the_way(home: Home, environ: Environ) -> None:
    with Served(environ(), "--no-open", "--port", "0") as served:
        port = served.url.rpartition(":")[2]
        second = command(environ(), "serve", "--port", port, "--home", str(home.path))
        assert second.returncode == 1
        for words in (str(home.path), served.url, "memoryhub open", "--port"):
            assert words in second.stderr
        assert second.stderr.count("\n") == 1


def test_a_port_in_use_by_a_stranger_starts_no_browser(home: Home, environ: Environ, tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as stranger:
        port = stranger.getsockname()[1]
        browser = {"DISPLAY": ":9", "BROWSER": f"touch {tmp_path}/started %s"}
        result = command(environ(**browser), "serve", "--port", str(port))
    assert result.returncode == 1
    assert f"--port {port + 1}" in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in browser is a shell script")
def test_the_browser_is_started_on_a_private_file_and_no_token_is_seen(
    home: Home, environ: Environ, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    os.mkfifo(seen)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\n{{ echo "$1"; ls -l "${{1#file://}}"; cat "${{1#file://}}"; }} > {seen}\n')
    browser.chmod(0o700)
    with Served(environ(DISPLAY=":9", BROWSER=str(browser)), "--port", "0") as opened:
        said = subprocess.run(["cat", seen], capture_output=True, text=True, timeout=60, check=True).stdout
        argument, listing, page = said.split("\n", 2)
        assert argument.startswith("file://")
        assert listing.startswith("-rw-------")
        link = page.partition("url=")[2].partition('"')[0]
        assert link.startswith(opened.url)
        assert link != opened.link  # the printed one still works
        assert link.rstrip("/").rpartition("/")[2] not in argument
        assert opened.get(link).status == 200
        assert opened.come_in().status == 200
    assert not list((tmp_path / "data").glob("open-*"))


def test_what_runs_beside_the_pages_waits_for_the_first_of_them_and_is_not_made_when_the_end_comes_before(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Home] = []
    monkeypatch.setattr(serving.hooks, "backgrounds", lambda home: made.append(home) or [])
    is_over = threading.Event()
    is_over.set()
    serving._run_backgrounds(home, is_over)
    assert made == []


@pytest.mark.parametrize(
    ("environ_", "platform", "can"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_without_a_display_no_browser_is_started(environ_: dict[str, str], platform: str, can: bool) -> None:
    assert serving.can_show_a_browser(environ_, platform) is can


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--home", "/no/such/home"], "/no/such/home"),
        (["--profile", "nobody"], "default"),
        (["--host", "0.0.0.0"], "memoryhub password"),
        (["--host", "203.0.113.7"], "memoryhub password"),
        (["--allow-host", "*.example"], "--allow-host"),
        (["--allow-host", "a.example:80"], "--allow-host"),
        (["--allow-origin", "null"], "--allow-origin"),
        (["--allow-origin", "https://a.example/"], "--allow-origin"),
        (["--host", "no such host"], "no such host"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_status_1(
    home: Home, environ: Environ, arguments: list[str], words: str
) -> None:
    result = command(environ(), "serve", "--no-open", "--port", "0", *arguments)
    assert (result.returncode, result.stdout) == (1, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_wrong_usage_is_status_2(home: Home, environ: Environ) -> None:
    for arguments in (
        ["serve", "--port", "high"],
        ["serve", "--port", "70000"],
        ["serve", "--colour"],
        ["open", "--port"],
    ):
        assert command(environ(), *arguments).returncode == 2


@pytest.mark.parametrize(
    ("debug", "word", "sentence"),
    [
        ("", "nonsense", "There is no command nonsense. memoryhub --help lists them.\n"),
        ("maybe", "status", "MEMORYHUB_DEBUG is 'maybe'; it must be 1 or 0.\n"),
    ],
)
def test_a_command_or_variable_that_cannot_be_meant_is_a_sentence_and_status_2(
    home: Home, environ: Environ, debug: str, word: str, sentence: str
) -> None:
    program = [sys.executable, "-c", "from memoryhub.cli import main; main()", word]
    found = subprocess.run(program, env=environ(MEMORYHUB_DEBUG=debug), capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (2, sentence)


def test_a_data_folder_inside_the_home_is_refused(home: Home, environ: Environ) -> None:
    result = command(environ(MEMORYHUB_DATA_DIR=str(home.path / "hub")), "serve", "--port", "0", "--no-open")
    assert result.returncode == 1
    assert "MEMORYHUB_DATA_DIR" in result.stderr


def test_with_a_password_other_machines_may_be_served(home: Home, environ: Environ, tmp_path: Path) -> None:
    assert command(environ(), "password", "--stdin", stdin="correct horse battery\n").returncode == 0
    with Served(environ(), "--no-open", "--port", "0", "--host", "0.0.0.0") as served:
        assert 'type="password"' in served.get("/").text
        assert served.get("/", {"Host": "192.168.1.5"}).status == 400
        assert served.come_in().status == 200


def test_without_a_hermes_home_a_demo_is_shown_and_says_so(environ: Environ, tmp_path: Path) -> None:
    with Served(environ(), "--no-open", "--port", "0") as served:
        served.come_in()
        page = served.get("/")
        assert page.status == 200
        assert str(tmp_path / "hermes") in page.text
        assert "--home" in page.text
    assert not (tmp_path / "hermes").exists()


def test_two_demos_at_once_share_one_home_that_keeps_what_was_tried(environ: Environ, tmp_path: Path) -> None:
    arguments = ("--no-open", "--port", "0", "--demo")
    with Served(environ(), *arguments) as one, Served(environ(), *arguments) as two:
        assert one.come_in().status == two.come_in().status == 200
    memory = tmp_path / "data" / "demo" / "memories" / "MEMORY.md"
    memory.write_text("tried")
    with Served(environ(), *arguments) as again:
        again.come_in()
        assert "tried" in again.get("/memory/").text
    assert sorted(path.name for path in (tmp_path / "data").iterdir() if path.is_dir()) == ["demo", "running"]


def test_open_without_a_dashboard_says_how_to_start_one(home: Home, environ: Environ) -> None:
    result = command(environ(), "open")
    assert (result.returncode, result.stdout) == (1, "")
    assert "memoryhub serve" in result.stderr
    refused = json.loads(command(environ(), "open", "--json").stdout)
    assert refused["ok"] is False


def test_a_killed_dashboard_is_not_offered(home: Home, environ: Environ, tmp_path: Path) -> None:
    with Served(environ(), "--no-open", "--port", "0") as served:
        assert len(running.find_running(tmp_path / "data")) == 1
        served.finish(signal.SIGKILL)
    assert command(environ(), "open").returncode == 1
    assert running.find_running(tmp_path / "data") == ()


def test_the_password_command_refuses_what_is_too_short_and_removes(
    home: Home, environ: Environ, tmp_path: Path
) -> None:
    short = command(environ(), "password", "--stdin", stdin="short\n")
    assert short.returncode == 1
    assert "10 characters" in short.stderr
    assert command(environ(), "password").returncode == 1  # nobody is at a terminal
    set_ = command(environ(), "password", "--stdin", "--json", stdin="correct horse battery\n")
    assert json.loads(set_.stdout)["ok"] is True
    kept = tmp_path / "data" / "password"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "horse" not in kept.read_text()
    assert "removed" in command(environ(), "password", "--remove").stdout
    assert not kept.exists()
