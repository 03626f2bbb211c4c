"""Secrets that stand in the skill itself. They are masked wherever they are shown."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Rule, Severity

_WHY: Final = "Everyone who gets the skill gets the key."
_HARMLESS: Final = "A made-up value in an example."
_CHECK: Final = "If it is real, have it replaced by its issuer; deleting it here is not enough."
_FAKE: Final = (
    r"(?:your|my|example|sample|dummy|fake|placeholder|changeme|change_me|replace|insert"
    r"|xxxx|\.\.\.|<|test[_-]|123456|abcdef|0000|redacted|todo|secret_here|key_here|goes|\*\*\*"
    r"|demo|mock|abc123)"
)
_MILD: Final = {Kind.TEST: Severity.LOW, Kind.REFERENCE: Severity.MEDIUM}

CREDENTIALS: tuple[Rule, ...] = (
    Rule(
        id="hardcoded_secret",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A key or password in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"\b(?:api_?key|apikey|secret(?:_?key)?|access_?key|auth_?token|access_?token"
        r"|client_?secret|private_?key|passw(?:or)?d|bearer)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'](?![^\"'\n]{0,"
        rf"60}}?{_FAKE})(?=[^\"'\n]{{0,60}}?\d)(?=[^\"'\n]{{0,60}}?[a-z])[A-Za-z0-9+/_=-]{{20,200}}[\"']",
        hints=("key", "secret", "token", "password", "passwd", "bearer"),
        at=_MILD,
        matches=('api_key = "' + "9f8e7d6c5b4a39281706f5e4d3c2b1a0" + '"', "client_secret: '" + "Zq8rT2mK" * 4 + "'"),
        look_alikes=('api_key = "YOUR_API_KEY_GOES_RIGHT_HERE"', 'password = "correct horse"'),
    ),
    Rule(
        id="embedded_private_key",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A private key in plain sight",
        why=_WHY,
        harmless="A key made for tests.",
        check=_CHECK,
        pattern=r"-----BEGIN[ ](?:RSA[ ]|EC[ ]|DSA[ ]|OPENSSH[ ]|ENCRYPTED[ ]|PGP[ ])?PRIVATE[ ]KEY(?:[ ]BLOCK)?--"
        r"---\s{0,4}(?:\\n)?[\w+/=]{40,80}(?:\s|\\n)",
        hints=("private key",),
        at=_MILD,
        matches=(
            "-----BEGIN RSA PRIVATE " + "KEY-----\n" + "MIIEpQ+/a" * 7 + "\n",
            "-----BEGIN PRIVATE " + "KEY-----\\n" + "MIIEvg+/b" * 7 + "\\n",
        ),
        look_alikes=("-----BEGIN PRIVATE KEY-----\n...", "-----BEGIN PUBLIC KEY-----\n" + "MIIEvg+/b" * 7),
    ),
    Rule(
        id="github_token_leaked",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A GitHub or GitLab token in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=rf"\b(?:gh[pousr]_(?!{_FAKE})[A-Za-z0-9]{{36,60}}|github_pat_(?!{_FAKE})\w{{50,100}}"
        rf"|glpat-(?!{_FAKE})[\w-]{{20,40}})\b",
        hints=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
        case_matters=True,
        at=_MILD,
        matches=("gh" + "p_" + "Q7wE2rT9yU4i" * 3, "glpat" + "-" + "Q7wE2rT9yU" * 2),
        look_alikes=("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_short"),
    ),
    Rule(
        id="openai_key_leaked",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A model maker's key in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"(?<![\w-])sk-(?:proj-|svcacct-|or-v1-)?(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Z])(?![\w-]{0,60}?(?:[x"
        r"X]{4}|[yY]our|1234|abcd|[eE]xample))[A-Za-z0-9_-]{32,200}",
        hints=("sk-",),
        case_matters=True,
        at=_MILD,
        matches=("sk" + "-" + "Q7wE2rT9yU4i" * 4, "key: sk-proj" + "-" + "Q7wE2rT9yU4i" * 4),
        look_alikes=(
            "sk-your-key-goes-here-please-and-thanks",
            "See risk-abcdefghijklmnopqrstuvwxyz for the naming rule.",
        ),
    ),
    Rule(
        id="anthropic_key_leaked",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A model maker's key in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"\bsk-ant-(?:api|admin)\d\d-(?![\w-]{0,60}?(?:[xX]{4}|[yY]our|1234|abcd))[\w-]{32,120}",
        hints=("sk-ant-",),
        case_matters=True,
        at=_MILD,
        matches=("sk-ant" + "-api03-" + "Q7wE2rT9yU4i" * 4, "sk-ant" + "-admin01-" + "Q7wE2rT9yU4i" * 4),
        look_alikes=("sk-ant-...", "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    ),
    Rule(
        id="aws_key_leaked",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A cloud key in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"\b(?:AKIA|ASIA)(?![A-Z0-9]{0,16}?(?:EXAMPLE|XXXX|1234))[A-Z0-9]{16}\b|\bAIza(?![\w-]{0,40}?(?:xx"
        r"xx|XXXX|1234|Your|YOUR))[\w-]{35}(?![\w-])",
        hints=("akia", "asia", "aiza"),
        case_matters=True,
        at=_MILD,
        matches=("AK" + "IA" + "Q7WE2RT9YU4IOP5K", "AI" + "za" + "Q7wE2rT9yU4" * 3 + "ab"),
        look_alikes=("AKIAIOSFODNN7EXAMPLE", "AIza..."),
    ),
    Rule(
        id="chat_token_leaked",
        severity=Severity.HIGH,
        category=Category.CREDENTIAL_EXPOSURE,
        title="A chat or payment token in plain sight",
        why=_WHY,
        harmless=_HARMLESS,
        check=_CHECK,
        pattern=r"\bxox[abprs]-(?![\w-]{0,40}?(?:xxxx|your|1234))\d{10,13}-[\w-]{20,80}|\b[sr]k_live_(?!x{4})[A-Za"
        r"-z0-9]{24,100}\b|\bSG\.[\w-]{22}\.[\w-]{43}\b|\bhf_(?!x{4})[A-Za-z]{34}\b",
        hints=("xox", "k_live_", "sg.", "hf_"),
        case_matters=True,
        at=_MILD,
        matches=("xoxb" + "-9876543210-" + "Q7wE2rT9yU4i" * 2, "sk_" + "live_" + "Q7wE2rT9yU4i" * 2),
        look_alikes=("xoxb-your-token", "sk_test_abc"),
    ),
)
