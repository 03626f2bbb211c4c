"""The keep value: what each part of its sum rests on, and how well it ranks homes whose entries' fates are known."""

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.curation.keep_value import HALF_LIFE_DAYS, keep_value, weight
from memoryhub.curation.kinds import EntryKind, kind_of
from memoryhub.curation.uses import COMMON, Use, UseReader
from memoryhub.hermes import state_db
from tests.bench import keep_homes
from tests.builders import START, make_state_db, memory_call, message, session

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def use(days=0, share=1.0, *, is_chance=False):
    return Use("s1", "s1", 1, NOW - timedelta(days=days), ("kiln",), share, is_chance)


def value(text="The kiln is in room 12", **changes):
    return keep_value(text, **{"limit": 2200, "uses": (), "findings": (), "now": NOW, **changes})


def test_an_entry_whose_words_came_up_lately_is_worth_more_than_one_whose_did_long_ago():
    assert value(uses=[use()]).value > value(uses=[use(days=200)]).value >= value().value


def test_a_conversation_counts_half_after_a_half_life():
    assert weight(use(days=HALF_LIFE_DAYS), NOW) == pytest.approx(weight(use(), NOW) / 2)
    assert weight(use(days=10), NOW, half_life_days=10) == pytest.approx(weight(use(), NOW) / 2)


def test_one_word_of_several_counts_little():
    assert value(uses=[use(share=0.4, is_chance=True)]).value < value(uses=[use(share=0.4)]).value


@pytest.mark.parametrize("code", ["copy", "date_passed", "overlap"])
def test_what_health_says_takes_points_and_is_a_part_of_its_own(code):
    plain, found = value(), value(findings=[code, code])
    assert found.value < plain.value
    assert [part.code for part in found.parts].count(f"health:{code}") == 1


def test_a_longer_entry_costs_more():
    assert value("The kiln " * 40).value < value("The kiln").value


def test_the_parts_add_up():
    found = value(uses=[use(), use(days=9)], findings=["overlap"])
    assert found.value == sum(part.points for part in found.parts)


def test_without_conversations_the_value_says_that_use_is_not_known():
    found = value(uses=None)
    assert not found.is_known
    assert "use" not in [part.code for part in found.parts]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("User prefers short answers", EntryKind.WISH),
        ("Never push to main without asking", EntryKind.WISH),
        ("不要使用表情符号", EntryKind.WISH),
        ("Name: Ola Nordmann", EntryKind.PROFILE),
        ("ffmpeg fails with 'invalid argument' on the NAS, use the copy in ~/bin instead", EntryKind.LESSON),
        ("Debian 13, API on :8420", EntryKind.MACHINE),
        ("The enum order is red, blue, green", EntryKind.FACT),
        ("Skill `pdf-tools` installed", EntryKind.POINTER),
        ("Web search is often rate limited", EntryKind.PASSING),
        ("PR #12 merged", EntryKind.DIARY),
        ("---", EntryKind.HOLLOW),
    ],
)
def test_kinds_are_told_by_their_words(text, kind):
    assert kind_of(text) == kind


def read_uses(path, *texts):
    def ask(conn):
        reader = UseReader(conn)
        return [reader.uses(reader.distinct(text)) for text in texts]

    return state_db.read(path, 2_000, ask)


def test_uses_are_counted_by_conversation_and_continuations_are_one(tmp_path):
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[session("a"), session("b", parent_session_id="a"), session("c")],
        messages=[
            message("a", content="the kiln and the lathe"),
            message("a", "assistant", "the kiln is hot"),
            message("b", content="kiln again", timestamp=START + 50),
            message("c", content="a lathe"),
        ],
    )
    (uses,) = read_uses(path, "kiln beside lathe")
    assert [(one.root, sorted(one.words)) for one in uses] == [("a", ["kiln", "lathe"]), ("c", ["lathe"])]
    assert uses[0].message_id == 3


def test_memory_calls_their_answers_and_system_messages_are_no_use(tmp_path):
    arguments = {"action": "add", "content": "kiln beside lathe"}
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[session("a")],
        messages=[
            *memory_call("a", arguments, {"success": True, "entries": ["kiln beside lathe"]}),
            message("a", "system", "kiln beside lathe"),
        ],
    )
    assert read_uses(path, "kiln beside lathe") == [()]


def test_words_of_chinese_entries_are_found_inside_longer_text(tmp_path):
    path = make_state_db(
        tmp_path / "state.db", sessions=[session("a")], messages=[message("a", content="昨天讨论了大别山项目的方案")]
    )
    (uses,) = read_uses(path, "大别山项目在服务器上")
    assert [one.root for one in uses] == ["a"]


def test_two_common_words_together_stand_for_a_rare_one(tmp_path):
    many = [message("a", content="docker " if at % 2 else "nginx ") for at in range(2 * COMMON + 4)]
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[session("a"), session("b")],
        messages=[*many, message("b", content="nginx in docker")],
    )
    (uses,) = read_uses(path, "nginx docker")
    assert [one.root for one in uses] == ["b"]


@pytest.mark.parametrize("text", ["", '"', "NEAR(", "a AND b", "*", "' OR 1", "大", "col:x", "\x00"])
def test_no_entry_breaks_the_question(tmp_path, text):
    path = make_state_db(tmp_path / "state.db", sessions=[session("a")], messages=[message("a")])
    assert read_uses(path, text) == [()]


@pytest.mark.parametrize(
    ("noise", "paraphrase", "at_least"), [(False, False, 0.95), (True, False, 0.85), (True, True, 0.85)]
)
def test_used_entries_rank_above_unused_ones(tmp_path, noise, paraphrase, at_least):
    now = datetime.fromtimestamp(keep_homes.END, UTC)
    good, bad = [], []
    for seed in (101, 102, 103):
        path = tmp_path / str(seed) / "state.db"
        made = keep_homes.make(path, seed, noise=noise, paraphrase=paraphrase)
        for entry, uses in zip(made, read_uses(path, *(entry.text for entry in made)), strict=True):
            rank = keep_value(entry.text, limit=2200, uses=uses, findings=(), now=now).value
            (good if entry.fate == keep_homes.USED else bad).append(rank)
    assert keep_homes.area_under_curve(good, bad) >= at_least
