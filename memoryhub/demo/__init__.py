"""A Hermes home made up by our own code: for the demo, for tests and for benchmarks. Nobody's data is in it."""
