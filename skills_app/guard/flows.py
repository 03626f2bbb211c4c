"""What is only seen when two places of a skill are read together: fetched here and run there, collected and sent.

A file is followed by its name through all texts of the skill; nothing is executed and no path is opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skills_app.guard.findings import make_finding
from skills_app.guard.model import Finding, Rule, Severity
from skills_app.guard.places import Places
from skills_app.guard.rules.fragments import HERE, VENDORS
from skills_app.guard.text import SourceText, lines_in
from skills_app.guard.variants import Form
from skills_app.guard.weighing import weigh

Row = Callable[[str], Rule]

_NAME: Final = r"""["']?(?P<name>[\w./~${}:@%+-]{1,200})["']?"""
_URL: Final = r"""https?://[^\s"'|;)<>]{1,300}"""
_FETCHERS: Final = (
    "curl", "wget", "invoke-webrequest", "invoke-restmethod", "iwr ", "irm ", "bitstransfer", "downloadfile",
    "urlretrieve", "certutil", "aria2c",
)  # fmt: skip
_DECODERS: Final = ("base64 ", "xxd ", "openssl ")
_COLLECTORS: Final = (
    ".ssh", ".aws", ".gnupg", ".kube", ".netrc", "id_rsa", "id_ed25519", "printenv", "env >", "env>", "set >",
    "export -p", "credentials", ".env", "keychain", "login data",
)  # fmt: skip
_FETCHED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:curl|wget|aria2c)\b[^\n|;]{0,400}?\s(?:-[a-z]{0,6}o|--output(?:-document)?|--out)[ =]{0,3}" + _NAME,
        rf"\b(?:curl|wget)\b[^\n|;]{{0,400}}?[^>]>\s{{0,3}}{_NAME}",
        rf"\b(?:curl\b[^\n|;]{{0,200}}?\s-[a-z]{{0,6}}O\b|wget\b)[^\n|;]{{0,200}}?(?P<url>{_URL})",
        r"\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)\b"
        rf"[^\n]{{0,400}}?-(?:outfile|destination|o)\s{{1,3}}{_NAME}",
        rf"\b(?:downloadfile|urlretrieve)\(\s{{0,3}}[^,\n]{{1,300}},\s{{0,3}}{_NAME}",
        rf"\bcertutil\b[^\n]{{0,200}}?{_URL}\s{{1,3}}{_NAME}",
    )
)
_DECODED: Final = (
    re.compile(
        r"\b(?:base64\s{1,3}(?:-d|-D|--decode)|xxd\s{1,3}-r"
        r"|openssl\s{1,3}(?:enc|base64|aes\S{0,20})\s[^\n|]{0,100}?-d)\b"
        rf"[^\n;]{{0,200}}?>\s{{0,3}}{_NAME}",
        re.IGNORECASE,
    ),
)
_SECRETS: Final = (
    r"(?:\.ssh\b|\.aws\b|\.gnupg|\.kube\b|\.netrc|id_rsa|id_ed25519|credentials|\.env\b|keychain|login data)"
)
_COLLECTED: Final = (
    re.compile(
        rf"\b(?:tar|zip|7z|cp|cat)\s[^\n;|]{{0,200}}?{_SECRETS}[^\n;|]{{0,200}}?>\s{{0,3}}{_NAME}", re.IGNORECASE
    ),
    re.compile(
        rf"\b(?:tar\s{{1,3}}-?[a-z]{{1,8}}|zip(?:\s-\w{{1,5}})?)\s{{1,3}}{_NAME}\s[^\n;|]{{0,200}}?{_SECRETS}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:^|[;&|]\s{{0,3}})(?:env|printenv|set|export\s-p)\s{{0,3}}>\s{{0,3}}{_NAME}", re.IGNORECASE | re.MULTILINE
    ),
)
_KINDS: Final = (
    ("download_then_run", _FETCHERS, _FETCHED),
    ("decoded_then_run", _DECODERS, _DECODED),
    ("collected_then_sent", _COLLECTORS, _COLLECTED),
)
_DATA: Final = re.compile(
    r"\.(?:json|csv|tsv|txt|md|png|jpe?g|gif|svg|pdf|html?|xml|ya?ml|parquet|mp[34]|wav|ttf|log|sql|gz|zip|tgz|xz|bz2)$"
)
_KNOWN: Final = re.compile(rf"https?://(?:{HERE}|{VENDORS})", re.IGNORECASE)
_KNOWN_WORDS: Final = "It comes from the maker of a well-known tool, or from this machine."
_PREFIX: Final = r"""[\w./~${}:-]{0,120}"""
_STARTS: Final = re.compile(
    r"(?:\b(?:(?:ba|z|da|k)?sh|source|python[\d.]{0,4}|node|perl|ruby|php|osascript|msiexec|installer|start|open"
    r"|start-process|exec|nohup|powershell(?:\.exe)?|pwsh|rundll32|regsvr32|wscript|cscript|deno\srun|bun)"
    r"(?:\s{1,3}[-/]{1,2}[\w-]{1,30}){0,4}\s{1,3}"
    rf"|(?:^|[;&|(`]|\bsudo|\bthen|\bdo)\s{{0,4}}\.\s{{1,3}}"
    r"|\bchmod\s{1,3}(?:[ugoa]{0,4}\+\w{0,2}x\w{0,2}|0?[1-7][0-7]{2,3})\s[^\n;|]{0,80}?"
    r"|\b(?:system|popen|run|call|spawn|exec|startfile|execsync|check_call|check_output)\(\s{0,3}[^\n)]{0,60}?"
    rf"|(?:^|[;&|(`]|\bsudo\s)\s{{0,4}})[\"'\[]{{0,3}}(?P<path>{_PREFIX})$",
    re.IGNORECASE,
)
_SENDS: Final = re.compile(
    r"(?:\bcurl\b[^\n|;]{0,300}?(?:-F|-d|-T|--data\S{0,12}|--form|--upload-file)[ =]?[^\n|;]{0,80}?@?"
    r"|\b(?:scp|rsync|nc|ncat|rclone)\b[^\n|;]{0,120}?|\bopen\(\s{0,3}|--post-file[= ]|\bput\s{1,3}|\baws\ss3\scp\s)"
    r"[\"']?[\w./~${}:-]{0,120}$",
    re.IGNORECASE,
)
_ARCHIVE: Final = re.compile(r"\b[\w.%-]{1,80}\.(?:zip|rar|7z)\b", re.IGNORECASE)
_ARCHIVES: Final = (".zip", ".rar", ".7z")
_PASSWORD: Final = re.compile(
    r"\b(?:pass(?:word|phrase|code)?|pw|pwd)\b\s{0,3}(?:is|=|:|-|–|—|\*{0,2}:\*{0,2})?\s{0,3}[*_\"'“`(]{0,4}"
    r"(?P<said>(?=[\w!@#%^&-]{0,30}[\d!@#%^&-]|[a-z]{3,20}[`\"'”*])[\w!@#%^&-]{3,30})",
    re.IGNORECASE,
)
_MOST: Final = 40
_MOST_LINES: Final = 400
_LINE: Final = 400


