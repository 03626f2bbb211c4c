"""Scans in child processes, as many at once as there are cores: what hangs or crashes there is ended and told.

A file at which a child hung is left out when the skill is scanned again, and named as not read; never silence.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from skills_app.guard.model import Coverage, FileRead, Read, Report, Verdict
from skills_app.guard.reading import digest_of
from skills_app.guard.scanner import FILE_SECONDS, SECONDS
from skills_app.guard.version import RULES_VERSION
from skills_app.keeping import NotAReport, from_plain

GRACE: Final = 3.0  # seconds that a child may take beyond what it was told
RETRIES: Final = 3  # how often a skill is tried again without the file that its scan stuck at
_SCRIPT: Final = Path(__file__).with_name("child_main.py")
_LOOK: Final = 0.2  # seconds between two looks of the clock
FAILED: Final = "Dangerous because the scan failed: {}"
_LATE: Final = "The scan did not come to an end within {:g} seconds."
_CRASHED: Final = "The scanner crashed while reading this file."
_AGAIN: Final = "The scan did not come to an end, each time at another file."
_NO_REPORT: Final = "the scanner answered with something else than a report."


@dataclass(frozen=True)
class Limits:
    """How long a skill and a file of it may take, in seconds."""

    skill: float = SECONDS
    file: float = FILE_SECONDS


class _Lost(Exception):
    """A child ended, or was ended, before it answered; ``path`` is the file it was at, as far as known."""

    def __init__(self, path: str, *, late: bool) -> None:
        super().__init__(path)
        self.path = path
        self.late = late


def scan_many(
    folders: Sequence[Path], *, workers: int | None = None, limits: Limits = Limits(), script: Path = _SCRIPT
) -> Iterator[tuple[Path, Report]]:
    """Scan skills in child processes; yields each with its report as soon as it is there. Never raises for a skill.

    Close the generator to end early: the children are ended.
    """
    count = min(workers or os.cpu_count() or 1, len(folders))
    waiting: queue.SimpleQueue[Path | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Path, Report]] = queue.SimpleQueue()
    for folder in [*folders, *([None] * count)]:
        waiting.put(folder)
    children = [_Child(limits, script) for _ in range(count)]
    over = threading.Event()
    threads = [threading.Thread(target=_work, args=(each, waiting, done), daemon=True) for each in children]
    threads.append(threading.Thread(target=_watch, args=(children, over), daemon=True))
    for thread in threads:
        thread.start()
    try:
        for _ in folders:
            yield done.get()
    finally:
        over.set()
        for child in children:
            child.close()
        for thread in threads:
            thread.join()
        for child in children:
            child.end()


def _work(child: _Child, waiting: queue.SimpleQueue[Path | None], done: queue.SimpleQueue[tuple[Path, Report]]) -> None:
    while (folder := waiting.get()) is not None and not child.closed:
        done.put((folder, child.scan(folder)))


def _watch(children: Iterable[_Child], over: threading.Event) -> None:
    """End children that are past their time."""
    while not over.wait(_LOOK):
        for child in children:
            child.end_if_late()


@dataclass
class _Child:
    """One child process at a time, started when first needed."""

    limits: Limits
    script: Path
    process: subprocess.Popen[bytes] | None = None
    at: str = ""
    until: float = float("inf")  # when what it is at must be over
    late: bool = False
    closed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def scan(self, folder: Path) -> Report:
        """The report on one skill, whatever happens."""
        skip: dict[str, str] = {}
        crashed = ""
        for _ in range(RETRIES + 1):
            try:
                return _report(self._ask(folder, skip), folder, crashed)
            except _Lost as lost:
                words = _LATE.format(self.limits.file) if lost.late else _CRASHED
                crashed = crashed if lost.late else f"it crashed at {lost.path or 'the start'}."
                if lost.path in skip or not lost.path:
                    return failed(words, dangerous=not lost.late)
                skip[lost.path] = words
        return failed(_AGAIN, dangerous=bool(crashed), digest=digest_of(folder))

    def _ask(self, folder: Path, skip: Mapping[str, str]) -> dict[str, Any]:
        process = self._running()
        question = {
            "folder": os.fsencode(folder).hex(),
            "limit_seconds": self.limits.skill,
            "file_seconds": self.limits.file,
            "skip": dict(skip),
        }
        self.at, self.late = "", False
        self.until = time.monotonic() + self.limits.skill + GRACE
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            for line in process.stdout:
                said = json.loads(line)
                if "at" not in said:
                    return dict(said)
                self.at, self.until = said["at"], time.monotonic() + self.limits.file + GRACE
        except (OSError, ValueError):
            pass
        finally:
            self.until = float("inf")
        self.end()
        raise _Lost(self.at, late=self.late)

    def _running(self) -> subprocess.Popen[bytes]:
        with self.lock:
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(  # noqa: S603  our own script in our own Python
                    [sys.executable, "-I", "-X", "utf8", str(self.script)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={"PATH": os.defpath, "LANG": "C.UTF-8", **_windows()},
                    start_new_session=True,
                )
            return self.process

    def end_if_late(self) -> None:
        """End the process when what it is at takes too long."""
        if time.monotonic() > self.until:
            self.late = True
            self._kill()

    def close(self) -> None:
        """End the process for good."""
        self.closed = True
        self._kill()

    def _kill(self) -> None:
        with self.lock:
            if self.process is not None and self.process.poll() is None:
                with suppress(ProcessLookupError, PermissionError):
                    if hasattr(os, "killpg"):
                        os.killpg(self.process.pid, signal.SIGKILL)
                    self.process.kill()

    def end(self) -> None:
        """End the process, if there is one, and close what leads to it."""
        self._kill()
        if self.process is not None:
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            self.process = None


def _report(answer: Mapping[str, Any], folder: Path, crashed: str) -> Report:
    if "error" in answer:
        return failed(str(answer["error"]), dangerous=True, digest=digest_of(folder))
    try:
        report = from_plain(answer["report"])
    except (KeyError, NotAReport):
        return failed(_NO_REPORT, dangerous=True, digest=digest_of(folder))
    if not crashed:
        return report
    return replace(report, verdict=Verdict.DANGEROUS, reason=FAILED.format(crashed))


def failed(reason: str, *, dangerous: bool, digest: str = "") -> Report:
    """The report on a skill whose scan failed: dangerous after an error, caution when it took too long."""
    return Report(
        rules_version=RULES_VERSION,
        digest=digest,
        verdict=Verdict.DANGEROUS if dangerous else Verdict.CAUTION,
        reason=FAILED.format(reason) if dangerous else f"Caution: {reason}",
        findings=(),
        files=(FileRead(".", 0, Read.TIMEOUT, reason, is_code=True),),
        coverage=Coverage.NONE,
    )


def _windows() -> dict[str, str]:
    return {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
