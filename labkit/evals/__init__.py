"""`labkit eval`: an agent on a set of cases, and an exit status that holds the door."""
