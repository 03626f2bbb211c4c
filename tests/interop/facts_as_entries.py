"""Entries that can prove themselves: each has a name, some words and a checksum, so that a torn file shows.

Used by Hermes' writers, by ours and by the test; standard library only.
"""

import hashlib
import random
import re

DELIMITER = "\n§\n"
SHAPE = re.compile(r"\[([a-z]\d+-\d+)\] (.*) #([0-9a-f]{8})", re.DOTALL)
WORDS = ("deploys", "on", "NAS", "茶", "🧭", "café", "naïve", "two\nlines", "~/bin", "§4", "pnpm", "kayak", "ß")


def named(name):
    """What finds exactly this entry and no other, as an ``old_text``."""
    return f"[{name}]"


def make(name, rng):
    """A new entry called ``name``."""
    body = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 14)))
    return f"[{name}] {body} #{_checksum(name, body)}"


def name_of(entry):
    """The name of a whole entry, or None when it is torn or was never made by us."""
    match = SHAPE.fullmatch(entry)
    return match[1] if match and _checksum(match[1], match[2]) == match[3] else None


def names_in(data):
    """The names in a file's bytes, in order; raises ValueError when anything in it is torn."""
    text = data.decode("utf-8")
    names = [name_of(entry) for entry in text.split(DELIMITER)] if text else []
    if None in names:
        raise ValueError(f"torn: {text!r}")
    return names


def generator(seed):
    """A source of choices that is the same for the same seed."""
    return random.Random(seed)


def _checksum(name, body):
    return hashlib.sha256(f"{name}\0{body}".encode()).hexdigest()[:8]
