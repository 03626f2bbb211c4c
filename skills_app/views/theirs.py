"""Hermes' own verdict beside ours, and where the two differ."""


def their_view(theirs, judged):
    return None
