#!/usr/bin/env python3
"""Are the verdicts on time the same on a machine that is three times as slow?

    cargo build --release
    sudo python3 grader/examples/slow-machine.py --quota 0.33
    python3 grader/examples/slow-machine.py --burners 2

Grades two sample programs for `count` of n-queens, one after the other, on one core: the one with bit masks must pass
every case, the one with arrays must exceed the time limit for n = 14, after which no larger n is run. No file is edited.

`--quota Q` gives the grader and all that it starts Q of a processor, by a control group with a quota of CPU time
(version 1 or 2). That needs root, or a writable group with the controller `cpu`; with systemd, `systemd-run --scope -p
CPUQuota=33% python3 grader/examples/slow-machine.py` does the same. `--burners K` keeps K endless processes on the same
core instead, so that a program gets one part of K + 1. Without either the machine is taken as it is.

Each long case is printed with its CPU time, its wall time and the limits of both. Exit status: 0 when the verdicts are
as they must be, 1 when not, 2 when the grader failed or there can be no quota.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SAMPLES = pathlib.Path("problems/n-queens/count/submissions")
PASSES, FAILS = SAMPLES / "accepted/bit-masks.c", SAMPLES / "time-limit/array-method.c"
TOO_LARGE = "n=14"
# In microseconds: what the kernel takes where nobody says otherwise.
PERIOD = 100_000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grader", default="target/release/grader", help="the grader (default: %(default)s)")
    slow = parser.add_mutually_exclusive_group()
    slow.add_argument("--quota", type=float, metavar="Q", help="so much of a processor, 0.01 to 1")
    slow.add_argument("--burners", type=int, default=0, metavar="K", help="endless processes on the same core")
    options = parser.parse_args()
    if options.quota is not None and not 0.01 <= options.quota <= 1:
        parser.error("a quota is from 0.01 to 1")
    return options


def complain(message):
    print(f"slow-machine: {message}", file=sys.stderr)
    sys.exit(2)


def control_group():
    """Our own control group that has the controller `cpu`, as a folder, and the version of its hierarchy."""
    mounts = {}
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, after = line.split(" - ")
        kind, _, options = after.split()[:3]
        root, point = before.split()[3:5]
        if kind == "cgroup" and "cpu" in options.split(","):
            mounts[1] = (point, root)
        elif kind == "cgroup2":
            mounts[2] = (point, root)
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        version = 2 if number == "0" else 1
        if version in mounts and (version == 2 or "cpu" in controllers.split(",")):
            point, root = mounts[version]
            folder = pathlib.Path(point, os.path.relpath(path, root))
            if version == 1 or "cpu" in (folder / "cgroup.controllers").read_text().split():
                return folder, version
    raise OSError("there is no control group with the controller `cpu`")


@contextlib.contextmanager
def quota(part):
    """A group with such a part of a processor; gives the file by which a process enters it, and its statistics."""
    parent, version = control_group()
    group = parent / f"bitcraft-slow-{os.getpid()}"
    group.mkdir()
    try:
        if version == 1:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(round(part * PERIOD)))
        else:
            (parent / "cgroup.subtree_control").write_text("+cpu")
            (group / "cpu.max").write_text(f"{round(part * PERIOD)} {PERIOD}")
        yield group / "cgroup.procs", group / "cpu.stat"
    finally:
        # What was in it has ended; the kernel may need a moment to notice.
        for _ in range(50):
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.1)


@contextlib.contextmanager
def burners(count):
    """Endless processes. They end with this one, however it ends."""
    endless = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    for _ in range(10_000_000): pass"
    running = []
    try:
        for _ in range(count):
            running.append(subprocess.Popen([sys.executable, "-c", endless, str(os.getpid())], start_new_session=True))
        yield
    finally:
        for burner in running:
            burner.kill()
        for burner in running:
            burner.wait()


def graded(options, folder, enter):
    """The report on a class of both programs, graded one at a time."""
    for student, program in (("passes", PASSES), ("fails", FAILS)):
        (folder / "class" / student / "count").mkdir(parents=True)
        shutil.copy(program, folder / "class" / student / "count")
    report = folder / "report.json"
    command = [options.grader, "grade", folder / "class", "--no-ledger", "--assignment", "n-queens", "--jobs", "1"]
    command += ["--quiet", "--json", report]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: enter and enter.write_text(str(os.getpid())))
    if done.returncode not in (0, 1) or not report.exists():
        complain(f"the grader failed: {done.stderr}")
    return json.loads(report.read_text())


def seconds(milliseconds):
    return "-" if milliseconds is None else f"{milliseconds / 1000:.2f}"


def show(report):
    """Prints the long cases; gives each program's verdicts."""
    verdicts = {}
    for student in report["students"]:
        [problem] = [problem for problem in student["problems"] if problem["id"] == "count"]
        program = PASSES if student["id"] == "passes" else FAILS
        print(f"\n{program.name}: {problem['points']} of {problem['max-points']} points")
        print(f"  {'case':6}{'verdict':>8}{'CPU, s':>10}{'limit':>8}{'reference':>10}{'wall, s':>10}{'limit':>8}"
              f"{'share':>7}")
        verdicts[student["id"]] = {}
        for case in (case for subtask in problem["subtasks"] for case in subtask["cases"]):
            verdicts[student["id"]][case["name"]] = case["verdict"]
            outcome, limits = case["outcome"], case["limits"]
            if outcome is None or outcome["cpu-ms"] < 100:
                continue
            cpu, wall = outcome["cpu-ms"], outcome["wall-ms"]
            print(f"  {case['name']:6}{case['verdict']:>8}{seconds(cpu):>10}{seconds(limits['cpu-ms']):>8}"
                  f"{seconds(case['reference-cpu-ms']):>10}{seconds(wall):>10}{seconds(limits['wall-ms']):>8}"
                  f"{cpu / wall:7.2f}")
            if case["verdict"] != "AC" and case["message"]:
                print(f"        {case['message']}")
    return verdicts


def main():
    options = arguments()
    # One core for all: what is beside a program is then what is said here.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"load {os.getloadavg()[0]:.1f}", end="")
    print(f", {options.burners} burners on the same core" if options.burners else "", end="")
    print(f", {options.quota} of a processor" if options.quota else "", flush=True)
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        enter = statistics = None
        if options.quota is not None:
            try:
                enter, statistics = stack.enter_context(quota(options.quota))
            except OSError as error:
                complain(f"no quota of CPU time can be set here (it needs root and the controller `cpu`): {error}")
        stack.enter_context(burners(options.burners))
        verdicts = show(graded(options, folder, enter))
        print(f"\n{time.monotonic() - begun:.0f} s in all")
        if statistics:
            counts = dict(line.split() for line in statistics.read_text().splitlines())
            print(f"stopped for the quota in {counts['nr_throttled']} of {counts['nr_periods']} periods")
    passes = set(verdicts["passes"].values()) == {"AC"}
    fails = verdicts["fails"].get(TOO_LARGE) == "TLE" and set(verdicts["fails"].values()) == {"AC", "TLE", "SK"}
    print("as it must be" if passes and fails else "NOT as it must be")
    return int(not (passes and fails))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
