"""Turns as they are shown: Markdown made HTML, secrets masked, hits marked, long texts cut, what stands between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from memoryhub.visible import Run
from memoryhub.web.htmx import HubRequest
from sessions_app import pieces
from sessions_app.conversation import Conversation, address_of
from sessions_app.facts import PartFacts
from sessions_app.query_parts import Term
from sessions_app.templatetags.transcripts import marked_html
from sessions_app.transcript import Call, Result, Turn, fields_of
from sessions_app.views.turn_views import Boundary, CallView, ImageView, ResultView, TextView, TurnView
from sessions_app.views.turn_words import boundaries, finish_words, summary, who

PLAIN_ABOVE: Final = 8_000  # characters; longer texts come as they were typed, and rendered on request (decisions 21)
SHOWN_PLAIN: Final = 8_000
SHOWN_RESULT: Final = 1_200
SHOWN_ARGUMENT: Final = 1_200
SHOWN_REASONING: Final = 3_000
SHOWN_WHOLE: Final = 200_000
RENDERED: Final = 60_000
_SLACK: Final = 400  # read beyond a cut, so that a secret across it is found
# What Markdown gives a meaning to. Texts without it, pasted code above all, are better read as they were typed.
_MARKDOWN: Final = re.compile(
    r"`[^`\n]|```|\*[^\s*][^*\n]{0,200}\*|\*\*\S|(?<!\w)_[^\s_][^_\n]{0,200}_(?!\w)|~~\S|\]\(|<https?:"
    r"|^ {0,3}(?:#{1,6} |>|[-*+] |\d{1,9}[.)] |\||\[[^\]\n]{1,99}\]:|(?:-{3,}|={3,}|\*{3,})\s*$)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Showing:
    """How turns are shown: marked terms, the message one came for, and (for one message) whole, revealed, rendered."""

    terms: tuple[Term, ...] = ()
    target: int | None = None
    revealed: bool = False
    whole: bool = False
    rendered: bool = False


class TurnMaker:
    """Makes the views of a conversation's turns."""

    def __init__(self, request: HubRequest, talk: Conversation, showing: Showing) -> None:
        chosen = talk.parts[talk.chosen]
        self.showing = showing
        # Hundreds of addresses stand on a page: each is put together from this one.
        self.base = reverse("sessions:show", args=[address_of(chosen.id, chosen.row["place"])])
        self.profile = {"profile": request.GET["profile"]} if request.GET.get("profile") else {}
        self.query = {"q": request.GET["q"][:1_000]} if request.GET.get("q") else {}

    def views(self, turns: Sequence[Turn], parts: Sequence[PartFacts], *, first: bool) -> list[TurnView]:
        """Make the views of a window's turns, with what stands between them; `first`: the window begins the talk."""
        made, before = [], None
        for turn in turns:
            made.append(self.view(turn, tuple(boundaries(before, turn, parts, is_first=first and before is None))))
            before = turn
        return made

    def view(self, turn: Turn, before: tuple[Boundary, ...] = ()) -> TurnView:
        """Make the view of one turn."""
        showing = self.showing
        result = self._result(turn.result) if turn.result else None
        text = None if turn.result or not turn.text else self._said(turn)
        reasoning = self._text(turn.reasoning, SHOWN_REASONING) if turn.reasoning else None
        calls = tuple(map(self._call, turn.calls))
        texts = [text, reasoning, *_texts_of(calls, result)]
        has_secret = any(one.has_secret for one in texts if one)
        can_render = turn.kind in ("user", "assistant") and PLAIN_ABOVE < len(turn.text) <= RENDERED
        message = f"message/{turn.id}/"
        return TurnView(
            id=turn.id,
            kind=turn.kind,
            who=who(turn),
            at=turn.at,
            text=text,
            reasoning=reasoning,
            calls=calls,
            images=self._images(turn.id, turn) if turn.result is None else (),
            result=result,
            tokens=turn.tokens,
            finish=finish_words(turn.finish),
            is_undone=turn.is_undone,
            is_cut=turn.is_cut,
            is_another=turn.is_another,
            is_target=showing.target == turn.id,
            is_hit=any(one.is_marked for one in texts if one),
            has_secret=has_secret,
            is_revealed=showing.revealed,
            is_whole=showing.whole,
            is_rendered=showing.rendered,
            can_render=can_render,
            url=self._here(turn.id),
            more_url=self._url(message, **self.query),
            reveal_url=self._url(message, show="secrets", **self.query) if has_secret else "",
            render_url=self._url(message, render=1, **self.query) if can_render else "",
            text_url=self._url(f"{message}text/"),
            boundaries=before,
        )

    def _here(self, message_id: int) -> str:
        return f"{self._url('', at=message_id, **self.query)}#m-{message_id}"

    def _url(self, path: str, **query: object) -> str:
        facts = {**query, **self.profile}
        return f"{self.base}{path}?{urlencode(facts)}" if facts else f"{self.base}{path}"

    def _said(self, turn: Turn) -> TextView:
        """What a person or the agent said: read as Markdown unless it is long or plainly none."""
        is_markdown = turn.kind in ("user", "assistant")
        wants = len(turn.text) <= PLAIN_ABOVE or (self.showing.rendered and len(turn.text) <= RENDERED)
        if is_markdown and wants and _may_be_markdown(turn.text):
            revealed = self.showing.revealed
            source = pieces.for_markdown(turn.text, self.showing.terms, revealed=revealed)
            html = marked_html(_html(source, RENDERED if self.showing.rendered else PLAIN_ABOVE * 2))
            has_secret = not revealed and pieces.has_secret(turn.text)
            return TextView(html, (), len(turn.text), 0, has_secret, "<mark>" in html)
        return self._text(turn.text, SHOWN_PLAIN)

    def _text(self, text: str, most: int, name: str = "") -> TextView:
        most = SHOWN_WHOLE if self.showing.whole else most
        shown, left = text, 0
        if len(text) > most + _SLACK:
            shown, left = text[: most + _SLACK], len(text) - most
        runs = pieces.runs(shown, self.showing.terms, name=name, revealed=self.showing.revealed)
        has_secret = any(run.kind == "secret" for run in runs)
        is_marked = any(run.kind == "mark" for run in runs)
        return TextView(None, _cut(runs, most) if left else runs, len(text), left, has_secret, is_marked)

    def _call(self, call: Call) -> CallView:
        pairs = tuple(
            (pieces.line(name), self._text(value, SHOWN_ARGUMENT, name)) for name, value in call.arguments or ()
        )
        raw = self._text(call.raw, SHOWN_ARGUMENT) if call.arguments is None else None
        result = self._result(call.result) if call.result else None
        is_open = any(text.is_marked for _name, text in pairs) or bool(raw and raw.is_marked)
        is_open = is_open or bool(result and result.is_open)
        return CallView(pieces.line(call.name), pairs, raw, summary(call), result, is_open or self.showing.whole)

    def _result(self, result: Result) -> ResultView:
        text = self._text(result.text, SHOWN_RESULT)
        fields = tuple(
            (pieces.line(name), self._text(value, SHOWN_RESULT, name)) for name, value in fields_of(result.text)
        )
        is_marked = text.is_marked or any(each.is_marked for _name, each in fields)
        is_open = is_marked or self.showing.target == result.id or self.showing.whole
        url = self._url(f"message/{result.id}/", **self.query)
        return ResultView(
            id=result.id,
            name=pieces.line(result.name),
            text=text,
            fields=fields,
            is_error=result.is_error,
            is_open=is_open,
            images=self._images(result.id, result),
            url=url,
            at=result.at,
        )

    def _images(self, message_id: int, holder: Turn | Result) -> tuple[ImageView, ...]:
        return tuple(
            ImageView(
                self._url(f"image/{message_id}/{one.place}/") if one.kind else "",
                one.kind,
                one.size,
                pieces.line(one.host),
            )
            for one in holder.images
        )


@lru_cache(maxsize=512)
def _html(source: str, most: int) -> str:
    from memoryhub.web import markup  # the Markdown reader takes long to import

    return markup.to_html(source, image_words=_("external image not loaded: %s"), most=most)


def _may_be_markdown(text: str) -> bool:
    """Whether a text holds anything that Markdown gives a meaning; most short ones do not."""
    return bool(_MARKDOWN.search(text))


def _cut(runs: Sequence[Run], most: int) -> tuple[Run, ...]:
    kept, room = [], most
    for run in runs:
        if run.kind == "text" and len(run.text) > room:
            kept.append(Run(run.text[:room] + "…", run.kind, run.label))
            break
        kept.append(run)
        room -= len(run.text)
        if room <= 0:
            break
    return tuple(kept)


def _texts_of(calls: Sequence[CallView], result: ResultView | None) -> list[TextView]:
    found = [result.text, *(text for _name, text in result.fields)] if result else []
    for call in calls:
        found += [text for _name, text in call.arguments]
        found += [call.raw] if call.raw else []
        found += [call.result.text, *(text for _name, text in call.result.fields)] if call.result else []
    return found
