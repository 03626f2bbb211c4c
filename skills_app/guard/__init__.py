"""The skills guard: what a skill could do to the person who loads it, on which line, and what follows from that."""
