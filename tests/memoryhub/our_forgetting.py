"""A process with a real database file of its own: records a secret, forgets it, and says what it did."""

import json
import os
import sys
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "memoryhub.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection, connections  # noqa: E402

from memoryhub import data_folder  # noqa: E402
from memoryhub.hermes.home import resolve_home  # noqa: E402
from memoryhub.models import Revision  # noqa: E402
from memoryhub.services import forget, memory, migration, thinning, writes  # noqa: E402


def main() -> None:
    """Arguments: the home and the secret, which stands in its MEMORY.md in the middle of an entry."""
    home, secret = resolve_home(Path(sys.argv[1]), {}), sys.argv[2]
    data_folder.prepare(Path(settings.DATA_DIR))
    migration.migrate_once(Path(settings.DATA_DIR))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = OFF")  # as elsewhere: deleted rows stay on free pages
    for number in range(20):
        memory.entry_add(home, "memory", f"fact {number} with {secret} inside", via="shell", reason=f"because {secret}")
    for entry in writes.read(home, "memory").entries:
        memory.entry_remove(home, "memory", entry.id, via="shell")
    for row in Revision.objects.order_by("id")[2:8]:
        thinning._delete(row.pk)
    idle = connections.create_connection("default")
    idle.cursor().execute(
        "SELECT count(*) FROM memoryhub_revision"
    ).fetchone()  # as other threads of the server have one
    forgotten = forget.text_forget(home, secret)
    print(json.dumps({"scrubbed": forgotten.is_scrubbed, "revisions": forgotten.places.revisions}))  # noqa: T201
    sys.stdout.flush()
    sys.stdin.read()  # the database stays open while the test looks at its files
    connection.close()


if __name__ == "__main__":
    main()
