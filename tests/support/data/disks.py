"""Disks of their own for tests, small enough to be filled."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of so many megabytes, mounted in ``folder``. Only root may have one: else the test is skipped."""
    disk = folder / "disk"
    disk.mkdir()
    # A server on it is another user.
    folder.chmod(0o755)
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@contextlib.contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Not a byte is left on a disk, until the end."""
    ballast = disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    try:
        yield
    finally:
        ballast.unlink()
