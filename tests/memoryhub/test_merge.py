"""Taking a change back in the middle of what others did since."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memoryhub.merge import merge_entries

entries = st.lists(st.sampled_from("abcde"), max_size=8)


@given(entries, entries)
def test_with_nothing_changed_since_the_result_is_what_was_wanted(base, wanted):
    merged = merge_entries(base, base, wanted)
    assert (list(merged.entries), merged.conflicts) == (wanted, ())


@given(entries, entries)
def test_with_nothing_to_take_back_the_result_is_what_stands(base, current):
    merged = merge_entries(base, current, base)
    assert (list(merged.entries), merged.conflicts) == (current, ())


@given(entries, entries, entries)
def test_nothing_that_only_others_added_is_ever_lost(base, current, wanted):
    merged = Counter(merge_entries(base, current, wanted).entries)
    for text, count in (Counter(current) - Counter(base)).items():
        assert merged[text] >= count


@given(entries, entries, entries)
def test_nothing_appears_from_nowhere(base, current, wanted):
    merged = Counter(merge_entries(base, current, wanted).entries)
    assert not merged - (Counter(current) | Counter(wanted))


def test_an_added_entry_goes_and_a_later_one_stays():
    assert merge_entries(["a", "mine"], ["a", "mine", "agent's"], ["a"]).entries == ("a", "agent's")


def test_a_deleted_entry_comes_back_at_its_place():
    assert merge_entries(["a", "c"], ["a", "c", "d"], ["a", "b", "c"]).entries == ("a", "b", "c", "d")
    assert merge_entries(["b"], ["b", "c"], ["a", "b"]).entries == ("a", "b", "c")


def test_an_edit_is_taken_back_where_the_entry_stands_now():
    merged = merge_entries(["a", "new words", "b"], ["x", "a", "new words", "b"], ["a", "old words", "b"])
    assert merged == type(merged)(("x", "a", "old words", "b"), ())


def test_an_entry_that_was_changed_again_is_a_conflict():
    merged = merge_entries(["likes tea a lot"], ["likes green tea a lot"], ["likes coffee"])
    assert merged.conflicts == ("likes tea a lot",)


def test_a_reworded_addition_is_a_conflict_and_a_removed_one_is_not():
    assert merge_entries(["a", "likes tea"], ["a", "likes black tea"], ["a"]).conflicts == ("likes tea",)
    assert merge_entries(["a", "likes tea"], ["a"], ["a"]) == merge_entries(["a"], ["a"], ["a"])


def test_an_order_is_taken_back_around_later_entries():
    assert merge_entries(["b", "a"], ["b", "new", "a"], ["a", "b"]).entries == ("a", "b", "new")


def test_copies_are_counted():
    assert merge_entries(["a", "a"], ["a", "a", "b"], ["a"]).entries == ("a", "b")


def test_a_merge_of_entries_is_taken_apart_again():
    merged = merge_entries(["x", "a and b"], ["x", "a and b", "y"], ["x", "a", "b"])
    assert merged.entries == ("x", "a", "b", "y")
