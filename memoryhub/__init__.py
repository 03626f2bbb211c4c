"""MemoryHub: a local dashboard and memory curator for Hermes Agent."""

__version__ = "0.1.0"
