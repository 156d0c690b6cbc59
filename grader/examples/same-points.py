#!/usr/bin/env python3
"""Do the same programs get the same points and verdicts, grading after grading?

    cargo build --release && python3 grader/examples/same-points.py --problem count --rounds 50 --burners 2 \\
        problems/n-queens/count/submissions/accepted/bit-masks.c \\
        problems/n-queens/count/submissions/time-limit/array-method.c

Each round grades a class in which every given program is a student of its own. Every second round has `--burners K`
processes beside it that use a core each without end.

A line is printed for each round, and at the end for each program how often which points and which verdicts of its
cases came. The exit status is 0 where nothing changed; 1 where a program's most frequent points came in fewer than
`--same` of all rounds (a part, by default 1: all), or its most frequent verdicts, unless `--points-only` leaves them
out; 2 where the grader failed; 130 after Ctrl-C, which ends the round and still sums up those before it.
"""

import argparse
import collections
import dataclasses
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assignment", default="n-queens", help="a bundled one, or its folder with a slash in the path (default: %(default)s)")
    parser.add_argument("--problem", required=True, help="the id of a problem of it")
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--grader", default="target/release/grader", help="the grader (default: %(default)s)")
    parser.add_argument("--rounds", type=positive, default=20, help="how often each is graded (default: %(default)s)")
    parser.add_argument("--minutes", type=float, help="no round begins after so many minutes (default: no bound)")
    parser.add_argument("--burners", type=int, default=0, help="processes beside every second round (default: none)")
    parser.add_argument("--same", type=float, default=1.0, help="the part that must agree (default: %(default)s)")
    parser.add_argument("--points-only", action="store_true", help="verdicts may change where points do not")
    parser.add_argument("--jobs", type=positive, help="number of programs that the grader runs at a time")
    return parser.parse_args()


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, not `{text}`")
    return int(text)


class Burners:
    """Processes that do nothing but use a core each. They end with this process, however it ends."""

    ENDLESS = """
import os, sys
parent = int(sys.argv[1])
while os.getppid() == parent:
    for _ in range(10_000_000):
        pass
"""

    def __init__(self, count):
        self.count = count
        self.running = []

    def __enter__(self):
        command = [sys.executable, "-c", self.ENDLESS, str(os.getpid())]
        for _ in range(self.count):
            # Ctrl-C on the terminal is for this process, which ends them.
            self.running.append(subprocess.Popen(command, start_new_session=True))

    def __exit__(self, *_):
        for burner in self.running:
            burner.kill()
        for burner in self.running:
            burner.wait()


@dataclasses.dataclass(frozen=True)
class Result:
    """What one round found of one program."""
    points: float
    verdicts: tuple
    near: int
    alone: int
    unresolved: int


def hand_in(options, classroom):
    """A class in which each program is a student of its own."""
    for number, program in enumerate(options.programs, 1):
        folder = classroom / f"s{number:02}" / options.problem
        if program.is_dir():
            shutil.copytree(program, folder)
        else:
            folder.mkdir(parents=True)
            shutil.copy(program, folder)


def result_of(problem):
    """A program's result in the grader's report."""
    cases = [case for subtask in problem["subtasks"] for case in subtask["cases"]]
    alone = [case["confirmation"] for case in cases if case["confirmation"]]
    return Result(
        problem["points"],
        tuple((case["name"], case["verdict"]) for case in cases),
        sum(case["near-limit"] for case in cases),
        len(alone),
        sum(not confirmation["resolved"] for confirmation in alone),
    )


def graded(options, folder):
    """One grading: of each program its result."""
    report = folder / "report.json"
    command = [options.grader, "grade", folder / "class", "--no-ledger", "--assignment", options.assignment]
    command += ["--quiet", "--json", report]
    command += ["--jobs", str(options.jobs)] if options.jobs else []
    report.unlink(missing_ok=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not report.exists():
        if done.returncode in (130, -signal.SIGINT):
            raise KeyboardInterrupt
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
        sys.exit(2)
    found = json.loads(report.read_text())
    results = []
    for student in found["students"]:
        [problem] = [problem for problem in student["problems"] if problem["id"] == options.problem]
        results.append(result_of(problem))
    return results


def rounds(options, folder):
    """The gradings, one after the other, each as it comes; fewer after Ctrl-C."""
    begun = time.monotonic()
    for number in range(options.rounds):
        if options.minutes and time.monotonic() - begun > 60 * options.minutes:
            return
        beside = options.burners if number % 2 == 1 else 0
        start = time.monotonic()
        load = os.getloadavg()[0]
        with Burners(beside):
            results = graded(options, folder)
        yield number + 1, beside, load, time.monotonic() - start, results


def shown(verdicts):
    """`n=4 to n=13 AC, n=14 TLE`: cases in a row with the same verdict are shown as one."""
    runs = []
    for name, verdict in verdicts:
        if runs and runs[-1][2] == verdict:
            runs[-1][1] = name
        else:
            runs.append([name, name, verdict])
    return ", ".join(f"{first} {word}" if first == last else f"{first} to {last} {word}" for first, last, word in runs)


def sum_up(options, seen):
    """The table of each program; whether one of them changed."""
    changed = False
    for program, results in zip(options.programs, zip(*seen), strict=True):
        points = collections.Counter(result.points for result in results)
        verdicts = collections.Counter(result.verdicts for result in results)
        print(f"\n{program}: {len(results)} gradings")
        for earned, count in points.most_common():
            print(f"  {count:4} times  {earned} points")
        for cases, count in verdicts.most_common():
            print(f"  {count:4} times  {shown(cases)}")
        print(f"  {sum(result.near > 0 for result in results):4} times with a case near its limit, "
              f"{sum(result.alone > 0 for result in results)} with runs alone, "
              f"{sum(result.unresolved > 0 for result in results)} not resolved")
        for counter in [points] if options.points_only else [points, verdicts]:
            changed |= counter.most_common(1)[0][1] < options.same * len(results)
    return changed


def main():
    options = arguments()
    seen, walls, stopped = [], {0: [], options.burners: []}, False
    with tempfile.TemporaryDirectory() as folder:
        hand_in(options, pathlib.Path(folder, "class"))
        print(f"{'round':>5} {'begun':>8} {'burners':>7} {'load':>5} {'wall':>8}  points")
        try:
            for number, beside, load, wall, results in rounds(options, pathlib.Path(folder)):
                seen.append(results)
                walls[beside].append(wall)
                clock = (datetime.datetime.now() - datetime.timedelta(seconds=wall)).strftime("%H:%M:%S")
                print(f"{number:5} {clock} {beside:7} {load:5.1f} {wall:6.1f} s  "
                      f"{' '.join(str(result.points) for result in results)}", flush=True)
        except KeyboardInterrupt:
            stopped = True
            print("stopped", file=sys.stderr)
    if not seen:
        return 130
    changed = sum_up(options, seen)
    print(f"\n{len(seen)} rounds")
    for beside, seconds in walls.items():
        if seconds:
            print(f"  {len(seconds):4} with {beside} burners: {min(seconds):.0f} to {max(seconds):.0f} s, "
                  f"{sum(seconds) / len(seconds):.0f} s on average")
    print("something changed" if changed else "nothing changed")
    if stopped:
        return 130
    return int(changed)


if __name__ == "__main__":
    sys.exit(main())
