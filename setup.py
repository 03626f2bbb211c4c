"""What pyproject.toml cannot say: pages and styles lie at the top of a checkout and inside the package of a wheel."""

from setuptools import find_packages, setup

RESOURCES = ["templates", "static"]

setup(
    packages=[
        *find_packages(include=["memoryhub*", "sessions_app*", "skills_app*"]),
        *(f"memoryhub.{name}" for name in RESOURCES),
    ],
    package_dir={f"memoryhub.{name}": name for name in RESOURCES},
    package_data={f"memoryhub.{name}": ["**/*"] for name in RESOURCES},
)
