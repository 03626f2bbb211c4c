"""The snapshot in a system prompt beside today's: entries that stayed are shown once, whatever else changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoryhub.hermes import prompt
from sessions_app.snapshots import compare

ENTRY = st.text(st.sampled_from("abc 部署\n"), min_size=1, max_size=12).map(str.strip).filter(bool)
ENTRIES = st.lists(ENTRY, min_size=1, max_size=6, unique=True)


def block(entries: list[str]) -> str:
    return prompt.block(tuple(entries), "memory", 2_200, file_name="MEMORY.md").text


def test_what_stayed_is_neither_gone_nor_come() -> None:
    pieces = compare(
        block(["likes tea", "owns a bike", "lives in Delft"]), block(["likes tea", "x " * 300, "lives in Delft"])
    )
    shown = [(piece.kind, piece.text) for piece in pieces]
    assert any(kind == "same" and "likes tea" in text for kind, text in shown)
    assert any(kind == "same" and "lives in Delft" in text for kind, text in shown)
    assert [text for kind, text in shown if kind == "del" and "bike" in text] == ["\n§\nowns a bike"]
    assert not any(kind == "add" and "Delft" in text for kind, text in shown)


def test_a_reworded_entry_shows_its_words() -> None:
    shown = [(piece.kind, piece.text) for piece in compare(block(["owns a red bike"]), block(["owns a red boat"]))]
    assert ("del", "bike") in shown
    assert ("add", "boat") in shown


@given(ENTRIES, ENTRIES)
def test_nothing_of_the_old_block_is_lost_and_every_new_entry_is_there(old: list[str], new: list[str]) -> None:
    pieces = compare(block(old), block(new))
    assert "".join(piece.text for piece in pieces if piece.kind != "add") == block(old)
    shown = "".join(piece.text for piece in pieces if piece.kind != "del")
    assert all(entry in shown for entry in new)
    assert "".join(piece.text for piece in compare(block(old), block(old))) == block(old)
