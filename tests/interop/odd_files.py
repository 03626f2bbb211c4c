"""Makes memory files of every shape from a seed: real words, exotic characters, damaged delimiters, broken bytes."""

from __future__ import annotations

import random
from typing import Final

LIMITS: Final = (2200, 1375, 2200, 100, 20, 1, 0, -3, 5000)
WORDS: Final = (
    *("uses", "pnpm", "NAS", "日本", "部署", "café", "cafe\u0301", "naïve", "🧭", "👩\u200d🚀"),
    *("ß", "Ω", "שלום", "x" * 30, "1.5", "~/bin", "§4", "a§b"),
)
USUAL: Final = ("\n§\n", "\n§\n", "\n§\n", "\r\n§\r\n")
DELIMITERS: Final = (
    *("\r§\r", "\n§ \n", "\n §\n", "\n\n§\n", "\n§\n\n", " \n§\n", "\n§\n  ", "\n§\n§\n"),
    *("\n§\n\n§\n", "\n§\n§\n§\n", "\u2028§\u2028", "\x85§\x85", "\n§\r\n", "\r\n§\n", "\n\r§\n"),
    *("\n§\u3000\n", "\n§§\n"),
)
ODD: Final = (
    *("\ufeff", "\u200b", "\u200d", "\u2060", "\u202e", "\u00ad", "\u3000", "\u00a0", "\u2003", "\u2028"),
    *("\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1f", "\x00", "\x07", "\x1b[0m", "\x7f", "\t"),
    *("\U000e0041", "\ue000", "\uffff", "\U0010ffff", "\u0300" * 9, "\r", "\r\n", "\n", "§"),
)
EDGES: Final = ("", "", "", "", "\n", "\n\n", "  ", "\ufeff", "§\n", "\n§\n", "\n§", "\r\n", "\u3000", "\n§\n\n")
BROKEN: Final = (b"\xe9", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80")


def odd_file(seed: int) -> tuple[bytes, int]:
    """The bytes of one made-up memory file, and the limit it stands under. The same seed gives the same file."""
    rng = random.Random(seed)
    limit = rng.choice(LIMITS)
    parts = [rng.choice(EDGES)]
    entries: list[str] = []
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5, 8, 20))):
        text = rng.choice(entries) if entries and rng.random() < 0.15 else _entry(rng, limit)
        entries.append(text)
        parts += [text, rng.choice(USUAL) if rng.random() < 0.7 else rng.choice(DELIMITERS)]
    data = "".join([*parts[:-1], rng.choice(EDGES)]).encode("utf-8")
    if rng.random() < 0.08:
        place = rng.randrange(len(data) + 1)
        data = data[:place] + rng.choice(BROKEN) + data[place:]
    elif rng.random() < 0.03:
        data = data.decode("utf-8").encode(rng.choice(("utf-16", "utf-32", "utf-16-be")))
    return data, limit


def _entry(rng: random.Random, limit: int) -> str:
    if rng.random() < 0.06 and limit > 0:
        return "L" * (limit + rng.choice((-1, 0, 1)))
    text = " ".join(rng.choice(WORDS) for _ in range(rng.choice((1, 2, 3, 8, 20))))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 3))):
        place = rng.choice((0, len(text), rng.randrange(len(text) + 1)))
        text = text[:place] + rng.choice(ODD) + text[place:]
    return text
