#!/usr/bin/env python3
"""Measures how well `grader stress` finds inputs on which programs are wrong.

    cargo build --release && grader/examples/search/bench.py target/release/grader [PROBLEM...] [--smallest]

Each folder here is a problem: `solution.c` is its reference, `right/` has four or five more right programs, and `wrong.toml`
makes wrong ones: each replaces a text in a right one. The grader searches 10 seconds for an input on which a wrong program
fails (`--wrong`), and 60 seconds for a right one (`--right`; 0: not at all), on two cores (`--jobs`). Programs run in the grader's
sandbox only.

Prints for each problem how many wrong programs were found and in how many seconds (the median of all), which were not, and
the false alarms. With `--smallest`, also the sizes of the inputs: their words, divided by those of the smallest input on
which the program fails. For that, `small.py` in each problem yields all inputs of so many words with a few values. Those
with fewer words than the input that was found, at most 4096, are searched in the same way, the smallest first, so that all
are tried. Inputs that are too large to be printed count as ten times the smallest. Where nothing smaller is found, the ratio is 1.
The exit status is 0 if the goals of the benchmark hold: 95 % found, no false alarm, a median ratio of at most 1.2.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
MOST_SMALL = 4096


def stress(options, program, problem, assignment, seconds):
    """Whether an input is found, after how many seconds, and what is printed."""
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    command = [options.grader, "stress", program, "-p", problem, "-a", assignment, "--time", str(seconds), "-j", str(options.jobs)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, cwd=program.parent, env=environment)
    if done.returncode not in (0, 1) or "tried" not in done.stdout.replace("no difference", "tried"):
        sys.exit(f"{problem}/{program.name}: {done.stdout}{done.stderr}")
    return done.returncode == 1, time.monotonic() - began, done.stdout


def wrong_programs(problem, room):
    """Writes the wrong programs of a problem, each in a folder of its own."""
    for name, (base, *texts) in tomllib.loads((HERE / problem / "wrong.toml").read_text()).items():
        folder = HERE / problem if base == "solution.c" else HERE / problem / "right"
        source = (folder / base).read_text()
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            if source.count(old) != 1:
                sys.exit(f"{problem}/{name}: {source.count(old)} times in {base}: {old}")
            source = source.replace(old, new)
        path = room / problem / name / f"{problem}{pathlib.Path(base).suffix}"
        path.parent.mkdir(parents=True)
        path.write_text(source)
        yield name, path


def words(text):
    """The number of words of the input that was found; None if it is too large to be printed."""
    lines = text.partition("    input\n")[2].splitlines()
    shown = [line.removeprefix("    │") for line in lines if line.startswith("    │")]
    if not shown or "    … the rest is left out" in text:
        return None
    return len(" ".join(shown).split())


def smallest(options, program, problem, room, most):
    """The number of words of the smallest input on which a program fails, if it is below `most`."""
    scope = {}
    exec((HERE / problem / "small.py").read_text(), scope)
    inputs = [text for count in range(most) for text in scope["small"](count)][:MOST_SMALL]
    if not inputs:
        return most
    folder = room / "small"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / problem, folder / problem)
    (folder / "assignment.toml").write_text(
        f'format = 1\nid = "small"\ntitle = "Small"\n[[problem]]\npath = "{problem}"\npoints = 1\n'
    )
    texts = ",\n".join(json.dumps(text) for text in inputs)
    (folder / problem / "small.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        f"const char *texts[] = {{{texts}}};\nint main(int c, char **v) {{ (void)c; fputs(texts[atoi(v[1])], stdout); }}\n"
    )
    file = folder / problem / "problem.toml"
    search = f'[search]\ncases = {{ k = "0..={len(inputs) - 1}" }}\ngenerate = "small.c {{k}}"\n'
    file.write_text(re.sub(r"(?s)\[search\].*?(?=\[\[subtask)", lambda _: search, file.read_text()))
    found, _, text = stress(options, program, problem, folder, options.wrong * 6)
    return words(text) or most if found else most


def measure(options, problem, room):
    times, missed, ratios, unknown = [], [], [], 0
    for name, path in list(wrong_programs(problem, room))[:: options.every]:
        found, seconds, text = stress(options, path, problem, HERE, options.wrong)
        times.append(seconds)
        if options.verbose:
            print(f"--- {problem}/{name}: {seconds:.1f} s\n{text}", flush=True)
        if not found:
            missed.append(name)
        elif options.smallest:
            size = words(text)
            if size is None:
                unknown += 1
                ratios.append(10.0)
            else:
                ratios.append(size / smallest(options, path, problem, room, size))
    alarms = []
    for path in sorted((HERE / problem / "right").iterdir()) if options.right else []:
        copy = room / problem / path.stem / f"{problem}{path.suffix}"
        copy.parent.mkdir(parents=True)
        shutil.copy(path, copy)
        found, _, text = stress(options, copy, problem, HERE, options.right)
        if found:
            alarms.append(path.name)
            print(f"--- {problem}/{path.name}\n{text}", flush=True)
    line = f"{problem:12} {len(times) - len(missed):2} of {len(times)} found, median {statistics.median(times):4.1f} s"
    if options.right:
        line += f", {len(alarms)} false alarms"
    if ratios:
        line += f", size {statistics.median(ratios):.2f} of the smallest ({unknown} not printed)"
    print(line + "".join(f"\n    missed: {name}" for name in missed), flush=True)
    return len(times), missed, alarms, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grader", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("problems", nargs="*", metavar="PROBLEM")
    parser.add_argument("--wrong", type=int, default=10, metavar="SECONDS")
    parser.add_argument("--right", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth wrong program")
    parser.add_argument("--smallest", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print what is found")
    options = parser.parse_args()
    problems = options.problems or sorted(path.parent.name for path in HERE.glob("*/wrong.toml"))
    with tempfile.TemporaryDirectory() as room:
        all_of = [measure(options, problem, pathlib.Path(room)) for problem in problems]
    total, missed, alarms, ratios = (sum((list(it) if isinstance(it, list) else [it] for it in column), []) for column in zip(*all_of))
    total, ratio = sum(total), statistics.median(ratios) if ratios else 1
    print(f"{total - len(missed)} of {total} found, {len(alarms)} false alarms, median size {ratio:.2f} of the smallest")
    return len(missed) * 20 > total or bool(alarms) or ratio > 1.2


if __name__ == "__main__":
    sys.exit(main())
