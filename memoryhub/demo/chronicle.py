"""Sessions of a made-up home: who talked with the agent when, about what, and what it cost."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from memoryhub.demo.prompts import system_prompt, usage
from memoryhub.demo.scripts import Topic
from memoryhub.demo.story import Write, replay
from memoryhub.demo.telling import Message, Teller

# Model, provider, US dollars for a million tokens read and written.
MODELS: Final = (
    ("hermes-4-405b", "nous", 0.9, 2.7),
    ("claude-sonnet-5", "anthropic", 3.0, 15.0),
    ("gpt-5", "openai", 1.25, 10.0),
    ("qwen3-coder", "openrouter", 0.3, 1.2),
    ("deepseek-v4", "openrouter", 0.28, 0.42),
)
_ACTION_WORDS: Final = {"add": "added", "replace": "replaced", "remove": "removed"}
_NOTED: Final = ("Noted.", "It is in my memory file now.", "Done, I will keep that in mind.")
_NOTED_ZH: Final = ("已记住。", "已写入记忆文件。", "好的，以后都按这个来。")


@dataclass
class Session:
    """One row of `sessions` and its messages, both as column -> value."""

    columns: dict[str, Any]
    messages: list[Message] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The session's id."""
        return str(self.columns["id"])


class Chronicle:
    """Makes sessions, one after another, for one home. Everything follows from the seed and from `now`."""

    def __init__(self, now: datetime, seed: str, topics: Sequence[Topic], writes: Sequence[Write], skills: list[str]):
        self.now = now
        self.rng = random.Random(seed)  # noqa: S311 - made-up data, not a secret
        self.topics = {topic.key: topic for topic in topics}
        self.writes = writes
        self.skills = skills
        self._titles: set[str] = set()

    def teller(self, key: str) -> Teller:
        """Someone who tells about one topic."""
        return Teller(self.topics[key], self.rng)

    def converse(self, key: str, ago: timedelta, scenes: int = 2, **columns: Any) -> Session:
        """A conversation about a topic that began `ago` before now."""
        teller = self.teller(key)
        return self.record(teller, teller.tell(scenes), ago, **columns)

    def clock(self, days: float, hour: int, minute: int) -> timedelta:
        """Return how long ago that time of the day (UTC) was, `days` before now; at least five hours."""
        moment = (self.now - timedelta(days=days)).replace(hour=hour, minute=minute)
        return max(self.now - moment, timedelta(hours=5))

    def daytime(self, days: float) -> timedelta:
        """Return how long ago a waking hour of the day `days` before now was."""
        hour = self.rng.choice((7, 8, 8, 9, 10, 13, 14, 15, 18, 19, 20, 21))
        return self.clock(days, hour, self.rng.randint(0, 59))

    def remember(self, write: Write) -> Session:
        """The conversation in which the agent made one of the writes of the story, to the second."""
        teller = self.teller(write.topic)
        messages = [*teller.tell(2, closing=False), *self.memory_turn(teller, write)]
        until_call = sum(message["after"] for message in messages[:-2])
        return self.record(teller, messages, write.ago + timedelta(seconds=until_call))

    def memory_turn(self, teller: Teller, write: Write) -> list[Message]:
        """The person asks to remember, the agent calls its tool, the tool answers, the agent says so."""
        texts = {"content": write.content, "old_text": write.old}
        arguments = {
            "action": write.action,
            "target": write.target,
            **{key: text for key, text in texts.items() if text},
        }
        entries = replay(self.writes, write.target, write.ago)
        call = teller.call("memory", arguments)
        answer = {
            "success": True,
            "done": True,
            "target": write.target,
            "usage": usage(entries, write.target),
            "entry_count": len(entries),
            "message": f"Entry {_ACTION_WORDS[write.action]}.",
        }
        noted = self.rng.choice(_NOTED_ZH if teller.is_chinese else _NOTED)
        said = teller.say("user", write.said)
        return [said, call, teller.answer(call, json.dumps(answer, ensure_ascii=False)), teller.say("assistant", noted)]

    def record(self, teller: Teller, messages: list[Message], ago: timedelta, **columns: Any) -> Session:
        """Give the messages their times and make the session's row. `columns` win over what is worked out."""
        teller.slots["sources"] = columns.get("source", teller.slots["sources"])
        start = (self.now - ago).timestamp()
        moment = start
        for message in messages:
            moment += message.pop("after")
            message["timestamp"] = round(moment, 3)
        row = {
            "id": f"{self.now - ago:%Y%m%d_%H%M%S}_{self.rng.getrandbits(24):06x}",
            **self._setting(teller),
            "title": self._title(teller),
            "started_at": start,
            "ended_at": round(moment + self.rng.uniform(2, 900), 3),
            **self._sums(messages),
            "system_prompt": system_prompt(self.writes, ago, self.skills),
            **columns,
        }
        return Session({key: value for key, value in row.items() if value is not None}, messages)

    def _setting(self, teller: Teller) -> dict[str, Any]:
        source = teller.slots["sources"]
        folder = teller.fill(teller.slots["cwd"]) if "cwd" in teller.slots and source == "cli" else None
        ends = {"cli": "cli_close", "cron": "cron_complete", "api_server": "agent_close"}
        chat = source in ("telegram", "discord")
        return {
            "source": source,
            "user_id": "5550142" if chat else None,
            "chat_type": "dm" if chat else None,
            "display_name": "Lin Yue" if chat else None,
            "end_reason": ends.get(source, "session_reset"),
            "cwd": folder.replace("~", "/home/yue") if folder else None,
            "git_branch": self.rng.choice(("main", "main", teller.slots.get("branch", "main"))) if folder else None,
            "git_repo_root": folder.replace("~", "/home/yue") if folder else None,
        }

    def _sums(self, messages: Sequence[Message]) -> dict[str, Any]:
        model, provider, read_price, write_price = self.rng.choice(MODELS)
        turns = sum(message["role"] == "assistant" for message in messages)
        size = sum(len(message["content"]) + len(str(message.get("tool_calls", ""))) for message in messages)
        tokens_in = int(turns * (2_400 + size / 5))
        tokens_out = int(size / 3.2)
        cost = round((tokens_in * read_price + tokens_out * write_price) / 1_000_000, 5)
        return {
            "model": model,
            "billing_provider": provider,
            "message_count": len(messages),
            "tool_call_count": sum(len(message.get("tool_calls", ())) for message in messages),
            "api_call_count": turns,
            "input_tokens": tokens_in,
            "output_tokens": tokens_out,
            "cache_read_tokens": int(tokens_in * 0.7),
            "reasoning_tokens": sum(len(message.get("reasoning") or "") for message in messages) // 3,
            "estimated_cost_usd": cost,
            "actual_cost_usd": round(cost * 0.97, 5) if provider == "openrouter" else None,
            "cost_status": "actual" if provider == "openrouter" else "estimated",
        }

    def _title(self, teller: Teller) -> str | None:
        """A title that no other session has; many have none."""
        if self.rng.random() < 0.25:
            return None
        titles = [teller.fill(title) for title in teller.topic.settings["titles"]]
        self.rng.shuffle(titles)
        title = next((title for title in titles if title not in self._titles), None)
        self._titles.update({title} if title else ())
        return title
