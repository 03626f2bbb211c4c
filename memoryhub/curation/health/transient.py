"""Passing failures kept as facts or rules: "search is often rate limited", "the upload tool never works, avoid it"."""

from __future__ import annotations

from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, sentences, signs, without_verbatim, words

_FAILURE: Final = Words(
    words(
        r"fail(?:s|ed|ing|ures?)?",
        r"broken",
        r"down",
        r"unavailable",
        r"unreachable",
        r"not responding",
        r"offline",
        r"(?:does not|doesn['’]t|do not|don['’]t|did not|didn['’]t|not|never|stopped) work(?:s|ing)?",
        r"(?:never|hardly|rarely) works",
        r"tim(?:es|ed|ing|e)[- ]?outs?",
        r"timeouts?",
        r"rate[- ]limit(?:s|ed|ing)?",
        r"quota",
        r"used up",
        r"exhausted",
        r"out of credits?",
        r"no credits?",
        r"no (?:api )?(?:key|credentials?|access)",
        r"unreliable",
        r"flaky",
        r"unstable",
        r"crash(?:es|ed|ing)?",
        r"hangs?",
        r"errors? out",
        r"too slow",
        r"laggy",
        r"(?:network|connection|connectivity|dns) (?:issues?|problems?|errors?|trouble)",
        r"connection refused",
        r"(?:returns?|returned|gives?|throws?|threw) (?:an? |only )?(?:errors?|[45]\d\d)",
        r"no funds",
        r"falla",
        r"caído",
        r"no funciona",
        r"fora do ar",
        r"não funciona",
        r"не работает",
        r"недоступен",
    ),
    signs(
        "超时",
        "失败",
        "不可用",
        "用完",
        "用尽",
        "限流",
        "网络问题",
        "网络错误",
        "无法连接",
        "连不上",
        "报错",
        "不稳定",
        "宕机",
        "崩溃",
        "没有权限",
        "没有凭据",
        "额度不足",
        "挂了",
        "无法访问",
        "无法使用",
    ),
)
_PASSING: Final = Words(
    words(
        r"currently",
        r"right now",
        r"at the moment",
        r"for now",
        r"at present",
        r"presently",
        r"these days",
        r"lately",
        r"today",
        r"yesterday",
        r"this (?:week|morning|month)",
        r"yet",
        r"still",
        r"often",
        r"sometimes",
        r"frequently",
        r"intermittent(?:ly)?",
        r"temporar(?:y|ily)",
        r"recently",
        r"keeps?",
        r"again",
        r"until further notice",
        r"last (?:time|attempt|run|night|week)",
        r"several times",
        r"twice",
        r"on (?:the )?(?:first|last) (?:try|attempt)",
        r"actualmente",
        r"por ahora",
        r"ainda",
        r"сейчас",
        r"пока",
        r"временно",
    ),
    signs("目前", "暂时", "现在", "经常", "有时", "偶尔", "还没", "尚未", "最近", "今天", "仍然", "这几天", "当前"),
)
_BOTH: Final = Words(  # a failure that says itself that it passes
    words(
        r"(?:is|are|was|were|seems?|often|frequently|got|gets|been) (?:being )?rate[- ]limited",
        r"(?:free (?:plan|tier)|quota|credits?|allowance|budget)[^.;\n]{0,30}(?:used up|exhausted|exceeded|gone|spent)",
        r"(?:used up|exceeded|out of)[^.;\n]{0,20}(?:free (?:plan|tier)|quota|credits?)",
        r"no credentials yet",
        r"not (?:yet )?configured yet",
        r"temporar(?:y|ily) (?:down|unavailable|broken|blocked|disabled)",
        r"(?:is|are|seems?|was|proved) (?:very |quite |too )?(?:unreliable|flaky|unstable)",
        r"keeps? (?:failing|crashing|timing out|hanging)",
        r"(?:is|are) (?:currently |still |again )?(?:down|broken|offline|unreachable|unavailable)",
    ),
    signs("暂时不可用", "目前超时", "额度(?:已)?用完", "暂时无法", "目前不可用", "经常超时", "网络不稳定"),
)
_BAN: Final = Words(
    words(
        r"(?:never|hardly ever|does not|doesn['’]t) works?[^.;\n]{0,40}(?:avoid|never use|don['’]t use|"
        r"do not use|skip|stop using)",
        r"(?:broken|useless|unreliable|fails?)[^.;\n]{0,40}(?:always avoid|avoid it|never use|don['’]t use|do not use)",
        r"(?:avoid|never use|don['’]t use|do not use) [^.;\n]{2,50}(?:it|they|which|because it|"
        r"since it)? ?(?:never works|always fails|is broken|fails|is unreliable|keeps failing|timed out)",
    ),
    signs(
        "(?:失败|不能用|没用|不好用|不工作)[^。；\n]{0,20}(?:不要用|别用|避免)",
        "(?:不要用|别用|避免使用)[^。；\n]{2,30}(?:失败|总是报错|不稳定|超时)",
    ),
)
_REMEDY: Final = Words(
    words(
        r"instead",
        r"work[- ]?around",
        r"worked around",
        r"fix(?:ed)?(?: (?:is|was|by|with|it))?",
        r"solution",
        r"solved",
        r"resolved",
        r"switch(?:ed)? to",
        r"fall ?back",
        r"retry with",
        r"use (?!it\b)[`\w./-]+",
        r"root cause",
        r"unless",
        r"because of",
        r"must",
        r"needs?(?: to)?",
        r"requires?",
        r"set [`A-Z_]",
        r"pass (?:the )?-",
        r"export [A-Z]",
        r"run [`\w./-]+",
        r"restart(?:ing)?",
        r"(?:goes|go) through",
        r"via",
        r"prefer",
        r"only (?:from|with|after|when)",
        r"usar",
        r"вместо",
    ),
    signs(
        "改用",
        "修复",
        "解决",
        "必须",
        "需要",
        "绕过",
        "代替",
        "替代",
        "换成",
        "重启",
        "走代理",
        "用 ?`",
        "请用",
        "方案",
    ),
)
_FACT: Final = Words(  # status codes as facts of an interface, formats, settings, descriptions, dates of a place
    words(
        r"\[(?:ok|fail|error|warn)\]",
        r"timeouts? ?[=:] ?\d+ ?\w*",
        r"retr(?:y|ies) ?[=:] ?\d+",
        r"max[_ ]retries",
        r"error[- ]handling",
        r"fail[- ]?over",
        r"fail[- ]?safe",
        r"on (?:failure|error|timeout)",
        r"if (?:it|the|a|an) [^.;\n]{0,40}(?:fails?|times? out|breaks?|is down)",
        r"when [^.;\n]{0,40}(?:fails?|times? out|is down)",
        r"(?:shut|count|cool|slow|step|log|tear|break|drill|top|mark|write|cut|scale|sit|boil|hand)(?:s|ed|"
        r"ing)?[- ]down",
        r"down(?:stairs|town|stream|load\w*| the| to|side)",
        r"rate limits? (?:is|are|of|:)",
        r"quota (?:is|of|:)",
        r"(?:user|he|she|they) (?:never|does not|doesn['’]t|works?)",
        r"hangs? out",
    ),
    signs("超时时间", "超时设置", "失败时", "失败后", "如果.{0,12}(?:失败|超时)", "重试"),
)


