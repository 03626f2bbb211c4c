"""Looking a home over: is each file usable, what would stop Hermes or us, and what to do about it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub import data_folder, env, store
from memoryhub.hermes import agent, state_db
from memoryhub.hermes.config import Config, read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, TARGETS, Home, profiles
from memoryhub.services import links
from memoryhub.services.sentences import notice_sentence


@dataclass(frozen=True)
class Check:
    """One thing looked at: its name, whether it is as it should be, and a sentence (what to do when it is not)."""

    name: str
    ok: bool
    message: str


def examine(home: Home) -> tuple[Check, ...]:
    """Check our own database, the home and each of its profiles. Reads only."""
    checks = list(_own_checks())
    for each in profiles(home):
        checks += _home_checks(each)
    checks.append(_agent_check())
    return tuple(checks)


def _own_checks() -> Iterator[Check]:
    path = Path(settings.DATA_DIR) / data_folder.DATABASE
    try:
        with connection.cursor() as cursor:
            answer = str(cursor.execute("PRAGMA quick_check").fetchone()[0])
        good = answer == "ok"
        yield Check(
            "history",
            good,
            _("MemoryHub's own database is sound.")
            if good
            else _("MemoryHub's own database is damaged: %s. Move %s away; memory files are not affected.")
            % (answer, path),
        )
    except DatabaseError as error:
        yield Check("history", False, _("MemoryHub's own database cannot be used: %s.") % error)
    if path.exists():
        private = not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        advice = _("Other accounts can read %(path)s; run: chmod 600 %(path)s") % {"path": path}
        yield Check("history-mode", private, _("Only you can read the history.") if private else advice)


def _home_checks(home: Home) -> Iterator[Check]:
    prefix = home.name
    if not home.exists:
        yield Check(f"{prefix}/home", False, _("There is no folder %s. Name your home with --home.") % home.path)
        return
    yield Check(f"{prefix}/home", True, _("The home is %s.") % home.path)
    config = read_config(home.config_file)
    yield Check(f"{prefix}/config", config.problem is None, config.problem or _config_sentence(config))
    for target in TARGETS:
        yield _file_check(home, target, config)
    yield _state_check(home)


def _config_sentence(config: Config) -> str:
    gates = _("on") if config.memory_write_approval else _("off")
    return _("Limits %(memory)s and %(user)s characters; approval of memory writes is %(gates)s.") % {
        "memory": f"{config.memory_limit:,}",
        "user": f"{config.user_limit:,}",
        "gates": gates,
    }


def _file_check(home: Home, target: str, config: Config) -> Check:
    name, file_name = f"{home.name}/{FILE_NAMES[target]}", FILE_NAMES[target]
    try:
        file = store.load(home, target, config)
    except FileProblem as problem:
        return Check(name, False, _("%s Move it away, or make it a plain file you can read.") % problem)
    problems = [notice_sentence(notice, file_name) for notice in file.notices]
    access = store.access(home, target, links.consented(home, target), Path.home())
    if access.problem:
        problems.append(access.problem)
    if file.room < 0:
        problems.append(_("%(file)s is %(over)s characters over its limit.") % {"file": file_name, "over": -file.room})
    if not config.enabled(target):
        key = "memory_enabled" if target == "memory" else "user_profile_enabled"
        sentence = _("%(file)s is stored, but not given to the model (memory.%(key)s is off in config.yaml).")
        problems.append(sentence % {"file": file_name, "key": key})
    if problems:
        return Check(name, False, " ".join(problems))
    sentence = ngettext(
        "%(used)s of %(limit)s characters, %(entries)s entry.",
        "%(used)s of %(limit)s characters, %(entries)s entries.",
        len(file.entries),
    )
    return Check(
        name, True, sentence % {"used": f"{file.used:,}", "limit": f"{file.limit:,}", "entries": len(file.entries)}
    )


def _state_check(home: Home) -> Check:
    name = f"{home.name}/state.db"
    try:
        schema = state_db.read(home.state_db, 500, state_db.probe)
    except state_db.Missing:
        return Check(name, True, _("There are no sessions yet (no state.db)."))
    except state_db.StateDbProblem as problem:
        return Check(name, False, str(problem))
    missing = [table for table in ("messages_fts", "messages_fts_trigram") if not schema.has(table)]
    if missing:
        return Check(name, False, _("state.db has no search index (%s); searching will be slow.") % ", ".join(missing))
    return Check(name, True, _("state.db opens read-only; its schema is version %s.") % schema.version)


def _agent_check() -> Check:
    python = agent.find_python(os.environ, env.hermes_python(os.environ))
    if python is None:
        return Check("hermes", True, _("No installed Hermes was found; MemoryHub's own rules are used."))
    return Check("hermes", True, _("Hermes runs with %s.") % python)
