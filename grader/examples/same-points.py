#!/usr/bin/env python3
"""Do the same programs get the same points, grading after grading?

    cargo build --release && python3 grader/examples/same-points.py --problem annealing \
        problems/n-queens/annealing/submissions/accepted/one-cooling.c

Each round grades a class in which every given program is a student of its own. Every second round has `--burners K`
processes beside it that use a core each without end. What is printed is, for each program, how often
which points and which verdicts of the cases came. The exit status is 1 where a program's most frequent points came in
fewer than `--same` of all rounds (a part, by default 0.95: 19 of 20), and 2 where the grader failed.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assignment", default="n-queens", help="a bundled one, or its folder (default: %(default)s)")
    parser.add_argument("--problem", required=True, help="the id of a problem of it")
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--grader", default="target/release/grader", help="the grader (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=20, help="how often each program is graded (default: %(default)s)")
    parser.add_argument("--burners", type=int, default=0, help="processes beside every second round (default: none)")
    parser.add_argument("--same", type=float, default=0.95, help="the part that must agree (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="number of programs that the grader runs at a time")
    return parser.parse_args()


class Burners:
    """Processes that do nothing but use a core each."""

    def __init__(self, count):
        self.count = count
        self.running = []

    def __enter__(self):
        endless = [sys.executable, "-c", "while True: pass"]
        self.running = [subprocess.Popen(endless) for _ in range(self.count)]

    def __exit__(self, *_):
        for burner in self.running:
            burner.kill()
            burner.wait()


def hand_in(options, classroom):
    """A class in which each program is a student of its own."""
    for number, program in enumerate(options.programs, 1):
        folder = classroom / f"s{number:02}" / options.problem
        if program.is_dir():
            shutil.copytree(program, folder)
        else:
            folder.mkdir(parents=True)
            shutil.copy(program, folder)


def graded(options, classroom, report):
    """One grading: of each program the points, and the verdict of each case."""
    command = [options.grader, "grade", classroom, "--assignment", options.assignment]
    command += ["--format", "json", "--output", report]
    if options.jobs:
        command += ["--jobs", str(options.jobs)]
    report.unlink(missing_ok=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not report.exists():
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
        sys.exit(2)
    for student in json.loads(report.read_text())["students"]:
        [problem] = [problem for problem in student["problems"] if problem["id"] == options.problem]
        verdicts = [case["verdict"] for subtask in problem["subtasks"] for case in subtask["cases"]]
        yield problem["points"], " ".join(verdicts)


def main():
    options = arguments()
    seen = [collections.Counter() for _ in options.programs]
    with tempfile.TemporaryDirectory() as folder:
        classroom = pathlib.Path(folder, "class")
        report = pathlib.Path(folder, "report.json")
        hand_in(options, classroom)
        for number in range(options.rounds):
            with Burners(options.burners if number % 2 == 1 else 0):
                for program, result in zip(seen, graded(options, classroom, report), strict=True):
                    program[result] += 1
    differ = False
    for program, results in zip(options.programs, seen, strict=True):
        points = collections.Counter()
        print(f"{program}: {options.rounds} gradings")
        for (earned, verdicts), count in results.most_common():
            points[earned] += count
            print(f"  {count:4} times  {earned} points  {verdicts}")
        [(usual, count)] = points.most_common(1)
        print(f"  {usual} points in {count} of {options.rounds}")
        differ |= count < options.same * options.rounds
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
