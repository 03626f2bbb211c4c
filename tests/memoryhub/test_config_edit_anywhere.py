"""Changing one setting in configs of every style: exactly one value changes, and every other line stays."""

from __future__ import annotations

from itertools import tee
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.hermes.config import read_config
from memoryhub.hermes.config_edit import set_disabled, set_gate
from memoryhub.hermes.config_lines import scalar

WORDS = st.text("abcdefgh", min_size=1, max_size=6)
SCALARS = st.one_of(
    WORDS, st.integers(-9, 9), st.booleans(), st.none(), st.sampled_from(["a: b", "#x", "off", "", "é", "x\ny\n"])
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def configs(draw: st.DrawFn) -> str:
    """A config as people keep them: sections in any order and style, with comments and empty lines between."""
    tree: dict[str, Any] = draw(st.dictionaries(WORDS, TREES, max_size=4))
    skills: dict[str, Any] = draw(st.dictionaries(WORDS, TREES, max_size=3))
    if draw(st.booleans()):
        skills["disabled"] = draw(st.none() | WORDS | st.lists(WORDS | st.just("pdf"), max_size=4))
    if draw(st.booleans()):
        skills["write_approval"] = draw(st.sampled_from([True, False, "off", "on", "maybe", 0, None]))
    for key, value in skills.items():
        tree["skills"] = {**tree.get("skills", {}), key: value}
    flow = draw(st.sampled_from([None, False, True]))
    style = {"default_flow_style": flow, "indent": draw(st.integers(2, 4)), "width": 2**20}
    text = yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, **style)
    lines: list[str] = []
    for line in text.splitlines():
        if draw(st.integers(0, 5)) == 0 and not line.startswith((" ", "-", "}", "]", "?", ":")):
            lines += draw(st.sampled_from([["# a remark: x"], [""], ["", "# - pdf"]]))
        lines.append(line)
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))


@given(text=configs(), on=st.booleans())
def test_a_gate_changes_exactly_one_value_and_one_line(tmp_path_factory: Any, text: str, on: bool) -> None:
    path = tmp_path_factory.mktemp("config") / "config.yaml"
    path.write_bytes(text.encode())
    set_gate(path, "skills.write_approval", on)
    assert read_config(path).skills_write_approval is on
    assert without(path.read_bytes(), "write_approval") == without(text.encode(), "write_approval")
    assert len(vanished(text, path.read_bytes().decode())) <= 1


@given(text=configs(), disabled=st.booleans())
def test_the_list_changes_by_exactly_one_name(tmp_path_factory: Any, text: str, disabled: bool) -> None:
    path = tmp_path_factory.mktemp("config") / "config.yaml"
    path.write_bytes(text.encode())
    before = read_config(path).skills.disabled
    set_disabled(path, "pdf", disabled)
    assert read_config(path).skills.disabled == (before | {"pdf"} if disabled else before - {"pdf"})
    assert without(path.read_bytes(), "disabled") == without(text.encode(), "disabled")
    for line in vanished(text, path.read_bytes().decode()):
        assert "pdf" in line or "disabled:" in line or "{" in line or "[" in line or "skills: null" in line


def without(data: bytes, key: str) -> Any:
    """What a config says beside one key of its skills section; an empty section is none."""
    tree = yaml.safe_load(data.decode()) or {}
    section = {name: value for name, value in (tree.pop("skills", None) or {}).items() if name != key}
    return list(tree.items()), list(section.items())


def vanished(before: str, after: str) -> list[str]:
    """The lines of ``before`` that do not stand in ``after``, in the same order; a new line end at the end is none."""
    left = iter(after.splitlines(keepends=True))
    gone = []
    for line in before.splitlines(keepends=True):
        kept, left = tee(left)
        if any(other == line or (other.strip("\r\n") == line and not line.endswith("\n")) for other in kept):
            left = kept
        else:
            gone.append(line)
    return gone


@given(st.text(min_size=1, max_size=40))
def test_every_text_has_a_way_to_be_written_on_one_line(text: str) -> None:
    written = scalar(text)
    assert "\n" not in written
    assert yaml.safe_load(f"[{written}]") == [text]
