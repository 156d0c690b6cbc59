#!/usr/bin/env python3
"""Compares our checktestdata with `pyctd` on programs and inputs, valid and broken.

Usage: same-decisions.py FOLDER... [--each N]

Each FOLDER is searched for `*.ctd` files (and `*_prog.*` of checktestdata's own tests). The inputs of a program are the
`*.in` files below the folder above its own (below `data/` if it is there). Each is also broken in N ways. Needs `pyctd`
(`pip install checktestdata`) for the Python that runs this; otherwise says so and ends.
"""
import argparse, contextlib, io, pathlib, random, re, signal, subprocess, sys, tempfile

try:
    from checktestdata.lib import ValidationError
    from checktestdata.parser import parse
    from checktestdata.tokenizer import tokenize
except ImportError:
    sys.exit("skipped: `pip install checktestdata` first")


class TooLong(BaseException):
    pass


def stop(*_):
    raise TooLong


def theirs(program, path):
    """`accepts`, `rejects` or `wrong`, as pyctd's exit status 0, 1 and 2; `late` after 5 s."""
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(5)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            parser = parse(tokenize(program))
            code, names = parser.python_code(), parser.python_globals()
            sys.argv = ["pyctd", str(path)]
            exec(compile(code, "program", "exec"), names)
        return "accepts"
    except ValidationError:
        return "rejects"
    except TooLong:
        return "late"
    except BaseException:
        return "wrong"
    finally:
        signal.alarm(0)


def broken(data, count, pick):
    """The input, broken in some ways."""
    lines = data.split(b"\n")
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?", data[:20000]))
    for _ in range(count):
        at = pick.randrange(len(data) + 1)
        line = pick.randrange(len(lines))
        other = pick.choice([b" ", b"\n", b"0", b"-", b"x", b"\r", b".", b"\xff", b"9", b"e"])
        ways = [
            data[:at] + other + data[at:],
            data[:at] + data[at + 1 :],
            data[:at] + other + data[at + 1 :],
            b"\n".join(lines[:line] + lines[line + 1 :]),
            b"\n".join(lines[: line + 1] + lines[line:]),
            b"\n".join(lines[:line] + [lines[line] + b" "] + lines[line + 1 :]),
            data + pick.choice([b"\n", b" ", b"0", b"\0"]),
            data.rstrip(b"\n"),
            data[:at],
            data.replace(b"\n", b"\r\n", 1),
            b"",
        ]
        if numbers:
            number = pick.choice(numbers)
            new = pick.choice([b"0", b"-1", b"1", b"007", b"-0", b"1.0", b"1e5", b"1000000001", b"9" * 30, b"0.00001", b""])
            ways += [data[: number.start()] + new + data[number.end() :]] * 4
        yield pick.choice(ways)


def programs(folders):
    for folder in map(pathlib.Path, folders):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            test = re.fullmatch(r"(test_\d+)_prog\.(.*)", path.name)
            if test:
                yield path, sorted(path.parent.glob(test[1] + "_data.*"))
            elif path.suffix == ".ctd":
                root = path.parent.parent
                found = sorted((root / "data").rglob("*.in")) or sorted(root.rglob("*.in"))
                yield path, [p for p in found if p.stat().st_size < 300_000][:12]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--each", type=int, default=20)
    options = parser.parse_args()
    pick = random.Random(1)
    rows, files = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for program, inputs in programs(options.folders):
            files += 1
            text = program.read_bytes()
            data = [path.read_bytes() for path in inputs] + [b"1\n"]
            data += [new for one in data for new in broken(one, options.each, pick)]
            for one in data:
                path = pathlib.Path(scratch, str(len(rows)))
                path.write_bytes(one)
                rows.append((program, path, theirs(text, path)))
        lines = "".join(f"{program}\t{path}\n" for program, path, _ in rows)
        command = ["cargo", "run", "-q", "-p", "grader-checktestdata", "--example", "decide"]
        ours = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
        ours = ours.decode().splitlines()
        assert len(ours) == len(rows)
        counts, different = {}, 0
        for (program, path, their), our in zip(rows, ours):
            counts[their] = counts.get(their, 0) + 1
            if our.split()[0] != their:
                different += 1
                print(f"{program}: pyctd {their}, ours {our}; input {path.read_bytes()[:80]!r}")
    print(f"{files} programs, {len(rows)} inputs ({counts}): {different} differences")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
