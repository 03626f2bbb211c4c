"""A conversation as one HTML file that loads nothing and runs nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from typing import Final

from sessions_app.export import Export, facts_words, heading, image_words, mask_words
from sessions_app.images import Image
from sessions_app.pieces import line
from sessions_app.transcript import Turn

# Nothing is loaded, nothing runs; the styles of the file itself and images stored in it are all that is allowed.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
_STYLE: Final = (
    "body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 system-ui,sans-serif;color:#1f1d1a;"
    "background:#f7f5f0}article{margin:1rem 0;padding:.75rem 1rem;border:1px solid #e4dfd4;border-radius:.5rem;"
    "background:#fffdf9}article.user{border-left:3px solid #155e63}pre{white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:13px/1.5 ui-monospace,monospace}.meta{color:#655f56;font-size:.85rem}.error{color:#a02818}"
    "img{max-width:100%}hr{border:0;border-top:1px dashed #8a8374;margin:2rem 0}"
    "@media(prefers-color-scheme:dark){body{background:#191713;color:#ece7dd}article{background:#221f1a;"
    "border-color:#3b3730}.meta{color:#aca596}.error{color:#f3a394}}"
)


def page(export: Export) -> Iterator[str]:
    """Yield the file in pieces."""
    title = escape(line(export.title, revealed=not export.is_masked) or "Conversation")
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>\n"
    )
    yield "".join(f'<p class="meta">{escape(facts_words(part))}</p>\n' for part in export.parts)
    yield f'<p class="meta">Exported {export.made_at.isoformat(timespec="seconds")}; {mask_words(export)}</p>\n'
    at = 0
    for turn in export.turns:
        if turn.part != at:
            at = turn.part
            yield '<hr><p class="meta">The conversation was compressed here and went on in another session.</p>\n'
        yield from _turn_html(turn, export)
    yield "</body></html>\n"


def _turn_html(turn: Turn, export: Export) -> Iterator[str]:
    yield f'<article class="{turn.kind}" id="m-{turn.id}"><p class="meta">{escape(heading(turn))}</p>\n'
    if turn.reasoning:
        yield f"<details><summary>Reasoning</summary>{_pre(export.shown(turn.reasoning))}</details>\n"
    if turn.text:
        yield _pre(export.shown(turn.text))
    for image in turn.images:
        yield _image_html(turn.id, image, export)
    for call in turn.calls:
        yield f"<details><summary>Tool: {escape(call.name) or 'unreadable call'}</summary>\n"
        yield _pre(export.shown(call.raw)) if call.arguments is None else ""
        for name, value in call.arguments or ():
            yield f'<p class="meta">{escape(name)}</p>{_pre(export.value(name, value))}'
        if call.result is not None:
            css = ' class="error"' if call.result.is_error else ""
            words = "Result (error)" if call.result.is_error else "Result"
            yield f"<p{css}>{words}</p>{_pre(export.shown(call.result.text))}"
        yield "</details>\n"
    yield "</article>\n"


def _image_html(message_id: int, image: Image, export: Export) -> str:
    found = export.image(message_id, image) if export.image is not None and image.kind else None
    if found is None:
        return f'<p class="meta">{escape(image_words(image))}</p>\n'
    kind, data = found
    return f'<img alt="" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">\n'


def _pre(text: str) -> str:
    return f"<pre>{escape(text.replace(chr(0), chr(0xFFFD)))}</pre>\n"
