"""Bringing our own database up to date before it is used, one process at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from memoryhub.data_folder import DATABASE, DataFolderProblem
from memoryhub.hermes import files

_WAIT: Final = 60.0


def migrate_once(folder: Path) -> bool:
    """Apply the migrations that are missing, under a lock: two first starts at once crashed without it.

    Returns whether anything was applied. Raises DataFolderProblem.
    """
    try:
        with files.locked(folder / "migration", wait=_WAIT):
            return _migrate()
    except files.LockBusy as error:
        raise DataFolderProblem("Another start has been preparing the database for a minute; try again.") from error
    except files.FileProblem as error:
        raise DataFolderProblem(f"The data folder {folder} cannot be written. Look at its rights.") from error
    except OperationalError as error:
        raise DataFolderProblem(f"The database in {folder} cannot be used ({error}).") from error
    except DatabaseError as error:
        raise DataFolderProblem(
            f"The database in {folder} is damaged ({error}). Move {DATABASE} away to begin a new history; memory files "
            "are not affected."
        ) from error


def _migrate() -> bool:
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    plan = executor.migration_plan(targets)
    if plan:
        executor.migrate(targets, plan)
    return bool(plan)
