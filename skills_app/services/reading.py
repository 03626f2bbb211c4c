"""The library of a home as it lies on the disk now."""

from __future__ import annotations

import os

from memoryhub.hermes.config import read_config
from memoryhub.hermes.home import Home
from skills_app.library import Listing, load_library
from skills_app.services.calls import authorship


def read_listing(home: Home) -> Listing:
    """All skills with what config.yaml, Hermes' records and state.db say of them. Never raises."""
    config = read_config(home.config_file)
    return load_library(home, config.skills, os.environ, authorship=authorship(home))
