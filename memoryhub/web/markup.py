"""Markdown to safe HTML: no raw HTML, only links that may be followed, no images, and never longer than a moment.

Two walls: markdown-it-py with HTML off and a link check of our own, then bleach with an allow list. What is too long,
or written to keep a parser busy, comes back as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

import bleach
from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MOST_CHARACTERS: Final = 20_000  # takes about 0.05 s; longer texts are read as typed
_MOST_STEPS = 3_000  # places that the parser tries; an ordinary text of that length takes a third
_MOST_DELIMITERS = 300  # asterisks and the like in one paragraph
_MOST_HTML = 40_000
_MOST_ELEMENTS = 1_500  # opened or closed; bleach takes its time for each
_MOST_NESTING = 20

_TAGS: Final = frozenset(
    {
        *("p", "br", "hr", "h3", "h4", "h5", "h6", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"),
        *("a", "span", "table", "thead", "tbody", "tr", "th", "td"),
    }
)
_SCHEMES: Final = frozenset({"http", "https", "mailto"})
_REL: Final = "noopener noreferrer nofollow"
_CLASSES: Final = frozenset({"link-host", "image-not-loaded"})
_BAD_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f\\<>\"]")


class _TooMuchWork(Exception):
    """The text keeps the parser busier than any honest text would."""


def to_html(text: str, *, image_words: str = "external image not loaded: %s", most: int = MOST_CHARACTERS) -> str:
    """Return the HTML of a Markdown text, safe to put into a page.

    Links lead to http, https and mailto addresses only, open in a new tab, and show their host. Images are never
    loaded: `image_words` stand for them, with the host for `%s`. A text of more than `most` characters, or one made to
    take long, is returned as it was typed, escaped.
    """
    if len(text) > most:
        return _as_typed(text)
    try:
        html = _reader().render(text, {"steps": 0, "image_words": image_words})
    except (_TooMuchWork, RecursionError):
        return _as_typed(text)
    if len(html) > _MOST_HTML or html.count("<") > _MOST_ELEMENTS:
        return _as_typed(text)
    clean: str = bleach.clean(html, tags=_TAGS, attributes=_may_stay, protocols=_SCHEMES, strip=True)
    return clean


def _as_typed(text: str) -> str:
    return f"<pre>{escape(text.replace(chr(0), chr(0xFFFD)))}</pre>"


def _may_stay(tag: str, name: str, value: str) -> bool:
    """Return whether bleach keeps an attribute: exactly what we write ourselves, and nothing that the text could."""
    if tag == "a":
        return (name == "href" and _is_followable(value)) or (name, value) in {("rel", _REL), ("target", "_blank")}
    if tag == "ol":
        return name == "start" and value.isdigit() and len(value) < 10
    return tag == "span" and name == "class" and value in _CLASSES


def _is_followable(address: str) -> bool:
    """Return whether an address may become a link: http or https with a host, or mailto."""
    return bool(_host(address)) and not _BAD_IN_ADDRESS.search(address)


def _host(address: str) -> str:
    """Return the host that an address leads to (of mailto: the address), "" when it is none of ours to follow."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme == "mailto":
        return parts.path
    honest = parts.scheme in {"http", "https"} and "@" not in parts.netloc and "%" not in parts.netloc
    return host if honest else ""


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": _MOST_NESTING}).enable(["table", "strikethrough"])
    reader.validateLink = _is_followable  # type: ignore[method-assign,assignment]  # the documented way
    reader.inline.ruler.before("text", "count_steps", _count_inline)
    everywhere: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "table"]}
    reader.block.ruler.before("table", "count_steps", _count_block, everywhere)
    reader.inline.ruler2.before("balance_pairs", "count_delimiters", _count_delimiters)
    reader.core.ruler.push("tame", _tame)
    return reader


def _count(env: Any) -> None:
    env["steps"] += 1
    if env["steps"] > _MOST_STEPS:
        raise _TooMuchWork


def _count_inline(state: StateInline, silent: bool) -> bool:
    _count(state.env)
    return False


def _count_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    _count(state.env)
    return False


def _count_delimiters(state: StateInline) -> None:
    if len(state.delimiters) > _MOST_DELIMITERS:
        raise _TooMuchWork


def _tame(state: StateCore) -> None:
    """Give links their host, put words for images, and keep headings below those of the page."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1:]) + 2)}"
        if token.children:
            token.children = _tamed(token.children, state.env["image_words"])


def _tamed(tokens: Sequence[Token], image_words: str) -> list[Token]:
    tamed: list[Token] = []
    opened: Token | None = None
    said = ""
    for token in tokens:
        if token.type == "image":
            words = image_words.replace("%s", _host(str(token.attrGet("src") or "")))
            tamed += _span("image-not-loaded", f"{token.content} ({words})" if token.content else words)
            continue
        tamed.append(token)
        if token.type == "link_open":
            opened, said = token, ""
            token.attrs = {"href": str(token.attrGet("href") or ""), "rel": _REL, "target": "_blank"}
        elif token.type == "link_close" and opened:
            tamed += _host_after(str(opened.attrs["href"]), said)
            opened = None
        else:
            said += token.content
    return tamed


def _host_after(address: str, said: str) -> list[Token]:
    """Return the host to show behind a link, nothing when the link's own words are its address."""
    host = _host(address)
    if said.strip() in {address, host, f"mailto:{host}"}:
        return []
    return [_text(" "), *_span("link-host", host)]


def _span(css_class: str, words: str) -> list[Token]:
    return [Token("span_open", "span", 1, attrs={"class": css_class}), _text(words), Token("span_close", "span", -1)]


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words)
