"""Which sessions the demo homes hold: everyday talk, long lineages, branches, helpers, jobs, and one running now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

from memoryhub.demo.chronicle import Chronicle, Session
from memoryhub.demo.pending_texts import Staged
from memoryhub.demo.skill_texts import SkillText
from memoryhub.demo.telling import Message, Teller

DAYS: Final = 400
_SUMMARY: Final = (
    "[Summary of the conversation so far] {first} The steps up to here were done and checked; go on from there."
)
_TOO_LONG: Final = (
    "ledger on papaya: the shop exports its till every night as CSV, one file a day, with the columns day, till, "
    "number, gross, vat, payment, cashier and note; gross uses a comma, and the note may hold line breaks."
)


def everyday(chronicle: Chronicle, count: int) -> Iterator[Session]:
    """Conversations about anything, spread over all days, more of them recently; some still have no end."""
    rng = chronicle.rng
    keys = [key for key in chronicle.topics if key not in ("digest", "classify")]
    for number in range(count):
        ago = chronicle.daytime(DAYS * rng.random() ** 1.3 + 0.3)
        columns: dict[str, Any] = {"archived": 1} if number % 40 == 7 else {}
        subjects = rng.choices(keys, k=rng.choice((1, 1, 1, 2, 2, 3)))
        session = rambling(chronicle, subjects, ago, **columns)
        if number % 9 == 4:  # the window was closed, nobody said goodbye
            session.columns.pop("ended_at", None)
            session.columns.pop("end_reason", None)
        yield session


def rambling(chronicle: Chronicle, keys: list[str], ago: timedelta, **columns: Any) -> Session:
    """One conversation that goes from subject to subject; the first gives it its title."""
    tellers = [chronicle.teller(key) for key in keys]
    scenes = [(teller, chronicle.rng.randint(1, 4)) for teller in tellers]
    messages = [message for teller, more in scenes for message in teller.tell(more, closing=teller is tellers[-1])]
    return chronicle.record(tellers[0], messages, ago, **columns)


def jobs(chronicle: Chronicle, digests: int, invoices: int) -> Iterator[Session]:
    """What runs without a person: a digest in the morning, calls of a program."""
    for number in range(digests):
        yield chronicle.converse("digest", chronicle.clock(1 + number * DAYS / digests, 5, 30), title=None)
    for number in range(invoices):
        yield chronicle.converse("classify", chronicle.daytime(2 + number * (DAYS - 5) / invoices), title=None)


def lineages(chronicle: Chronicle, keys: list[str]) -> Iterator[Session]:
    """Conversations that became too long and went on in a new session, twice each."""
    for number, key in enumerate(keys):
        teller = chronicle.teller(key)
        title = f"{teller.title} ({chronicle.rng.choice(('long', 'all day', 'again and again'))})"
        parent: str | None = None
        start = chronicle.clock(17 + 90 * number, 9, 12)
        for part in range(3):
            messages = teller.tell(4)
            if parent:
                first = str(messages[0]["content"])
                messages.insert(0, teller.say("user", _SUMMARY.format(first=first)))
            session = chronicle.record(
                teller,
                messages,
                start - timedelta(hours=2 * part),
                title=title if part == 0 else f"{title} #{part + 1}",
                parent_session_id=parent,
                source="cli",
            )
            if part < 2:
                session.columns["end_reason"] = "compression"
            parent = session.id
            yield session


def relatives(chronicle: Chronicle, pairs: list[tuple[str, str, float]]) -> Iterator[Session]:
    """Parents with a child: (kind, topic, days ago); kind is `branch` or `delegate`."""
    for kind, key, days in pairs:
        ago = chronicle.daytime(days)
        parent = chronicle.converse(key, ago, 3)
        mark = "_branched_from" if kind == "branch" else "_delegate_from"
        child = chronicle.converse(
            key,
            ago - timedelta(minutes=4),
            1,
            title=None,
            source=parent.columns["source"],
            parent_session_id=parent.id,
            model_config=json.dumps({mark: parent.id}),
        )
        if kind == "branch":
            parent.columns["end_reason"] = "branched"
        else:
            child.columns["end_reason"] = "agent_close"
        yield from (parent, child)


def made_skills(chronicle: Chronicle, skills: Sequence[SkillText]) -> Iterator[Session]:
    """The conversations in which the agent made its skills."""
    for skill in skills:
        if skill.origin not in ("agent", "background"):
            continue
        teller = chronicle.teller("changelog")
        arguments = {"action": "create", "name": skill.name, "content": skill.text}
        answer = {"success": True, "message": f"Skill '{skill.name}' created.", "path": skill.path}
        said = f"Make a skill of that, {skill.name}, so that you do it the same way next time."
        turn = _tool_turn(teller, "skill_manage", said, arguments, answer, f"`{skill.name}` is there now.")
        yield chronicle.record(teller, [*teller.tell(1, closing=False), *turn], chronicle.daytime(skill.days))


def staged(chronicle: Chronicle, subsystem: str, records: Sequence[Staged]) -> Iterator[Session]:
    """The conversations whose writes still wait for approval."""
    tool = "memory" if subsystem == "memory" else "skill_manage"
    for record in records:
        if record.origin != "foreground":
            continue
        teller = chronicle.teller("staging")
        answer = {
            "success": True,
            "staged": True,
            "pending_id": record.id,
            "message": "Staged for approval. Not yet saved.",
        }
        said = "Please keep that for later."
        turn = _tool_turn(teller, tool, said, record.payload, answer, "It waits for your approval.")
        yield chronicle.record(
            teller, [*teller.tell(2, closing=False), *turn], timedelta(hours=record.hours, minutes=9)
        )


def oddities(chronicle: Chronicle) -> Iterator[Session]:
    """What happens in real homes too: an empty session, a rewind, compacted rows, a write that was refused."""
    yield chronicle.record(chronicle.teller("books"), [], chronicle.daytime(33), title=None)
    rewound = chronicle.converse("letter", chronicle.daytime(21), 1, rewind_count=1)
    for message in rewound.messages[-2:]:
        message["active"] = 0
    yield rewound
    compacted = chronicle.converse("slowquery", chronicle.daytime(29), 4)
    for message in compacted.messages[:4]:
        message.update(active=0, compacted=1)
    yield compacted
    teller = chronicle.teller("report")
    yield chronicle.record(teller, [*teller.tell(1), *_refused(teller)], chronicle.daytime(31))


def long_day(chronicle: Chronicle, days: float, subjects: int) -> Session:
    """One session of several hundred messages, as when a window stays open all day."""
    keys = [key for key in chronicle.topics if key not in ("digest", "classify", "screenshot")]
    ago = chronicle.daytime(days) + timedelta(hours=9)
    return rambling(chronicle, chronicle.rng.choices(keys, k=subjects), ago, title="Everything at once", source="cli")


def running(chronicle: Chronicle, key: str) -> Session:
    """A session that began fifty minutes ago, was active two minutes ago, and holds the memory of its start."""
    teller = chronicle.teller(key)
    messages = teller.tell(4, closing=False)
    pause = timedelta(minutes=48).total_seconds() / len(messages)
    for message in messages:
        message["after"] = round(pause, 3)
    title = f"{teller.title}, second try"
    return chronicle.record(
        teller, messages, timedelta(minutes=50), title=title, source="cli", ended_at=None, end_reason=None
    )


def _refused(teller: Teller) -> list[Message]:
    arguments = {"action": "add", "target": "memory", "content": _TOO_LONG}
    error = f"Memory at 2,112/2,200 chars. Adding this entry ({len(_TOO_LONG)} chars) would exceed the limit."
    answer = {"success": False, "error": error, "usage": "2,112/2,200"}
    said = "Remember the till format of papaya, all columns."
    return _tool_turn(
        teller, "memory", said, arguments, answer, "My memory file is full, so I put it into docs/papaya-till.md."
    )


def _tool_turn(
    teller: Teller, tool: str, said: str, arguments: dict[str, Any], answer: dict[str, Any], reply: str
) -> list[Message]:
    call = teller.call(tool, arguments)
    result = json.dumps(answer, ensure_ascii=False)
    return [teller.say("user", said), call, teller.answer(call, result), teller.say("assistant", reply)]