def find(asked: Asked) -> tuple[Span, ...]:
    """Spans of a passing failure without a remedy."""
    text = without_verbatim(asked.text)
    if banned := _BAN.first(text):
        return (banned,)
    if _REMEDY.within(text):
        return ()
    for begin, end in sentences(text):
        sentence = text[begin:end]
        if _FACT.within(sentence):
            continue
        if both := _BOTH.first(sentence):
            return ((begin + both[0], begin + both[1]),)
        failure, passing = _FAILURE.first(sentence), _PASSING.first(sentence)
        if failure and passing:
            return tuple(sorted((begin + a, begin + b) for a, b in (failure, passing)))
    return ()


RULES: Final = (
    Rule(
        code="passing_failure",
        level=QUESTION,
        title="Is it still so?",
        why=(
            "Something failed once, or for a while. Kept as a fact, it stops the agent from trying again when it works."
        ),
        leave="Leave it when it is a lasting fact about the service, or when the entry says what to do instead.",
        remedies=("remove", "shorten"),
        find=find,
        matches=(
            ("memory", "Web search is often rate limited."),
            ("memory", "Image service: free plan used up."),
            ("memory", "The upload tool is unreliable."),
            ("memory", "Calendar sync: no credentials yet"),
            ("memory", "The browser tool never works on this machine, always avoid it."),
            ("memory", "Transcription API currently returns errors for files over 10 MB"),
            ("memory", "Do not use the pdf converter, it always fails"),
            ("memory", "GitHub push keeps timing out from the container"),
            ("memory", "天气接口目前超时"),
            ("memory", "翻译服务暂时不可用，网络问题"),
            ("memory", "图片生成工具总是失败，不要用"),
            ("memory", "The staging cluster is down again (third time this week)"),
        ),
        look_alikes=(
            ("memory", "GET /posts/draft returns 404 for drafts; published ones return 200"),
            ("memory", "Output format of the checker: [OK] name / [FAIL] name - reason"),
            ("memory", "HTTP client: timeout=90s, max_retries=3"),
            ("memory", "Package mirror must go through the proxy on :3128, direct access is blocked in this region"),
            ("memory", "Ship module: error handling in src/errors.ts, one class per failure"),
            ("memory", "ffmpeg fails with 'invalid argument' on the NAS, use the copy in ~/bin instead"),
            ("memory", "`apt` hangs in the container until DEBIAN_FRONTEND=noninteractive is set; root cause: debconf"),
            ("memory", "If the nightly backup fails, mail goes to ops@example.test"),
            ("memory", "接口超时时间设为 90 秒，失败后重试 3 次"),
            ("memory", "构建失败：改用 node 20 即可"),
            ("user", "Never works on Fridays; do not plan calls then"),
            ("memory", "Scroll down to the footer for the version"),
        ),
    ),
)
