"""The piece of text that is shown for a hit."""

from __future__ import annotations

from sessions_app.query_language import parse
from sessions_app.search.documents import Document
from sessions_app.search.snippets import END, START, Snippet, mark, snippet


def piece(content: str | None, typed: str, calls: str | None = None, tool: str = "") -> Snippet:
    return snippet(Document(1, "s", "user", content, tool, calls, 0.0, False, False), parse(typed).terms)


def marked(text: str) -> str:
    return f"{START}{text}{END}"


def test_every_hit_is_marked_and_nothing_else_is_touched() -> None:
    text = "<img src=x onerror=f(1)> lynx >>> print('lynx') <<<<<<< HEAD"
    assert piece(text, "lynx").text == text.replace("lynx", marked("lynx"))


def test_marks_in_the_message_itself_cannot_pass_for_ours() -> None:
    assert piece(f"a {START}b{END} lynx", "lynx").text == f"a \ufffdb\ufffd {marked('lynx')}"
    assert piece(f"l{START}ynx lynx", "lynx").text.count(START) == 1


def test_accents_and_case_do_not_shift_the_marks() -> None:
    decomposed = "cafe\u0301"
    found = piece(f"Le {decomposed} CAFÉ noir", "café").text
    assert found == f"Le {marked(decomposed)} {marked('CAFÉ')} noir"


def test_a_long_text_is_cut_at_the_densest_stretch() -> None:
    text = "lynx " + "x " * 400 + "a lynx and a stoat" + " y" * 400
    found = piece(text, "lynx stoat").text
    assert f"{marked('lynx')} and a {marked('stoat')}" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) < 600


def test_the_lines_around_are_given() -> None:
    found = piece("first\n\nbefore it\nthe lynx is here\nafter it\nlast", "lynx")
    assert (found.text, found.before, found.after) == (f"the {marked('lynx')} is here", "before it", "after it")


def test_a_hit_in_a_tool_call_shows_the_decoded_call() -> None:
    calls = '[{"function": {"name": "terminal", "arguments": "{\\"command\\": \\"ls /opt/\\\\u00e9t\\\\u00e9\\"}"}}]'
    found = piece(None, "été", calls)
    assert (found.text, found.place) == (f"ls /opt/{marked('été')}", "call")


def test_an_unreadable_tool_call_shows_its_text() -> None:
    found = piece("", "lynx", "{broken lynx")
    assert (found.text, found.place) == (f"{{broken {marked('lynx')}", "call")


def test_a_message_without_the_terms_shows_its_beginning() -> None:
    assert piece("nothing of the kind", "lynx").text == "nothing of the kind"
    assert piece(None, "lynx").text == ""


def test_a_title_is_marked_whole() -> None:
    assert mark("The Lynx papers", parse("lynx").terms) == f"The {marked('Lynx')} papers"
