#!/usr/bin/env python3
"""How much of a machine's time is lost while a class is graded?

    cargo build --release && grader/examples/class-time.py [--students 200] [--grader PROGRAM] [KIND...]

Each KIND is a class in which everybody's program differs in a comment only, and runs in one case:

  c, java, python   prints a number after about 96 ms of CPU time (of one core of an AMD EPYC, Zen 5)
  annealing         the problem of that name in `problems/n-queens`: it runs several times in each case, and may not run
                    twice in the same second

Prints the wall time of grading it, the CPU time that all processes of the machine had meanwhile, divided by the number of
cores, and the first divided by the second: 1 if no core ever waited. The goal is 1.15. Other work on the machine brings it
closer to 1, so there should be none.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROBLEM = """
format = 1
id = "spin"
title = "Spin"
[submission]
files = ["Spin.*"]
[limits]
time = "10 s"
[checker.tokens]
[[subtask]]
name = "all"
points = 1
[[subtask.case]]
name = "only"
answer = "{answer}\\n"
"""
C = """
#include <stdio.h>
int main(void) {
    unsigned state = 1;
    for (int i = 0; i < 100000000; i++) state = state * 1664525u + 1013904223u;
    printf("%u\\n", state);
    return 0;
}
"""
JAVA = """
public class Spin {
    public static void main(String[] arguments) {
        int state = 1;
        for (int i = 0; i < 60000000; i++) state = state * 1664525 + 1013904223;
        System.out.println(Integer.toUnsignedString(state));
    }
}
"""
PYTHON = """
state = 1
for i in range(1600000):
    state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
print(state)
"""
PROGRAMS = {"c": ("c", "//", C, 100000000), "java": ("java", "//", JAVA, 60000000), "python": ("py", "#", PYTHON, 1600000)}


def answer(steps):
    state, factor, summand = 1, 1664525, 1013904223
    # Two steps are one step with another factor and summand.
    while steps:
        if steps & 1:
            state = (state * factor + summand) % 2**32
        factor, summand, steps = factor * factor % 2**32, (factor + 1) * summand % 2**32, steps >> 1
    return state


def busy():
    """CPU time of all processes, in seconds: without idle, and waiting for disks."""
    line = open("/proc/stat").readline().split()
    return sum(int(line[at]) for at in (1, 2, 3, 6, 7)) / os.sysconf("SC_CLK_TCK")


def measure(grader, kind, students, room):
    if kind == "annealing":
        assignment, name = REPOSITORY / "problems/n-queens", "annealing.c"
        text, comment = (assignment / "annealing/submissions/accepted/annealing.c").read_text(), "//"
    else:
        extension, comment, text, steps = PROGRAMS[kind]
        assignment, name = room / "assignment", f"Spin.{extension}"
        (assignment / "spin").mkdir(parents=True)
        (assignment / "assignment.toml").write_text(
            'format = 1\nid = "spin"\ntitle = "Spin"\n[[problem]]\npath = "spin"\npoints = 1\n'
        )
        (assignment / "spin/problem.toml").write_text(PROBLEM.format(answer=answer(steps)))
    for student in range(students):
        folder = room / f"class/s{student:04}"
        folder.mkdir(parents=True)
        (folder / name).write_text(f"{text}{comment} {student}\n")
    command = [grader, "grade", "class", "-a", assignment, "--csv", "points.csv"]
    began, cpu = time.monotonic(), busy()
    done = subprocess.run(command, cwd=room, capture_output=True, text=True)
    wall, cpu = time.monotonic() - began, (busy() - cpu) / len(os.sched_getaffinity(0))
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    full = [line for line in done.stdout.splitlines() if line.startswith("graded ")]
    print(f"{kind:10} {students:5} students {wall:7.1f} s  CPU / cores {cpu:7.1f} s  {wall / cpu:5.2f}  {' '.join(full)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--grader", type=pathlib.Path, default=REPOSITORY / "target/release/grader")
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=[*PROGRAMS, "annealing"])
    options = parser.parse_args()
    for kind in options.kinds:
        with tempfile.TemporaryDirectory() as room:
            measure(options.grader.resolve(), kind, options.students, pathlib.Path(room))


if __name__ == "__main__":
    main()
