#!/usr/bin/env python3
"""Compares how many inputs `grader stress` tries in a second with a shell loop.

    cargo build --release && grader/examples/search/throughput.py target/release/grader [--rounds N]

The loop runs `gen | prog`, `gen | ref` and `cmp` for each input, without a sandbox, on the same kinds of small inputs. The two take turns,
so that they meet the same other work on the machine. Prints the medians of all rounds, and the CPU time of an input, which other work
changes less.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# A right program of each problem, the variables of its generator before the seed, and their values.
PROBLEMS = {
    "subarray": ("prefix.c", {"n": 12, "max": 9}),
    "palindrome": ("table.c", {"n": 12, "letters": 3}),
    "inversions": ("fenwick.c", {"n": 12, "max": 20}),
}
LOOP = """
seed=1
while [ "$seed" -le "$1" ]; do
    a=$((1 + seed % {first})) b=$((1 + seed % {second}))
    ./gen $a $b $seed | ./program >output
    ./gen $a $b $seed | ./reference >answer
    cmp -s output answer || echo differs
    seed=$((seed + 1))
done
"""


def assignment(room, problem, variables):
    """A copy of a problem whose inputs are small."""
    shutil.copytree(HERE / problem, room / problem)
    (room / "assignment.toml").write_text(
        f'format = 1\nid = "small"\ntitle = "Small"\n[[problem]]\npath = "{problem}"\npoints = 1\n'
    )
    cases = "".join(f'{name} = "1..={most}", ' for name, most in variables.items())
    file = room / problem / "problem.toml"
    file.write_text(re.sub(r"(?m)^cases = .*$", f'cases = {{ {cases}seed = "1..=1000000" }}', file.read_text(), count=1))


def timed(command, **how):
    """What a command prints, and the seconds and the CPU seconds that it takes, with all processes that it starts."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, **how)
    taken, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def searched(options, room, problem, program):
    """Inputs that the grader tries in a second, and the CPU milliseconds of one, compilers included."""
    command = [options.grader, "stress", program, "-p", problem, "-a", room, "--time", str(options.time), "-j", str(options.jobs)]
    done, _, cpu = timed(command, env=os.environ | {"LC_ALL": "C.UTF-8"})
    tried = re.search(r"^no difference from the reference in ([\d,]+) of", done.stdout)
    if not tried:
        sys.exit(f"{problem}: {done.stdout}{done.stderr}")
    count = int(tried[1].replace(",", ""))
    return count / options.time, cpu / count * 1000


def looped(options, room, script):
    """The same of the loop."""
    done, taken, cpu = timed(["sh", script, str(options.count)], cwd=room, check=True)
    if done.stdout or done.stderr:
        sys.exit(done.stdout + done.stderr)
    return options.count / taken, cpu / options.count * 1000


def measure(options, room, problem):
    name, variables = PROBLEMS[problem]
    assignment(room, problem, variables)
    program = room / f"{problem}.c"
    shutil.copy(HERE / problem / "right" / name, program)
    for output, source in ("gen", HERE / problem / "gen.c"), ("reference", HERE / problem / "solution.c"), ("program", program):
        subprocess.run(["gcc", "-O2", "-w", "-o", room / output, source, "-lm"], check=True)
    first, second = variables.values()
    script = room / "loop.sh"
    script.write_text(LOOP.format(first=first, second=second))
    rounds = [(searched(options, room, problem, program), looped(options, room, script)) for _ in range(options.rounds)]
    rows = [(a, b, a / b, x, y) for (a, x), (b, y) in rounds]
    ours, theirs, ratio, cpu, loop_cpu = (statistics.median(it) for it in zip(*rows))
    print(f"{problem:12} {ours:4.0f} inputs/s, loop {theirs:4.0f}, ratio {ratio:.2f}; CPU time {cpu:.2f} ms, loop {loop_cpu:.2f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grader", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", default=list(PROBLEMS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--time", type=int, default=8, metavar="SECONDS")
    parser.add_argument("--count", type=int, default=400, metavar="N", help="inputs of each loop")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for problem in options.problems:
        with tempfile.TemporaryDirectory() as room:
            measure(options, pathlib.Path(room), problem)


if __name__ == "__main__":
    main()
