#!/usr/bin/env python3
"""Writes a class of many students with many cases each: how much memory do reports of it take?

    python3 grader/examples/large-class.py --students 5000 OUT

OUT must not exist. It gets `week/`, an assignment with one problem of 40 cases in four subtasks, and `class/`, a program in C
of each student: 70% are right, 20% are wrong in some cases, and 10% are wrong in all. No two programs are the same text.
"""

import argparse
import pathlib

PROBLEM = """\
format = 1
id = "sum"
title = "Sum"

[submission]
files = ["sum.*"]

[limits]
time = "2 s"

[checker.tokens]

[checks]
undefined-behaviour = false
"""
PROGRAM = """\
#include <stdio.h>
int main(void) { int a, b; scanf("%%d %%d", &a, &b); int sum%d = %s; printf("%%d\\n", sum%d); }
"""

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--students", type=int, default=5000, help="(default: %(default)s)")
parser.add_argument("out", type=pathlib.Path)
options = parser.parse_args()

problem = options.out / "week" / "sum"
problem.mkdir(parents=True)
(problem.parent / "assignment.toml").write_text(
    'format = 1\nid = "week"\ntitle = "Week"\n\n[[problem]]\npath = "sum"\npoints = 40\n')
text = PROBLEM
for part in range(4):
    text += f'\n[[subtask]]\nname = "part-{part}"\npoints = 10\n'
    for n in range(1000 * part, 1000 * part + 170, 17):
        text += f'\n[[subtask.case]]\nname = "n={n}"\nstdin = "{n} {n + 1}\\n"\nanswer = "{2 * n + 1}\\n"\n'
(problem / "problem.toml").write_text(text)
for number in range(options.students):
    student = options.out / "class" / f"s{number:04}"
    student.mkdir(parents=True)
    answer = ["a + b"] * 7 + ["a + b + (a > 500)"] * 2 + ["a - b"]
    (student / "sum.c").write_text(PROGRAM % (number, answer[number % 10], number))
