"""Characters nobody sees or that look like others. Code looks for these; the rows say what they mean."""

from __future__ import annotations

from skills_app.guard.model import Category, Rule, Severity

UNSEEN: tuple[Rule, ...] = (
    Rule(
        id="invisible_unicode",
        severity=Severity.HIGH,
        category=Category.INJECTION,
        title="Invisible characters inside words",
        why="Characters without width split words, so that people read one thing and filters another.",
        harmless="Joiners in emoji and in scripts that need them are not counted; copied text may hold others.",
        check="Look at the marked places, delete the characters and see whether the text still makes sense.",
    ),
    Rule(
        id="hidden_sentence",
        severity=Severity.CRITICAL,
        category=Category.INJECTION,
        title="A sentence in invisible letters",
        why="Tag characters and variation selectors carry text that no editor shows and every model reads.",
        harmless="Flags of regions are made of tag characters and are not counted.",
        check="Read the decoded sentence beside the finding.",
    ),
    Rule(
        id="bidi_control",
        severity=Severity.HIGH,
        category=Category.OBFUSCATION,
        title="Characters that reverse what you see",
        why="Direction marks make code or a sentence look different from what is run or read.",
        harmless="Right-to-left text with balanced marks.",
        check="Read the line with the marks made visible.",
    ),
    Rule(
        id="homoglyphs",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="Letters of another alphabet in a Latin word",
        why="A Cyrillic or Greek letter that looks Latin hides a word from filters, not from the model.",
        harmless="Formulas, names of variants, words of two languages.",
        check="Look at the marked letters; the text without them stands beside.",
    ),
    Rule(
        id="blank_run",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="A long run of nothing",
        why="Hundreds of empty lines or blanks push what follows out of sight.",
        harmless="A slip of an editor or a generated file.",
        check="Go to the end of the run and read what stands there.",
    ),
)
