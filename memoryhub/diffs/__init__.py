"""What differs between two texts (word by word), between two lists of entries, and between three versions of a text.

Works for scripts without blanks: there every character is a word. The work is bounded: stretches that have almost
nothing in common are shown as one text gone and another come.
"""

from memoryhub.diffs.lists import EntryDiff, entries, similarity
from memoryhub.diffs.texts import Block, Piece, three_way, words

__all__ = ["Block", "EntryDiff", "Piece", "entries", "similarity", "three_way", "words"]
