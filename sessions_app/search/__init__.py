"""Finding messages in a state.db.

`search` gives hits, message by message; `explore` gives conversations with counts to narrow by. `Options` goes in.
"""

from sessions_app.search.counting import Counts, Facet
from sessions_app.search.engine import search
from sessions_app.search.exploring import Explored, Group, explore
from sessions_app.search.results import Gap, Hit, Options, Results, Sort

__all__ = [
    "Counts", "Explored", "Facet", "Gap", "Group", "Hit", "Options", "Results", "Sort", "explore", "search",
]  # fmt: skip
