#!/usr/bin/env python3
"""Verifies one package of 30 submissions and 20 cases with the grader, problemtools and BAPCtools, in turn.

    cargo build --release && grader/examples/peers.py [--rounds 5] [PACKAGE...]

Needs `verifyproblem` and `bt` (`pip install problemtools bapctools`); one that is missing is left out. All use two
threads. Prints the wall times, the CPU times (which other work on the machine changes less), and the submissions on
which they disagree. Verifies packages (folders) instead, if given, of which it prints the times only; then
problemtools validates the test data too, as the grader does. The grader verifies each package twice; the first time,
it compiles everything.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

GRADER = pathlib.Path(__file__).resolve().parents[2] / "target/release/grader"
CASES = 20

SUM = r"""
#include <stdio.h>
#include <stdlib.h>
int main() {
    int count;
    volatile long long sum = 0;
    long long value;
    if (scanf("%d", &count) != 1) return 1;
    for (int i = 0; i < count; i++) {
        if (scanf("%lld", &value) != 1) return 1;
        sum += value;
    }
    BEFORE
    printf("%lld\n", sum);
    return 0;
}
"""
SUM_IN_PYTHON = """
import sys
count, *values = map(int, sys.stdin.buffer.read().split())
total = sum(values)
BEFORE
print(total)
"""
# What a submission does in the case whose count is `CASE`, in C and C++ and in Python.
KINDS = {
    "accepted": ("", ""),
    "wrong_answer": ("if (count == CASE) sum += 1;", "total += count == CASE"),
    "run_time_error": ("if (count == CASE) abort();", "assert count != CASE"),
    "time_limit_exceeded": ("while (count == CASE) sum += 1;", "while count == CASE: total += 1"),
}
VERDICTS = {"accepted": "AC", "wrong_answer": "WA", "run_time_error": "RTE", "time_limit_exceeded": "TLE"}


def write_files(folder, files):
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def write(folder, version):
    files = {}
    data = "testdata" if version == "legacy" else "test_group"
    if version == "legacy":
        files["problem.yaml"] = "name: Sums\nlimits: {memory: 512}\n"
        files["problem_statement/problem.en.tex"] = "\\problemname{Sums}\nAdd.\n"
        files[".timelimit"] = "1\n"
    else:
        files["problem.yaml"] = (
            "problem_format_version: 2025-09\nname: Sums\nuuid: 5a1c7a9e-0000-4000-8000-000000000001\n"
            "limits: {memory: 512, time_limit: 1.0}\n"
        )
        files["statement/problem.en.tex"] = "\\problemname{Sums}\nAdd.\n"
    for case in range(CASES):
        count = 1000 + case
        values = [(case * 7919 + index * 104729) % 1000003 for index in range(count)]
        name = f"data/secret/{case:02}"
        files[name + ".in"] = f"{count}\n" + "".join(f"{value}\n" for value in values)
        files[name + ".ans"] = f"{sum(values)}\n"
    kinds = ["accepted"] * 20 + ["wrong_answer"] * 6 + ["run_time_error"] * 2 + ["time_limit_exceeded"] * 2
    for index, kind in enumerate(kinds):
        extension = ["c", "cpp", "py"][index % 3]
        in_c, in_python = KINDS[kind]
        source = SUM_IN_PYTHON.replace("BEFORE", in_python) if extension == "py" else SUM.replace("BEFORE", in_c)
        source = source.replace("CASE", str(1000 + index % CASES))
        files[f"submissions/{kind}/{kind[0]}{index:02}.{extension}"] = source
    write_files(folder, files)


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, folder, cache):
    began, cpu = time.monotonic(), cpu_of_children()
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", env=environment)
    return (time.monotonic() - began, cpu_of_children() - cpu), done.stdout + done.stderr


def of_grader(text):
    # Warnings follow what standard output had.
    samples = json.JSONDecoder().raw_decode(text)[0]["assignments"][0]["problems"][0]["samples"]
    folders = {"accepted": "accepted", "wrong-answer": "wrong_answer", "runtime-error": "run_time_error", "time-limit": "time_limit_exceeded"}
    found = {}
    for sample in samples:
        folder, name = sample["path"].split("/")
        verdict = sample["found"]["subtasks"][-1]["verdict"]
        found[f"{folders.get(folder, folder)}/{name}"] = {"RE": "RTE"}.get(verdict, verdict)
    return found


def of_problemtools(text):
    return {path: verdict for path, verdict in re.findall(r"^\s*(?:ERROR )?(\S+/\S+) \(.*?\) (?:OK: |got )(\w+)", text, re.M)}


def of_bapctools(text):
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return dict(re.findall(r"^(\S+/\S+): +(\w+) ", text, re.M))


def verify_all(room, legacy, contest, rounds, parts, options=()):
    """The times of each judge, and the submissions' verdicts."""
    subprocess.run([GRADER, "import", legacy, "-o", "imported"], cwd=room, check=True, stdout=subprocess.DEVNULL)
    verify = [GRADER, "verify", "imported", "--jobs", "2", "--json", "-"]
    ways = {
        "grader verify": (verify, room, of_grader),
        "grader verify, again": (verify, room, of_grader),
        "verifyproblem": (["verifyproblem", "-j", "2", *options, "-p", *parts, "--", legacy], room, of_problemtools),
        "bt run": (["bt", "run", "-G", "-B", "-j", "2"], contest, of_bapctools),
    }
    ways = {name: way for name, way in ways.items() if shutil.which(str(way[0][0]))}
    times, verdicts, cache = {name: [] for name in ways}, {}, room / "cache"
    cache.mkdir()
    for _ in range(rounds):
        shutil.rmtree(cache / "bitcraft", ignore_errors=True)
        for name, (command, folder, read) in ways.items():
            shutil.rmtree(pathlib.Path(tempfile.gettempdir()) / "bapctools", ignore_errors=True)
            seconds, text = run(command, folder, cache)
            times[name].append(seconds)
            verdicts[name] = read(text)
    for name, measured in times.items():
        seconds, cpu = (sorted(column) for column in zip(*measured))
        middle = len(seconds) // 2
        print(
            f"{name:22} {seconds[0]:5.1f} s to {seconds[-1]:5.1f} s, median {seconds[middle]:5.1f} s,"
            f" CPU {cpu[middle]:5.1f} s, {len(verdicts[name])} verdicts"
        )
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("packages", nargs="*", type=pathlib.Path, metavar="PACKAGE")
    arguments = parser.parse_args()
    for package in arguments.packages:
        with tempfile.TemporaryDirectory() as room:
            package = package.resolve()
            print(package.name)
            verify_all(pathlib.Path(room), package, package, arguments.rounds, ["data", "submissions"])
    if arguments.packages:
        return
    with tempfile.TemporaryDirectory() as room:
        room = pathlib.Path(room)
        write(room / "sums", "legacy")
        write(room / "contest/sums", "2025-09")
        verdicts = verify_all(room, "sums", room / "contest/sums", arguments.rounds, ["submissions"], ["-t", "1"])
    wrong = 0
    for path in sorted(next(iter(verdicts.values()))):
        found = {name: verdicts[name].get(path) for name in verdicts}
        if set(found.values()) != {VERDICTS[path.split("/")[0]]}:
            wrong += 1
            print(path, found)
    print(f"30 submissions, {30 - wrong} with the expected verdict everywhere")


if __name__ == "__main__":
    main()
