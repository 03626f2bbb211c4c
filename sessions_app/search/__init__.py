"""Finding messages in a state.db: `search` is the way in, `Options` and `Results` what goes in and comes out."""

from sessions_app.search.engine import search
from sessions_app.search.results import Gap, Hit, Options, Results, Sort

__all__ = ["Gap", "Hit", "Options", "Results", "Sort", "search"]
