"""The scripts to copy: places by SSH, where `ssh` runs its command here, and an array of Slurm jobs without Slurm."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from harness.running.engines.security import make_certificates
from tests.attacks.planting import wait_for
from tests.conftest import ROOT, Harness, left_running

SCRIPTS = ROOT / "scripts/cluster"
SSH = """#!/bin/sh
test "$1" != -n || { shift; exec </dev/null; }
cd "$HOSTS/$1" && shift && HOME=$PWD exec sh -c "$*"
"""
PLACE = """#!/bin/sh
echo "$*"
sleep 60 & trap 'kill $!; sleep 0.5; exit 0' TERM; wait
"""


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def test_ssh_copies_certificates_starts_places_once_and_stops_them(environment: dict[str, str], tmp_path: Path) -> None:
    program(tmp_path / "bin/ssh", SSH)
    program(tmp_path / "node1/crosscheck/.venv/bin/python", PLACE)
    make_certificates(tmp_path / "certificates")
    (tmp_path / "certificates/scheduler.json").write_text("{}")
    (tmp_path / "hosts").write_text("# ours\nnode1 2,3\n\n")
    folders = {"HOSTS": str(tmp_path), "CROSSCHECK_CLUSTER": str(tmp_path / "certificates")}
    path = f"{tmp_path / 'bin'}{os.pathsep}{environment['PATH']}"

    def script(*words: str, code: int = 0) -> str:
        command = [str(SCRIPTS / "ssh.sh"), *words]
        env = environment | folders | {"PATH": path}
        done = subprocess.run(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True, timeout=200)
        assert done.returncode == code
        return done.stdout

    words = "-m harness place --scheduler-file {0}/scheduler.json --certificates {0} --cores 2,3".format(
        tmp_path / "node1/.crosscheck-cluster"
    )
    assert script("start", "hosts") == f"node1: {words}\n"
    key = tmp_path / "node1/.crosscheck-cluster/key.pem"
    assert oct(key.stat().st_mode & 0o777) == "0o600"
    assert key.read_bytes() == (tmp_path / "certificates/key.pem").read_bytes()
    assert script("start", "hosts") == "node1: places run already\n"
    assert script("status", "hosts") == f"node1: {words}\n"
    assert script("stop", "hosts") == "node1: stopped\n"
    assert script("stop", "hosts") == "node1: no places run\n"
    assert "failed" in script("status", "hosts", code=1)
    assert script("begin", "hosts", code=2) == ""


@pytest.mark.slow
def test_ssh_asks_forty_hosts_and_tells_which_failed(environment: dict[str, str], tmp_path: Path) -> None:
    """One of them never answers, one does not exist; the others start all the same."""
    program(tmp_path / "bin/ssh", SSH.replace("cd ", 'test "$1" != node7 || exec sleep 600\ncd '))
    for number in range(1, 40):
        program(tmp_path / f"node{number}/crosscheck/.venv/bin/python", PLACE)
    make_certificates(tmp_path / "certificates")
    (tmp_path / "certificates/scheduler.json").write_text("{}")
    (tmp_path / "hosts").write_text("".join(f"node{number} all\n" for number in range(1, 41)))
    env = environment | {"HOSTS": str(tmp_path), "CROSSCHECK_CLUSTER": str(tmp_path / "certificates")}
    env |= {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{environment['PATH']}", "CROSSCHECK_TIMEOUT": "40"}

    def script(word: str) -> tuple[int, list[str], list[str]]:
        command = [str(SCRIPTS / "ssh.sh"), word, "hosts"]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
        hosts = {line.partition(":")[0] for line in done.stdout.splitlines() if "--cores all" in line}
        bad = [line for line in done.stdout.splitlines() if "failed" in line or "no answer" in line]
        return done.returncode, sorted(hosts), sorted(bad)

    code, hosts, bad = script("start")
    assert (code, len(hosts)) == (1, 38)
    assert bad == ["failed", "node7: no answer within 40 s"]
    assert script("stop")[0] == 1
    assert wait_for(lambda: left_running(environment) == [])


@pytest.fixture
def job(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The environment of the jobs of an array, but for their number."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    return environment | {
        "CROSSCHECK_PYTHON": sys.executable,
        "CROSSCHECK_CLUSTER": str(tmp_path / "certificates"),
        "CROSSCHECK_HOST": "127.0.0.1",
        "SLURM_ARRAY_JOB_ID": "7",
        "SLURM_ARRAY_TASK_MIN": "0",
        "SLURM_CPUS_ON_NODE": str(cores),
    }


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nproc"), reason="nproc is missing")
def test_slurm_runs_in_an_array_whose_jobs_all_end(
    job: dict[str, str], environment: dict[str, str], harness: Harness, tmp_path: Path
) -> None:
    make_certificates(tmp_path / "certificates")
    words = [str(SCRIPTS / "slurm.sh"), "hardest", "-n", "2", "-b", "native:python", "-o", "s.sqlite"]
    pipe = subprocess.PIPE
    jobs = [
        subprocess.Popen(words, cwd=tmp_path, env=job | {"SLURM_ARRAY_TASK_ID": n}, stdout=pipe, stderr=pipe, text=True)
        for n in ("0", "1")
    ]
    try:
        (shown, _), (places, _) = [process.communicate(timeout=200) for process in jobs]
    finally:
        for process in jobs:
            process.terminate()  # which has ended, unless it hangs
            process.communicate()
    assert [process.returncode for process in jobs] == [0, 0]
    assert "2 of 2 solutions verified" in shown
    assert "for the scheduler at tls://127.0.0.1:" in places
    assert harness("judge", "s.sqlite").code == 0
    assert wait_for(lambda: left_running(environment) == [])
    assert not list((tmp_path / "certificates").glob("*.json"))


@pytest.mark.skipif(not shutil.which("nproc"), reason="nproc is missing")
def test_slurm_refuses_cores_that_jobs_share(job: dict[str, str], tmp_path: Path) -> None:
    env = job | {"SLURM_ARRAY_TASK_ID": "1", "SLURM_CPUS_ON_NODE": "0"}
    done = subprocess.run([SCRIPTS / "slurm.sh"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("this cluster does not bind jobs to their cores: add #SBATCH --exclusive")
