"""Writes that Hermes staged for approval: reading them, what each would do, claiming, editing and grouping them.

- ``records.list_records(pending) -> tuple[Record, ...]``: ``PendingMemory | PendingSkill | Unreadable``, newest first;
  ``records.find_record(pending, item_id) -> Record | None``. Ids: ``memory:<8hex>``, ``skill:<8hex>``,
  ``unreadable:<file>``. Each has ``id, file, subsystem, sha256, summary, origin, created_at, action``.
- ``memory_effect.preview(memory, steps, allow_flagged=False) -> MemoryEffect``: entries and used before and after, or
  a ``Refusal`` (code, sentence, data, step, ways out). ``memory_effect.apply`` is the function that is applied.
- ``skill_effect.preview(shelf, record) -> SkillEffect``: ``changes`` (each skill before and after as
  ``{path: bytes}``), or a Refusal.
- ``claim.take(pending, item_id, sha256) -> Claim``; ``recovery.recover(pending, journal)`` after a crash.
- ``edits``: new payloads (text edited, steps chosen, retargeted, room made) and ``edits.restage`` to stage one.
- ``grouping.group(records, texts) -> tuple[Group, ...]``, ``grouping.dependencies(records)``.
"""
