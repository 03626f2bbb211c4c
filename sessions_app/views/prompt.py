"""The system prompt of one part of a conversation, and in it the memory snapshot beside today's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memoryhub import store
from memoryhub.diffs import Piece
from memoryhub.hermes import prompt as prompts
from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, TARGETS, Home
from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.values import as_text
from memoryhub.visible import Run
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import masking, pieces, snapshots
from sessions_app.conversation import address_of
from sessions_app.views.common import address, ask, talk_or_404

SHOWN = 60_000


@dataclass(frozen=True)
class Snapshot:
    """What a session had of a memory file. `state`: same, changed, gone (it had none), only_then (now empty)."""

    file_name: str
    state: str
    pieces: Sequence[Piece]
    problem: str = ""


@require_safe
def prompt_show(request: HubRequest, name: str) -> HttpResponse:
    """The prompt, folded, and its snapshots compared with the memory files as they are now."""

    def look(conn: Connection) -> tuple[str, str, str]:
        talk = talk_or_404(conn, name)
        chosen = talk.parts[talk.chosen]
        if not talk.schema.has("sessions", "system_prompt"):
            return "", chosen.id, address_of(chosen.id, chosen.row["place"])
        row = conn.execute("SELECT system_prompt FROM sessions WHERE rowid = ?", (chosen.row["place"],)).fetchone()
        return as_text(row[0]) if row else "", chosen.id, address_of(chosen.id, chosen.row["place"])

    text, session_id, here = ask(request, look)
    revealed = request.GET.get("show") == "secrets"
    runs = pieces.runs(text[:SHOWN], revealed=revealed)
    return respond(
        request,
        "sessions_app/prompt.html",
        part="sessions_app/_prompt.html",
        runs=runs,
        chars=len(text),
        left=max(0, len(text) - SHOWN),
        tokens=prompts.estimate_tokens(text[:SHOWN]),
        has_secret=any(run.kind == "secret" for run in runs),
        revealed=revealed,
        snapshots=[_snapshot(request.hermes_home, text, target) for target in TARGETS] if text else [],
        session_id=pieces.line(session_id),
        back=address(request, "show", here),
        reveal_url=address(request, "prompt", here, show="" if revealed else "secrets"),
    )


def _snapshot(home: Home, text: str, target: str) -> Snapshot:
    then = prompts.find_block(text, target) or ""
    now, problem = _today(home, target)
    if not then and not now:
        return Snapshot(FILE_NAMES[target], "none", (), problem)
    if then == now:
        return Snapshot(FILE_NAMES[target], "same", (), problem)
    state = "gone" if not then else "only_then" if not now else "changed"
    return Snapshot(FILE_NAMES[target], state, snapshots.compare(_shown(then), _shown(now)), problem)


def _today(home: Home, target: str) -> tuple[str, str]:
    """The block that the next session gets, and a sentence when the file cannot be read."""
    config = read_config(home.config_file)
    if not config.enabled(target):
        return "", ""
    try:
        memory = store.load(home, target, config)
    except FileProblem as problem:
        return "", str(problem)
    if not memory.decodable:
        return "", ""
    block = prompts.block(memory.agent_entries, target, memory.limit, file_name=FILE_NAMES[target])
    return block.text, ""


def _shown(text: str) -> str:
    """A block with secrets masked and unseen characters named, line by line as it is."""
    runs: Sequence[Run] = pieces.runs(masking.masked(text), revealed=True)
    return "".join(run.text if run.kind in ("text", "mark") else f"⟨{run.label or run.kind}⟩" for run in runs)