@dataclass(frozen=True)
class Readable:
    """A text with continued lines joined, and its places."""

    source: SourceText
    flat: Form
    places: Places


@dataclass(frozen=True)
class _Made:
    """A file that comes into being somewhere: by what (the rule), under which name."""

    rule: str
    text: Readable
    span: tuple[int, int]
    name: str


def flow_findings(texts: Sequence[Readable], row: Row) -> Iterator[Finding]:
    """Everything that is fetched, decoded or collected in one place and run or sent in another."""
    made = [one for text in texts for one in _made_in(text)][: 4 * _MOST]
    seen: set[tuple[str, str, int]] = set()
    for one in made:
        key = one.rule, one.text.source.path, one.text.source.line_index(one.span[0])
        used = None if key in seen else _used(one, texts)
        if used is not None:
            seen.add(key)
            yield _finding(one, *used, row)
    for text in texts:
        yield from _passwords(text, row)


def _made_in(text: Readable) -> Iterator[_Made]:
    for rule, words, patterns in _KINDS:
        for line in lines_in(text.flat.lowered, words)[:_MOST_LINES]:
            for pattern in patterns:
                for match in pattern.finditer(text.flat.text, *line):
                    if name := _file_name(match.groupdict()):
                        yield _Made(rule, text, match.span(), name)


