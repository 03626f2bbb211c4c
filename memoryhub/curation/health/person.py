"""What a person likes and is, when it stands in MEMORY.md."""

from __future__ import annotations

from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, signs, without_verbatim, words

_NOT_A_PERSON: Final = (
    "data|service|unit|id|name|account|agent|table|model|group|role|directory|folder|story|stories|interface|guide|"
    "manual|docs?"
)
_SUBJECT: Final = rf"(?:the )?user(?!['’]?s? (?:{_NOT_A_PERSON}))"
_PREFERENCE: Final = Words(
    words(
        rf"^{_SUBJECT}(?: \w+){{0,2}} (?:prefers?|wants?|likes?|loves?|hates?|dislikes?|expects?|insists?|appreciates?|"
        r"values?|asked? (?:for|to|not)|does(?: not|n['’]t) (?:like|want))",
        r"^(?:strongly |usually |always )?(?:prefers|wants|likes|loves|hates|dislikes|expects|insists on)\b",
        r"^he (?:prefers|wants|likes|hates|expects)",
        r"^she (?:prefers|wants|likes|hates|expects)",
        r"^they (?:prefer|want|like|hate|expect)\b",
        r"^communication(?: style)? ?:",
        r"^(?:answer|reply|response|writing) (?:style|length|language|tone) ?:",
        r"^user (?:preference|style)s? ?:",
        r"^(?:no|never use) emojis?\b",
        r"^(?:always )?(?:reply|answer|respond|write|speak)s? (?:to (?:the )?user |to me )?in (?:english|"
        r"german|spanish|french|chinese|russian|portuguese|italian|japanese|norwegian)",
        r"had to (?:say|repeat|ask|tell)[^.;\n]{0,30} (?:twice|again)",
        r"^(?:el usuario|a usuária|o usuário) (?:prefiere|quiere|prefere|quer)",
        r"^пользователь (?:предпочитает|любит|хочет|не любит)",
        r"^l['’]utilisateur (?:préfère|veut)",
        r"^der (?:nutzer|benutzer) (?:bevorzugt|möchte|will|mag)",
    ),
    signs(
        r"^用户(?:偏好|喜欢|不喜欢|要求|希望|讨厌|习惯|更喜欢)",
        r"^(?:偏好|不喜欢|喜欢)",
        r"^(?:沟通|回复|回答)(?:风格|方式|语言)[:：]?",
        r"要求先.{1,12}再动手",
        r"^(?:他|她)(?:喜欢|不喜欢|希望|要求)",
    ),
)
_PROFILE: Final = Words(
    words(
        r"^(?:user(?:'s|’s)? )?(?:full |real )?name ?(?::|is) [^\W\d_]\w*",
        rf"^{_SUBJECT} (?:is|was) (?:a|an) \w+",
        rf"^{_SUBJECT} (?:lives?|works?|studies|was born|has "
        r"(?:a |two |three )?(?:daughter|son|child|kid|wife|husband|partner|dog|cat))",
        r"^based in \w+",
        r"^(?:college|university|phd|high[- ]school) student",
        r"^(?:daughter|son|wife|husband|partner|birthday|born|hometown|occupation|job|profession|"
        r"time ?zone)\b[^.;\n]{0,20} ?[:is]",
    ),
    signs(
        r"^职业[:：]",
        r"真实姓名",
        r"(?:女儿|儿子|妻子|丈夫|孩子).{0,8}岁",
        r"^(?:姓名|年龄|生日|住址|家庭|学历)[:：]",
        r"^用户(?:是|住在|在.{1,12}工作|的(?:女儿|儿子|妻子|丈夫|生日|名字|职业))",
    ),
)
_ABOUT_WORK: Final = Words(  # rules of one project, tool, or team; safety rules of the agent; accounts of machines
    words(
        r"project",
        r"repo(?:sitory)?",
        r"branch",
        r"release[sd]?",
        r"deploy\w*",
        r"commit\w*",
        r"endpoint",
        r"database",
        r"schema",
        r"api",
        r"migrations?",
        r"cron",
        r"docker\w*",
        r"kubernetes",
        r"server",
        r"cluster",
        r"bot",
        r"service account",
        r"team",
        r"client",
        r"kill",
        r"port \d+",
        r"config(?:uration)?",
        r"https?",
        r"npm",
        r"pip",
        r"git",
        r"linter",
        r"package",
        r"module",
        r"plugin",
        r"script",
        r"skill",
        r"workspace",
    ),
    signs(
        "项目",
        "仓库",
        "分支",
        "发布",
        "部署",
        "数据库",
        "接口",
        "服务器",
        "端口",
        "机器人",
        "团队",
        "配置",
        "脚本",
        "技能",
        "插件",
    ),
)


def speaks_of_wish(text: str) -> bool:
    """Whether a text opens with what a person likes or wants."""
    return _PREFERENCE.within(text)


def speaks_of_profile(text: str) -> bool:
    """Whether a text says who a person is."""
    return _PROFILE.within(text)


def find_person(asked: Asked) -> tuple[Span, ...]:
    """The words in an entry of MEMORY that speak of the person, and of nothing that belongs to a project."""
    if asked.target != "memory":
        return ()
    text = without_verbatim(asked.text)
    found = _PROFILE.first(text) or _PREFERENCE.first(text)
    return (found,) if found and not _ABOUT_WORK.within(text) else ()


RULES: Final = (
    Rule(
        code="person_in_memory",
        level=QUESTION,
        title="About you, but in MEMORY.md",
        why=(
            "What you like and who you are belongs to USER.md, where the agent reads it as your profile; "
            "MEMORY.md keeps its room for facts."
        ),
        leave="Leave it when it is a rule about one project or tool.",
        remedies=("move",),
        find=find_person,
        matches=(
            ("memory", "User prefers short answers without bullet points"),
            ("memory", "The user wants the plan first, code later"),
            ("memory", "Prefers dark mode in every screenshot"),
            ("memory", "Hates emojis"),
            ("memory", "Name: Ola Nordmann"),
            ("memory", "Based in Bergen, two hours behind the office in Athens in summer"),
            ("memory", "User is a nurse who works nights"),
            ("memory", "Always reply in Norwegian"),
            ("memory", "用户偏好简短的回答"),
            ("memory", "职业：小学老师"),
            ("memory", "女儿今年六岁，周三下午要接她"),
            ("memory", "Wants units in metric; had to say it twice"),
        ),
        look_alikes=(
            ("memory", "Releases go out on Fridays only"),
            ("memory", "User data directory is ~/data/hub"),
            ("memory", "User service unit hub.service starts at login"),
            ("memory", "Never kill python by name, other agents run in it"),
            ("memory", "Bot name: Pip"),
            ("memory", "The user wants every commit in the hub repo signed"),
            ("memory", "Name of the service account: svc-hub"),
            ("memory", "用户目录在 /srv/data"),
            ("memory", "项目要求先跑测试再合并"),
            ("memory", "Users table has a soft-delete column"),
        ),
    ),
)
