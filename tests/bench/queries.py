"""The thirty queries that searches are measured with."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 50
# Rare, common and very common words, phrases, Chinese and Japanese, code, filters, and words nobody wrote.
QUERIES: Final = (
    "zyxquartz", "Müllerstraße", "deprecated", "timeout", "docker", "terraform", "self", "the", "return",
    "docker deployment", "redis celery", "kubernetes NOT docker", "nginx OR systemd", '"in the"', '"fix the failing"',
    "紫砂", "漓江", "蓝鲸计划", "データベース", "的", "heliotrope-lattice", "qq7.4.2-rc1", "C++",
    "my-app.config.ts", "node_modules",
    "depl*", "docker source:telegram", "postgres role:user after:2026-04", "nosuchwordanywhere", "zzqq.nothing.here",
)  # fmt: skip
