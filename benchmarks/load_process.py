"""The bot of `benchmarks/load.py`: ``load_process.py PORT FILE`` runs it on the stand-in for Discord; each of its
processes writes into a file, with its number at the end, again and again, how many statements it has run."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from time import sleep
from typing import Any

from bot import app
from bot.chat.posting.find_posted import NONCE_HOLDS
from data.store import Store
from tests.crash import bot_process


def main(port: int, file: Path) -> None:
    make = app.create_bot  # type: ignore[attr-defined]

    def watched(*given: Any, **named: Any) -> Any:
        bot = make(*given, **named)
        threading.Thread(target=note, args=(bot.services.store, file), daemon=True).start()
        return bot

    app.create_bot = watched  # type: ignore[attr-defined]
    bot_process.main(port, NONCE_HOLDS)


def note(store: Store, file: Path) -> None:
    own = file.with_name(f"{file.name}-{os.getpid()}")
    while True:
        own.write_text(str(store.statements))
        sleep(0.5)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
