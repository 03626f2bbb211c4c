"""The colours hold WCAG 2.2 AA in both lists, and no other file names one."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "static" / "css"
LIGHT, DARK = "light", "dark"
TEXT = [
    (ink, ground) for ink in ("ink", "muted", "accent", "accent-strong", "red") for ground in ("paper", "panel", "sunk")
] + [
    ("ink", "accent-soft"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    *((tone, f"{tone}-soft") for tone in ("green", "amber", "red")),
    *((tone, "panel") for tone in ("green", "amber", "red")),
    *(("ink", f"{tone}-{shade}") for tone in ("green", "amber", "red") for shade in ("soft", "strong")),
    ("panel", "red"),
]
SHAPES = [
    *(
        (segment, "panel")
        for segment in ("segment", "segment-caution", "segment-danger", "segment-copy", "segment-lit")
    ),
    ("on-segment", "segment-caution"),
    ("on-segment", "segment-danger"),
    ("on-segment", "segment-copy"),
    ("segment", "track"),
    ("edge", "panel"),
    ("edge", "paper"),
    ("accent", "paper"),
]


def lists() -> dict[str, dict[str, str]]:
    light, _, dark = (CSS / "tokens.css").read_text().partition("@media (prefers-color-scheme: dark)")
    found = {
        name: dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text)) for name, text in ((LIGHT, light), (DARK, dark))
    }
    return {LIGHT: found[LIGHT], DARK: found[LIGHT] | found[DARK]}


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_stands_out_four_and_a_half_times(scheme, ink, ground):
    colours = lists()[scheme]
    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_shapes_that_carry_meaning_stand_out_three_times(scheme, shape, ground):
    colours = lists()[scheme]
    assert contrast(colours[shape], colours[ground]) >= 3


def test_every_colour_has_a_dark_twin():
    _light, _, dark = (CSS / "tokens.css").read_text().partition("@media (prefers-color-scheme: dark)")
    assert set(lists()[LIGHT]) == set(re.findall(r"--([a-z-]+): #", dark))


def test_only_the_tokens_name_colours():
    for path in CSS.glob("*.css"):
        if path.name != "tokens.css":
            assert not re.search(r"#[0-9a-fA-F]{3,8}\b\s*[;,)]|\b(rgb|hsl|oklch|oklab|lab)a?\(", path.read_text()), (
                path.name
            )


def test_every_token_that_is_used_exists():
    names = set(re.findall(r"--([a-z0-9-]+):", (CSS / "tokens.css").read_text()))
    for path in CSS.glob("*.css"):
        text = path.read_text()
        own = set(re.findall(r"--([a-z0-9-]+):", text))
        assert set(re.findall(r"var\(--([a-z0-9-]+)\)", text)) <= names | own, path.name


def test_style_files_are_short():
    assert {path.name: lines for path in CSS.glob("*.css") if (lines := path.read_text().count("\n")) > 200} == {}
