#!/usr/bin/env python3
"""How fast is a large class graded, what does it cost beside the students' programs, and what does the ledger save?

    cargo build --release && python3 grader/examples/scale.py --students 500 --hold

makes a class with `synthetic-class.py` and grades it twice: from nothing, and with nothing changed. The grader's own
temporary folder and ledger are in a folder that is removed afterwards (`--keep FOLDER` keeps it).

Of the first grading it prints where the CPU time went:

  student programs   the CPU times of all runs in the results, of runs alone near a limit too
  compilers          the CPU times of the builds in the results
  references         an estimate: each case once, at the median of the accepted C programs
  grader             the grader's own process, as the kernel charged it until shortly before its end
  launchers, rest    what is left of all that was charged to the grader and to what it waited for

The share of core time is the first of these by cores times wall time: what is lost to all others, to waiting, and to
other work on the machine is missing from it. The share of CPU time leaves the waiting out, and is the one to look at
on a machine that is not idle. Peak memory is VmHWM of the grader's process; of the launchers it is the largest sum of
their resident sizes that was seen, every two seconds.

The exit status is 2 where the grader failed. With `--hold` it is 1 where a goal is missed: 88% of core time in student
programs (where the mean run took at least 50 ms), 150 MiB of memory, 1% of the time of the first grading for the
second with every result reused but those that did not compile.
"""

