"""Curation: what is worth asking about the entries of a memory file, and what each of them earns. Writes nothing."""
