"""The command ``damero``, and ``python -m bot``."""

from __future__ import annotations

import sys

from bot.support.imports import lasting_imports


def main() -> int:
    """Run the command that the process was given; its exit status."""
    with lasting_imports():
        from bot.cli import command_line
    return command_line.main()


if __name__ == "__main__":
    sys.exit(main())
