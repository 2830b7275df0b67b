"""The command line's work: each command of ``bot.__main__`` is one function here."""
