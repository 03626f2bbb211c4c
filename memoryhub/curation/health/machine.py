"""Hosts, paths and versions, when they stand in USER.md."""

from __future__ import annotations

from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, signs, without_verbatim, words

_MACHINE: Final = Words(
    words(
        r"(?<![\w.])(?:/(?:opt|etc|srv|var|usr|home|mnt|data|root)/|~/)[\w./-]+",
        r"(?:api|server|service|dashboard|ui|web|db|database|gateway|proxy|listens?|"
        r"running) (?:\w+ )?on (?:port )?:?\d{2,5}",
        r"port ?[:=]? ?\d{2,5}",
        r"(?:debian|ubuntu|arch|fedora|alpine|centos|macos|windows) ?(?:server |lts )?\d[\d.]*",
        r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?",
        r"(?:python|node|docker|postgres(?:ql)?|nginx|redis|cuda|java|go|rust|php) v?\d+(?:\.\d+)+",
        r"localhost:\d+",
        r"venv",
        r"systemd",
        r"docker[- ]compose",
        r"(?:env|environment) variables?",
    ),
    signs(r"端口[:：]?\s?\d+", r"路径[:：]", r"安装在", r"服务器(?:地址|IP)", r"本机"),
)
_ABOUT_PERSON: Final = Words(
    words(
        r"prefers?",
        r"wants?",
        r"likes?",
        r"loves?",
        r"hates?",
        r"dislikes?",
        r"expects?",
        r"insists?",
        r"always",
        r"never",
        r"only has",
        r"don['’]t",
        r"do not",
        r"please",
        r"asks?",
        r"works? (?:on|at|from|with|as|in)",
        r"uses?",
        r"lives?",
        r"his",
        r"her",
        r"they",
        r"he",
        r"she",
        r"me",
        r"my",
        r"i",
        r"phone",
        r"travel\w*",
        r"must",
        r"should",
        r"name",
        r"e-?mail",
        r"learn\w*",
        r"owns?",
        r"has a",
        r"daily driver",
        r"familiar",
        r"experienced?",
        r"notes?",
        r"vault",
        r"keep",
        r"avoid",
        r"ask",
    ),
    signs(
        "喜欢", "偏好", "要求", "希望", "习惯", "不要", "常用", "姓名", "职业", "使用", "必须", "请", "他", "她", "我"
    ),
)


def speaks_of_machine(text: str) -> bool:
    """Whether a text names a host, a path, a port or a version."""
    return _MACHINE.within(text)


def find_machine(asked: Asked) -> tuple[Span, ...]:
    """The words in an entry of USER that speak of a machine, when nothing in it speaks of the person."""
    if asked.target != "user":
        return ()
    found = _MACHINE.spans(asked.text)
    return found[:3] if found and not _ABOUT_PERSON.within(without_verbatim(asked.text)) else ()


RULES: Final = (
    Rule(
        code="machine_in_user",
        level=QUESTION,
        title="About a machine, but in USER.md",
        why="Hosts, paths and versions are facts about the set-up. USER.md is shorter and meant for who you are.",
        leave="Leave it when it decides how the agent should treat you.",
        remedies=("move",),
        find=find_machine,
        matches=(
            ("user", "Debian 13, API on :8420, venv at ~/apps/hub/.venv"),
            ("user", "NAS: 192.168.7.20, shares under /mnt/tank"),
            ("user", "Postgres 16.2 in docker-compose, port 5433"),
            ("user", "本机端口：8420，路径：/srv/app"),
        ),
        look_alikes=(
            ("user", "Only has a phone while travelling, so no desktop links"),
            ("user", "Uses Debian 13 at work and expects apt commands"),
            ("user", "Prefers scripts in ~/bin over shell functions"),
            ("user", "Notes live in ~/vault; never reorganise them"),
            ("user", "Works on macOS 15, wants keyboard shortcuts for it"),
            ("user", "常用 macOS 15，请给快捷键"),
        ),
    ),
)
