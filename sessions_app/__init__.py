"""Sessions: the list, one conversation, and the search in all of them."""
