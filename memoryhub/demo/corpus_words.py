"""Words for benchmark homes: things people ask about, sentences in other scripts, and the planted needles."""

from __future__ import annotations

from typing import Final

ASKS: Final = (
    "what did we decide about {a} when {b} was slow",
    "the {a} job fails again, please look at {b} first",
    "move {a} behind {b} and keep the old address working",
    "remember that {a} comes before {b} here",
    "write a short guide: {a} for people who know {b}",
    "is {a} still needed now that {b} is gone",
)
THINGS: Final = (
    "docker",
    "postgres",
    "nginx",
    "pytest",
    "redis",
    "sqlite",
    "grafana",
    "celery",
    "systemd",
    "caddy",
    "webpack",
    "health-check",
    "P3.1",
    "app.config.json",
    "C++",
    "node_modules",
    "github actions",
    "terraform",
)
CJK: Final = (
    "部署脚本要等数据库迁移结束以后再启动服务",
    "日志里出现了超时，重试三次以后恢复正常",
    "请把会议纪要整理成三条结论",
    "周末的行程先不要订票，等确认以后再说",
    "记忆文件快满了，合并两条相近的内容",
    "テストが落ちた理由を調べてください",
    "バックアップは毎朝四時半に始まります",
    "서버를 다시 시작하기 전에 백업을 확인하세요",
)
TOOLS: Final = ("terminal", "read_file", "patch", "web_search", "memory", "skill_manage", "session_search", "browser")
SOURCES: Final = (*("cli",) * 6, *("telegram",) * 3, "discord", "cron", "api_server")
MODELS: Final = ("gpt-5", "claude-sonnet-5", "hermes-4-405b", "qwen3-coder", "deepseek-v4")
# Word and the number of messages that hold it.
NEEDLES: Final = (
    ("vexillumquartz", 3),
    ("amber-trellis", 17),
    ("rc9.8.1-beta", 5),
    ("白鹭计划", 4),
    ("宣纸", 6),
    ("Größenordnungstest", 2),
)
