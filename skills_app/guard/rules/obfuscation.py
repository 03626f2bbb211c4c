"""Obfuscation: code made unreadable, then run."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity
from skills_app.guard.rules.fragments import SHELL, SUDO0

_WHY: Final = "Nobody can read what will run. Honest commands do not need to be hidden."
_HARMLESS: Final = "A test or a text about such tricks."
_CHECK: Final = "Decode the text and read it. Do not run it."
_DECODE: Final = (
    r"(?:base64[ \t]{1,4}(?:-\w{0,3}[dD]\b|--decode)|openssl[ \t]{1,4}(?:base64|enc)\b[^\n"
    r"|]{0,60}-d\b|xxd[ \t]{1,4}[^\n|]{0,20}-r\b|base32[ \t]{1,4}-d|uudecode|(?:gunzip|zcat"
    r"|gzip[ ]-\w{0,4}d\w{0,3}|xz[ ]-\w{0,4}d\w{0,3})|\brev(?=[ ]?\|)|(?<=\|)[ ]?tr[ \t][^\n"
    r"|]{1,60})"
)
_PYDECODE: Final = (
    r"(?:b64decode|b32decode|b16decode|a85decode|b85decode|unhexlify|fromhex|marshal\.loads"
    r"|zlib\.decompress|gzip\.decompress|codecs\.decode|rot13|bz2\.decompress|lzma\.decompress)"
)
_MILD: Final = {Kind.REFERENCE: Severity.MEDIUM, Kind.TEST: Severity.LOW}

OBFUSCATION: tuple[Rule, ...] = (
    Rule(
        id="base64_decode_pipe",
        severity=Severity.CRITICAL,
        category=Category.OBFUSCATION,
        title="Decodes a command and runs it",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=rf"(?:{_DECODE}[^\n|]{{0,40}}\|[ \t]{{0,4}}(?:{_DECODE}[^\n|]{{0,40}}\|[ \t]{{0,4}})?{SUDO0}(?:"
        rf"{SHELL}|python[\d.]{{0,4}}(?![\w.]|[ \t]{{1,4}}-[cm])|perl|node|iex)(?![\w./-])"
        rf"|(?:{SHELL}|\beval|\bsource)[ \t]{{0,4}}(?:-\w{{1,4}}[ \t]{{1,4}})?(?:<<<[ \t]{{0,4}})?[\"']?(?:\$\("
        r"|`|<\()[^\n]{0,400}?(?:base64[ \t]{1,4}-\w{0,3}[dD]|xxd[ \t]{1,4}-r|openssl[ \t]{1,4}base64))",
        hints=(
            "base64",
            "openssl",
            "xxd",
            "base32",
            "uudecode",
            "gunzip",
            "zcat",
            "gzip -",
            "xz -",
            "rev |",
            "rev|",
            "| tr ",
            "|tr ",
        ),
        at=_MILD,
        unless=r"jq|kubectl|gunzip -c[^|]*\| (?:psql|mysql|docker)",
        matches=(
            "echo 'ZWNobyBoZWxsbw==' | base64 -D | bash",
            'bash -c "$(echo ZWNobyBoaQ== | base64 -d)"',
            "rev <<< 'ih ohce' | rev | sh",
        ),
        look_alikes=("echo $DATA | base64 -d > picture.png", "base64 -d key.b64 | jq ."),
    ),
    Rule(
        id="echo_pipe_exec",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="Prints text into an interpreter",
        why="The command is text first; it can be put together from anything.",
        harmless="Feeding a fixed snippet to a tool.",
        check="Read what is printed.",
        pattern=rf"\b(?:echo|printf)\b[^\n|]{{3,300}}\|[ \t]{{0,4}}{SUDO0}{SHELL}(?![ \t]{{1,4}}[\w./-]{{2,40}}\.\w"
        r")|\bprintf[ \t]{1,4}[\"'](?:\\(?:x[0-9a-f]{2}|[0-7]{3})){4,200}",
        hints=("echo", "printf"),
        at={Kind.REFERENCE: Severity.LOW, Role.PROSE: Severity.LOW},
        matches=("echo 'ls' | sh", "printf 'ls' | sudo bash"),
        look_alikes=("echo '{}' | jq .", "echo 'x' | python -m json.tool"),
    ),
    Rule(
        id="exec_decoded",
        severity=Severity.CRITICAL,
        category=Category.OBFUSCATION,
        title="Decodes a program and runs it",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"\b(?:exec|eval|os\.system|subprocess\.\w{2,14}|compile)[ \t]{0,2}\([^\n]{0,120}?"
        rf"{_PYDECODE}|(?P<text>\b\w{{1,40}})[ \t]{{0,3}}=[^\n]{{0,60}}?{_PYDECODE}\([^\n]{{0,400}}\n[^\0]{{0,240}}"
        r"?\b(?:exec|eval|os\.system)[ \t]{0,2}\([ \t]{0,2}(?P=text)\b|\beval\([ ]?(?:atob\("
        r"|Buffer\.from\(|unescape\(|decodeURIComponent\(|String\.fromCharCode)|new[ ]Function\([ ]?atob\("
        r"|(?P<js>\b\w{1,30})[ ]?=[ ]?atob\([^\n]{0,400}\n[^\0]{0,160}?\beval\((?P=js)\b"
        r"|\beval\([ ]?(?:base64_decode|gzinflate|str_rot13)\(",
        hints=(
            "decode",
            "unhexlify",
            "fromhex",
            "decompress",
            "marshal",
            "rot13",
            "atob",
            "unescape",
            "fromcharcode",
            "buffer.from",
            "gzinflate",
        ),
        at={**_MILD, Role.PROSE: Severity.MEDIUM},
        matches=(
            'exec(base64.b64decode("cHJpbnQoMSk="))',
            "part = base64.b64decode(BLOB)\nexec(part)",
            "eval(atob('YWxlcnQoMSk='))",
        ),
        look_alikes=("data = base64.b64decode(text)\nimage.write(data)", "atob(token)"),
    ),
    Rule(
        id="powershell_encoded",
        severity=Severity.CRITICAL,
        category=Category.OBFUSCATION,
        title="Runs an encoded PowerShell command",
        why=_WHY,
        harmless="Administration tools that pass long commands.",
        check=_CHECK,
        pattern=r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}?[ ]-e(?:nc|ncodedcommand|c)?[ \t]{1,4}[\"']?[A-Za-"
        r"z0-9+/=]{16}|FromBase64String\([^\n]{0,400}?(?:iex|Invoke-Expression)|(?:iex|Invoke-Expression)[^\n]{0,1"
        r"20}?FromBase64String",
        hints=("powershell", "pwsh", "frombase64string"),
        at=_MILD,
        matches=(
            "powershell -nop -w hidden -enc SQBFAFgAIABhAGIAYwA=",
            "iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($b)))",
        ),
        look_alikes=("powershell -ExecutionPolicy Bypass -File a.ps1", "[Convert]::ToBase64String($b)"),
    ),
)
