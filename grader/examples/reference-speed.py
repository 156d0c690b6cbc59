#!/usr/bin/env python3
"""How fast the reference programs are, beside the textbook C program, on this machine.

    cargo build --release -p reference-count -p reference-fast-count -p reference-polynomial -p reference-annealing \
        -p reference-first-three
    python3 grader/examples/reference-speed.py [PART ...]

Whatever is compared runs in one loop, turn about (A B C A B C ...). A time is what the kernel charged to a whole process
from its start to its end, in user and in system mode; wall time stands beside it where several threads share the work.
Of all rounds the median is given. A program that prints a wrong answer or ends badly has no time. Python 3.10 or later.

The textbook is Richards' recursion in C, textbook.c beside this file, compiled by `gcc -O2`.
"""

import argparse
import contextlib
import dataclasses
import math
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import typing

WORKSPACE = pathlib.Path(__file__).resolve().parents[2]
TEXTBOOK = WORKSPACE / "grader/examples/textbook.c"
BUILD = ("cargo build --release -p reference-count -p reference-fast-count -p reference-polynomial "
         "-p reference-annealing -p reference-first-three")

# The numbers of solutions, to tell a wrong answer from a time (OEIS A000170).
TOTALS = dict(enumerate([
    2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848,
    39029188884,
], start=4))

