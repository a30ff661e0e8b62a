"""What watches servers: the alerts, the dashboard and the runbook name what there is; the unit shuts its service in."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import stores
from servers import proxies
from spieltisch.cluster.peers import Peers
from spieltisch.table.durations import Times
from spieltisch.table.host import Host
from spieltisch.table.wake import Hub
from spieltisch.web.core.services import Services, Settings

pytest.importorskip("psycopg", reason="needs the extra postgres")

ROOT = Path(__file__).parents[2]
ALERTS = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
BOARD = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
ASKED = [target["expr"] for panel in BOARD["panels"] for target in panel.get("targets", ())]
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
PROMTOOL = pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool (Debian: apt install prometheus)")


def names(text):
    """The figures in expressions or sentences; of a histogram without what a series of it adds."""
    found = re.findall(r"\b(?:spieltisch|process)_[a-z_]+[a-z]\b", text)
    return {re.sub("_(bucket|count)$", "", name) for name in found}


@pytest.fixture
def place(request):
    return stores.postgres(request)


@pytest.fixture
def told(place, tmp_path):
    """The names of all figures that a server on a database tells, and what it tells."""

    async def scraped():
        store = place.open()
        peers = Peers()
        peers.hears = True
        services = Services(Host(store, Hub()), Settings(b"s" * 32, tmp_path, "desk:8000"), peers=peers)
        services.metrics.request("page", 200, 0.1)
        services.metrics.command("move", "ok", 0.1)
        services.turns.thinking["adaman"] = Times()
        services.metrics.said["error", "spieltisch", "KeyError"] += 1
        (tmp_path / "backed-up").touch()
        text = (await services.metrics.text()).decode()
        await store.close()
        return text

    text = asyncio.run(scraped())
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    return {name: kind for name, kind in kinds.items() if not name.endswith("_created")}, text


def test_alerts_dashboard_and_runbook_name_figures_that_there_are(told):
    known, _ = told
    asked = names(" ".join([*(rule["expr"] for rule in RULES), *ASKED, RUNBOOK]))
    assert len(asked) > 20
    assert asked - known.keys() == set()
    ours = {name for name in known if name.startswith("spieltisch_")}
    assert ours - names(" ".join(ASKED)) == {"spieltisch_late_seconds"}  # all else that is measured is on the dashboard


def test_each_alert_leads_to_a_place_of_the_runbook():
    places = {re.sub("[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
              for title in re.findall("^## (.*)$", RUNBOOK, re.MULTILINE)}  # fmt: skip
    assert len(places) >= 12
    for rule in RULES:
        page, _, place = rule["annotations"]["runbook"].partition("#")
        assert page == "runbook.html"
        assert place in places, rule["alert"]


@PROMTOOL
def test_prometheus_takes_the_alerts_and_the_figures(told):
    _, text = told
    words = ["promtool", "check", "rules", ROOT / "deploy" / "alerts.yml"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    words = ["promtool", "check", "metrics"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@PROMTOOL
def test_prometheus_takes_what_the_page_says(tmp_path):
    (found,) = [block for block in re.findall(r"^```yaml\n(.*?)^```", proxies.PAGE, re.DOTALL | re.MULTILINE)
                if "scrape_configs" in block]  # fmt: skip
    (tmp_path / "prometheus.yml").write_text(found)
    shutil.copy(ROOT / "deploy" / "alerts.yml", tmp_path)
    words = ["promtool", "check", "config", tmp_path / "prometheus.yml"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@PROMTOOL
def test_alerts_fire_when_they_should(tmp_path):
    """Steady figures that are bad, and the same that are good, for ten minutes."""
    bad = {
        "SpieltischDown": [('up{job="spieltisch", instance="a"}', "0x60")],
        "SpieltischNotReady": [('spieltisch_ready{instance="a"}', "0x60")],
        "SpieltischDatabaseLost": [('spieltisch_database_lost_seconds{instance="a"}', "0+10x60")],
        "SpieltischSlowCommit": [
            ('spieltisch_commit_seconds_bucket{instance="a", le="0.25"}', "0x60"),
            ('spieltisch_commit_seconds_bucket{instance="a", le="1.0"}', "0+10x60"),
            ('spieltisch_commit_seconds_bucket{instance="a", le="+Inf"}', "0+10x60"),
        ],
        "SpieltischHintsDown": [('spieltisch_hints_up{instance="a"}', "0x60")],
        "SpieltischConnectionsRefused": [('spieltisch_limited_total{instance="a", limit="connections"}', "0+1x60")],
        "SpieltischDiskFull": [('spieltisch_disk_free_bytes{instance="a"}', "1000x60")],
        "SpieltischClock": [('spieltisch_clock_seconds{instance="a"}', "3600+10x60")],
        "SpieltischErrors": [('spieltisch_log_lines_total{instance="a", level="error"}', "0+1x60")],
    }
    tests = []
    for alert, series in bad.items():
        asked = {"interval": "10s", "input_series": [{"series": name, "values": values} for name, values in series]}
        asked["promql_expr_test"] = [
            {"expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})', "eval_time": "9m",
             "exp_samples": [{"labels": "{}", "value": 1}]},
        ]  # fmt: skip
        tests.append(asked)
    good = [(name, "1x60" if "ready" in name or name.startswith("up") or "hints" in name else "0x60")
            for series in bad.values() for name, _ in series if "disk" not in name and "clock" not in name]  # fmt: skip
    good += [
        ('spieltisch_disk_free_bytes{instance="a"}', "9e9x60"),
        ('spieltisch_clock_seconds{instance="a"}', "0+10x60"),
    ]
    tests.append(
        {
            "interval": "10s",
            "input_series": [{"series": name, "values": values} for name, values in good],
            "promql_expr_test": [{"expr": 'count(ALERTS{alertstate="firing"})', "eval_time": "9m", "exp_samples": []}],
        }
    )
    file = {"rule_files": [str(ROOT / "deploy" / "alerts.yml")], "evaluation_interval": "10s", "tests": tests}
    (tmp_path / "tests.yml").write_text(json.dumps(file))
    done = subprocess.run(
        ["promtool", "test", "rules", "tests.yml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd (Debian: apt install systemd)")
def test_the_service_is_shut_in(tmp_path):
    unit = tmp_path / "spieltisch.service"
    unit.write_text(proxies.block("ini"))
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=40", "--no-pager", unit]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
