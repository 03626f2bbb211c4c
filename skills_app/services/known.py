"""What each skill's folder held when it was last read, as long as nothing in it changed since."""

from __future__ import annotations

from collections.abc import Iterable

from memoryhub.hermes.home import Home
from skills_app.library.model import Skill
from skills_app.models import KnownSkill


def known_digests(home: Home, skills: Iterable[Skill]) -> dict[str, str]:
    """The digest of each skill whose files are those that were last read, by key."""
    known = KnownSkill.objects.filter(home=home.key).values_list("skill", "signature", "digest")
    kept = {skill: (signature, digest) for skill, signature, digest in known}
    return {
        skill.key: kept[skill.key][1] for skill in skills if skill.key in kept and kept[skill.key][0] == skill.signature
    }
