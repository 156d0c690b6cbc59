#!/usr/bin/env python3
"""How much does a slow machine delay a class that is graded in shards?

    cargo build --release && grader/examples/stragglers.py [--grader PROGRAM] [--shards 2 4 16]

Two cores stand for two machines. On the second one, a process that never ends takes half of the time, so that this machine
is half as fast. Both take one shard after the other, as machines do in Kubernetes, HTCondor and GNU parallel, until none is
left. Everybody's program runs for about 0.1 s in each of four cases.

For each number of shards, this prints when each machine had nothing left to do, and how long the class took, merge included.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import threading
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
    unsigned state = atoi(words[1]);
    for (int i = 0; i < 100000000; i++) state = state * 1664525u + 1013904223u;
    printf("%u\\n", state);
    return 0;
}
"""
PROBLEM = """
format = 1
id = "spin"
title = "Spin"
[submission]
files = ["spin.c"]
[limits]
time = "10 s"
[checker.tokens]
[[subtask]]
name = "all"
points = 1
"""


def write(folder, students):
    """A class, and its assignment, with the output of the program itself as the answers."""
    problem = folder / "assignment/spin"
    problem.mkdir(parents=True)
    (folder / "assignment/assignment.toml").write_text(
        'format = 1\nid = "spin"\ntitle = "Spin"\n[[problem]]\npath = "spin"\npoints = 1\n'
    )
    (folder / "spin.c").write_text(PROGRAM)
    subprocess.run(["cc", "-O2", "-o", "spin", "spin.c"], cwd=folder, check=True)
    cases = ""
    for seed in range(4):
        answer = subprocess.run(["./spin", str(seed)], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        cases += f'[[subtask.case]]\nname = "{seed}"\narguments = ["{seed}"]\nanswer = "{answer}\\n"\n'
    (problem / "problem.toml").write_text(PROBLEM + cases)
    for number in range(students):
        student = folder / f"class/s{number:04}"
        student.mkdir(parents=True)
        (student / "spin.c").write_text(f"{PROGRAM}// {number}\n")


def grade(grader, folder, shards, cores):
    """Grades the class in shards, and merges them; returns when each machine was done, and the time for all."""
    left, lock, done = list(range(shards, 0, -1)), threading.Lock(), [0.0, 0.0]

    def work(machine):
        while True:
            with lock:
                if not left:
                    return
                number = left.pop()
            command = ["taskset", "--cpu-list", str(cores[machine]), grader, "grade", "class", "-a", "./assignment", "--jobs", "1"]
            command += ["--shard", f"{number}/{shards}", "--ledger", f"part-{number}.db", "--quiet"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            done[machine] = time.monotonic() - began

    began = time.monotonic()
    machines = [threading.Thread(target=work, args=[machine]) for machine in range(2)]
    for machine in machines:
        machine.start()
    for machine in machines:
        machine.join()
    parts = [f"part-{number}.db" for number in range(1, shards + 1)]
    subprocess.run([grader, "merge", *parts, "-o", "all.db"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    total = time.monotonic() - began
    for ledger in folder.glob("*.db*"):
        ledger.unlink()
    return done, total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=120)
    parser.add_argument("--grader", type=pathlib.Path, default=REPOSITORY / "target/release/grader")
    parser.add_argument("--shards", type=int, nargs="+", default=[2, 4, 16])
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder), options.students)
        slowing = subprocess.Popen(["taskset", "--cpu-list", str(cores[1]), "sh", "-c", "while :; do :; done"])
        try:
            for shards in options.shards:
                done, total = grade(options.grader.resolve(), pathlib.Path(folder), shards, cores)
                print(f"{shards:3} shards: fast machine {done[0]:6.1f} s, slow machine {done[1]:6.1f} s, all {total:6.1f} s", flush=True)
        finally:
            slowing.kill()


if __name__ == "__main__":
    main()
