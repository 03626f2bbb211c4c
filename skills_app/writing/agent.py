"""Skill writes made by the installed Hermes in a child process of its own Python: for real, or on a copy to see.

So tolerant matching, checks, the usage record and caches are exactly those of the version that is installed. The way in
is the one that Hermes' own approval takes; it is told nothing but the write.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import agent_talk
from memoryhub.hermes.agent_process import SECONDS, AgentFailed, AgentProblem, Place, ask
from memoryhub.hermes.agent_talk import Talk
from skills_app.writing.model import SkillChange, SkillState, SkillWrite, WriteRefused, payload_of
from skills_app.writing.shelf import Held, Shelf

__all__ = ["AgentProblem", "Applied", "Talk", "apply", "rehearse", "talking"]

_CHILD: Final = Path(__file__).with_name("agent_child.py")
_MOST_BYTES: Final = 128 << 20


@dataclass(frozen=True)
class Applied:
    """What the installed Hermes did. ``said`` is its answer to the last write it was asked for, in its words.

    ``past_guard`` tells whether its guard was switched off for this one call.
    """

    ok: bool
    said: str
    version: str
    past_guard: bool = False


def apply(
    python: Path,
    home: Path,
    writes: Sequence[SkillWrite],
    *,
    by_agent: bool = False,
    past_guard: bool = False,
    person: Path | None = None,
    keep: int | None = None,
    talk: Talk | None = None,
    seconds: float = SECONDS,
) -> Applied:
    """Have the installed Hermes make the writes in ``home``, one after the other, stopping at the first it refuses.

    ``by_agent`` records a new skill as the agent's; ``past_guard`` lets these writes past ``guard_agent_created``;
    ``person`` is the folder that ``~`` means in config.yaml; ``keep`` is an open file that the child holds while it
    works; ``talk`` is a conversation with a child that is there already (``talking``). Raises AgentProblem; then it may
    or may not have written.
    """
    steps = [payload_of(write) for write in writes]
    question = {"steps": steps, "by_agent": by_agent, "past_guard": past_guard}
    if talk is not None:
        answer = talk.ask(question, keep, seconds=seconds)
    else:
        place = Place(home, person or Path.home(), () if keep is None else (keep,))
        answer = ask(python, _CHILD, question, place, seconds=seconds)
    ok, said = _outcome(answer.get("answers"), len(steps))
    return Applied(ok, said, str(answer.get("version", "")), bool(answer.get("past_guard", False)))


@contextmanager
def talking(python: Path, home: Path, person: Path | None = None) -> Iterator[Talk]:
    """A child that makes many writes in ``home``, for ``apply``. Raises AgentMissing."""
    with agent_talk.talking(python, _CHILD, Place(home, person or Path.home())) as talk:
        yield talk


@dataclass(frozen=True)
class Rehearsal:
    """What the installed Hermes would do: the changes, or with ``refused`` its reason in its words."""

    changes: tuple[SkillChange, ...] = ()
    refused: str = ""


def rehearse(
    python: Path, shelf: Shelf, jobs: Sequence[Sequence[SkillWrite]], *, seconds: float = SECONDS
) -> tuple[Rehearsal, ...]:
    """Have the installed Hermes make each job's writes on a copy of the skills it names. The guard is off on the copy.

    Raises AgentProblem. A job that cannot even be laid out (links, two skills of one name) is refused.
    """
    laid = [_lay_out(shelf, job) for job in jobs]
    question = {"jobs": [each.question for each in laid if not each.refused], "past_guard": True}
    with tempfile.TemporaryDirectory(prefix="memoryhub-agent-", ignore_cleanup_errors=True) as folder:
        place = Place(Path(folder), Path(folder))
        answers = iter(ask(python, _CHILD, question, place, seconds=seconds, most_bytes=_MOST_BYTES).get("jobs", ()))
    return tuple(
        Rehearsal(refused=each.refused) if each.refused else _read(shelf, each, next(answers)) for each in laid
    )


@dataclass(frozen=True)
class _Layout:
    """One job: what goes into the copy, and which folder of the copy stands for which folder of the home."""

    question: Mapping[str, Any]
    held: Mapping[str, Held]
    refused: str = ""


def _lay_out(shelf: Shelf, writes: Sequence[SkillWrite]) -> _Layout:
    held: dict[str, Held] = {}
    try:
        for name in {name for write in writes for name in (write.name, (write.absorbed_into or "").strip()) if name}:
            found = shelf.find(name)
            if found is not None:
                held[_copied(shelf, found)] = found
    except WriteRefused as refused:
        return _Layout({}, {}, str(refused))
    if any(each.now and each.now.links for each in held.values()):
        return _Layout({}, {}, "The skill holds links, which are not copied.")
    files = {
        f"{place}/{path}": base64.b64encode(data).decode()
        for place, each in held.items()
        for path, data in (each.now.files if each.now else {}).items()
    }
    return _Layout({"files": files, "steps": [payload_of(write) for write in writes]}, held)


def _copied(shelf: Shelf, held: Held) -> str:
    """Where a skill stands in the copy: as in the home, and one from another root directly in skills."""
    inside = held.folder.relative_to(shelf.own) if held.root == shelf.own else Path(held.name)
    return inside.as_posix()


def _read(shelf: Shelf, layout: _Layout, answer: Mapping[str, Any]) -> Rehearsal:
    ok, said = _outcome(answer.get("answers"), len(layout.question["steps"]))
    if not ok:
        return Rehearsal(refused=said)
    after = {path: base64.b64decode(data) for path, data in answer["files"].items()}
    changes = []
    for place in sorted({*layout.held, *_new_folders(after, layout.held)}):
        held = layout.held.get(place) or shelf.held(shelf.own / place, shelf.own)
        files = {p.removeprefix(f"{place}/"): data for p, data in after.items() if p.startswith(f"{place}/")}
        before = held.now.files if held.now else {}
        if files != before:
            modes = held.before.modes if held.before else {}
            state = SkillState(files, {}, modes) if files else None
            changes.append(SkillChange(held.name, held.folder, held.root, held.before, state))
    return Rehearsal(tuple(changes))


def _new_folders(after: Mapping[str, bytes], held: Mapping[str, Held]) -> set[str]:
    """Folders of skills that the writes made: those with a SKILL.md that lie in none that was there."""
    heads = {path.rpartition("/")[0] for path in after if path.endswith("/SKILL.md")}
    return {each for each in heads if not any(each == known or each.startswith(f"{known}/") for known in held)}


def _outcome(answers: object, count: int) -> tuple[bool, str]:
    if not isinstance(answers, list) or not answers or not all(isinstance(each, dict) for each in answers):
        raise AgentFailed("The installed Hermes answered with something else than what became of the write.")
    said = str(answers[-1].get("said", ""))
    return len(answers) == count and all(each.get("ok") is True for each in answers), said
