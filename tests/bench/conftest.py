"""The real Hermes, found as the interop tests find it."""

from tests.interop import conftest as interop

hermes_python = interop.hermes_python
