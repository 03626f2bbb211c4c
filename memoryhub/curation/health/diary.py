"""Task diaries and status lines: what was done and is done, or waits to be done."""

from __future__ import annotations

from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, signs, without_verbatim, words

_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY: Final = rf"(?:\d{{4}}-\d\d?-\d\d?|\d\d?[./]\d\d?(?:[./]\d{{2,4}})?|{_MONTH} \d\d?)"
_FINISHED: Final = (
    r"(?:fixed|deployed|installed|migrated|finished|completed|released|shipped|sent|uploaded|published|created|updated|"
    r"set up|refactored|cleaned up|added|worked on)"
)
_DONE: Final = Words(
    words(
        r"PR ?#?\d+ (?:was |is |has been )?(?:merged|opened|closed|submitted|reviewed)",
        r"merged PR ?#?\d+",
        r"(?:opened|closed|submitted) (?:PR|issue) ?#?\d+",
        r"(?:phase|step|stage|milestone|sprint|task|part) ?#?\d+(?: ?[/–-] ?\d+)?[^.;\n]{0,30}(?:done|"
        r"complete[d]?|finished|✅|✓)",
        rf"{_FINISHED} (?:on|at|in|by) {_DAY}",
        rf"{_DAY} ?[:–—-] ?{_FINISHED}",
        r"created (?:a |the )?(?:new )?skill",
        r"all (?:tests|tasks|items) (?:pass(?:ed)?|done|complete[d]?)",
        r"(?:successfully|just) (?:installed|deployed|migrated|completed|created|finished|updated)",
        r"(?:task|migration|setup|deployment|refactor(?:ing)?|import|clean-?up) (?:is |was |"
        r"has been )?(?:now )?(?:done|complete[d]?|finished)",
        r"\d+ (?:of|/) ?\d+ (?:done|complete[d]?|finished|migrated|processed)",
        r"(?:done|complete[d]?|finished) ✅",
    ),
    signs(
        "(?:已|全部|均已)(?:完成|修复|部署|上线|合并|提交|迁移|安装)(?!后|的)", "新建.{0,20}技能", "创建了.{0,20}技能"
    ),
)
_OPEN: Final = Words(
    words(
        r"still (?:needs?|to do|open|pending|waiting|missing)",
        r"(?:to-?do|next steps?|remaining|open items?|pending|in progress|wip) ?[:：]",
        r"(?:is|are|currently|now|still) in progress",
        r"waiting (?:for|on) (?:the )?(?:user|review|restart|reply|approval|deploy|answer|feedback|merge)",
        r"not (?:yet )?(?:done|finished|started|deployed|merged) yet",
        r"left to do",
        r"continue (?:tomorrow|next time|with step)",
    ),
    signs(
        "待(?:配|办|做|完成|处理|确认|测试|修复)(?!人)",
        "进行中",
        "下一步[:：是]?",
        "未完成",
        "等待.{0,8}(?:重启|审核|回复|合并)",
    ),
)
_LASTING: Final = Words(
    words(
        r"decided",
        r"decision",
        r"agreed",
        r"verified",
        r"confirmed",
        r"measured",
        r"tested with",
        r"policy",
        r"convention",
        r"always",
        r"never",
        r"must",
        r"rule",
        r"when(?:ever)? ",
        r"before (?:each|every|any)",
        r"after (?:each|every|any)",
        r"prefers?",
        r"wants?",
        r"format",
        r"means?",
        r"every (?:day|week|month|time)",
        r"definition of done",
        r"until",
        r"(?:is|are) done when",
        r"counts? as",
        r"if ",
        r"should",
    ),
    signs(
        "决定",
        "约定",
        "必须",
        "总是",
        "每次",
        "规则",
        "验证",
        "实测",
        "确认过",
        "表示",
        "偏好",
        "不要",
        "先.{1,20}再",
        "要求",
        "如果",
        "格式",
    ),
)


def find(asked: Asked) -> tuple[Span, ...]:
    """Spans that say that something was done or waits, in an entry that states no lasting rule or decision."""
    text = without_verbatim(asked.text)
    if _LASTING.within(text):
        return ()
    found = _DONE.spans(text) or _OPEN.spans(text)
    return found[:3]


RULES: Final = (
    Rule(
        code="diary",
        level=QUESTION,
        title="A task diary",
        why=(
            "It tells what was done or waits to be done. Past conversations keep that; here it takes room in "
            "every prompt."
        ),
        leave="Leave it when it is a decision, a checked fact, or something the agent must not do again.",
        remedies=("remove", "shorten"),
        find=find,
        matches=(
            ("memory", "PR #12 merged, issue closed"),
            ("memory", "Website: Phase 2 done ✅"),
            ("memory", "Login bug: Fixed on 2026-01-02"),
            ("memory", "Importer still needs the CSV part and tests"),
            ("memory", "Created skill `pdf-forms` for filling forms"),
            ("memory", "Blog migration: 12 of 16 done"),
            ("memory", "Next steps: wire the webhook, deploy to staging"),
            ("memory", "2026-03-04: deployed the new parser"),
            ("memory", "数据库迁移已完成"),
            ("memory", "邮件通知待配，日历同步进行中"),
            ("memory", "新建了 weekly-report 技能"),
        ),
        look_alikes=(
            ("memory", "Decided on 2026-01-02: VAT is 19 % on all invoices"),
            ("memory", "Verified on 2026-02-11: driver 3.1 works with the label printer"),
            ("memory", "Node is pinned to 20.11, newer ones break the build"),
            ("memory", "A task is done when tests pass and the page was looked at"),
            ("memory", "Open a PR for every change, never push to main"),
            ("user", "Prefers a short list of next steps: at most three"),
            ("memory", "Status labels on the board: To do, In progress, Done"),
            ("memory", "规则：每次改动已完成后要先汇报"),
            ("memory", "约定：发布必须先打标签再合并"),
            ("memory", "Ledger columns are date, amount, done"),
        ),
    ),
)
