"""Finding and asking the installed Hermes; the children here are small programs of our own, run for real."""

import fcntl
import os
import sys
import textwrap
from pathlib import Path

import pytest

from memoryhub.hermes import agent
from tests.growth import that_ends

PYTHON = Path(sys.executable)


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    path.chmod(0o755)
    return path


def stand_in(tmp_path, body):
    """A "Python" that runs `body` instead of what it is given."""
    return program(tmp_path / "stand-in", f"#!{PYTHON}\n" + textwrap.dedent(body))


def test_a_python_named_outright_comes_first(tmp_path):
    environ = {"HERMES_PYTHON": "/opt/hermes/python", "PATH": str(tmp_path)}
    assert agent.find_python(environ, Path("/else/python")) == Path("/else/python")
    assert agent.find_python(environ) == Path("/opt/hermes/python")


def test_the_python_of_the_command_on_path_is_found(tmp_path):
    program(tmp_path / "venv" / "bin" / "hermes", "#!/opt/venv/bin/python3.11\nimport sys\n")
    assert agent.find_python({"PATH": str(tmp_path / "venv" / "bin")}) == Path("/opt/venv/bin/python3.11")


def test_a_link_to_the_command_is_followed(tmp_path):
    program(tmp_path / "tools" / "bin" / "hermes", "#!/opt/tools/bin/python\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hermes").symlink_to(tmp_path / "tools" / "bin" / "hermes")
    assert agent.find_python({"PATH": str(tmp_path / "bin")}) == Path("/opt/tools/bin/python")


def test_a_shell_wrapper_around_the_command_is_followed(tmp_path):
    inner = program(tmp_path / "app" / "bin" / "hermes", "#!/app/bin/python\n")
    program(tmp_path / "bin" / "hermes", f'#!/bin/sh\nunset PYTHONPATH\nexec "{inner}" "$@"\n')
    assert agent.find_python({"PATH": str(tmp_path / "bin")}) == Path("/app/bin/python")


def test_a_long_path_behind_exec_is_found(tmp_path):
    program(
        tmp_path / "hermes",
        """#!/bin/sh\n'''exec' "/very long/python" "$0" "$@"\n' '''\n""".replace("very long", "very-long"),
    )
    assert agent.find_python({"PATH": str(tmp_path)}) == Path("/very-long/python")


def test_env_in_the_first_line_is_looked_up(tmp_path):
    python = program(tmp_path / "python3", "#!/bin/sh\n")
    program(tmp_path / "hermes", "#!/usr/bin/env python3\n")
    assert agent.find_python({"PATH": str(tmp_path)}) == python


def test_without_a_command_there_is_none(tmp_path):
    assert agent.find_python({"PATH": str(tmp_path)}) is None
    assert agent.find_python({}) is None


def test_a_missing_python_is_said_in_a_sentence(tmp_path):
    with pytest.raises(agent.AgentMissing, match="cannot be started: No such file or directory"):
        agent.version(tmp_path / "python")


def test_a_python_without_hermes_is_said_in_a_sentence():
    with pytest.raises(agent.AgentFailed, match="ModuleNotFoundError"):
        agent.prompt_block(PYTHON, b"a", "memory", 2200)
    assert agent.version(PYTHON) == ""


def test_a_program_that_says_something_else_failed(tmp_path):
    with pytest.raises(agent.AgentFailed, match="without an answer"):
        agent.version(stand_in(tmp_path, "print('hello')"))
    with pytest.raises(agent.AgentFailed, match="without an answer"):
        agent.version(stand_in(tmp_path, "print('[1]')"))


def test_an_answer_of_another_shape_failed(tmp_path):
    with pytest.raises(agent.AgentFailed, match="something else than a memory block"):
        agent.prompt_block(stand_in(tmp_path, 'print(\'{"files": {"memory": 7}}\')'), b"a", "memory", 2200)


def test_a_child_that_hangs_is_ended_with_all_it_started(tmp_path):
    held = tmp_path / "held"
    held.touch()
    sleeper = stand_in(
        tmp_path,
        f"""
        import fcntl, subprocess
        with open({str(held)!r}, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            subprocess.run("sleep 60; rm {held}", shell=True, pass_fds=[lock.fileno()])
        """,
    )
    with pytest.raises(agent.AgentTookTooLong, match=r"within 0\.5 seconds"):
        agent.version(sleeper, seconds=0.5)
    with that_ends(), held.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # free when none of them is left
    assert held.exists(), "what the child had started went on to its end"


def test_a_child_that_never_stops_talking_is_ended(tmp_path):
    with pytest.raises(agent.AgentFailed, match="more than such an answer can be"):
        agent.version(stand_in(tmp_path, "while True: print('x' * 65536)"))


def test_the_child_sees_a_clean_environment_and_a_home_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not for children")
    report = tmp_path / "report"
    body = f"import os, pathlib\npathlib.Path({str(report)!r}).write_text(repr(dict(os.environ)))\nprint('{{}}')"
    agent.version(stand_in(tmp_path, body))
    seen = eval(report.read_text())
    assert set(seen) - {"LC_CTYPE"} == {"HOME", "HERMES_HOME", "PATH", "LANG"}
    assert seen["HERMES_HOME"] != os.environ["HERMES_HOME"]
    assert not Path(seen["HERMES_HOME"]).exists()
