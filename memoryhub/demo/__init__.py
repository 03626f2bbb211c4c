"""A Hermes home made up by our own code: for the demo, for tests and for benchmarks. Nobody's data is in it."""

from memoryhub.demo.build import build_demo_home

__all__ = ["build_demo_home"]
