"""Comparisons: the pieces always make both texts again, and the work is bounded."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import diffs
from memoryhub.diffs.sequences import matches, rising
from tests.growth import assert_linear

words_of_few = st.lists(st.sampled_from(["tea", "Tea", " ", "\n", "喝", "茶", ".", "two words", "é"]), max_size=25).map(
    "".join
)
few_entries = st.lists(st.sampled_from(["a", "b", "c", "likes tea", "likes green tea", "喜欢绿茶"]), max_size=8)


def made(pieces, kinds):
    return "".join(piece.text for piece in pieces if piece.kind in kinds)


@given(words_of_few, words_of_few)
def test_the_pieces_make_both_texts(old, new):
    pieces = diffs.words(old, new)
    assert made(pieces, {"same", "del"}) == old
    assert made(pieces, {"same", "add"}) == new
    assert all(piece.text for piece in pieces)


def test_one_changed_word_is_the_only_difference():
    pieces = diffs.words("Deploys on Fridays only", "Deploys on Tuesdays only")
    assert [(piece.kind, piece.text) for piece in pieces] == [
        ("same", "Deploys on "),
        ("del", "Fridays"),
        ("add", "Tuesdays"),
        ("same", " only"),
    ]


def test_chinese_is_compared_character_by_character():
    pieces = diffs.words("用户喜欢绿茶", "用户喜欢红茶")
    assert [(piece.kind, piece.text) for piece in pieces] == [
        ("same", "用户喜欢"),
        ("del", "绿"),
        ("add", "红"),
        ("same", "茶"),
    ]


def test_blanks_between_changed_words_do_not_split_the_change():
    pieces = diffs.words("one two three", "uno dos tres")
    assert [piece.kind for piece in pieces] == ["del", "add"]


def many(word, size):
    return " ".join(f"{word}{number}" for number in range(size))


def test_the_time_to_compare_texts_without_anything_in_common_grows_with_their_length_only():
    assert_linear(lambda size: partial(diffs.words, many("old", size), many("new", size)), 500)
    assert made(diffs.words(many("old", 20_000), many("new", 20_000)), {"same", "add"}) == many("new", 20_000)


def test_a_long_file_with_many_changes_still_shows_its_unchanged_lines():
    old = "\n".join(f"entry {number} says thing {number}" for number in range(600))
    new = old.replace("says", "tells")
    kept = "entry 599 was left alone"
    pieces = diffs.words(f"{old}\n{kept}\nend", f"{new}\n{kept}\nfin")
    assert kept in "".join(piece.text for piece in pieces if piece.kind == "same")


@pytest.mark.parametrize("piece", ["a ", "a", "ab", " ", "\n", "茶", "x\ny\n"])
def test_the_time_to_compare_repetitive_texts_grows_with_their_length_only(piece):
    def compare(size):
        base, now, yours = piece * 8 * size, piece * 7 * size + "end", "x" + piece * 8 * size
        return lambda: (diffs.words(base, now), diffs.three_way(base, now, yours))

    assert_linear(compare, 250)


@given(words_of_few, words_of_few, words_of_few)
def test_the_blocks_make_all_three_texts(base, now, yours):
    blocks = diffs.three_way(base, now, yours)
    assert "".join(block.base for block in blocks) == base
    assert "".join(block.now for block in blocks) == now
    assert "".join(block.yours for block in blocks) == yours
    for block in blocks:
        assert (block.kind == "same") == (block.base == block.now == block.yours)
        if block.kind == "now":
            assert block.yours == block.base != block.now


def test_changes_at_different_places_are_no_conflict():
    blocks = diffs.three_way("red green blue", "RED green blue", "red green BLUE")
    assert [block.kind for block in blocks] == ["now", "same", "yours"]


def test_changes_at_the_same_place_are_a_conflict():
    blocks = diffs.three_way("port 80 is open", "port 81 is open", "port 82 is open")
    (conflict,) = [block for block in blocks if block.kind == "conflict"]
    assert (conflict.base, conflict.now, conflict.yours) == ("80", "81", "82")


@given(few_entries, few_entries)
def test_an_entry_diff_accounts_for_every_entry(old, new):
    change = diffs.entries(old, new)
    left = sorted([*change.removed, *(before for before, _ in change.replaced)])
    come = sorted([*change.added, *(after for _, after in change.replaced)])
    kept = sorted(old)
    for text in left:
        kept.remove(text)
    assert sorted(kept + come) == sorted(new)
    assert diffs.entries(old, old) == diffs.EntryDiff((), (), (), ())


def test_a_reworded_entry_is_one_replacement():
    change = diffs.entries(["a", "Likes green tea", "b"], ["a", "Likes black tea", "b", "c"])
    assert change.replaced == (("Likes green tea", "Likes black tea"),)
    assert change.added == ("c",)
    assert change.removed == change.moved == ()


def test_a_moved_entry_is_neither_gone_nor_new():
    assert diffs.entries(["a", "b", "c"], ["b", "c", "a"]) == diffs.EntryDiff((), (), (), ("a",))


def test_known_pairs_are_believed_even_when_nothing_is_alike():
    change = diffs.entries(["x", "old words"], ["x", "完全不同"], pairs=[("old words", "完全不同")])
    assert change.replaced == (("old words", "完全不同"),)


def test_one_copy_less_is_one_entry_removed():
    assert diffs.entries(["a", "b", "a"], ["a", "b"]).removed == ("a",)


def test_the_time_to_compare_rewritten_entries_grows_with_their_number_only():
    old = [f"The server number {number} runs Debian" for number in range(1_000)]
    new = [f"The server number {number} runs Alpine" for number in range(1_000)]
    assert_linear(lambda size: partial(diffs.entries, old[:size], new[:size][::-1]), 250)


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_matches_are_a_longest_common_part(first, second):
    found = matches(first, second, 100)
    assert found is not None
    assert found == sorted(found)
    assert all(first[x] == second[y] for x, y in found)
    best = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for x, left in enumerate(first):
        for y, right in enumerate(second):
            best[x + 1][y + 1] = best[x][y] + 1 if left == right else max(best[x][y + 1], best[x + 1][y])
    assert len(found) == best[-1][-1]


@given(st.permutations(range(7)))
def test_rising_pairs_are_the_longest(order):
    found = rising(list(enumerate(order)))
    assert [y for _, y in found] == sorted(y for _, y in found)
    lengths: list[int] = []
    for index, value in enumerate(order):
        lengths.append(1 + max((lengths[j] for j in range(index) if order[j] < value), default=0))
    assert len(found) == max(lengths)
