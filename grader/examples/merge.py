#!/usr/bin/env python3
"""Merges the shards of a large class, and kills the merge at random moments.

    python3 grader/examples/merge.py [--students 500] [--shards 16] [--kills 20] [GRADER]

Every student submits two small programs. The shards are graded first, which takes a minute or two; then the merge is timed
(best of three), its peak memory is read, and it is killed and repeated. At the end the ledger must be the one that no kill
disturbed, and its points those of the shards.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--students", type=int, default=500)
arguments.add_argument("--shards", type=int, default=16)
arguments.add_argument("--kills", type=int, default=20)
arguments.add_argument("grader", nargs="?", default=REPOSITORY / "target/release/grader")
options = arguments.parse_args()
grader = str(Path(options.grader).resolve())
random.seed(1)


def run(*words):
    return subprocess.run([grader, *words], check=True, capture_output=True, text=True, cwd=folder)


def points(ledger):
    results = json.loads(run("report", "--ledger", ledger, "--json", "-").stdout)
    return {student["id"]: (student["points"], student["bonus"]) for student in results["students"]}


with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    for number in range(options.students):
        student = folder / "class" / f"s{number:04}"
        student.mkdir(parents=True)
        power = random.choice(["**2", "+2", "*2"])
        (student / "square.py").write_text(f"import sys\n# {number}\nprint(int(sys.argv[1]){power})\n")
        (student / "one.py").write_text(f"print({random.randint(1, 2)})\n")
    squares = str(REPOSITORY / "grader/tests/fixtures/squares")
    parts, expected = [], {}
    for number in range(1, options.shards + 1):
        parts.append(f"part-{number}.db")
        shard = f"{number}/{options.shards}"
        run("grade", "class", "-a", squares, "--shard", shard, "--ledger", parts[-1])
        expected |= points(parts[-1])
    seconds = []
    for _ in range(3):
        (folder / "whole.db").unlink(missing_ok=True)
        began = time.monotonic()
        run("merge", *parts, "-o", "whole.db")
        seconds.append(time.monotonic() - began)
    # Of all children; grading needs less than this of a merge, or the figure is an upper bound.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    undisturbed = (folder / "whole.db").read_bytes()
    killed = 0
    for _ in range(options.kills):
        merge = subprocess.Popen([grader, "merge", *parts, "-o", "killed.db"], cwd=folder, stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, min(seconds)))
        merge.kill()
        killed += merge.wait() != 0
        if (folder / "killed.db").exists():
            assert (folder / "killed.db").read_bytes() == undisturbed, "a half-written ledger"
    run("merge", *parts, "-o", "killed.db")
    assert (folder / "killed.db").read_bytes() == undisturbed
    assert points("killed.db") == expected and len(expected) == options.students
    left = [name for name in os.listdir(folder) if "merging" in name]
    assert not left, left
    size = len(undisturbed) / 2**20
    print(f"{options.shards} shards, {options.students} students, {size:.1f} MiB: merged in {min(seconds):.2f} s, at most {peak:.0f} MiB")
    print(f"killed {killed} of {options.kills} times at random moments: the ledger is the same, byte for byte")
