"""Replaying memory calls: stories of entries, and what stays unknown."""

from datetime import UTC, datetime

from memoryhub.curation.provenance import Replay
from memoryhub.hermes.memory_calls import MemoryAction, MemoryCall

AT = datetime(2026, 1, 1, tzinfo=UTC)


def call(number, *actions, succeeded=True, staged=""):
    return MemoryCall("s1", number, AT, tuple(MemoryAction(*each) for each in actions), succeeded, staged)


def add(text, target="memory"):
    return "add", target, text, ""


def replace(old, text, target="memory"):
    return "replace", target, text, old


def remove(old, target="memory"):
    return "remove", target, "", old


def told(replay, text, target="memory"):
    story = replay.trace(target, text)
    return story and [(w.text, w.source.message_id if w.source else None) for w in story.wordings]


def replayed(*calls):
    replay = Replay()
    replay.feed(calls)
    return replay


def test_a_reworded_entry_tells_all_its_wordings():
    replay = replayed(
        call(1, add("the kiln is hot")), call(2, replace("kiln", "the kiln is cold")), call(3, add("x", "user"))
    )
    assert told(replay, "the kiln is cold") == [("the kiln is hot", 1), ("the kiln is cold", 2)]
    assert told(replay, "the kiln is hot") == [("the kiln is hot", 1)]


def test_what_was_there_before_any_call_begins_with_a_fragment():
    replay = replayed(call(5, replace("kiln", "the kiln is cold")))
    story = replay.trace("memory", "the kiln is cold")
    assert [(w.text, w.is_fragment) for w in story.wordings] == [("kiln", True), ("the kiln is cold", False)]
    assert not story.begins_known


def test_an_entry_that_was_removed_and_written_again_starts_anew():
    replay = replayed(call(1, add("kiln")), call(2, remove("kiln")), call(3, add("kiln")))
    assert told(replay, "kiln") == [("kiln", 3)]


def test_adding_what_is_there_already_changes_no_source():
    assert told(replayed(call(1, add("kiln")), call(2, add(" kiln "))), "kiln") == [("kiln", 1)]


def test_a_refused_call_explains_nothing():
    assert told(replayed(call(1, add("kiln"), succeeded=False)), "kiln") is None


def test_a_staged_call_explains_the_text_once_it_is_in_the_file_and_says_that_it_is_not_certain():
    replay = replayed(call(1, add("kiln"), succeeded=False, staged="0a1b2c3d"))
    story = replay.trace("memory", "kiln")
    assert story.wordings[-1].source.message_id == 1
    assert not story.wordings[-1].source.is_certain


def test_a_batch_is_replayed_step_by_step():
    replay = replayed(call(1, add("a kiln"), replace("kiln", "a lathe"), add("a kayak")))
    assert told(replay, "a lathe") == [("a kiln", 1), ("a lathe", 1)]


def test_the_files_are_told_apart():
    replay = replayed(call(1, add("kiln", "user")))
    assert told(replay, "kiln") is None
    assert told(replay, "kiln", "user") == [("kiln", 1)]


def test_feeding_in_steps_gives_the_same_as_feeding_at_once():
    calls = [call(1, add("kiln")), call(2, replace("kiln", "lathe")), call(3, add("kayak"))]
    stepwise = Replay()
    for each in calls:
        stepwise.feed([each])
    assert told(stepwise, "lathe") == told(replayed(*calls), "lathe")
    assert stepwise.last_id == 3
