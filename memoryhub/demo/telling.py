"""Turns a topic's script into messages: slots filled in, tools called and answered, time passing."""

from __future__ import annotations

import json
import random
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memoryhub.demo.outputs import is_chatty, log_lines
from memoryhub.demo.scripts import Line, Topic

Message = dict[str, Any]
_SLOT: Final = re.compile(r"\{([a-z_]+)\}")
_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)")
_CHINESE: Final = re.compile(r"[一-鿿]")
# Seconds until a message comes, by role: people think, tools are quick.
_PAUSES: Final = {"user": (25, 260), "assistant": (3, 24), "tool": (1, 9)}
_CLOSINGS: Final = (
    (("Thanks, that is all for today.", "Good night."), ("Perfect, thank you.", "Glad it works.")),
    (("OK. I will look at it tomorrow.", "It is all saved; we can go on from here."), ("Great.", "Done, then.")),
)
_CLOSINGS_ZH: Final = (
    (("好的，先到这里。", "好，需要时再叫我。"), ("谢谢，没问题了。", "不客气。")),
    (("明天再继续。", "好的，进度都保存了。"), ("可以了。", "好的。")),
)


class Teller:
    """Tells one conversation about one topic; the same random source gives the same words."""

    def __init__(self, topic: Topic, rng: random.Random) -> None:
        self.topic = topic
        self.rng = rng
        self.slots = {name: self._choice(choices) for name, choices in topic.settings.items()}
        self._calls = 0

    def fill(self, text: str) -> str:
        """Put the conversation's own names and numbers into a text."""
        return _SLOT.sub(lambda found: self.slots.get(found[1], found[0]), text)

    @property
    def title(self) -> str:
        """A title for the conversation."""
        return self.fill(self.slots["titles"])

    @property
    def is_chinese(self) -> bool:
        """Whether the person speaks Chinese in it."""
        return bool(_CHINESE.search(self.topic.scenes[0][0].text))

    def tell(self, scenes: int, *, closing: bool = True) -> list[Message]:
        """Return messages of the opening and up to `scenes` more, each with seconds since the one before (`after`)."""
        more = self.topic.scenes[1:]
        picked = sorted(self.rng.sample(range(len(more)), min(scenes, len(more))))
        lines = [line for scene in (self.topic.scenes[0], *(more[number] for number in picked)) for line in scene]
        messages = list(self._messages(lines))
        if closing and self.rng.random() < 0.4 and self.slots["sources"] not in ("cron", "api_server"):
            messages += self._closing()
        return messages

    def say(self, role: str, content: object, **columns: Any) -> Message:
        """One message with the pause before it."""
        low, high = _PAUSES[role]
        return {"role": role, "content": content, "after": round(self.rng.uniform(low, high), 3), **columns}

    def call(self, name: str, arguments: dict[str, Any], reasoning: str | None = None) -> Message:
        """An assistant message that calls one tool."""
        self._calls += 1
        identity = f"call_{self.rng.getrandbits(48):012x}"
        function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
        calls = [{"id": identity, "type": "function", "function": function}]
        return self.say("assistant", "", tool_calls=calls, finish_reason="tool_calls", reasoning=reasoning)

    def answer(self, call: Message, content: str) -> Message:
        """The tool's answer to a call."""
        made = call["tool_calls"][0]
        return self.say("tool", content, tool_call_id=made["id"], tool_name=made["function"]["name"])

    def _messages(self, lines: Sequence[Line]) -> Iterator[Message]:
        reasoning: str | None = None
        call: Message | None = None
        for number, line in enumerate(lines):
            text = self.fill(self.rng.choice((line.text, *line.others)))
            if line.kind == "user":
                yield self.say("user", self._with_image(text) if self.topic.key == "screenshot" else text)
            elif line.kind == "reasoning":
                reasoning = text
            elif line.kind == "assistant":
                yield self.say("assistant", text, finish_reason="stop", reasoning=reasoning)
                reasoning = None
            elif line.kind == "call":
                call = self.call(*self._arguments(text, lines[number + 1 :]), reasoning=reasoning)
                reasoning = None
                yield call
            elif line.kind == "result" and call is not None:
                yield self.answer(call, self._result(call, text, line.failed))

    def _arguments(self, text: str, following: Sequence[Line]) -> tuple[str, dict[str, Any]]:
        name, _, first = text.partition(" ")
        pairs = [first]
        for line in following:
            if line.kind != "argument":
                break
            pairs.append(self.fill(line.text))
        return name, {key: value.replace("\\n", "\n") for key, _, value in (pair.partition("=") for pair in pairs)}

    def _result(self, call: Message, text: str, failed: bool) -> str:
        function = call["tool_calls"][0]["function"]
        if function["name"] == "terminal":
            if is_chatty(function["arguments"]):
                text = log_lines(self.rng, 2 + int(self.rng.paretovariate(0.7)) % 150) + "\n" + text
            return json.dumps({"output": text, "exit_code": int(failed), "error": None}, ensure_ascii=False)
        if text.startswith("{") and not failed:
            return text
        shape = {"success": False, "error": text} if failed else {"content": text, "total_lines": text.count("\n") + 1}
        return json.dumps(shape, ensure_ascii=False)

    def _closing(self) -> list[Message]:
        person, agent = self.rng.choice(self.rng.choice(_CLOSINGS_ZH if self.is_chinese else _CLOSINGS))
        return [self.say("user", person), self.say("assistant", agent, finish_reason="stop")]

    def _with_image(self, text: str) -> str:
        image = "data:image/png;base64," + b64encode(_picture(self.rng)).decode()
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": image}}]
        return "\0json:" + json.dumps(parts, ensure_ascii=False)

    def _choice(self, choices: Sequence[str]) -> str:
        chosen = self.rng.choice(choices)
        numbers = _RANGE.fullmatch(chosen)
        return str(self.rng.randint(int(numbers[1]), int(numbers[2]))) if numbers else chosen


def _picture(rng: random.Random) -> bytes:
    """A small PNG: a grey page with a red bar, as a screenshot of an error looks from far away."""
    width, height, bar = 48, 30, rng.randint(4, 9)
    red, grey = b"\xb4\x3c\x2a", b"\xe8\xe6\xe1"
    rows = b"".join(b"\0" + (red if row < bar else grey) * width for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body