def _file_name(groups: dict[str, str | None]) -> str:
    """The name a file is followed by: its last part, or the variable that holds it."""
    if url := groups.get("url"):
        name = url.split("?")[0].split("#")[0].rstrip("/").rpartition("/")[2] if url.count("/") > 2 else ""
    else:
        name = (groups.get("name") or "").rstrip(".:").rpartition("/")[2]
    if name.startswith("$"):
        return "$" + name.strip("${}") if name.strip("${}") else ""
    return name if len(name) > 1 and name not in ("null", "stdout", "stderr", "dev") else ""


def _used(one: _Made, texts: Sequence[Readable]) -> tuple[Readable, int] | None:
    """Where the file is started (or sent): after it was made, or in another file."""
    if one.rule != "collected_then_sent" and _DATA.search(one.name.lower()):
        return None
    pattern = _SENDS if one.rule == "collected_then_sent" else _STARTS
    names = (one.name, "${" + one.name[1:]) if one.name[0] == "$" else (one.name,)
    for text in sorted(texts, key=lambda each: each is not one.text):
        start = one.span[1] if text is one.text else 0
        for name in names if text is one.text else names[:1]:
            if (at := _first_use(text.flat.text, start, name, pattern)) >= 0:
                return text, at
    return None


def _first_use(text: str, at: int, name: str, pattern: re.Pattern[str]) -> int:
    for _ in range(_MOST):
        at = text.find(name, at)
        if at < 0 or _is_use(text, at, name, pattern):
            return at
        at += len(name)
    return -1


def _is_use(text: str, at: int, name: str, pattern: re.Pattern[str]) -> bool:
    after = text[at + len(name) : at + len(name) + 1]
    if after and (
        after.isalnum() or after in "-_" or (after == "." and text[at + len(name) + 1 : at + len(name) + 2].isalnum())
    ):
        return False
    line = text[max(text.rfind("\n", 0, at) + 1, at - _LINE) : at]
    match = pattern.search(line)
    if match is None:
        return False
    alone = pattern is _STARTS and not match["path"] and match[0].strip(" ;&|(`\"'") == ""
    return not alone or name[0] == "$" or line.rstrip().endswith(("&&", ";"))


def _finding(one: _Made, text: Readable, at: int, row: Row) -> Finding:
    source, rule = one.text.source, row(one.rule)
    spots = (one.text.places.at(*one.span), text.places.at(at, at + len(one.name)))
    weighed = [weigh(rule, spot) for spot in spots]
    severity, weakened = max(weighed, key=lambda each: each[0].rank)
    if one.rule == "download_then_run" and _KNOWN.search(one.text.flat.text, *one.span):
        severity, weakened = max(severity, Severity.MEDIUM, key=lambda each: each.rank), _KNOWN_WORDS
    index = text.source.line_index(at)
    where = f"line {index + 1}" if text is one.text else f"{text.source.path}, line {index + 1}"
    verb = "sent" if one.rule == "collected_then_sent" else "run"
    said = f"{rule.title}: {one.name[:80]} is {verb} in {where}."
    later = text.source.line(index).strip()[:200]
    here = source.line(source.line_index(one.span[0])).strip()[:200]
    return make_finding(
        rule, source, one.span, spots[0].place,
        severity=severity, weakened=weakened, description=said, decoded=f"{here}\n… {later}",
    )  # fmt: skip


def _passwords(text: Readable, row: Row) -> Iterator[Finding]:
    """Archives that are fetched, with their password within the same few lines."""
    rule, done = row("archive_password"), 0
    lines = lines_in(text.flat.lowered, _ARCHIVES) if _says_password(text.flat.lowered) else []
    for match in [match for line in lines[:_MOST_LINES] for match in _ARCHIVE.finditer(text.flat.text, *line)]:
        around = text.flat.text[max(0, match.start() - 250) : match.end() + 300]
        if match.start() < done or not re.search(r"https?://|download", around, re.IGNORECASE):
            continue
        found = _PASSWORD.search(text.flat.text, match.end(), match.end() + 300)
        if found and found["said"].lower() not in ("your", "protected", "the", "password"):
            spot = text.places.at(*match.span())
            severity, weakened = weigh(rule, spot)
            done = found.end()
            said = text.flat.text[match.start() : found.end()]
            yield make_finding(
                rule, text.source, match.span(), spot.place, severity=severity, weakened=weakened, decoded=said
            )


def _says_password(lowered: str) -> bool:
    return "pass" in lowered or "pw" in lowered
