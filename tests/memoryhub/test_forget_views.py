"""The page that forgets: asks first, shows no more of the text than needed, does nothing without a tick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub.entries import entry_digest
from memoryhub.hermes.home import Home
from memoryhub.models import Content
from memoryhub.services import memory
from tests.memoryhub.cases import PAGE, entry_id, texts
from tests.memoryhub.test_history_views import body

pytestmark = pytest.mark.django_db

URL = "/memory/forget/"
SECRET = "the code of the garage is heron-47-11"


@pytest.fixture
def kept(home: Home) -> Home:
    """A home whose history, but not its file, holds the secret."""
    memory.entry_add(home, "memory", "stays", **PAGE)
    memory.entry_add(home, "memory", SECRET, **PAGE)
    memory.entry_remove(home, "memory", entry_id(home, SECRET), **PAGE)
    return home


def is_kept() -> bool:
    return any(SECRET.encode() in bytes(data) for data in Content.objects.values_list("data", flat=True))


def test_the_page_asks_for_a_text_and_takes_none_from_the_address(client: Client, kept: Home) -> None:
    page = body(client.get(URL, {"text": SECRET}))
    assert "The text to forget" in page
    assert "heron-47-11" not in page


def test_first_it_says_where_the_text_stands_masked(client: Client, kept: Home) -> None:
    answer = client.post(URL, {"text": SECRET})
    assert answer.status_code == 200
    page = body(answer)
    assert "1 recorded state" in page
    assert "2 changes of entries" in page
    assert page.count("heron-47-11") == 1, "only the hidden field of the form that asks"
    assert '<input type="hidden" name="text"' in page
    assert is_kept()


def test_an_entry_is_named_by_its_id_and_its_text_is_nowhere_on_the_page(client: Client, kept: Home) -> None:
    where = {"target": "memory", "entry": entry_digest(SECRET)}
    page = body(client.get(URL, where))
    assert "1 recorded state" in page
    assert "heron-47-11" not in page
    assert client.post(URL, {**where, "forget": "1", "sure": "on"}).status_code == 303
    assert not is_kept()


def test_without_the_tick_nothing_is_forgotten(client: Client, kept: Home) -> None:
    answer = client.post(URL, {"text": SECRET, "forget": "1"})
    assert answer.status_code == 422
    assert "Tick that you are sure" in body(answer)
    assert is_kept()


def test_with_the_tick_it_is_and_the_answer_does_not_say_it_again(client: Client, kept: Home) -> None:
    answer = client.post(URL, {"text": SECRET, "forget": "1", "sure": "on"}, follow=True)
    assert answer.redirect_chain == [(URL, 303)]
    page = body(answer)
    assert "Forgotten. The text stood in 1 recorded state." in page
    assert "heron-47-11" not in page
    assert not is_kept()
    assert texts(kept) == ["stays"]


def test_files_that_are_not_ours_are_named(client: Client, kept: Home) -> None:
    backup = kept.memories / "MEMORY.md.bak.1767225600"
    backup.write_text(SECRET)
    assert str(backup.resolve()) in body(client.post(URL, {"text": SECRET}))
    done = client.post(URL, {"text": SECRET, "forget": "1", "sure": "on"}, follow=True)
    assert str(backup.resolve()) in body(done)
    assert backup.read_text() == SECRET


def test_while_it_stands_in_the_file_the_page_leads_to_the_entry_and_refuses(client: Client, home: Home) -> None:
    memory.entry_add(home, "memory", f"Note: {SECRET}.", **PAGE)
    answer = client.post(URL, {"text": SECRET})
    page = body(answer)
    assert "A memory file holds it now" in page
    assert f'href="/memory/memory/entries/{entry_digest(f"Note: {SECRET}.")}/edit/"' in page
    assert 'name="delete"' not in page
    assert client.post(URL, {"text": SECRET, "forget": "1", "sure": "on"}).status_code == 409
    assert is_kept()


def test_a_whole_entry_can_be_deleted_and_forgotten_in_one_go(client: Client, kept: Home) -> None:
    memory.entry_add(kept, "memory", SECRET, **PAGE)
    memory.entry_add(kept, "user", SECRET, **PAGE)
    where: dict[str, Any] = {"target": "memory", "entry": entry_digest(SECRET)}
    assert 'name="delete"' in body(client.get(URL, where))
    assert client.post(URL, {**where, "forget": "1", "sure": "on"}).status_code == 409
    assert client.post(URL, {**where, "forget": "1", "sure": "on", "delete": "on"}).status_code == 303
    assert (texts(kept), texts(kept, "user")) == (["stays"], [])
    assert not is_kept()


def test_a_file_of_another_profile_is_named_with_its_page(client: Client, kept: Home) -> None:
    other = kept.path / "profiles" / "work" / "memories"
    other.mkdir(parents=True)
    (other / "MEMORY.md").write_text(SECRET)
    page = body(client.post(URL, {"text": SECRET}))
    assert 'href="/memory/?profile=work"' in page
    assert 'name="delete"' not in page
    assert client.post(URL, {"text": SECRET, "forget": "1", "sure": "on", "delete": "on"}).status_code == 409
    assert (other / "MEMORY.md").read_text() == SECRET


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type or paste the text first."),
        (" \n", "Type or paste the text first."),
        ("abc", "Give at least 4 characters"),
        ("one\n§\ntwo", "Give one entry at a time"),
    ],
)
def test_what_cannot_be_forgotten_is_refused_in_a_sentence(
    client: Client, home: Home, text: str, sentence: str
) -> None:
    for more in ({}, {"forget": "1", "sure": "on"}):
        answer = client.post(URL, {"text": text, **more})
        assert answer.status_code == 422
        assert sentence in body(answer)


def test_a_text_that_is_nowhere_is_said_to_be(client: Client, home: Home) -> None:
    assert "MemoryHub keeps it nowhere." in body(client.post(URL, {"text": "never written"}))


@pytest.mark.parametrize(
    "where", [{"target": "memory", "entry": "0123456789"}, {"target": "x", "entry": "1"}, {"entry": "1"}]
)
def test_an_entry_that_is_not_known_is_404(client: Client, home: Home, where: dict[str, str]) -> None:
    assert client.get(URL, where).status_code == 404


def test_short_texts_are_masked_whole(client: Client, home: Home) -> None:
    page = body(client.post(URL, {"text": "pa55word"}))
    assert "<code>••••••••</code>" in page


def test_a_broken_file_does_not_stop_it(client: Client, kept: Home) -> None:
    kept.memory_path("memory").unlink()
    Path(kept.memory_path("memory")).mkdir()
    assert client.post(URL, {"text": SECRET, "forget": "1", "sure": "on"}).status_code == 303
    assert not is_kept()
