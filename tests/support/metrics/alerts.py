"""The rules of the alerts, evaluated by Prometheus' own promtool over what a bot has served."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

PROMTOOL = shutil.which("promtool")
STEP = 15
"""Seconds between two scrapes, as deploy/prometheus.yml has it."""

_OF = {"job": "damero", "instance": "damero:9110"}

needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool (Debian's package prometheus) is not here")


def promtool(*arguments: str, said: str | None = None) -> str:
    """What promtool says; it must find nothing wrong. ``said``: what it reads."""
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, *arguments], input=said, capture_output=True, text=True, check=False)
    told = done.stdout + done.stderr
    assert not done.returncode, told
    return told


def samples(scrape: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every figure of a scrape, by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(scrape)
        for sample in family.samples
    }


def value(scrape: str, name: str, **labels: str) -> float:
    """One figure of a scrape; an error where it is not there."""
    return samples(scrape)[name, tuple(sorted(labels.items()))]


def check_alerts(root: Path, folder: Path, scrapes: Sequence[tuple[int, str]], minutes: int, firing: set[str]) -> None:
    """Exactly the alerts ``firing`` fire after ``minutes``, where from so many seconds on each scrape was what a bot
    served."""
    times = range(0, minutes * 60 + STEP, STEP)
    known = [(at, samples(scrape)) for at, scrape in scrapes]
    series = []
    for name, labels in {("up", ()): 1, **{key: 1 for _, found in known for key in found}}:
        written = ", ".join(f'{label}="{text}"' for label, text in (*labels, *_OF.items()))
        values = []
        for time in times:
            found = max((each for each in known if each[0] <= time), key=lambda each: each[0])[1]
            figure = 1.0 if name == "up" else found.get((name, labels))
            values.append("_" if figure is None or figure != figure else f"{figure:.17g}")
        series.append({"series": f"{name}{{{written}}}", "values": " ".join(values)})
    expected = [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in sorted(firing)]
    asked = 'count by (alertname) (ALERTS{alertstate="firing"})'
    questions = [{"expr": asked, "eval_time": f"{minutes}m", "exp_samples": expected}]
    test = {
        "rule_files": [str(root / "deploy" / "alerts.yml")],
        "evaluation_interval": f"{STEP}s",
        "tests": [{"interval": f"{STEP}s", "input_series": series, "promql_expr_test": questions}],
    }
    file = folder / "alerts_test.yml"
    file.write_text(yaml.safe_dump(test), "utf-8")
    promtool("test", "rules", str(file))
