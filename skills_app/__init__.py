"""Skills: the library and the guard. Its pages come with them; until then this app is not installed."""
