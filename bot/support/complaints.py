"""How the programs say at a terminal what is wrong: each time a sentence behind the program's name."""

from __future__ import annotations

import sys


def complain(sentences: object) -> None:
    """Write one sentence, or several in lines, to standard error."""
    for sentence in str(sentences).splitlines():
        sys.stderr.write(f"damero: {sentence}\n")


def of_file(error: OSError, act: str) -> str:
    """What hinders somebody from doing ``act`` ("read", "written") with a file, as a sentence."""
    why = (error.strerror or str(error)).rstrip(".")
    return f"{error.filename or 'The file'} cannot be {act}: {why}."
