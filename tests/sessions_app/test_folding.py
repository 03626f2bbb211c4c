"""Our fold and our notion of a word are those of the real word index."""

import sqlite3
import unicodedata

from sessions_app.search.folding import fold, fold_map, has_unspaced, is_word_character, words_of

# SQLite's tables are older than Python's: letters assigned since then differ and are left out.
OLD = unicodedata.ucd_3_2_0


def in_the_index(characters: list[str]) -> dict[str, str]:
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(text)")
    conn.execute("CREATE VIRTUAL TABLE words USING fts5vocab(t, instance)")
    rows = [(number, f"q{number} {character} q") for number, character in enumerate(characters, 1)]
    conn.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", rows)
    found = conn.execute("SELECT doc, term FROM words WHERE offset = 1 AND term NOT IN ('q')").fetchall()
    conn.close()
    return {characters[doc - 1]: term for doc, term in found}


def test_letters_are_folded_as_the_word_index_folds_them() -> None:
    letters = [chr(code) for code in range(0xA1, 0x3000) if OLD.category(chr(code)) in ("Lu", "Ll", "Lo")]
    index = in_the_index(letters)
    differing = {one for one in letters if index.get(one) != fold(one)}
    assert len(letters) > 1_500
    assert not {one for one in differing if one.isalpha() and "LATIN" in unicodedata.name(one)}
    assert not {one for one in differing if "CYRILLIC" in unicodedata.name(one) or "GREEK" in unicodedata.name(one)}


def test_words_end_where_the_word_index_ends_them() -> None:
    codes = map(chr, range(0x21, 0x2000))
    marks = [one for one in codes if OLD.category(one)[0] == unicodedata.category(one)[0] in ("P", "S", "Z")]
    assert all(not is_word_character(one) for one in marks)
    assert not in_the_index(marks)


def test_an_accent_of_its_own_is_dropped_and_places_stay_right() -> None:
    text = "Cafe\u0301 Zoë"
    folded, places = fold_map(text)
    assert folded == "cafe zoe"
    assert places is not None
    assert [text[place] for place in places] == list("Cafe Zoë")


def test_a_text_without_accents_needs_no_places() -> None:
    assert fold_map("Größe X") == ("große x", None)


def test_scripts_without_spaces_are_known() -> None:
    assert all(map(has_unspaced, ("世界", "データ", "한국어", "ไทย", "ខ្មែរ", "a世")))
    assert not any(map(has_unspaced, ("abc", "Ελλάδα", "Привет", "שלום", "नमस्ते", "🚀", "“x”", "，")))


def test_words_of_a_text() -> None:
    assert words_of(" don't  stop, P2.2!") == ["don", "t", "stop", "P2", "2"]
