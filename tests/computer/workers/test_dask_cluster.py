"""The same searches on a Dask cluster of two workers in this machine (extra ``cluster``), one of which is killed."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import subprocess
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from bot.computer.workers import dask_cluster
from bot.computer.workers.dask_cluster import executors_on
from bot.computer.workers.jobs import Job
from bot.computer.workers.pool import WorkerLost, Workers
from bot.engine.errors import EngineError
from bot.engine.ruleset import Ruleset, shipped
from tests.support.computer import worker_jobs

TASK = Job("pinoy", {}, "W:Wc3:Bd4", (), 1, 0)

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra `cluster` is not installed")


@pytest.fixture
def dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two workers with one thread each."""
    distributed = importlib.import_module("distributed")
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    monkeypatch.setenv(worker_jobs.MARK, str(tmp_path / "mark"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        ) as made:
            yield made


@needs_dask
@pytest.mark.filterwarnings("ignore")
async def test_searches_on_a_cluster(dask: Any) -> None:
    """The answer of a cluster is the one of a process here; what a job raises comes back."""
    workers = Workers(executors=executors_on(dask.scheduler_address, 2), play=worker_jobs.unhurried, grace=120.0)
    try:
        jobs = [Job("spanish", {}, None, (), level, 5) for level in (1, 2, 3)]
        # Rules that stand in no file, of a server's own variant.
        jobs.append(Job(Ruleset("house@7", shipped("pinoy").text), {}, "W:Wd4:Bc3,h8", (), 2, 5))
        answers = await asyncio.gather(*(workers.think(job, server) for server, job in enumerate(jobs)))
        assert [worker_jobs.unhurried(job) for job in jobs] == answers
        with pytest.raises(EngineError):
            await workers.think(Job("spanish", {}, None, ("a1-a8",), 2, 5), server=1)
    finally:
        workers.close()


@pytest.fixture
def certificate(tmp_path: Path) -> dict[str, str]:
    """A key and its certificate, as Dask's settings name them."""
    made = {"key": str(tmp_path / "key.pem"), "cert": str(tmp_path / "certificate.pem")}
    asked = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=cluster"]
    files = ["-keyout", made["key"], "-out", made["cert"]]
    subprocess.run(["openssl", "req", *asked, *files], check=True, capture_output=True)
    return made


@needs_dask
@pytest.mark.skipif(which("openssl") is None, reason="nothing here makes certificates")
@pytest.mark.filterwarnings("ignore")
async def test_searches_on_a_cluster_with_tls(
    certificate: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cluster that speaks TLS alone, with certificates by Dask's own settings: without them it is out of reach."""
    distributed, config = importlib.import_module("distributed"), importlib.import_module("dask").config
    tls = {"distributed.comm.tls.ca-file": certificate["cert"]}
    for who in ("client", "scheduler", "worker"):
        tls |= {f"distributed.comm.tls.{who}.{name}": file for name, file in certificate.items()}
    monkeypatch.setattr(dask_cluster, "CONNECT_WITHIN", 2.0)
    with config.set(tls):
        security = distributed.Security(require_encryption=True)
        with distributed.LocalCluster(
            n_workers=1, protocol="tls://", security=security, dashboard_address=None, local_directory=str(tmp_path)
        ) as made:
            address = made.scheduler_address
            assert address.startswith("tls://")
            workers = Workers(executors=executors_on(address, 1))
            try:
                assert (await workers.call(os.path.basename, "a/b", 1, seconds=30.0)) == "b"
            finally:
                workers.close()
            with config.set(dict.fromkeys(tls)), pytest.raises(WorkerLost, match="out of reach"):
                await executors_on(address, 1)[0].run(os.path.basename, "a/b", 10.0)


@needs_dask
@pytest.mark.filterwarnings("ignore")
async def test_a_killed_worker_of_a_cluster(dask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is killed at work, and one that is killed between two turns: the moves come all the same."""
    # On a machine with much to do the cluster may be out of reach at first.
    monkeypatch.setattr(dask_cluster, "PAUSE", 0.0)
    workers = Workers(executors=executors_on(dask.scheduler_address, 2), play=worker_jobs.dies_once)
    try:
        assert (await workers.think(TASK, server=1)).turn == "c3xe5"
        process = None
        while process is None:
            with contextlib.suppress(WorkerLost):
                process = await workers.call(worker_jobs.process, 0, 1, seconds=5.0)
        os.kill(process, signal.SIGKILL)
        turns = await asyncio.gather(*(workers.think(TASK, server) for server in range(6)))
        assert ["c3xe5"] * 6 == [answer.turn for answer in turns]
    finally:
        workers.close()


@needs_dask
async def test_a_library_that_fails_while_it_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the library fails by, here that a thread of its own has not begun in time, the cluster is out of reach,
    and asked again after the pause as one that does not answer."""
    distributed, tried = importlib.import_module("distributed"), []

    def fails(*args: object, **kwargs: object) -> None:
        tried.append(args)
        raise AssertionError

    monkeypatch.setattr(distributed, "Client", fails)
    executor = executors_on("tcp://127.0.0.1:1", 1)[0]
    with pytest.raises(WorkerLost, match="out of reach: AssertionError"):
        await executor.run(worker_jobs.doubled, 1, 1.0)
    with pytest.raises(WorkerLost, match="just now"):
        await executor.run(worker_jobs.doubled, 1, 1.0)
    monkeypatch.setattr(dask_cluster, "PAUSE", 0.0)
    executor = executors_on("tcp://127.0.0.1:1", 1)[0]
    for _ in range(2):
        with pytest.raises(WorkerLost, match="out of reach: AssertionError"):
            await executor.run(worker_jobs.doubled, 1, 1.0)
    assert 3 == len(tried)


@needs_dask
async def test_a_cluster_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no scheduler answers, a turn is taken without it, and no more time is lost on it for a while."""
    monkeypatch.setattr(dask_cluster, "CONNECT_WITHIN", 0.5)
    workers = Workers(executors=executors_on("tcp://127.0.0.1:1", 1))
    try:
        assert (await workers.think(TASK, server=1)).turn == "c3xe5"
        with pytest.raises(WorkerLost, match="just now"):
            await workers.call(worker_jobs.doubled, 1, 1, seconds=1.0)
    finally:
        workers.close()