# What the kernel calls the instructions that the references ask for, see reference/fast-count/src/simd.rs.
AVX2 = {"avx2", "popcnt", "bmi1", "bmi2"}
AVX512 = AVX2 | {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vbmi2", "avx512_vpopcntdq"}


class Failed(Exception):
    """A run that gives no time: it says why."""


@dataclasses.dataclass(frozen=True)
class Contender:
    """One of the programs that run turn about. `{seed}` in its arguments is the number of the round, from 1."""

    name: str
    arguments: tuple
    check: object  # called with the path of what was printed; raises Failed
    given: str = ""  # standard input
    may_give_up: bool = False  # exit status 1 is an answer


class Time(typing.NamedTuple):
    """Seconds of one run."""

    cpu: float
    wall: float
    gave_up: bool = False


class Goal(typing.NamedTuple):
    """What must be reached, and what was: at most `goal` if `most`, else at least."""

    what: str
    goal: float
    most: bool
    reached: object  # None where it was not measured
    digits: int = 1

    def missed(self):
        return self.reached is not None and (self.reached > self.goal if self.most else self.reached < self.goal)

    def line(self):
        limit = f"{'at most' if self.most else 'at least'} {self.goal:g}"
        if self.reached is None:
            return f"{self.what:58} {limit:>14} {'-':>10}   not measured"
        return f"{self.what:58} {limit:>14} {self.reached:10.{self.digits}f}   {'missed' if self.missed() else 'reached'}"


class Bench:
    """Where the programs are, and what happened so far."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.programs = program_folder(options)
        self.levels = simd_levels()
        self.failures = []
        self.goals = []

    def textbook(self, n):
        return Contender(f"textbook {n}", (self.folder / "textbook", n), total(n))

    def count(self, n, method):
        return Contender(method, (self.programs / "count", n, "--method", method), total(n))

    def fast_count(self, n, name, *extra):
        return Contender(name, (self.programs / "fast-count", n, *extra), total(n))

    def run(self, contender, seed):
        """One run, from start to end, its answer checked."""
        arguments = [str(argument).replace("{seed}", str(seed)) for argument in contender.arguments]
        given, printed, said = (self.folder / name for name in ("given", "printed", "said"))
        given.write_text(contender.given)
        for old in (printed, said):
            # Here, because emptying it as the program starts would be charged to the program.
            old.unlink(missing_ok=True)
        new = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        begin = time.perf_counter()
        try:
            pid = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, printed, new, 0o600),
                (os.POSIX_SPAWN_OPEN, 2, said, new, 0o600),
            ])
        except OSError as error:
            raise Failed(f"cannot start: {error.strerror}") from error
        try:
            _, status, usage = os.wait4(pid, 0)
        except KeyboardInterrupt:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        wall = time.perf_counter() - begin
        code = os.waitstatus_to_exitcode(status)
        gave_up = contender.may_give_up and code == 1
        if code != 0 and not gave_up:
            lines = said.read_text(errors="replace").strip().splitlines()
            end = f"exit status {code}" if code > 0 else f"signal {-code}"
            raise Failed(f"{end}: {lines[0]}" if lines else end)
        if not gave_up:
            contender.check(printed)
        return Time(usage.ru_utime + usage.ru_stime, wall, gave_up)

    def loop(self, contenders, rounds):
        """All contenders turn about; those that fail are left out from then on. Gives the times of each by name."""
        times = {contender.name: [] for contender in contenders}
        left = list(contenders)
        for number in range(1, rounds + 1):
            for contender in list(left):
                self.progress(f"round {number} of {rounds}: {contender.name}")
                try:
                    times[contender.name].append(self.run(contender, number))
                except Failed as failure:
                    left.remove(contender)
                    times[contender.name] = []
                    command = " ".join(map(str, contender.arguments)).replace("{seed}", str(number))
                    given = f" (input {contender.given.strip()})" if contender.given else ""
                    self.failures.append(f"{command}{given}: {failure}")
        self.progress("")
        return times

    def progress(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def rounds(self, share=1):
        """The number of rounds, or a part of it for loops that take long."""
        return max(1, self.options.rounds // share)


def total(n):
    """The output must end with the number of solutions."""

    def check(path):
        words = path.read_text(errors="replace").split()
        if not words or words[-1] != str(TOTALS[n]):
            raise Failed(f"wrong total for n = {n}: {' '.join(words[-1:]) or 'nothing'}")

    return check


def table(first, last):
    """There must be a row for each n, with the number of all solutions in it."""

    def check(path):
        rows = [line.split() for line in path.read_text(errors="replace").splitlines()]
        rows = {row[0]: row[1:] for row in rows if row and row[0].isdigit()}
        for n in range(first, last + 1):
            if str(TOTALS[n]) not in rows.get(str(n), []):
                raise Failed(f"wrong row for n = {n}: {' '.join(rows.get(str(n), ['none']))}")

    return check


def words_of(path, size=1 << 20):
    """The words of a file that may be too long to be held as words."""
    with open(path, "rb") as file:
        rest = b""
        while block := file.read(size):
            *words, rest = (rest + block).replace(b"\n", b" ").split(b" ")
            yield from filter(None, words)
        if rest:
            yield rest


def check_board(words, n):
    """One queen in each row and column, at most one on each diagonal."""
    columns, rising, falling = bytearray(n + 1), bytearray(2 * n + 1), bytearray(2 * n + 1)
    row = 0
    for row, word in enumerate(words, start=1):
        column = int(word) if word.isdigit() else 0
        if row > n or not 1 <= column <= n:
            raise Failed(f"not a board of {n} queens: row {row} is {word[:20]!r}")
        if columns[column] or rising[row + column] or falling[row - column + n]:
            raise Failed(f"the queen of row {row} is attacked")
        columns[column] = rising[row + column] = falling[row - column + n] = 1
    if row != n:
        raise Failed(f"not a board of {n} queens: {row} rows")


def board(n):
    """One board, as the columns of the queens."""
    return lambda path: check_board(words_of(path), n)


def first_three(n):
    """Three boards in numerical order, and the total."""

    def check(path):
        lines = path.read_bytes().splitlines()
        boards = [[int(word) for word in line.split() if word.isdigit()] for line in lines[:3]]
        for line in lines[:3]:
            check_board(line.split(), n)
        if boards != sorted(boards) or len(set(map(tuple, boards))) != 3:
            raise Failed("the boards are not in order")
        if lines[3:] != [str(TOTALS[n]).encode()]:
            raise Failed(f"wrong total: {lines[3:4]}")

    return check


def anything(_path):
    """Whatever is printed; the program has checked its board itself and ended well."""


def median(times, what="cpu"):
    """The median in seconds, None without times."""
    return statistics.median(getattr(time, what) for time in times) if times else None


def over(value, by):
    """A quotient, None where a part is missing."""
    return None if value is None or not by else value / by


def figure(value, width, digits=4):
    """A number with so many digits that count, `-` where there is none."""
    if value is None:
        return f"{'-':>{width}}"
    before = max(1, math.floor(math.log10(abs(value))) + 1) if value else 1
    return f"{value:{width}.{max(0, digits - before)}f}"


def ms(seconds):
    return None if seconds is None else seconds * 1e3


def spread(times):
    """The range of the textbook's times: how noisy the machine was."""
    if not times:
        return "textbook: failed"
    values = [ms(time.cpu) for time in times]
    return (f"{figure(statistics.median(values), 1)} ms, from {figure(min(values), 1)} to {figure(max(values), 1)} "
            f"in {len(values)} rounds")


def standard_error(times):
    """Of a median, from the quartiles."""
    if len(times) < 4:
        return math.inf
    low, _, high = statistics.quantiles((time.cpu for time in times), n=4)
    return 0.93 * (high - low) / math.sqrt(len(times))


def line_of_logarithms(points):
    """Slope and R² of the least-squares line of log time over log n; None with fewer than three points."""
    if len(points) < 3:
        return None, None
    x, y = ([math.log(value) for value in values] for values in zip(*points))
    slope = statistics.linear_regression(x, y).slope
    return slope, statistics.correlation(x, y) ** 2


def methods(bench):
    """The plain methods, and `fast-count` with every level of vector instructions, n = 12 to 16."""
    sizes = range(12, 17)
    cells, notes = {}, []
    for n in sizes:
        contenders = [bench.count(n, method) for method in ("array", "bitmask") if method != "array" or n <= 14]
        contenders += [bench.fast_count(n, f"fast-count {level}", "--simd", level) for level in bench.levels]
        times = bench.loop([bench.textbook(n)] + contenders, bench.rounds(3 if n == 16 else 1))
        textbook = times.pop(f"textbook {n}")
        notes.append(f"textbook, n = {n}: {spread(textbook)}")
        for name, runs in {"textbook": textbook, **times}.items():
            cells.setdefault(name, {})[n] = median(runs), over(median(textbook), median(runs))
    none = None, None
    print("CPU time in ms, one thread, and how many times faster than the textbook:\n")
    print(f"{'':28}" + "".join(f"{f'n = {n}':>18}" for n in sizes))
    for name, row in cells.items():
        print(f"{name:28}" + "".join(f"{figure(ms(seconds), 10)}{figure(ratio, 8, 3)}"
                                     for seconds, ratio in (row.get(n, none) for n in sizes)))
    print("\n" + "\n".join(notes))
    for level, least in (("avx512", 300), ("avx2", 180), ("portable", 110)):
        reached = cells.get(f"fast-count {level}", {}).get(16, none)[1]
        bench.goals.append(Goal(f"count n = 16, {level}: times faster than textbook", least, False, reached))


def sizes(bench):
    """`fast-count` with one and two threads, n = 14 to 18; with --large 19 and 20."""
    blocks = [(range(14, 19), bench.rounds(3))]
    blocks += [(range(19, 21), bench.rounds(5))] if bench.options.large else []
    ratios, notes = {}, []
    print("Time in ms, and wall time by the CPU time of the textbook for n = 16:\n")
    print(f"{'':8}{'one thread':>31}{'two threads':>31}")
    print(f"{'n':8}" + f"{'wall':>11}{'CPU':>10}{'ratio':>10}" * 2)
    for block, rounds in blocks:
        contenders = [bench.fast_count(n, (n, threads), "--threads", threads) for n in block for threads in (1, 2)]
        times = bench.loop([bench.textbook(16)] + contenders, rounds)
        textbook = times["textbook 16"]
        notes.append(f"textbook, n = 16: {spread(textbook)}")
        for n in block:
            print(f"{n:<8}", end="")
            for threads in (1, 2):
                runs = times[n, threads]
                ratios[n, threads] = over(median(runs, "wall"), median(textbook))
                print(f"{figure(ms(median(runs, 'wall')), 11)}{figure(ms(median(runs)), 10)}"
                      f"{figure(ratios[n, threads], 10)}", end="")
            print()
    print("\n" + "\n".join(notes))
    for n, most in ((18, 0.08), (20, 4.0)):
        bench.goals.append(Goal(f"count n = {n}, two threads: wall by textbook n = 16", most, True,
                              ratios.get((n, 2)), 3))


def whole_task(bench):
    """All of n = 4 to 16 in one process."""
    one = Contender("fast-count table 4..16", (bench.programs / "fast-count", "table", "4..16"), table(4, 16))
    textbook = [bench.textbook(n) for n in range(4, 17)]
    times = bench.loop([one] + textbook, bench.rounds(3))
    sums = [Time(sum(run.cpu for run in runs), sum(run.wall for run in runs))
            for runs in zip(*(times[contender.name] for contender in textbook))]
    ratio = over(median(sums), median(times[one.name]))
    print("CPU time in ms:\n")
    print(f"{'textbook, 13 processes':28}{figure(ms(median(sums)), 10)}")
    print(f"{one.name:28}{figure(ms(median(times[one.name])), 10)}{figure(ratio, 8, 3)} times faster")
    print(f"\ntextbook, the sum: {spread(sums)}")
    bench.goals.append(Goal("count n = 4 to 16, one process: times faster than textbook", 100, False, ratio))


def polynomial(bench):
    """Boards of 10^3 to 10^7 queens by the local searches, with --large 10^8; the closed form as the floor."""
    program = bench.programs / "polynomial"
    last = {"qs1": 5, "qs2": 6, "qs4": 7, "qs4c": 7, "closed-form": 7}
    if bench.options.large:
        last = {method: power + 1 for method, power in last.items()}

    def contender(method, power, extra=("--no-board",), check=anything):
        seed = () if method == "closed-form" else ("--seed", "{seed}")
        return Contender((method, power), (program, 10 ** power, "--method", method, *seed, *extra), check)

    powers = range(3, max(last.values()) + 1)
    start = Contender("start", (program, 4, "--seed", "{seed}", "--no-board"), anything)
    # What gives a wrong board is not timed at all; for the largest, reading it takes longer than finding it.
    checked = bench.loop([contender(method, power, (), board(10 ** power))
                          for method in last for power in range(3, 7) if power <= last[method]], 1)
    printing = dataclasses.replace(contender("qs4c", 7, ()), name="printing")
    checked |= bench.loop([dataclasses.replace(printing, check=board(10 ** 7))], 1)

    def sound(powers):
        return [contender(method, power) for power in powers for method in last
                if power <= last[method] and checked[method, min(power, 6, last[method])]]

    # Two loops: to see short runs beside the start of the process, many are needed.
    quick = bench.loop([start] + sound(range(3, 5)), 20 * bench.rounds())
    slow = bench.loop([bench.textbook(14), start] + [printing] * bool(checked["printing"]) + sound(range(5, 8)),
                      bench.rounds())
    huge = bench.loop([start] + sound([8]), bench.rounds(3)) if bench.options.large else {}

    points = {method: [] for method in last}
    print("Nanoseconds of CPU time per queen, without the start of the process and without printing:\n")
    print(f"{'n':8}" + "".join(f"{method:>14}" for method in last) + f"{'closed-form, GB/s':>20}")
    for power in powers:
        print(f"10^{power:<5}", end="")
        for method in last:
            times = quick if power < 5 else slow if power < 8 else huge
            runs, idle = times.get((method, power), []), times["start"]
            seconds = median(runs) - median(idle) if runs and idle else None
            if seconds and power < 5 and seconds < 3 * math.hypot(standard_error(runs), standard_error(idle)):
                print(f"{'too short':>14}", end="")
                seconds = None
            else:
                print(figure(over(seconds, 1e-9 * 10 ** power), 14, 3), end="")
            if seconds and seconds > 0:
                points[method].append((10 ** power, seconds))
        print(figure(over(4e-9 * 10 ** power, seconds), 20, 3))
    lines = {method: line_of_logarithms([point for point in points[method] if point[0] <= 10 ** 7]) for method in last}
    print(f"{'slope':8}" + "".join(figure(lines[method][0], 14, 3) for method in last))
    print(f"{'R²':8}" + "".join(figure(lines[method][1], 14, 4) for method in last))

    textbook = median(slow["textbook 14"])
    print("\nqs4c, n = 10^7, by the textbook's n = 14:\n")
    silent, printed = median(slow.get(("qs4c", 7))), median(slow.get("printing"))
    ratio = over(silent, textbook)
    print(f"{'without printing the board':28}{figure(ms(silent), 10)} ms{figure(ratio, 8, 3)}")
    print(f"{'printing it to a file':28}{figure(ms(printed), 10)} ms{figure(over(printed, textbook), 8, 3)}")
    print(f"\ntextbook, n = 14: {spread(slow['textbook 14'])}")
    if slow["start"]:
        print(f"start of the process: {figure(ms(median(slow['start'])), 1)} ms")
    bench.goals.append(Goal("qs4c n = 10^7, board printed: by textbook n = 14", 1.8, True, over(printed, textbook), 3))
    bench.goals.append(Goal("qs4c, slope of time over n, 10^3 to 10^7", 1.05, True, lines["qs4c"][0], 3))


def annealing(bench):
    """One attempt for each of 100 seeds, n = 8 to 10^4; with --large 20 seeds for 10^5."""
    program = bench.programs / "annealing"

    def contender(n):
        return Contender(n, (program, n, "--seed", "{seed}", "--attempts", "1"), board(n), may_give_up=True)

    seeds = bench.options.seeds
    start = dataclasses.replace(contender(1), name="start")
    # The first process after a long one starts more slowly than those that follow: it is not the one to subtract.
    lead = [bench.textbook(14), dataclasses.replace(start, name="after the textbook"), start]
    times = bench.loop(lead + [contender(n) for n in (8, 20, 50, 100, 1000, 10_000)], seeds)
    blocks = [times]
    if bench.options.large:
        blocks.append(bench.loop(lead + [contender(100_000)], max(1, seeds // 5)))
    print("CPU time in ms of one attempt, found or not; net is without the start of the process, the ratio is to the\n"
          "textbook's n = 14:\n")
    print(f"{'n':10}{'found':>12}{'median':>10}{'least':>10}{'most':>10}{'net':>10}{'ratio':>10}")
    for block in blocks:
        for n, runs in block.items():
            if not isinstance(n, int) or not runs:
                continue
            least, middle, most = (ms(f(run.cpu for run in runs)) for f in (min, statistics.median, max))
            net = middle - ms(median(block["start"])) if block["start"] else None
            print(f"{n:<10}{f'{sum(not run.gave_up for run in runs)} of {len(runs)}':>12}{figure(middle, 10)}"
                  f"{figure(least, 10)}{figure(most, 10)}{figure(net, 10, 3)}"
                  f"{figure(over(middle, ms(median(block['textbook 14']))), 10)}")
    print(f"\ntextbook, n = 14: {spread(times['textbook 14'])}")
    runs = times[10_000]
    found = sum(not run.gave_up for run in runs) if runs else None
    ratio = over(median(runs), median(times["textbook 14"]))
    bench.goals.append(Goal("annealing n = 10^4: median by textbook n = 14", 0.12, True, ratio, 3))
    bench.goals.append(Goal(f"annealing n = 10^4: seeds that find a board, of {seeds}", seeds, False, found, 0))


def first_boards(bench):
    """The first three boards and the total, n = 6 to 13."""
    program = bench.programs / "first-three"

    def contender(n):
        return Contender(n, (program,), first_three(n), given=f"{n}\n")

    small = range(6, 14)
    times = bench.loop([entry for n in small for entry in (bench.textbook(n), contender(n))], bench.rounds())
    print("CPU time in ms of three boards and the total, and the textbook's for the total alone:\n")
    print(f"{'n':8}{'first three':>14}{'textbook':>14}{'times faster':>14}")
    for n in small:
        ours, textbook = median(times[n]), median(times[f"textbook {n}"])
        print(f"{n:<8}{figure(ms(ours), 14)}{figure(ms(textbook), 14)}{figure(over(textbook, ours), 14, 3)}")


PARTS = {
    "methods": methods,
    "sizes": sizes,
    "all": whole_task,
    "polynomial": polynomial,
    "annealing": annealing,
    "first-three": first_boards,
}
PROGRAMS = {"methods": ("count", "fast-count"), "sizes": ("fast-count",), "all": ("fast-count",)}


def processor():
    """The first value of each key in the kernel's words about the processor; none outside Linux."""
    with contextlib.suppress(OSError):
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in reversed(lines))}
    return {}


def simd_levels():
    """The levels that this processor has, the widest last."""
    flags = set(processor().get("flags", "").split())
    return ["portable"] + ["avx2"] * (AVX2 <= flags) + ["avx512"] * (AVX512 <= flags)


def first_line(*command):
    """What a program says of itself."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=WORKSPACE)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return f"{command[0]}: unknown"


def machine(bench):
    """The machine in a few lines."""
    print(f"{processor().get('model name', platform.machine())}, {len(os.sched_getaffinity(0))} cores, "
          f"instructions {', '.join(bench.levels)}")
    print(f"{platform.system()} {platform.release()}, load {os.getloadavg()[0]:.1f}")
    print(first_line("gcc", "--version"), first_line("rustc", "--version"), sep="\n")
    if bench.options.textbook != TEXTBOOK:
        print(f"the textbook is {bench.options.textbook}")


def program_folder(options):
    """Where cargo puts the programs, unless another folder is named."""
    if options.bin_dir:
        return options.bin_dir.resolve()
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or WORKSPACE / "target").resolve() / "release"


def command_line():
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="How fast the reference programs are, beside the textbook C program, on this machine.",
        epilog="parts:\n" + "\n".join(f"  {name:12} {part.__doc__}" for name, part in PARTS.items())
        + "\n\nexit status: 0; 1 when a goal is missed, with --strict only; 2 when something does not run or is wrong.")
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to measure, see below [default: everything]")
    parser.add_argument("--rounds", type=positive, default=15, metavar="R",
                        help="rounds of each loop, a third or fifth of it where a round takes long [default: 15]")
    parser.add_argument("--seeds", type=positive, default=100, metavar="S", help="seeds of annealing [default: 100]")
    parser.add_argument("--large", action="store_true", help="also the sizes that take minutes")
    parser.add_argument("--strict", action="store_true", help="a missed goal is exit status 1")
    parser.add_argument("--bin-dir", type=pathlib.Path, metavar="DIR",
                        help="where the reference programs are [default: cargo's folder of release builds]")
    parser.add_argument("--textbook", type=pathlib.Path, metavar="FILE", default=TEXTBOOK,
                        help="another C program to compare with: n is its argument, it prints the total last")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"no part `{part}`: choose from {', '.join(PARTS)}")
    return options


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, not `{text}`")
    return int(text)


def complain(message):
    print(f"reference-speed: {message}", file=sys.stderr)
    sys.exit(2)


def main():
    options = command_line()
    parts = [part for part in PARTS if part in options.parts or not options.parts]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        missing = [name for name in dict.fromkeys(name for part in parts for name in PROGRAMS.get(part, (part,)))
                   if not os.access(bench.programs / name, os.X_OK)]
        if missing:
            complain(f"no program {', '.join(missing)} in {bench.programs}; build them first:\n{BUILD}")
        if not shutil.which("gcc"):
            complain("no gcc to compile the textbook program with")
        compiled = subprocess.run(["gcc", "-O2", options.textbook, "-o", bench.folder / "textbook"])
        if compiled.returncode != 0:
            complain(f"gcc does not compile {options.textbook}")
        machine(bench)
        for part in parts:
            print(f"\n== {part}: {PARTS[part].__doc__}\n", flush=True)
            PARTS[part](bench)
    if bench.goals:
        print("\n== goals\n")
        print("\n".join(goal.line() for goal in bench.goals))
    if bench.failures:
        print("\n== failed\n")
        print("\n".join(bench.failures))
        return 2
    return int(options.strict and any(goal.missed() for goal in bench.goals))


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
