"""Proof of no loss: facts that are kept, reworded or missing, and claims that come from nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.curation.facts import FactKind, find_facts
from memoryhub.curation.proof import prove


def kinds(text):
    return {(str(fact.kind), fact.text) for fact in find_facts(text) if fact.kind not in ("negation", "wish")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "API on :8420, venv at ~/apps/hub/.venv",
            {("number", ":8420"), ("path", "~/apps/hub/.venv"), ("name", "API")},
        ),
        ("Run `make sync` with --force", {("command", "make sync"), ("command", "--force")}),
        ("Backups of the kiln go to Bergen on 2026-01-09", {("name", "Bergen"), ("number", "2026-01-09")}),
        ("see https://hub.example.test/a?b=1, then stop", {("path", "https://hub.example.test/a?b=1")}),
        ("image ✅, music ❌", {("sign", "✅"), ("sign", "❌")}),
        ('the folder is called "Old Things"', {("quote", "Old Things")}),
        ("写到 app.config.ts，端口 8420", {("path", "app.config.ts"), ("number", "8420")}),
        ("The limit is 2,200 characters", {("number", "2,200")}),
        ("ola@web1.example.test owns max_retries", {("path", "ola@web1.example.test"), ("name", "max_retries")}),
    ],
)
def test_facts_are_found_by_their_shape(text, expected):
    assert kinds(text) == expected


def states(old, new):
    return {(str(one.fact.kind), one.fact.text): one.state for one in prove(old, new).facts}


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("API on :8420, logs in /var/log/hub", "API :8420, logs /var/log/hub", []),
        ("API on :8420, logs in /var/log/hub", "API with logs in /var/log/hub", [":8420"]),
        ("Use port 842 for the kiln", "kiln port 8420", ["842"]),
        ("The limit is 2,200 characters", "limit 2200 characters", []),
        ("Deploys on Tuesdays to Bergen", "Deploys on Tuesdays", ["Bergen"]),
        ("image ✅, music ❌", "image ✅, music", ["❌"]),
        ("Never restart the kiln at night", "Restart the kiln at night", ["Never restart the kiln at night"]),
        ("Never restart the kiln at night", "Don't restart the kiln by night", []),
        ("不要在晚上重启服务器", "在晚上重启服务器", ["不要在晚上重启服务器"]),
        ("Prefers tea to coffee", "Likes tea more than coffee", []),
        ("Prefers tea to coffee", "Lives in a house", ["Prefers tea to coffee"]),
        ("Run `make sync` first", "run make sync first", []),
    ],
)
def test_what_a_rewording_loses_is_missing(old, new, lost):
    assert [checked.fact.text for checked in prove([old], [new]).missing] == lost


def test_the_same_text_keeps_everything():
    text = "Deploy from main only after `make check` passes; never on Fridays. Host web1.example.test :22 ✅"
    assert {one.state for one in prove([text], [text]).facts} == {"kept"}


def test_a_merge_is_checked_against_all_entries_it_replaces():
    proof = prove(["kiln on :8420", "lathe on :8421"], ["kiln :8420 and lathe"])
    assert [(one.place, one.fact.text) for one in proof.missing] == [(1, ":8421")]


def test_a_split_may_put_facts_into_any_part():
    assert not prove(["kiln on :8420, lathe on :8421"], ["kiln on :8420", "lathe on :8421"]).missing


def test_claims_point_to_the_entries_they_come_from_and_strange_facts_are_named():
    proof = prove(
        ["The kiln is in room 12", "The lathe is in the attic"], ["The kiln is in room 12. Buy Acme stock at 99."]
    )
    first, second = proof.claims[0]
    assert first.sources == (0,)
    assert second.sources == ()
    assert {fact.text for fact in proof.unsourced} == {"Acme", "99"}


def test_each_missing_fact_has_a_key_of_its_own():
    proof = prove(["kiln :8420, lathe :8421, attic :8422"], ["nothing"])
    assert len({one.key for one in proof.missing}) == len(proof.missing) >= 3


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_can_be_compared_and_spans_lie_in_them(old, new):
    for fact in find_facts(old):
        assert 0 <= fact.span[0] < fact.span[1] <= len(old)
    proof = prove([old], [new])
    for claim in proof.claims[0]:
        assert 0 <= claim.span[0] < claim.span[1] <= len(new)


@given(st.text(max_size=200))
def test_a_text_loses_no_literal_to_itself(text):
    assert not [
        one
        for one in prove([text], [text]).missing
        if one.fact.kind != FactKind.NEGATION and one.fact.kind != FactKind.WISH
    ]
