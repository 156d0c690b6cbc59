#!/usr/bin/env python3
"""Peak memory of the grader itself while it judges hostile outputs.

    cargo build --release && python3 grader/examples/peak-memory.py target/release/grader

For each program below, a class of four students hands it in; the grader judges two at a time. What is printed is the
largest resident size (VmHWM) of the grader's own process, not of the programs it runs.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

PROBLEM = """
format = 1
id = "task"
title = {{ zh = "题", en = "Task" }}
[submission]
files = ["task.*"]
[limits]
time = "60 s"
output = "{output}"
[checker.{checker}]
{options}
[[subtask]]
name = "all"
points = 1
[[subtask.case]]
name = "only"
answer = "92\\n"
"""

ASSIGNMENT = """
format = 1
id = "memory"
title = { zh = "内存", en = "Memory" }
[[problem]]
path = "task"
points = 1
"""

HEAD = "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\nstatic char b[1 << 20];\n"
BLANKS = HEAD + "int main(void) { memset(b, ' ', sizeof b); for (int i = 0; i < 1024; i++) if (write(1, b, sizeof b) < 0) break; return 0; }\n"
LINES = HEAD + "int main(void) { for (;;) puts(\"1\"); }\n"
BYTES = HEAD + "int main(void) { write(1, \"9\\0\\xff\\xfe\\033[2J2\\n\", 10); return 0; }\n"
LONG = HEAD + "int main(void) { memset(b, 'x', 1000000); b[1000000] = '\\n'; write(1, b, 1000001); return 0; }\n"

AFTER = HEAD + "int main(void) { puts(\"92\"); memset(b, '\\n', sizeof b); for (int i = 0; i < 120; i++) if (write(1, b, sizeof b) < 0) break; return 0; }\n"

RUNS = [
    ("1 GiB of spaces, cut at 64 KiB", BLANKS, "64 KiB", "lines", ""),
    ("1 GiB of spaces, cut at 64 MiB", BLANKS, "64 MiB", "lines", ""),
    ("lines without end, cut at 64 MiB", LINES, "64 MiB", "tokens", ""),
    ("the answer, 120 MiB of empty lines", AFTER, "128 MiB", "lines", ""),
    ("a line of 10^6 characters, lines", LONG, "8 MiB", "lines", ""),
    ("a line of 10^6 characters, board", LONG, "8 MiB", "queens-board", 'size = 8\nqueen = "Q"\nblank = "#"'),
    ("NUL, invalid UTF-8, escapes", BYTES, "64 KiB", "exact", ""),
]


def high_water(pid):
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def main():
    grader = pathlib.Path(sys.argv[1]).resolve()
    for name, source, output, checker, options in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "task").mkdir()
            (folder / "assignment.toml").write_text(ASSIGNMENT)
            (folder / "task/problem.toml").write_text(
                PROBLEM.format(output=output, checker=checker, options=options))
            for student in range(4):
                place = folder / "class" / f"s{student}"
                place.mkdir(parents=True)
                (place / "task.c").write_text(source)
            process = subprocess.Popen([grader, "grade", "class", "--no-ledger", "-a", ".", "-j", "2"],
                                       cwd=folder, stdout=subprocess.DEVNULL)
            peak = 0
            while process.poll() is None:
                peak = max(peak, high_water(process.pid))
                time.sleep(0.002)
            print(f"{name:36} {peak / 1024:7.1f} MiB   exit status {process.returncode}")


main()
