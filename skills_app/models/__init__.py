"""What our own database keeps about skills; each file one subject."""

from skills_app.models.decisions import Decision, Dismissal
from skills_app.models.kept import KeptBytes, KeptFile
from skills_app.models.scans import KnownSkill, Scan, Sighting

__all__ = ["Decision", "Dismissal", "KeptBytes", "KeptFile", "KnownSkill", "Scan", "Sighting"]
