"""Procedures that might be a skill: several steps in order, long enough to be worth a file of their own. A "
"hint only."""

from __future__ import annotations

import re
from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, is_cjk, signs, without_verbatim, words

LONG_LATIN: Final = 200  # characters; shorter ones are cheaper here than as a skill
LONG_CJK: Final = 90
STEPS: Final = 3
VERBS: Final = 4

_NUMBERED: Final = re.compile(r"(?<![\w.])(?:\(?[1-9][.)](?=\s?[^\W\d])|step [1-9]\b|[①-⑨])", re.IGNORECASE)
_ARROWS: Final = re.compile(r"\s*(?:→|->|=>|⇒)\s*")
_CHINESE_ORDER: Final = re.compile(r"先.{2,80}?(?:再|然后|接着).{2,120}?(?:最后|然后|再)", re.DOTALL)
_WORKFLOW: Final = Words(
    words(
        r"steps?",
        r"work-?flow",
        r"procedure",
        r"process",
        r"how to",
        r"to (?:deploy|release|publish|build|export|import|generate|create|make|update|set up|add)",
        r"for (?:the|a|each|every) \w+(?: \w+)? ?:",
        r"(?:first|then|next|finally|afterwards)\b",
        r"recipe",
        r"runbook",
        r"checklist",
        r"pipeline",
    ),
    signs("流程", "步骤", "操作方法", "首先", "方法[:：]"),
)
_VERBS: Final = words(
    *(
        "run",
        "open",
        "click",
        "export",
        "import",
        "copy",
        "paste",
        "install",
        "build",
        "push",
        "pull",
        "deploy",
        "restart",
        "verify",
        "check",
        "upload",
    ),
    *(
        "download",
        "fetch",
        "clean",
        "plot",
        "send",
        "generate",
        "convert",
        "edit",
        "update",
        "commit",
        "tag",
        "merge",
        "test",
        "log in",
        "select",
        "save",
    ),
    *(
        "rename",
        "move",
        "delete",
        "create",
        "write",
        "render",
        "publish",
        "compress",
        "extract",
        "start",
        "stop",
        "call",
        "parse",
        "split",
        "upload",
        "post",
    ),
)
_STANDING: Final = Words(  # rules with steps, which must stay in sight; orders of preference; ways data goes
    words(
        r"approv\w+",
        r"wait for (?:a |the |my |his |her |their )?(?:yes|ok|okay|confirmation|go|answer|reply)",
        r"confirm(?:s|ed|ation)?",
        r"ask (?:first|before|the user|me)",
        r"fall ?back",
        r"otherwise",
        r"if that fails",
        r"in (?:this )?order of preference",
        r"priority",
        r"preferred",
        r"architecture",
        r"data ?flow",
        r"routes?",
        r"menu",
        r"maps? to",
        r"gotchas?",
        r"prefers?",
        r"never",
        r"escalat\w+",
    ),
    signs("确认", "批准", "同意", "优先", "备用", "否则", "架构", "数据流", "菜单", "不要", "偏好", "方案.{0,6}再动手"),
)


def find(asked: Asked) -> tuple[Span, ...]:
    """The marks of the steps, when there are three or more and enough speaks for a procedure."""
    text = without_verbatim(asked.text)
    if len(text) < (LONG_CJK if is_cjk(text) else LONG_LATIN) or _STANDING.within(text):
        return ()
    marks = tuple(match.span() for match in _NUMBERED.finditer(text))
    if len(marks) < STEPS:
        marks = tuple(match.span() for match in _ARROWS.finditer(text))
    if len(marks) < STEPS:
        ordered = _CHINESE_ORDER.search(text)
        return (ordered.span(),) if ordered else ()
    acts = len({match[0].lower() for match in _VERBS.finditer(text)})
    return marks[:9] if acts >= VERBS or (_WORKFLOW.within(text) and (acts >= 2 or is_cjk(text))) else ()


RULES: Final = (
    Rule(
        code="procedure",
        level=QUESTION,
        title="Could be a skill",
        why=(
            "Steps in order are needed now and then, but stand in every prompt. A skill is read only when it is wanted."
        ),
        leave="Leave it when it is a rule that must stay in sight, such as asking before something is sent.",
        remedies=("skill", "shorten"),
        find=find,
        matches=(
            (
                "memory",
                "Monthly invoice run: 1) export the hours from the tracker as CSV 2) run ~/bin/invoice.py on "
                "the file 3) open the PDF and check "
                "the totals against the sheet 4) upload it to the client folder and send the mail from the template",
            ),
            (
                "memory",
                "For the weekly report: fetch the numbers from the metrics API → clean them with tidy.py → "
                "plot the three usual charts → "
                "render the page with the report template → send it to the team list on Friday before noon, "
                "with the charts attached",
            ),
            (
                "memory",
                "How to release the app: step 1 update CHANGELOG and version, step 2 run make dist and test "
                "the wheel in a fresh environment, step 3 tag and push the tag, "
                "step 4 upload with twine, then post in the channel and close the milestone",
            ),
            (
                "memory",
                "周报流程：先从系统导出本周的工时数据并保存为表格，再运行整理脚本去掉空行和重复的项目名称，然后检查三个图表的标题和单位，核对合计数字是否与上周一致，最后把生成的文件上传到共享目录并发邮件通知大家，附上链接和说明",
            ),
            (
                "memory",
                "发布步骤：①更新版本号和变更记录文件，②在干净的环境里运行全部测试并构建安装包，③打标签并推送到远程仓库，④上传安装包到内部源，⑤在群里发布公告并关闭里程碑，同时把文档站点重新生成一遍，检查首页的版本号是否正确，链接能否打开",
            ),
        ),
        look_alikes=(
            (
                "memory",
                "Image model order: A → B → C, take the next one when one fails. Prices per image differ: A "
                "is 4 cents, B is 2 cents, C is free but slower. The keys of all three are in the .env file "
                "of the project and are read at start-up",
            ),
            (
                "user",
                "Mails to clients: draft → show it → wait for yes → send. This holds for every mail, also "
                "short ones, and for messages in the client channel. He wants to see the subject line and "
                "the list of recipients as well, in one message",
            ),
            ("memory", "Deploy: 1) tag 2) push 3) wait"),
            (
                "memory",
                "Data flow of the shop: browser → edge cache → api gateway → orders service → queue → "
                "billing service. The queue is the only part that keeps state; everything else can be "
                "restarted at any time without losing an order at all",
            ),
            (
                "user",
                "Style preferences: 1) short answers 2) no emojis 3) code before prose 4) metric units. "
                "Prefers tables to lists when there are three or more columns, and hates summaries at the "
                "end of an answer that repeat what was just said above",
            ),
            ("memory", "代码对应关系：100 → 模型甲，200 → 模型乙，300 → 模型丙，400 → 模型丁"),
        ),
    ),
)
