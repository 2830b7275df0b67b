"""The environments that the packages live in which the benchmarks measure against."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path


def environment(cache: Path, *packages: str) -> str:
    """The Python of an environment in ``cache`` with these packages ("name==version"), made if it is not there."""
    folder = cache / "-".join(package.replace("==", "-") for package in packages)
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"making {folder} ...", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-qq", *packages], check=True)
        (folder / "ready").touch()
    return str(python)
