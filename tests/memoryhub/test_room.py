"""Making room: the cheapest set, what it would lose, and what it leaves alone."""

from hypothesis import given
from hypothesis import strategies as st

from memoryhub.curation.health.model import Finding
from memoryhub.curation.room import Candidate, make_room


def entry(place, chars, value=50, **more):
    return Candidate(place, "x" * chars, value, **more)


def finding(code, place, *, others=(), spans=()):
    return Finding(code, "question", "memory", place, spans, others)


def plan(candidates, needed, findings=(), room_elsewhere=0):
    return make_room(candidates, findings, needed, room_elsewhere=room_elsewhere)


def chosen(found):
    return sorted((option.action, option.place) for option in found.options)


def test_copies_go_before_anything_of_worth():
    found = plan([entry(0, 100, 10), entry(1, 100, 90)], 50, [finding("copy", 1)])
    assert chosen(found) == [("remove", 1)]
    assert found.options[0].loses == ()


def test_the_least_worth_goes_when_nothing_is_free():
    assert chosen(plan([entry(0, 100, 80), entry(1, 100, 20), entry(2, 100, 50)], 90)) == [("remove", 1)]


def test_two_cheap_ones_beat_one_dear_one():
    assert chosen(plan([entry(0, 200, 90), entry(1, 110, 20), entry(2, 110, 25)], 200)) == [
        ("remove", 1),
        ("remove", 2),
    ]


def test_what_belongs_to_the_other_file_is_moved_when_there_is_room():
    entries, says = [entry(0, 100, 60), entry(1, 100, 40)], [finding("person_in_memory", 0)]
    assert chosen(plan(entries, 90, says, room_elsewhere=500)) == [("move", 0)]
    assert chosen(plan(entries, 90, says, room_elsewhere=50)) == [("remove", 1)]


def test_an_overlap_offers_a_merge_whose_gain_is_an_estimate():
    found = plan([entry(0, 300, 60), entry(1, 200, 60)], 100, [finding("overlap", 1, others=(("memory", 0),))])
    (option,) = found.options
    assert (option.action, option.place, option.other, option.is_estimate) == ("merge", 1, 0, True)


def test_a_repeated_heading_can_be_cut_alone():
    found = plan([entry(0, 300, 60)], 20, [finding("migrated", 0, spans=((0, 30),))])
    assert [(option.action, option.gain) for option in found.options] == [("prefix", 30)]


def test_pinned_entries_are_left_alone_even_when_the_room_is_not_reached():
    found = plan([entry(0, 100, 1, is_pinned=True), entry(1, 40, 90)], 100)
    assert chosen(found) == [("remove", 1)]
    assert not found.reaches


def test_what_a_removal_loses_is_said():
    found = plan([Candidate(0, "The kiln is on :8420 in Bergen", 5)], 10)
    assert {fact.text for fact in found.options[0].loses} == {":8420", "Bergen"}


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(0, 100)), max_size=20), st.integers(0, 3000))
def test_no_single_option_could_be_left_out(sizes, needed):
    found = plan([entry(place, *size) for place, size in enumerate(sizes)], needed)
    assert found.gain == sum(option.gain for option in found.options)
    assert len({option.place for option in found.options}) == len(found.options)
    if found.reaches:
        assert all(found.gain - option.gain < needed for option in found.options)
    else:
        assert len(found.options) == len(sizes)
