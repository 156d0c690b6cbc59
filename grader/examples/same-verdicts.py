#!/usr/bin/env python3
"""The verdicts of problemtools and BAPCtools for the packages of the tests, beside ours, as a table in Markdown.

    cargo build --release && grader/examples/same-verdicts.py

Needs `verifyproblem` and `bt` (`pip install problemtools bapctools`). problemtools does not read the format 2025-09: it gets
a copy as 2023-07-draft. BAPCtools gets a copy that `bt upgrade` has made 2025-09.
"""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "crates/package/tests/packages"
GRADER = ROOT / "target/release/grader"


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", done.stdout + done.stderr)


def ours(package, room):
    run([GRADER, "import", package, "-o", room / "imported"], room)
    verified = json.loads(run([GRADER, "verify", "imported", "--json", "-"], room))
    samples = verified["assignments"][0]["problems"][0]["samples"]
    # By name alone: each package names its submissions differently.
    return {sample["path"].split("/")[-1]: sample["found"] for sample in samples}


def problemtools(package, room):
    copy = room / re.sub("[^a-z0-9]", "", package.name)
    shutil.copytree(package, copy)
    head = copy / "problem.yaml"
    head.write_text(head.read_text().replace("2025-09", "2023-07-draft"))
    for group in list(copy.rglob("test_group.yaml")):
        arguments = re.sub(r"output_validator_args: \[(.*)\]", lambda it: "output_validator_flags: " + re.sub('[",]', "", it[1]), group.read_text())
        group.with_name("testdata.yaml").write_text(arguments)
        group.unlink()
    text = run(["verifyproblem", "-p", "submissions", "-j", "2", "--", copy.name], room)
    found = re.findall(r"^\s*(?:ERROR )?\S+/(\S+) \(.*?\) (?:OK(?: with extra time)?: |got )(\w+)(?: \((\d+)\))?", text, re.M)
    return {name: verdict + (f" {points}" if points else "") for name, verdict, points in found}


def bapctools(package, room):
    copy = room / "contest" / package.name.replace("-", "")
    copy.parent.mkdir()
    shutil.copytree(package, copy)
    run(["bt", "upgrade"], copy)
    text = run(["bt", "run", "-G", "-B", "-a", "-j", "2"], copy)
    return {path.split("/")[-1]: verdict for path, verdict in re.findall(r"^(\S+/\S+): +(\w+) .*slowest:", text, re.M)} or {
        path.split("/")[-1]: verdict for path, verdict in re.findall(r"^(\S+/\S+): +(\w+) ", text, re.M)
    }


def main():
    print("| package | submission | grader | problemtools | BAPCtools |\n|---|---|---|---|---|")
    for package in sorted(PACKAGES.glob("*")):
        if not package.name.startswith(("icpc-", "legacy-", "domjudge-")):
            continue
        with tempfile.TemporaryDirectory() as room:
            room = pathlib.Path(room)
            found = ours(package, room)
            others = problemtools(package, room), bapctools(package, room)
        for name, result in found.items():
            verdict = {"RE": "RTE"}.get(result["verdict"], result["verdict"])
            is_scoring = "scoring" in package.name
            cells = [verdict + (f" {result['points']}" if is_scoring else "")] + [other.get(name, "–") for other in others]
            print(f"| {package.name} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
