#!/usr/bin/env python3
"""How fair, telling and thorough the grader is on real programs of beginners, as tables in Markdown.

    git clone https://github.com/jyi/ITSP
    cargo build --release && grader/examples/beginners.py ITSP/dataset FOLDER

The programs are those of Yi et al., "A Feasibility Study of Using Automated Program Repair for Introductory Programming
Assignments" (ESEC/FSE 2017): 661 wrong and 661 corrected C programs for 74 problems, with recorded verdicts. FOLDER gets three
assignments, `all` with every case, `half` with every second one and a search, and `staff` with `all-programs = true`, and the class.

- Verdicts: each case's verdict against the recorded one. A program with undefined behaviour may differ on another compiler.
- Groups: which part of the wrong programs is in the five largest groups of its problem, and which part of the pairs inside a
  group prints the same on other inputs: those of the cases with changed numbers and words. That is stricter than "the same
  mistake". Programs run without a sandbox there, with limits.
- Audit: of the programs that earn full marks in `half` and fail a case of `all`, how many are found in a minute. Only problems
  whose inputs are always as many whole numbers have a search.
- Undefined: of the programs that pass every case, but print something wrong or are reported in another build, how many are named to
  staff, and how many others are. It needs Clang with its sanitizers (Debian's `clang` and `libclang-rt-14-dev`).
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess

GRADER = pathlib.Path(__file__).resolve().parents[2] / "target/release/grader"
RECORD = re.compile(r'Verdict:(\w+), Visibility:\d, Input:"(.*?)", ExpOutput:"(.*?)", Output:"(.*?)"\s*(?=Verdict:|\*/)', re.S)
HEAD = re.compile(r"\s*/\*numPass=.*?\*/\n?", re.S)
FURTHER_INPUTS = 40
OTHER_BUILDS = [
    ["gcc", "-O0"],
    ["gcc", "-O3"],
    ["clang", "-O2"],
    ["clang", "-fsanitize=memory"],
    ["clang", "-fsanitize=address,undefined", "-fno-sanitize=alignment"],
]


def read(path):
    return path.read_text(errors="replace")


class Problem:
    def __init__(self, folder, tests):
        self.folder, self.id = folder, f"p{folder.name}"
        names = sorted(tests.glob(f"in.{folder.name}.*.txt"), key=lambda it: int(it.name.split(".")[2]))
        self.cases = [(read(it), read(it.with_name("out" + it.name[2:]))) for it in names]

    def programs(self):
        return sorted(self.folder.glob("*_*.c"))

    def ranges(self):
        """The range of each number, if all inputs are as many whole numbers."""
        rows = [given.split() for given, _ in self.cases]
        if len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 4:
            return None
        if not all(re.fullmatch(r"-?\d{1,6}", word) for row in rows for word in row):
            return None
        return [(min(map(int, column)), max(map(int, column))) for column in zip(*rows)]

    def write(self, folder):
        home, half = folder / self.id, folder.name == "half"
        (home / "data").mkdir(parents=True)
        for number, (given, answer) in enumerate(self.cases, 1):
            if not half or number % 2 == 1:
                (home / f"data/{number}.in").write_text(given)
                (home / f"data/{number}.ans").write_text(answer)
        shutil.copy(self.folder / "Main.c", home / "reference.c")
        text = f'format = 1\nid = "{self.id}"\ntitle = "{self.id}"\n\n[submission]\nfiles = ["{self.id}.c"]\n\n'
        text += '[limits]\ntime = "1 s"\n\n[run]\nexit-status = "ignored"\n\n[reference]\npath = "reference.c"\n\n[checker.tokens]\n\n'
        text += f"[checks]\n{'all-programs = true' if folder.name == 'staff' else 'undefined-behaviour = false'}\n\n"
        text += '[[subtask]]\nname = "all"\npoints = 10\nfolder = "data"\n'
        if half and (ranges := self.ranges()):
            names = "abcd"[: len(ranges)]
            values = ", ".join(f'{name} = "{low}..={high}"' for name, (low, high) in zip(names, ranges))
            text += f'\n[search]\ncases = {{ {values} }}\nstdin = "{" ".join("{%s}" % name for name in names)}\\n"\n'
        (home / "problem.toml").write_text(text)


def prepare(dataset, folder):
    problems = [Problem(it.parent, dataset / "test") for it in sorted(dataset.glob("Lab-*/*/Main.c"))]
    for name in ("all", "half", "staff"):
        home = folder / name
        home.mkdir(parents=True)
        rows = "\n".join(f'[[problem]]\npath = "{it.id}"\npoints = 10\n' for it in problems)
        (home / "assignment.toml").write_text(f'format = 1\nid = "{name}"\ntitle = "{name}"\n\n{rows}')
        for problem in problems:
            problem.write(home)
    for problem in problems:
        for program in problem.programs():
            home = folder / "class" / program.stem.replace("_", "-")
            home.mkdir(parents=True, exist_ok=True)
            (home / f"{problem.id}.c").write_text(HEAD.sub("", read(program), count=1))
    return problems


def grader(folder, *arguments):
    done = subprocess.run([GRADER, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print(done.stderr[-2000:])
    return done


def results(folder, name):
    path = folder / f"{name}.json"
    grader(folder, "grade", "class", "-a", f"./{name}", "--json", path, "--ledger", folder / f"{name}.ledger", "-q")
    students = json.loads(path.read_text())["students"]
    return {(student["id"], problem["id"]): problem for student in students for problem in student["problems"] if problem.get("files")}


def verdicts(problems, graded):
    same, different, compile_errors = 0, collections.Counter(), 0
    for problem in problems:
        for program in problem.programs():
            records = {" ".join(given.split()): verdict for verdict, given, _, _ in RECORD.findall(read(program))}
            found = graded.get((program.stem.replace("_", "-"), problem.id))
            cases = [it for subtask in (found or {}).get("subtasks", []) for it in subtask["cases"]]
            if not cases:
                compile_errors += 1
            for case in cases:
                given = problem.cases[int(case["name"]) - 1][0]
                if recorded := records.get(" ".join(given.split())):
                    is_same = (case["verdict"] == "AC") == (recorded == "ACCEPTED")
                    same += is_same
                    if not is_same:
                        has_flag = any(it["code"] == "undefined-behaviour" for it in found["flags"])
                        different[(recorded, case["verdict"], has_flag)] += 1
    print("\n| verdicts | cases |\n|---|--:|")
    print(f"| as recorded | {same} |")
    for (recorded, verdict, has_flag), count in different.most_common():
        print(f"| recorded {recorded}, here {verdict}{', undefined behaviour named' if has_flag else ''} | {count} |")
    print(f"| programs without cases | {compile_errors} |", flush=True)


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def printed(program, inputs):
    outputs = []
    for given in inputs:
        try:
            done = subprocess.run([program], input=given.encode(), capture_output=True, timeout=5, preexec_fn=limited)
            outputs.append((done.stdout.split(), done.returncode < 0))
        except subprocess.TimeoutExpired:
            outputs.append("time")
    return outputs


def further_inputs(problem, draw):
    """Inputs of the cases with other numbers and words."""
    inputs = []
    for _ in range(FURTHER_INPUTS):
        given, _ = draw.choice(problem.cases)
        words = re.findall(r"\d+|[A-Za-z]|[^\dA-Za-z]+", given)
        at = draw.choice([it for it, word in enumerate(words) if word[0].isalnum()] or [0])
        if words[at].isdigit():
            words[at] = str(draw.randint(0, max(9, int(words[at]) * 2)) if len(words[at]) < 9 else words[at])
        elif words[at].isalpha():
            words[at] = draw.choice("abcxyzABZ")
        inputs.append("".join(words))
    return inputs


def groups(problems, graded, folder):
    draw, in_groups, wrong, same, pairs = random.Random(1), 0, 0, 0, 0
    room = folder / "programs"
    room.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for problem in problems:
            members = collections.defaultdict(list)
            for (student, id), found in graded.items():
                if id == problem.id and found.get("behaviour"):
                    members[found["behaviour"]].append(student)
            sizes = sorted(map(len, members.values()), reverse=True)
            wrong += sum(sizes)
            in_groups += sum(it for it in sizes[:5] if it > 1)
            inputs = further_inputs(problem, draw)
            outputs = {}
            for group in members.values():
                if len(group) < 2:
                    continue
                for student in group:
                    source = folder / "class" / student / f"{problem.id}.c"
                    program = room / student
                    if subprocess.run(["gcc", "-std=gnu17", "-O2", "-w", source, "-o", program, "-lm"], capture_output=True).returncode == 0:
                        outputs[student] = pool.submit(printed, program, inputs)
                known = [student for student in group if student in outputs]
                for one, other in itertools.islice(itertools.combinations(known, 2), 15):
                    pairs += 1
                    same += outputs[one].result() == outputs[other].result()
    shutil.rmtree(room)
    print(f"\n{in_groups} of {wrong} wrong programs are in the five largest groups (of two or more) of their problem: {100 * in_groups / max(wrong, 1):.0f} %.")
    print(f"{same} of {pairs} pairs in a group print the same on {FURTHER_INPUTS} further inputs: {100 * same / max(pairs, 1):.0f} %.", flush=True)


def audit(problems, graded, folder, time):
    searched = {it.id for it in problems if it.ranges()}
    half = results(folder, "half")
    is_full = lambda found: found.get("verdict") == "AC"
    lucky = {key for key, found in half.items() if key[1] in searched and is_full(found) and not is_full(graded[key])}
    path = folder / "audit.json"
    grader(folder, "audit", "class", "-a", "./half", "--ledger", folder / "half.ledger", "--time", time, "--json", path)
    programs = json.loads(path.read_text())["programs"]
    found = {(student, it["problem"]) for it in programs if it.get("found") for student in it["students"]}
    outcomes = collections.Counter(it["outcome"] for it in programs)
    print(f"\nAudit of {len(searched)} problems, {len(programs)} accepted programs, {time} s: {len(found & lucky)} of {len(lucky)} that fail a case of `all` are found.")
    print(f"{len(found - lucky)} others are said to be wrong: {', '.join('/'.join(it) for it in sorted(found - lucky)[:20])}")
    print("Outcomes: " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()), flush=True)


def is_undefined(source, cases, room):
    """Whether a program that is right here prints something wrong, or is reported, in another build."""
    for number, command in enumerate(OTHER_BUILDS):
        program = room / f"{source.parent.name}-{number}"
        if subprocess.run([*command, "-std=gnu17", "-w", source, "-o", program, "-lm"], capture_output=True).returncode != 0:
            continue
        for given, answer in cases:
            try:
                done = subprocess.run([program], input=given.encode(), capture_output=True, timeout=10, env={"ASAN_OPTIONS": "detect_leaks=0"})
            except subprocess.TimeoutExpired:
                return True
            if done.stdout.split() != answer.encode().split() or re.search(rb"Sanitizer: |runtime error: ", done.stderr):
                return True
    return False


def undefined(problems, folder):
    cases, room = {it.id: it.cases for it in problems}, folder / "programs"
    room.mkdir(exist_ok=True)
    right = {key: found for key, found in results(folder, "staff").items() if found.get("verdict") == "AC"}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        known = {key: pool.submit(is_undefined, folder / "class" / key[0] / f"{key[1]}.c", cases[key[1]], room) for key in right}
    shutil.rmtree(room)
    known = {key for key, it in known.items() if it.result()}
    named = {key for key, found in right.items() if any("line " in it["message"] for it in found["flags"] if it["code"] == "undefined-behaviour")}
    print(f"\n{len(named & known)} of {len(known)} accepted programs with undefined behaviour are named to staff.")
    others = ", ".join("/".join(it) for it in sorted(named - known))
    print(f"{len(named - known)} of the {len(right) - len(known)} others are: {others}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=["verdicts", "groups", "audit", "undefined"])
    parser.add_argument("--time", type=int, default=60)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if (folder / "all").exists():
        problems = [Problem(it.parent, arguments.dataset / "test") for it in sorted(arguments.dataset.glob("Lab-*/*/Main.c"))]
    else:
        problems = prepare(arguments.dataset, folder)
    graded = results(folder, "all")
    if "verdicts" in arguments.only:
        verdicts(problems, graded)
    if "groups" in arguments.only:
        groups(problems, graded, folder)
    if "audit" in arguments.only:
        audit(problems, graded, folder, arguments.time)
    if "undefined" in arguments.only:
        undefined(problems, folder)


if __name__ == "__main__":
    main()
