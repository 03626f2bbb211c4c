"""What pyproject.toml cannot say: pages and styles lie at the top of a checkout and inside the package of a wheel."""

from setuptools import find_namespace_packages, find_packages, setup

INSIDE = {
    f"memoryhub.{folder}" + (f".{package}" if package else ""): f"{folder}/{package.replace('.', '/')}".rstrip("/")
    for folder in ("templates", "static")
    for package in ("", *find_namespace_packages(folder))
}

setup(
    packages=[*find_packages(include=["memoryhub*", "sessions_app*", "skills_app*"]), *INSIDE],
    package_dir=INSIDE,
    package_data={package: ["*"] for package in INSIDE},
)
