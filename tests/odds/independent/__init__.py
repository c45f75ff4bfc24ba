"""The main games played out by a second program, written from the documents alone."""
