"""Finding messages in a state.db.

`search` gives hits, message by message; `explore` gives conversations with counts to narrow by. `Options` goes in.
Each is imported when first asked for: whoever needs one module of this package need not wait for all of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sessions_app.search.counting import Counts, Facet
    from sessions_app.search.engine import search
    from sessions_app.search.exploring import Explored, Group, explore
    from sessions_app.search.results import Gap, Hit, Options, Results, Sort

__all__ = [
    "Counts", "Explored", "Facet", "Gap", "Group", "Hit", "Options", "Results", "Sort", "explore", "search",
]  # fmt: skip
_PLACES = {
    "counting": ("Counts", "Facet"),
    "engine": ("search",),
    "exploring": ("Explored", "Group", "explore"),
    "results": ("Gap", "Hit", "Options", "Results", "Sort"),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
