#!/usr/bin/env python3
"""What a round trip of an interactive task costs, against two plain processes joined by pipes.

    cargo build --release && grader/examples/round-trip.py [--rounds 100000] [--pairs 5]

Program and interactor exchange one line in each direction so often. The plain processes run in turn with the grader's
run, on one core, as the grader's do, and on any. Wall times are those of the program; the smallest of each counts.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

PLAYER = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char line[64];
    for (int round = atoi(argv[argc - 1]); round > 0; round--) {
        printf("%d\n", round);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 1;
    }
    return 0;
}
"""
INTERACTOR = r"""
#include <stdio.h>
int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        fflush(stdout);
    }
    return 42;
}
"""
PROBLEM = """
format = 1
id = "echo"
title = "Echo"
[submission]
files = ["echo.*"]
[run]
arguments = ["{n}"]
[limits]
time = "600 s"
[interactor]
source = "interactor.c"
time = "600 s"
[[subtask]]
name = "all"
points = 1
cases = { n = %d }
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def plain(rounds, before):
    there, back = os.pipe(), os.pipe()
    began = time.monotonic()
    interactor = subprocess.Popen([*before, "./interactor"], stdin=there[0], stdout=back[1])
    player = subprocess.Popen([*before, "./player", str(rounds)], stdin=back[0], stdout=there[1])
    for end in (*there, *back):
        os.close(end)
    player.wait()
    wall = time.monotonic() - began
    interactor.wait()
    return wall


def graded(grader):
    command = [grader, "grade", "class", "-a", ".", "--no-ledger", "--jobs", "1", "--json", "-"]
    results = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    case = results["students"][0]["problems"][0]["subtasks"][0]["cases"][0]
    assert case["verdict"] == "AC", case
    return case["outcome"]["wall-ms"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--grader", default="target/release/grader")
    args = parser.parse_args()
    grader = os.path.abspath(args.grader)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("./player.c", PLAYER)
        write("./echo/interactor.c", INTERACTOR)
        write("./echo/problem.toml", PROBLEM % args.rounds)
        write("./assignment.toml", 'format = 1\nid = "echo"\ntitle = "Echo"\n[[problem]]\npath = "echo"\npoints = 1\n')
        write("./class/ada/echo.c", PLAYER)
        subprocess.run(["gcc", "-O2", "-o", "player", "player.c"], check=True)
        subprocess.run(["gcc", "-O2", "-o", "interactor", "echo/interactor.c"], check=True)
        one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
        walls = {"grader": [], "plain, one core": [], "plain, any core": []}
        for _ in range(args.pairs):
            walls["grader"].append(graded(grader))
            walls["plain, one core"].append(plain(args.rounds, one_core))
            walls["plain, any core"].append(plain(args.rounds, []))
        best = min(min(walls["plain, one core"]), min(walls["plain, any core"]))
        for name, measured in walls.items():
            least = min(measured)
            print(f"{name:16} {least * 1e6 / args.rounds:6.2f} µs a round trip, {least / best:5.2f} times the best plain one")


if __name__ == "__main__":
    main()
