#!/usr/bin/env python3
"""How far are honest programs below their time limits, and hopeless ones above?

    cargo build && python3 grader/examples/limits.py --grader target/debug/grader

Honest programs are those in `limits/`, written without a look at the limits, and the accepted samples of each problem;
hopeless ones are the samples in `time-limit`. Each is graded as a student of its own, against the bundled problems with
their limits stretched, so that a program may run past its limit. For each program the table has its worst case as a
multiple of the limit that the problem gives. Cases that are judged by growth have no limit of time.

The exit status is 1 if an honest program is above 0.5, or not accepted, or a hopeless one below 2.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "grader/examples/limits"
HONEST, HOPELESS = 0.5, 2
TIME = re.compile(r"^time = (.*)$", re.MULTILINE)
NUMBER = re.compile(r'(reference = |time = ")([0-9.]+)')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grader", default="target/release/grader", help="the grader (default: %(default)s)")
    parser.add_argument("--problem", action="append", help="only this one (may be given more than once)")
    parser.add_argument("--program", help="only programs whose name in the table matches this regular expression")
    parser.add_argument("--stretch", type=float, default=4, help="how far a program may run past its limit (default: %(default)s)")
    parser.add_argument("--jobs", default="1", help="number of programs that the grader runs at a time (default: %(default)s)")
    return parser.parse_args()


def programs(problem, pattern):
    """The programs of a problem: each with its kind and the name that is shown."""
    own = sorted(path for path in PROGRAMS.glob("*/*") if same_word(path.stem) == same_word(problem.name))
    found = [("honest", f"{path.parent.name}/{path.name}", path) for path in own]
    for kind, samples in [("honest", "accepted"), ("hopeless", "time-limit")]:
        found += [(kind, f"{samples}/{path.name}", path) for path in sorted((problem / "submissions" / samples).glob("*"))]
    return [one for one in found if not pattern or re.search(pattern, one[1])]


def same_word(name):
    return name.lower().replace("-", "")


def stretched(problem, by):
    """The problem file with `by` times its limits."""
    text = problem.read_text(encoding="utf-8")
    return TIME.sub(lambda line: NUMBER.sub(lambda found: f"{found[1]}{float(found[2]) * by:g}", line[0]), text)


def graded(options, assignment, problem, chosen, folder):
    """The results of each program, in their order."""
    copy, classroom, report = folder / "assignment", folder / "class", folder / "report.json"
    shutil.copytree(assignment, copy)
    file = copy / problem.name / "problem.toml"
    file.write_text(stretched(file, options.stretch), encoding="utf-8")
    for number, (_, _, path) in enumerate(chosen):
        own = classroom / f"s{number:03}" / problem.name
        if path.is_dir():
            shutil.copytree(path, own)
        else:
            own.mkdir(parents=True)
            shutil.copy(path, own)
    command = [options.grader, "grade", classroom, "--no-ledger", "--assignment", copy, "--problem", problem.name]
    command += ["--quiet", "--json", report, "--jobs", options.jobs]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not report.exists():
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
        sys.exit(2)
    for student in json.loads(report.read_text())["students"]:
        yield next(one for one in student["problems"] if one["id"] == problem.name)


def worst(result, stretch):
    """The largest multiple of a limit, and its case."""
    cases = [
        (case["outcome"]["cpu-ms"] / case["limits"]["cpu-ms"] * stretch, f"{subtask['name']}/{case['name']}")
        for subtask in result["subtasks"]
        for case in subtask["cases"]
        if not subtask["growth"] and case["outcome"] and case["limits"]["cpu-ms"]
    ]
    return max(cases, default=(0, "-"))


def main():
    options = arguments()
    missed = False
    print(f"{'problem':16} {'program':40} {'language':9} {'verdict':7} {'by limit':>8}  case")
    for assignment in sorted(path.parent for path in ROOT.glob("problems/*/assignment.toml")):
        for file in sorted(assignment.glob("*/problem.toml")):
            problem = file.parent
            chosen = programs(problem, options.program)
            if not chosen or (options.problem and problem.name not in options.problem):
                continue
            with tempfile.TemporaryDirectory() as folder:
                results = list(graded(options, assignment, problem, chosen, pathlib.Path(folder)))
            for (kind, name, _), result in zip(chosen, results, strict=True):
                multiple, case = worst(result, options.stretch)
                wrong = multiple > HONEST or result["verdict"] != "AC" if kind == "honest" else multiple < HOPELESS
                missed |= wrong
                print(f"{problem.name:16} {name:40} {result['language'] or '-':9} {result['verdict'] or '-':7} "
                      f"{multiple:8.3f}  {case}{'  missed' if wrong else ''}", flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
