"""A solver that looks for the key of its cluster finds it in no file, no process and no variable."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from harness.running.engines.security import make_certificates
from tests.clusters import cluster
from tests.running.programs import program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces")

SEEKS = """
import glob, hashlib, json, os, subprocess, sys
sys.stdin.read()
secret = b"BEGIN PRIVATE KEY"  # in the memory of a place; of files the digest counts, as others may have keys
found, seen, tried = [], [], 0

def look(where, read):
    global tried
    tried += 1
    try:
        content = read()
    except OSError:
        return b""
    if hashlib.sha256(content).hexdigest() == "DIGEST" or (where.startswith("memory") and secret in content):
        found.append(where)
    return content

def content(path):
    with open(path, "rb") as file:
        return file.read(1 << 20)

folders = {"CERTIFICATES"}
for process in glob.glob("/proc/[0-9]*"):
    for name in ("cmdline", "environ"):
        words = look(f"{process}/{name}", lambda: content(f"{process}/{name}")).split(b"\\0")
        for before, word in zip(words, words[1:]):
            if before == b"--certificates":
                cwd = os.path.realpath(f"{process}/cwd") if os.access(f"{process}/cwd", os.X_OK) else "FOLDER"
                folders.add(os.path.join(cwd, word.decode()))
    for folder in ("CERTIFICATES",):
        look(f"{process}/root", lambda: content(f"{process}/root{folder}/key.pem"))
    for number in glob.glob(f"{process}/fd/*"):
        if os.path.isfile(number):
            look(number, lambda: content(number))
for folder in folders:
    if folder == "CERTIFICATES":
        seen.append(os.path.isdir(folder))
    for umount in ([], ["umount", folder], ["unshare", "-Urm", "umount", folder]):
        if umount:
            subprocess.run(umount, stdin=subprocess.DEVNULL, capture_output=True)
        look(folder, lambda: content(f"{folder}/key.pem"))
    out = ["nsenter", "-t", str(os.getppid()), "-a", "cat", f"{folder}/key.pem"]
    look("nsenter", lambda: subprocess.run(out, stdin=subprocess.DEVNULL, capture_output=True).stdout)
for top in (os.environ.get("TMPDIR", "/tmp"), os.environ.get("HOME", "/")):
    for path in glob.glob(f"{top}/*/*.pem") + glob.glob(f"{top}/.crosscheck-cluster/*"):
        if path.startswith("FOLDER"):
            look(path, lambda: content(path))
pid = os.getpid()
while pid > 1:
    with open(f"/proc/{pid}/stat") as file:
        pid = int(file.read().rpartition(")")[2].split()[1])
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                first, last = (int(x, 16) for x in line.split()[0].split("-"))
                if "rw" in line.split()[1] and last - first < 1 << 28:
                    memory.seek(first)
                    look(f"memory of {pid}", lambda: memory.read(last - first))
    except OSError:
        pass
with open("FOLDER/report.json", "w") as file:
    json.dump({"found": found, "tried": tried, "seen": seen}, file)
print("s UNKNOWN")
"""


def can_hide(folder: Path) -> bool:
    """Return True if this system hides a folder."""
    code = f"from harness.running.engines.hiding import hide; raise SystemExit(bool(hide({str(folder)!r})))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_a_solver_that_seeks_the_key_does_not_find_it(tmp_path: Path, environment: dict[str, str]) -> None:
    certificates = tmp_path / "certificates"
    make_certificates(certificates)
    if not can_hide(certificates):
        pytest.skip("this system has no user namespaces for this user")
    digest = hashlib.sha256((certificates / "key.pem").read_bytes()).hexdigest()
    text = SEEKS.replace("CERTIFICATES", str(certificates)).replace("FOLDER", str(tmp_path)).replace("DIGEST", digest)
    words = program(tmp_path, "seeks", text)
    with cluster(tmp_path, environment, "--certificates", str(certificates)) as machines:
        machines.place()
        run = machines.run("hardest", "-n", "1", "-b", "native:python,lines:seeks", *words, "-o", "j.sqlite")
        assert run.stderr is not None
        assert "found" not in run.stderr.read()
        assert run.wait(200) in (0, 4)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["found"] == []
    assert report["tried"] > 20
    assert all(report["seen"])  # folders that it knows are there, and empty
    assert b"PRIVATE KEY" in (certificates / "key.pem").read_bytes()
