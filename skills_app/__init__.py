"""Skills: every skill of a home with its trust tier, and a guard that says what each could do, on which line."""
