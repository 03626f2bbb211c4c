"""Skill writes as the agent makes them: what one would do, doing it, and having the installed Hermes do it.

- ``model``: ``SkillWrite`` (one step), ``WriteRefused(code, sentence, **data)``, ``SkillState`` (a folder's bytes),
  ``SkillChange`` (one skill before and after; ``.files`` lists added, changed and removed files, ``.lost`` what goes).
- ``shelf.Shelf.of(roots)``: the skills of a home by folder name; ``.over()`` gives a copy to plan on.
- ``plan.plan(shelf, writes) -> tuple[SkillChange, ...]``: the effect, in memory only. Raises WriteRefused.
- ``commit.commit(changes)``: makes it so by our own code, all or nothing; ``commit.revert(changes)``: the way back.
- ``agent.apply(python, home, payloads, …) -> Applied``: the installed Hermes makes it so; ``agent.rehearse`` on a copy.
"""