import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grader", type=pathlib.Path, default="target/release/grader", help="(default: %(default)s)")
    parser.add_argument("--students", default="500", help="(default: %(default)s)")
    parser.add_argument("--seed", default="1", help="(default: %(default)s)")
    parser.add_argument("--cpu-ms", default="60", help="of a right program in a case, about (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="programs at a time, and the cores of the share (default: %(default)s, all here)")
    parser.add_argument("--keep", type=pathlib.Path, help="work in this folder, which must not exist, and leave it there")
    parser.add_argument("--first-only", action="store_true", help="only the first grading")
    parser.add_argument("--hold", action="store_true", help="exit status 1 when a goal is missed")
    return parser.parse_args()


class Watch(threading.Thread):
    """Looks at the grader while it runs."""

    def __init__(self, process, program):
        super().__init__(daemon=True)
        self.pid, self.program = process.pid, program
        self.peak_kib = self.launchers_kib = self.launchers = 0
        self.own_s = 0.0
        self.over = threading.Event()

    def run(self):
        tick = os.sysconf("SC_CLK_TCK")
        count = 0
        # Seldom, for it takes time from what is measured.
        while not self.over.wait(0.2):
            self.peak_kib = max(self.peak_kib, status(self.pid).get("VmHWM", 0))
            try:
                fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
                self.own_s = max(self.own_s, (int(fields[11]) + int(fields[12])) / tick)
            except (OSError, IndexError):
                pass
            if count % 10 == 0:
                sizes = [status(pid).get("VmRSS", 0) for pid in below(self.pid) if self.is_launcher(pid)]
                if sum(sizes) > self.launchers_kib:
                    self.launchers_kib, self.launchers = sum(sizes), len(sizes)
            count += 1

    def is_launcher(self, pid):
        """Whether this runs the grader's own program file, and not as a reference."""
        try:
            if not os.path.samefile(f"/proc/{pid}/exe", self.program):
                return False
            return b"reference" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False


def status(pid):
    """The sizes in /proc/PID/status, in KiB; none where it has ended."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if line.endswith(" kB"))
    return {name: int(value.split()[0]) for name, value in pairs}


def below(pid):
    """All processes that a process has started, and those that they have."""
    found, waiting = [], [pid]
    while waiting:
        try:
            tasks = list(pathlib.Path(f"/proc/{waiting.pop()}/task").iterdir())
            children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except OSError:
            continue
        found += children
        waiting += children
    return found


Grading = collections.namedtuple("Grading", "wall_s cpu_s watch results")


def grade(options, folder, name):
    """One grading of the class."""
    report = folder / f"{name}.json"
    command = [options.grader, "grade", "class", "--assignment", "./assignment", "--jobs", str(options.jobs)]
    command += ["--quiet", "--json", report]
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with open(folder / f"{name}.log", "wb") as log:
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        watch = Watch(process, options.grader)
        watch.start()
        _, code, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    watch.over.set()
    watch.join()
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode == 3:
        print(f"{name} grading: some points are open (exit status 3):\n{(folder / f'{name}.log').read_text()}")
    if process.returncode not in (0, 3) or not report.exists():
        print((folder / f"{name}.log").read_text(), f"exit status {process.returncode}", sep="", file=sys.stderr)
        sys.exit(2)
    return Grading(wall, usage.ru_utime + usage.ru_stime, watch, json.loads(report.read_text()))


def problems(results):
    return [problem for student in results["students"] for problem in student["problems"]]


def cases(problem):
    return [case for subtask in problem["subtasks"] for case in subtask["cases"]]


def runs_ms(case):
    """The CPU times of a case's runs, in ms."""
    if case["outcome"] is None:
        return []
    alone = case.get("confirmation")
    return [case["outcome"]["cpu-ms"], *(alone["runs-ms"] if alone else [])]


def references_s(results):
    """What the references take, about."""
    times = collections.defaultdict(list)
    for problem in problems(results):
        if problem["language"] == "c":
            for number, case in enumerate(cases(problem)):
                if case["verdict"] == "AC":
                    times[problem["id"], number].append(case["outcome"]["cpu-ms"])
    return sum(statistics.median(some) for some in times.values()) / 1000


def origins(results):
    """Of each problem, how many results come from where."""
    found = collections.defaultdict(collections.Counter)
    for problem in problems(results):
        origin = problem.get("origin")
        kind = origin["kind"] if origin else "nothing to run"
        # What did not compile is built again in every run: it costs little.
        if kind == "ran" and "compile-error" in origin["because"]:
            kind = "built again"
        found[problem["id"]][kind] += 1
    return found


class Goals:
    """What must be reached, each said as it is looked at."""

    def __init__(self):
        self.missed = False

    def hold(self, what, value, goal, reached):
        self.missed |= not reached
        print(f"{what:52} {goal:>16} {value:>12}   {'reached' if reached else 'MISSED'}")


def tell_first(options, first):
    """Where the time of the first grading went."""
    all_problems = problems(first.results)
    jobs = [problem for problem in all_problems if problem["files"]]
    runs = [run for problem in all_problems for case in cases(problem) for run in runs_ms(case)]
    students = sum(runs) / 1000
    compilers = sum(problem["build"]["cpu-ms"] for problem in jobs if problem["build"]) / 1000
    references = references_s(first.results)
    rest = first.cpu_s - students - compilers - references - first.watch.own_s
    mean = statistics.mean(runs)
    print(f"{options.students} students, {len(jobs)} jobs, {len(runs)} runs of {mean:.1f} ms on average, "
          f"{options.jobs} at a time, load {os.getloadavg()[0]:.1f}")
    verdicts = collections.Counter(problem["verdict"] for problem in all_problems)
    print("verdicts: " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    print(f"{first.wall_s:.1f} s, {len(jobs) / first.wall_s:.2f} jobs/s, {len(runs) / first.wall_s:.1f} runs/s\n")
    print(f"{'CPU time':24} {'s':>10} {'share':>8} {'ms a run':>10}")
    rows = [("student programs", students), ("compilers", compilers), ("references", references),
            ("grader", first.watch.own_s), ("launchers, rest", rest), ("all", first.cpu_s)]
    for name, seconds in rows:
        print(f"{name:24} {seconds:10.2f} {seconds / first.cpu_s:8.1%} {1000 * seconds / len(runs):10.2f}")
    idle = 1 - first.cpu_s / options.jobs / first.wall_s
    print(f"\nnot used by any of these: {idle:.1%} of {options.jobs} cores")
    print(f"peak memory: grader {first.watch.peak_kib / 1024:.1f} MiB, {first.watch.launchers} launchers and keepers "
          f"{first.watch.launchers_kib / 1024:.1f} MiB in all\n")
    return students / options.jobs / first.wall_s, mean


def main():
    options = arguments()
    options.grader = options.grader.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary, "work")
        folder.mkdir(parents=True)
        folder = folder.resolve()
        make = pathlib.Path(__file__).with_name("synthetic-class.py")
        subprocess.run([sys.executable, make, "--students", options.students, "--seed", options.seed,
                        "--cpu-ms", options.cpu_ms, folder], check=True)
        goals = Goals()
        first = grade(options, folder, "first")
        share, mean = tell_first(options, first)
        if mean >= 50:
            goals.hold("core time in student programs", f"{share:.1%}", "at least 88%", share >= 0.88)
        peak = first.watch.peak_kib / 1024
        goals.hold("peak memory of the grader", f"{peak:.1f} MiB", "at most 150 MiB", peak <= 150)
        if not options.first_only:
            again(options, folder, first, goals)
    return int(options.hold and goals.missed)


def again(options, folder, first, goals):
    """The gradings after the first."""
    second = grade(options, folder, "second")
    part = second.wall_s / first.wall_s
    goals.hold("second grading, nothing changed", f"{part:.2%}", "at most 1%", part <= 0.01)
    found = sum(origins(second.results).values(), collections.Counter())
    goals.hold("second grading, jobs not reused", f"{others(found, 'reused')}", "0", others(found, "reused") == 0)
    print(f"\n{'grading':34} {'wall, s':>10} {'CPU, s':>10} {'of the first':>14} {'peak memory':>14}   results")
    for name, grading in [("first", first), ("second, nothing changed", second)]:
        kinds = sum(origins(grading.results).values(), collections.Counter())
        said = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        print(f"{name:34} {grading.wall_s:10.2f} {grading.cpu_s:10.2f} {grading.wall_s / first.wall_s:14.2%} "
              f"{grading.watch.peak_kib / 1024:10.1f} MiB   {said}")


def others(kinds, kind):
    """How many results that were to be had have another origin."""
    return sum(count for other, count in kinds.items() if other not in (kind, "nothing to run", "built again"))


if __name__ == "__main__":
    sys.exit(main())
