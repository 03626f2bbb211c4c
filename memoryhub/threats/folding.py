"""The forms of a text in which threats are looked for, and the way back to the characters of the text itself.

The agent's form: compatibility characters normalised (NFKC), case ignored. The suspicious form: also without the
characters that no one sees, and with letters of other alphabets read as the Latin letters they look like.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memoryhub.threats.matching import Span

# Invisible or without width (Unicode's Default_Ignorable_Code_Point), tag characters and variation selectors among
# them. The two Hangul fillers and the Braille blank look like a space.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\u2800\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)

# Letters that many fonts draw like a Latin one: Cyrillic, Greek, Armenian, small capitals and letters with a twist.
_LOOK_ALIKES = {
    "a": "аαɑ", "b": "ЬƄВΒ", "c": "сϲ", "d": "ԁɗ", "e": "еҽє", "f": "ғƒ", "g": "ɡց", "h": "һհНΗ",
    "i": "іιɩ", "j": "јϳ", "k": "кκқ", "l": "ӏǀ", "m": "мΜ", "n": "пոηΝ", "o": "оοօσ", "p": "рρ",
    "q": "ԛգ", "r": "гɾ", "s": "ѕꜱ", "t": "тτ", "u": "υսц", "v": "ѵνᴠ", "w": "ԝѡա", "x": "хχ",
    "y": "уγүΥ", "z": "ᴢʐΖ",
}  # fmt: skip
_LATIN = str.maketrans({look: letter for letter, looks in _LOOK_ALIKES.items() for look in looks})

_LONGEST = 4  # characters that stand for more (whole sentences, in Arabic) disguise nothing and cost time
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

Piece = tuple[int, int, str]  # start and end in the text, and what stands there in the folded form


@dataclass(frozen=True)
class Folded:
    """A form of a text, with the place in the text that each of its characters comes from."""

    text: str
    cut: Callable[[], Iterable[Piece]] | None  # None: character for character

    @cached_property
    def ascii(self) -> str:
        """This form without all else: small even where compatibility characters stand for whole sentences."""
        return _NOT_ASCII.sub("", self.text)

    def original(self, span: Span) -> Span:
        """Return the characters of the original text that a span of this form stands for."""
        if self.cut is None:
            return span
        return self._origin(span[0])[0], self._origin(span[1] - 1)[1]

    @cached_property
    def _pieces(self) -> tuple[list[int], list[tuple[Span, bool]]]:
        """Where each piece begins in this form; its span in the original, and whether it is unchanged."""
        begins: list[int] = []
        origins: list[tuple[Span, bool]] = []
        length = 0
        for start, end, folded in self.cut() if self.cut else ():
            begins.append(length)
            origins.append(((start, end), end - start == len(folded) != 1))
            length += len(folded)
        return begins, origins

    def _origin(self, at: int) -> Span:
        begins, origins = self._pieces
        index = bisect_right(begins, at) - 1
        (start, end), unchanged = origins[index]
        if not unchanged:
            return start, end
        return start + at - begins[index], start + at - begins[index] + 1


def as_the_agent_reads(text: str) -> Folded:
    """Return the form in which the agent searches: NFKC, with one case."""
    if unicodedata.is_normalized("NFKC", text):
        return Folded(_one_case(text), None)
    normal = unicodedata.normalize("NFKC", text)
    return Folded(_one_case(normal), lambda: _normal_pieces(text, normal))


def unmasked(text: str, blank: str) -> Folded:
    """Return a text without what nobody sees (`blank` stands in its place), in Latin letters and without accents."""
    table = {char: _plain(char, blank) for char in set(text) if char > "\x7f"}
    plain = text.translate({ord(char): plain for char, plain in table.items()})
    return Folded(_one_case(plain), lambda: ((at, at + 1, table.get(char, char)) for at, char in enumerate(text)))


def is_disguise(text: str) -> bool:
    """Return whether `unmasked` would read anything in the text otherwise than the agent does."""
    return any(_is_disguise(char) for char in set(text) if char > "\x7f")


@lru_cache(maxsize=4096)
def _is_disguise(char: str) -> bool:
    return _plain(char, "") != _one_case(unicodedata.normalize("NFKC", char))


@lru_cache(maxsize=4096)
def _plain(char: str, blank: str) -> str:
    if _UNSEEN.match(char):
        return blank
    parts = unicodedata.normalize("NFKD", char)
    if len(parts) > _LONGEST:
        return char
    letters = [part for part in parts if not unicodedata.combining(part)]
    return _one_case("".join(letters).translate(_LATIN)).translate(_LATIN)


def _one_case(text: str) -> str:
    """Return a text in lower case; without regard to case the agent takes a dotless i and a dotted I for an i."""
    return text.replace("İ", "i").replace("ı", "i").lower()


def _normal_pieces(text: str, normal: str) -> list[Piece]:
    """Return the pieces of a text that normalise on their own, with their NFKC form.

    Nearly always these are single letters with their accents; where that is not so (Hangul), runs without ASCII.
    """
    known: dict[str, str] = {}
    for edges in (_letters(text), _runs(text)):
        pieces: list[Piece] = []
        for start, end in edges:
            part = text[start:end]
            if part not in known:
                known[part] = part if part.isascii() else unicodedata.normalize("NFKC", part)
            pieces.append((start, end, known[part]))
        if "".join(folded for _, _, folded in pieces) == normal:
            return pieces
    return [(0, len(text), normal)]


def _runs(text: str) -> Iterator[Span]:
    """Yield runs with and without ASCII; a letter before an accent belongs to the accent's run."""
    at = 0
    for run in _NOT_ASCII.finditer(text):
        start = max(at, run.start() - 1) if unicodedata.combining(text[run.start()]) else run.start()
        if at < start:
            yield at, start
        yield start, run.end()
        at = run.end()
    if at < len(text):
        yield at, len(text)


def _letters(text: str) -> Iterator[Span]:
    """Yield runs of ASCII, and the rest cut before each letter that is no accent."""
    for start, end in _runs(text):
        if text[start:end].isascii():
            yield start, end
            continue
        left = start
        for at in range(start + 1, end):
            if not unicodedata.combining(text[at]):
                yield left, at
                left = at
        yield left, end
