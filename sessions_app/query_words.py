"""How a query was understood, in words: structured parts that can be translated, and a plain English sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sessions_app.query_parts import Filter, SearchQuery, Term

_TERM_WORDS: Final = {
    "word": "the word “{0}”",
    "prefix": "words beginning with “{0}”",
    "phrase": "the words “{0}” in a row",
    "literal": "the text “{0}”",
}
_FILTER_WORDS: Final = {
    "source": "from {0}",
    "model": "with a model like “{0}”",
    "role": "in the role {0}",
    "tool": "of the tool {0}",
    "title": "in sessions titled like “{0}”",
    "session": "in the session {0}",
    "folder": "in a folder like “{0}”",
    "profile": "in the profile {0}",
    "before": "before {0}",
    "after": "since {0}",
    "is:archived": "in archived sessions",
    "is:running": "in running sessions",
    "has:error": "with an error",
}


@dataclass(frozen=True)
class Part:
    """One clause of the sentence. `code` is a term kind, a field name, or `is:…`/`has:…`.

    `role` says how the clause is joined: `with` (all must hold), `or` (alternative to the part before), `without`.
    """

    role: str
    code: str
    text: str


def parts(query: SearchQuery) -> tuple[Part, ...]:
    """Return the clauses of the query in the order they are said."""
    found = [
        Part("or" if place else "with", term.kind, term.text)
        for group in query.groups
        for place, term in enumerate(group)
    ]
    found += [Part("without", term.kind, term.text) for term in query.excluded]
    seen: set[tuple[str, bool]] = set()
    for one in sorted(query.filters, key=lambda one: (one.is_excluded, _rank(one))):
        is_alternative = (one.field, False) in seen and one.field not in ("is", "has", "before", "after")
        role = "without" if one.is_excluded else "or" if is_alternative else "with"
        seen.add((one.field, one.is_excluded))
        found.append(Part(role, _code(one), one.said or one.value))
    return tuple(found)


def in_words(query: SearchQuery) -> str:
    """Return a sentence in plain English that says what is looked for."""
    said = parts(query)
    if not query.finds_something:
        return "Nothing to look for: type at least one word."
    terms = _joined([part for part in said if part.code in _TERM_WORDS and part.role != "without"])
    without = [_words(part) for part in said if part.code in _TERM_WORDS and part.role == "without"]
    sentence = f"Messages with {terms}" if terms else "All messages"
    if without:
        sentence += ", without " + " or ".join(without)
    filters = [part for part in said if part.code not in _TERM_WORDS]
    kept = _joined([part for part in filters if part.role != "without"], ", ")
    sentence += f", {kept}" if kept else ""
    sentence += "".join(f", not {_words(part)}" for part in filters if part.role == "without")
    return sentence + "."


def _joined(said: list[Part], joint: str = " and ") -> str:
    clauses: list[str] = []
    for part in said:
        if part.role == "or" and clauses:
            clauses[-1] += " or " + _words(part)
        else:
            clauses.append(_words(part))
    has_choice = any(part.role == "or" for part in said)
    return (", and " if has_choice and joint == " and " else joint).join(clauses)


def _words(part: Part) -> str:
    return _TERM_WORDS.get(part.code, _FILTER_WORDS.get(part.code, "{0}")).replace("{0}", part.text)


def _code(one: Filter) -> str:
    return f"{one.field}:{one.value}" if one.field in ("is", "has") else one.field


def _rank(one: Filter) -> int:
    return list(_FILTER_WORDS).index(_code(one))


def say_term(term: Term) -> str:
    """Return one term in words."""
    return _words(Part("with", term.kind, term.text))
