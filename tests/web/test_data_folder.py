"""The data folder: private, made once, never a half-written key."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest

from memoryhub import data_folder, env, running
from memoryhub.listening import CannotListen, listen


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_folder_database_and_key_are_private_from_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "data"
    key = data_folder.secret_key(folder)
    assert len(key) >= 50
    assert mode(folder) == 0o700
    assert {mode(path) for path in folder.iterdir()} == {0o600}
    assert {path.name for path in folder.iterdir()} == {"memoryhub.sqlite3", "secret.key"}


def test_the_key_is_made_once(tmp_path: Path) -> None:
    assert data_folder.secret_key(tmp_path) == data_folder.secret_key(tmp_path)


def test_of_several_first_starts_all_get_the_same_key(tmp_path: Path) -> None:
    with get_context("spawn").Pool(3) as pool:
        keys = pool.map(data_folder.secret_key, [tmp_path] * 6, chunksize=1)
    assert len(set(keys)) == 1


def test_preparing_leaves_an_existing_database_alone(tmp_path: Path) -> None:
    (tmp_path / data_folder.DATABASE).write_bytes(b"kept")
    data_folder.prepare(tmp_path)
    assert (tmp_path / data_folder.DATABASE).read_bytes() == b"kept"


def test_a_data_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(data_folder.DataFolderProblem, match="MEMORYHUB_DATA_DIR"):
        data_folder.prepare(tmp_path / "file")


def test_the_environment_names_the_data_folder(tmp_path: Path) -> None:
    assert env.data_dir({"MEMORYHUB_DATA_DIR": str(tmp_path)}) == tmp_path
    assert env.data_dir({}).name == "memoryhub"
    assert env.data_dir({"MEMORYHUB_DATA_DIR": "relative"}).is_absolute()


def test_a_flag_that_makes_no_sense_names_its_variable() -> None:
    assert env.debug({"MEMORYHUB_DEBUG": "Yes"})
    assert not env.debug({})
    with pytest.raises(env.BadVariable, match="MEMORYHUB_DEBUG"):
        env.debug({"MEMORYHUB_DEBUG": "perhaps"})


def test_a_dashboard_is_found_while_it_runs_and_not_after(tmp_path: Path) -> None:
    me = running.Running(123, "127.0.0.1", 8765, "/home/x/.hermes", "http://127.0.0.1:8765")
    with running.announced(tmp_path, me):
        assert running.find_running(tmp_path) == (me,)
        assert mode(tmp_path / "running" / "123.json") == 0o600
    assert running.find_running(tmp_path) == ()


def test_what_a_killed_dashboard_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "running").mkdir()
    left = tmp_path / "running" / "99.json"
    left.write_text('{"pid": 99, "host": "127.0.0.1", "port": 1, "home": "/", "url": "http://127.0.0.1:1"}')
    assert running.find_running(tmp_path) == ()
    assert not left.exists()


def test_a_port_in_use_is_told_from_other_troubles() -> None:
    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    with pytest.raises(CannotListen) as caught:
        listen("127.0.0.1", port)
    assert caught.value.in_use
    for each in sockets:
        each.close()
    with pytest.raises(CannotListen, match="no address of this machine") as caught:
        listen("203.0.113.7", 0)
    assert not caught.value.in_use
    with pytest.raises(CannotListen, match="no name or address"):
        listen("no such host", 0)


def test_localhost_listens_on_one_port_for_all_its_addresses() -> None:
    sockets = listen("localhost", 0)
    assert len({each.getsockname()[1] for each in sockets}) == 1
    for each in sockets:
        each.close()
