"""Every health rule against its own examples, in both languages, and the order in which findings are told."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.curation.health import ALARM, QUESTION, RULES, check
from memoryhub.curation.health.model import Asked

TODAY = date(2026, 11, 30)
MATCHES = [(rule, target, text) for rule in RULES for target, text in rule.matches]
LOOK_ALIKES = [(rule, target, text) for rule in RULES for target, text in rule.look_alikes]


@pytest.mark.parametrize(("rule", "target", "text"), MATCHES, ids=[f"{r.code}-{t[:30]}" for r, _, t in MATCHES])
def test_a_rule_finds_its_examples(rule, target, text):
    assert rule.find(Asked(text, target, TODAY))


@pytest.mark.parametrize(("rule", "target", "text"), LOOK_ALIKES, ids=[f"{r.code}-{t[:30]}" for r, _, t in LOOK_ALIKES])
def test_a_rule_leaves_its_look_alikes(rule, target, text):
    assert not rule.find(Asked(text, target, TODAY))


@pytest.mark.parametrize(("rule", "target", "text"), LOOK_ALIKES, ids=[f"{r.code}-{t[:30]}" for r, _, t in LOOK_ALIKES])
def test_a_look_alike_is_mostly_left_alone_by_all_rules(rule, target, text):
    """What one rule leaves, no alarm of another may take: the owner would be told to remove a good entry."""
    assert not [one.code for one in check({target: [text]}, TODAY) if one.level == ALARM and one.code != "threat"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_that_reads_single_entries_has_examples_of_both_kinds(rule):
    if rule.find is not None:
        assert len(rule.matches) >= 2
        assert len(rule.look_alikes) >= 2
    assert rule.remedies
    assert rule.why.endswith(".")
    assert rule.leave.endswith(".")


@given(st.text(max_size=300), st.sampled_from(["memory", "user"]))
def test_any_text_can_be_checked_and_spans_lie_in_it(text, target):
    for rule in RULES:
        for start, end in rule.find(Asked(text, target, TODAY)) if rule.find else ():
            assert 0 <= start < end <= len(text)


def codes(memory, user=()):
    return [(one.target, one.place, one.code) for one in check({"memory": memory, "user": list(user)}, TODAY)]


def test_an_exact_copy_is_an_alarm_about_the_later_one():
    assert codes(["Uses fish", "Enum order is a, b", "Uses fish"]) == [("memory", 2, "copy")]


def test_a_leading_subject_makes_no_difference():
    assert codes([], ["User prefers tea to coffee in the morning", "prefers tea to coffee in the morning"]) == [
        ("user", 1, "twin")
    ]


def test_the_same_fact_in_both_files_is_a_question_about_one_of_them():
    one = "Grafana dashboards for the greenhouse sensors live at greenhouse.example.test"
    other = "Greenhouse sensors: dashboards in Grafana, greenhouse.example.test"
    assert ("user", 0, "both_files") in codes([one, "Node is pinned to 20.11"], [other, "No emojis"])


def test_lines_of_a_log_are_told_by_their_shape():
    lines = [f"Session {n} ({n + 2} turns): {what}" for n, what in enumerate(["red", "blue", "green", "teal", "grey"])]
    assert {code for _, _, code in codes(lines)} == {"log_line"}


def test_a_heading_that_a_migration_repeats_is_an_alarm():
    texts = ["Notes > File policy: Archive lies on the NAS", "Notes > File policy: Photos are never deleted"]
    assert {code for _, _, code in codes(texts)} == {"migrated"}


def test_an_entry_gets_one_question_at_most():
    text = "On holiday until 2026-01-09. Web search is often rate limited. PR #12 merged."
    found = check({"memory": [text]}, TODAY)
    assert [one.level for one in found].count(QUESTION) == 1
