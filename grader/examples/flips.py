#!/usr/bin/env python3
"""How many verdicts change on a slow machine, in the grader and in other judges?

    cargo build --release && sudo grader/examples/flips.py [--quota 0.33] [--rounds 2]

Verifies a package of 60 submissions, each with one case, with the grader, problemtools and BAPCtools (see `peers.py`): first as
the machine is, then with a part of a processor for each judge and all that it starts, by a control group. 48 submissions use
0.02 to 0.8 s of CPU time, 12 use 1.4 to 2.5 s. The limit is 1 s. Prints how many verdicts are not the expected ones. For the
quota, see `slow-machine.py`.
"""

import argparse
import contextlib
import importlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import peers

slow_machine = importlib.import_module("slow-machine")

PROGRAM = """
#include <stdio.h>
#include <time.h>
int main(void) {
    int value;
    if (scanf("%d", &value) != 1) return 1;
    volatile long steps = 0;
    while (clock() < (clock_t)(SECONDS * CLOCKS_PER_SEC)) steps++;
    printf("%d\\n", value);
    return 0;
}
"""


def write(folder, version):
    files = {"data/secret/1.in": "7\n", "data/secret/1.ans": "7\n"}
    if version == "legacy":
        files["problem.yaml"] = "name: Wait\n"
        files["problem_statement/problem.en.tex"] = "\\problemname{Wait}\nCopy.\n"
        files[".timelimit"] = "1\n"
    else:
        files["problem.yaml"] = (
            "problem_format_version: 2025-09\nname: Wait\nuuid: 5a1c7a9e-0000-4000-8000-000000000002\nlimits: {time_limit: 1.0}\n"
        )
        files["statement/problem.en.tex"] = "\\problemname{Wait}\nCopy.\n"
    for number in range(48):
        files[f"submissions/accepted/a{number:02}.c"] = PROGRAM.replace("SECONDS", f"{(number + 1) / 60:.4f}")
    for number in range(12):
        files[f"submissions/time_limit_exceeded/t{number:02}.c"] = PROGRAM.replace("SECONDS", f"{1.4 + number / 10:.1f}")
    peers.write_files(folder, files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quota", type=float, default=0.33)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        write(room / "wait", "legacy")
        write(room / "contest/wait", "2025-09")
        subprocess.run([peers.GRADER, "import", "wait", "-o", "imported"], cwd=room, check=True, stdout=subprocess.DEVNULL)
        problemtools = ["verifyproblem", "-j", "2", "-t", "1", "-p", "submissions", "--", "wait"]
        ways = {
            "grader": ([peers.GRADER, "verify", "imported", "--jobs", "2", "--json", "-"], room, peers.of_grader),
            "problemtools": (problemtools, room, peers.of_problemtools),
            "BAPCtools": (["bt", "run", "-G", "-B", "-j", "2"], room / "contest/wait", peers.of_bapctools),
        }
        for quota in (None, options.quota):
            for name, (command, folder, read) in ways.items():
                if not shutil.which(str(command[0])):
                    continue
                wrong, total, began = [], 0, time.monotonic()
                for _ in range(options.rounds):
                    with slow_machine.quota(quota) if quota else contextlib.nullcontext((None, None)) as (enter, _):
                        done = subprocess.run(
                            command, cwd=folder, capture_output=True, text=True, errors="replace",
                            preexec_fn=lambda: enter and enter.write_text(str(os.getpid())),
                        )
                    verdicts = read(done.stdout + done.stderr)
                    total += len(verdicts)
                    for path, verdict in sorted(verdicts.items()):
                        if verdict != peers.VERDICTS[path.split("/")[0]]:
                            wrong.append(f"{path} {verdict}")
                seconds = (time.monotonic() - began) / options.rounds
                where = f"{quota} of a processor" if quota else "the whole machine"
                print(f"{where:20} {name:13} {seconds:6.1f} s  {len(wrong)} of {total} verdicts differ", *wrong[:8], flush=True)


if __name__ == "__main__":
    main()
