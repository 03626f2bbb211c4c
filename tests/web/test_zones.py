"""Times are written in the zone of the person (decision 39)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client

from memoryhub.web.zones import find_zone, server_zone


@pytest.mark.parametrize("name", ["Europe/Berlin", "UTC", "America/Argentina/Ushuaia", "Etc/GMT+5"])
def test_a_zone_is_found_by_its_name(name: str) -> None:
    assert str(find_zone(name)) == name


@pytest.mark.parametrize(
    "name", ["", "America", "../../etc/passwd", "/etc/passwd", "Mars/Olympus", "Europe/Berlin\x00", "é"]
)
def test_anything_else_is_no_zone(name: str) -> None:
    assert find_zone(name) is None


def test_the_zone_of_the_machine_comes_from_tz_then_from_localtime_then_from_the_clock(tmp_path: Path) -> None:
    (tmp_path / "zoneinfo" / "Asia").mkdir(parents=True)
    (tmp_path / "zoneinfo" / "Asia" / "Tokyo").touch()
    link = tmp_path / "localtime"
    link.symlink_to(tmp_path / "zoneinfo" / "Asia" / "Tokyo")
    assert str(server_zone({"TZ": ":Europe/Berlin"}, link)) == "Europe/Berlin"
    assert str(server_zone({}, link)) == "Asia/Tokyo"
    assert server_zone({}, tmp_path / "missing").utcoffset(datetime.now(UTC)) is not None


@pytest.mark.django_db
@pytest.mark.urls("tests.web.pages")
@pytest.mark.usefixtures("home", "instance")
def test_every_page_names_its_zone(client: Client) -> None:
    client.cookies["memoryhub_timezone"] = "Asia/Tokyo"
    assert "Asia/Tokyo" in client.get("/nothing/").text
    client.cookies["memoryhub_timezone"] = "<script>"
    page = client.get("/nothing/")
    assert page.status_code == 404
    assert "<script>." not in page.text
