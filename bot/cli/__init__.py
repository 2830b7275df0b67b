"""The command line's work: each command of ``bot.cli.command_line`` is one function here."""
