#!/usr/bin/env python3
"""How often the sample submissions of other judges' packages get the verdict that the package declares, as tables in Markdown.

    pip install pyyaml
    cargo build --release && grader/examples/agreement.py FOLDER [FOLDER …] [--keep RESULTS] [--jobs 2]

Each FOLDER is a collection: every folder in it with a `problem.yaml`, `init.yml`, `problem.xml`, `info.toml` or
`task.yaml` is a package. Each is imported and verified. The declared verdicts are read here, from the package and by the rules of its
format, not by the importer:

- Kattis, legacy: the graders' flags combine the tests' verdicts, in the order of their names; without flags the first
  test that fails decides. `partially_accepted` means accepted, but not with full points. DOMjudge's tags
  `@EXPECTED_RESULTS@:` and `@EXPECTED_SCORE@:`, and `@EXPECTED_GRADES@` for the groups.
- Kattis, 2025-09: the verdicts of all tests are `permitted`, and one is `required` (`submissions.yaml`).
- CMS: the official solution is right; the format says nothing about others.
- DMOJ: `expect` and `cases` of `tests/*/test.yml`. library-checker: `[[solutions]]`. Polygon: the solution's tag.

Where `verify` stopped early and that leaves a verdict open, the package is verified again with `--all`.
"""

import argparse
import collections
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import xml.etree.ElementTree

import yaml

GRADER = pathlib.Path(__file__).resolve().parents[2] / "target/release/grader"
PACKAGE_FILES = ["problem.yaml", "init.yml", "problem.xml", "info.toml", "task.yaml"]
# Extensions of programs. A file with another one is not a submission.
PROGRAMS = set(
    """ada adb asm awk bash bf c c# c++ cbl cc clj cob cpp cs cxx d dart erl ex exs f f90 f95 for fs go groovy hs java jl js kt lisp lua
    m ml nim p pas php pl plg pro py py2 py3 r rb rs scala scm sh sml st swift tcl ts v vb zig""".split()
)
WORDS = {
    "ac": {"AC"}, "accepted": {"AC"}, "correct": {"AC"},
    "wa": {"WA"}, "wronganswer": {"WA"}, "nooutput": {"WA"}, "presentationerror": {"WA"},
    "tle": {"TLE"}, "timelimit": {"TLE"}, "timelimitexceeded": {"TLE"},
    # Crashes of all kinds; the formats have no other word for too much memory.
    "rte": {"RE", "MLE", "OLE"}, "re": {"RE", "MLE", "OLE"}, "runerror": {"RE", "MLE", "OLE"}, "runtimeerror": {"RE", "MLE", "OLE"}, "ir": {"RE", "MLE", "OLE"},
    "mle": {"MLE"}, "memorylimit": {"MLE", "RE"}, "memorylimitexceeded": {"MLE", "RE"},
    "ole": {"OLE"}, "outputlimit": {"OLE", "RE"}, "outputlimitexceeded": {"OLE", "RE"},
    "ce": {"CE"}, "compilererror": {"CE"}, "compileerror": {"CE"}, "sc": {"SK"}, "ie": {"JE"},
}  # fmt: skip
REJECTED = {"WA", "TLE", "RE", "MLE", "OLE"}
FOLDERS = {"partially_accepted": None, "rejected": REJECTED, "brute_force": REJECTED - {"WA"}}
# The order of the grader's `worst_error`.
WORST = ["JE", "RE", "MLE", "TLE", "OLE", "WA", "?"]


def verdicts_of(word):
    return WORDS.get(re.sub("[^a-z]", "", word.lower()))


def with_text_keys(value):
    if isinstance(value, dict):
        return {str(key): with_text_keys(inner) for key, inner in value.items()}
    return [with_text_keys(inner) for inner in value] if isinstance(value, list) else value


def read_yaml(path):
    try:
        return with_text_keys(yaml.safe_load(path.read_text(errors="replace"))) if path.is_file() else None
    except yaml.YAMLError:
        return None


def words(value):
    return [str(item) for item in value] if isinstance(value, list) else str(value or "").split()


class Declared:
    """A submission of a package. `judge(found)` gives what is not as declared (nothing: it agrees), or None: open."""

    def __init__(self, path, says, judge):
        self.path, self.says, self.judge = path, says, judge

    def same(self, sample):
        """How well an imported sample fits: its bytes before its name."""
        mine, theirs = (sorted(it.rglob("*")) if it.is_dir() else [it] for it in (self.path, sample))
        read = lambda files: {file.name: file.read_bytes() for file in files if file.is_file()}
        one, other = read(mine), read(theirs)
        if self.path.is_file():
            one, other = set(one.values()), set(other.values())
        folder = self.path.parent.name
        names = [self.path.name, f"{folder}-{self.path.name}"]
        is_named = sample.name in names or sample.name.endswith("-" + self.path.name)
        alike = folder.replace("_", "-")[:6] == sample.parent.name[:6]
        return 4 * (one == other) + 2 * is_named + (sample.name == names[0]) + alike if is_named or one == other else 0


def cases_of(found):
    """Verdicts by subtask and case; "?" if it did not run, and so may be anything. The last word counts only what ran."""
    verdicts = {}
    for subtask in found["subtasks"]:
        for case in subtask["cases"]:
            verdict = {"PE": "WA"}.get(case["verdict"], case["verdict"])
            if not case.get("skipped") and verdict != "SK":
                verdicts[subtask["name"], case["name"]] = verdict
            elif not found.get("last-word"):
                verdicts[subtask["name"], case["name"]] = "?"
    return verdicts


# --- Kattis, ICPC, DOMjudge ---


class Kattis:
    def __init__(self, folder):
        self.folder = folder
        self.head = read_yaml(folder / "problem.yaml") or {}
        version = str(self.head.get("problem_format_version", "legacy"))
        self.is_new = version.startswith("2025")
        kinds = words(self.head.get("type")) + words(self.head.get("validation"))
        self.is_scoring = "scoring" in kinds
        self.groups = {"data": {}}
        for path in sorted((folder / "data").rglob("*")):
            if path.name in ("testdata.yaml", "test_group.yaml"):
                settings = read_yaml(path)
                self.groups[path.parent.relative_to(folder).as_posix()] = settings if isinstance(settings, dict) else {}

    def has_tests(self):
        folders = ["secret"] if self.is_scoring else ["sample", "secret"]
        tests = (it for folder in folders for it in (self.folder / "data" / folder).rglob("*.in"))
        return any(tests) or (self.folder / "generators/generators.yaml").exists()

    def submissions(self):
        rules = read_yaml(self.folder / "submissions/submissions.yaml")
        rules = rules if isinstance(rules, dict) else {}
        for path in sorted((self.folder / "submissions").glob("*/*")):
            is_program = lambda it: it.suffix[1:].lower() in PROGRAMS
            if not (is_program(path) if path.is_file() else any(is_program(it) for it in path.rglob("*"))):
                continue
            checks, says = [], []
            for check, text in itertools.chain(self.of_rules(path, rules), self.of_final(path, rules)):
                checks.append(check)
                says.append(text)
            if checks:
                declared = Declared(path, " and ".join(says), lambda found, checks=checks: first_failing(checks, found))
                declared.is_old = path.suffix == ".py" and is_python_2(path)
                yield declared

    # The rules of `submissions.yaml`, and its defaults in the newest format.

    def of_rules(self, path, rules):
        defaults = {
            "accepted": {"permitted": ["AC"]},
            "rejected": {"required": ["RTE", "TLE", "WA"]},
            "wrong_answer": {"permitted": ["AC", "WA"], "required": ["WA"]},
            "time_limit_exceeded": {"permitted": ["AC", "TLE"], "required": ["TLE"]},
            "run_time_error": {"permitted": ["AC", "RTE"], "required": ["RTE"]},
            "brute_force": {"permitted": ["AC", "RTE", "TLE"], "required": ["RTE", "TLE"]},
        }
        name = path.parent.name
        if self.is_new and name in defaults:
            rules = {**rules, name: {**defaults[name], **(rules.get(name) or {})}}
        inside = path.relative_to(self.folder / "submissions").as_posix()
        for glob, rule in rules.items():
            if not fits(glob, inside) or not isinstance(rule, dict):
                continue
            for tests, part in [("", rule)] + [(key, it) for key, it in rule.items() if isinstance(it, dict)]:
                permitted, required = part.get("permitted"), part.get("required")
                if permitted or required:
                    text = "".join(f" {kind} {'/'.join(list_)}" for kind, list_ in [("only", permitted), ("some", required)] if list_)
                    yield (lambda found, part=part, tests=tests: self.all_and_some(found, part, tests)), tests + text
                if part.get("score") is not None and not tests:
                    score = part["score"] if isinstance(part["score"], list) else [part["score"]] * 2
                    yield (lambda found, score=score: self.in_range(found, *score)), f"score {score[0]} to {score[1]}"

    def all_and_some(self, found, rule, tests):
        cases = {path: verdict for path, verdict in self.paths(found).items() if not tests or fits(tests, path)}
        known = set(cases.values()) - {"?"}
        allowed = lambda key: set().union(*(verdicts_of(word) or set() for word in words(rule[key])))
        if rule.get("permitted") and (wrong := known - allowed("permitted") - {"PC"}):
            return sorted(wrong)[0]
        if rule.get("required") and not known & allowed("required"):
            return None if "?" in cases.values() else "/".join(sorted(known))
        return ""

    @staticmethod
    def in_range(found, low, high):
        points = float(found["points"] or 0)
        return "" if float(low) - 0.01 <= points <= float(high) + 0.01 else f"{points:g} points"

    # The verdict of the whole, in the older formats.

    def of_final(self, path, rules):
        name = path.parent.name
        texts = [it.read_text(errors="replace") for it in (sorted(path.rglob("*")) if path.is_dir() else [path]) if it.is_file()]
        tags = [tag.strip() for text in texts for tag in re.findall(r"@EXPECTED_(?:RESULTS|SCORE)@: (.*)", text)]
        grades = [tag for text in texts for tag in re.findall(r"@EXPECTED_GRADES@:? ((?:(?:WA|AC|TLE|RTE|JE)\s*)+)", text)]
        scores = [float(tag) for tag in tags if re.fullmatch(r"[\d.]+", tag)]
        lists = [tag for tag in tags if not re.fullmatch(r"[\d.]+", tag)]
        folder = FOLDERS[name] if name in FOLDERS else verdicts_of(name)
        known = name in FOLDERS or folder is not None
        if len(scores) == 1:
            yield (lambda found: self.in_range(found, scores[0], scores[0])), f"score {scores[0]:g}"
        if len(lists) > 1 and not known:
            # DOMjudge refuses it.
            return
        if len(lists) == 1:
            listed = [verdicts_of(word) for word in re.split(r"\*/|-->", lists[0])[0].split(",")]
            if None in listed:
                return
            # A folder with a known name restricts the list.
            verdicts = folder if folder and folder in listed else set().union(*listed)
            yield (lambda found: self.is_final(found, verdicts, "first_error")), "/".join(sorted(verdicts))
            return
        if self.is_new and name != "partially_accepted" and name != "accepted" and not verdicts_of(name) == {"CE"}:
            return
        if name == "partially_accepted":
            yield self.is_partial, "part of the points"
        elif name == "accepted" and not self.is_new:
            yield self.is_accepted, "AC"
        elif known and not self.is_new:
            yield (lambda found: self.is_final(found, folder)), name
        elif known and folder == {"CE"}:
            yield (lambda found: self.is_final(found, folder)), name
        if len(grades) == 1 and name != "accepted":
            yield (lambda found: self.has_grades(found, grades[0].split())), "grades " + " ".join(grades[0].split())

    def paths(self, found):
        """Verdicts by the path below `data/`, as far as the tests can be found by their names."""
        folders = {"data"} | {it.relative_to(self.folder).as_posix() for it in (self.folder / "data").rglob("*") if it.is_dir()}
        named = {re.sub("^secret/", "", it.removeprefix("data/")).replace("/", "-"): it.removeprefix("data/") for it in folders}
        # A generated group has no folder.
        of = lambda group: named.get(group) or ("sample" if group == "sample" else "secret" if group == "secret" else f"secret/{group}")
        return {f"{of(group)}/{case}": verdict for (group, case), verdict in cases_of(found).items()}

    def setting(self, folder, key, default):
        """A group's setting, or that of the nearest group above."""
        while True:
            settings = self.groups.get(folder) or {}
            if settings.get(key) is not None:
                return settings[key]
            if folder == "data":
                return default
            folder = folder.rpartition("/")[0] or "data"

    def grade(self, paths, folder="data", mode=None):
        """The verdict of a group, as the default grader of problemtools computes it; "?" if it is open."""
        inside = folder.removeprefix("data").lstrip("/")
        prefix = inside + "/" if inside else ""
        names = {path[len(prefix) :].split("/")[0] for path in paths if path.startswith(prefix)}
        results = []
        for name in sorted(names):
            path = prefix + name
            verdict = paths[path] if path in paths else self.grade(paths, f"data/{path}", mode)
            results.append(verdict)
            if verdict not in ("AC", "PC", "?") and self.setting(folder, "on_reject", "break") == "break":
                break
        flags = words(self.setting(folder, "grader_flags", ""))
        # Scores of the newest format: what a group earns is up to its points.
        if "ignore_sample" in flags and inside == "":
            results = results[-1:]
        results = ["AC" if it == "PC" else it for it in results]
        if "always_accept" in flags or not results or "accept_if_any_accepted" in flags and "AC" in results:
            return "AC"
        failed = [it for it in results if it != "AC"]
        if not failed:
            return "AC"
        if "first_error" in (mode, *flags):
            return failed[0]
        return "?" if "?" in failed else min(failed, key=lambda it: WORST.index(it) if it in WORST else 0)

    def final(self, found, mode=None):
        return whole_verdict(found) or self.grade(self.paths(found), mode=mode)

    def is_final(self, found, verdicts, mode=None):
        got = self.final(found, mode)
        return None if got == "?" else "" if got in verdicts else got

    def is_accepted(self, found):
        got = self.final(found)
        if got != "AC":
            return None if got == "?" else got
        # Graders may accept a submission that fails whole groups.
        failed = [it for path, it in self.paths(found).items() if it not in ("AC", "PC", "?") and path.startswith("secret")]
        return failed[0] if failed else ""

    def is_partial(self, found):
        got = self.final(found)
        points, full = float(found["points"] or 0), float(found["max-points"])
        if got not in ("AC", "?") and not self.is_new:
            # In the newest format, a submission has a score and no verdict.
            return got
        return "" if 0 < points < full else f"{points:g} of {full:g} points"

    def has_grades(self, found, grades):
        if whole := whole_verdict(found):
            return whole
        paths = self.paths(found)
        groups = sorted({path.split("/")[1] for path in paths if path.startswith("secret/") and path.count("/") > 1}, key=natural)
        got = [self.grade(paths, f"data/secret/{group}") for group in groups]
        if "?" in got:
            return None
        agree = len(got) == len(grades) and all(it in verdicts_of(grade) for it, grade in zip(got, grades))
        return "" if agree else "grades " + " ".join(got)


def natural(text):
    return [int(it) if it.isdigit() else it for it in re.split(r"(\d+)", text)]


def fits(glob, path):
    """Whether a glob fits a path or a folder above it."""
    parts = re.split(r"\{([^{}]*)\}", glob.strip("/"))
    pattern = "".join(
        "(" + "|".join(re.escape(it.strip()) for it in part.split(",")) + ")" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    )
    return re.match(pattern.replace(r"\*", "[^/]*") + "(/|$)", path) is not None


def is_python_2(path):
    """Whether a program names Python 2, or prints as only that does."""
    text = path.read_text(errors="replace")
    try:
        compile(text, str(path), "exec")
        return "python2" in text.split("\n")[0]
    except (SyntaxError, ValueError):
        return re.search(r"^\s*print\s+[^\s(=]", text, re.M) is not None


def first_failing(checks, found):
    results = [check(found) for check in checks]
    return next((it for it in results if it), None if None in results else "")


def whole_verdict(found):
    """A verdict that no test decides."""
    return found["verdict"] if found["verdict"] in ("CE", "JE") else None


# --- the other formats: a set of verdicts for all tests, and one that must occur ---


def within(found, allowed, required=None, of_case=None):
    whole = whole_verdict(found)
    if whole:
        return "" if whole in (required or allowed) else whole
    got = cases_of(found)
    for (_, case), verdict in got.items():
        if verdict != "?" and verdict not in (of_case or {}).get(case, allowed) | ({"PC"} if "AC" in allowed else set()):
            return verdict
    if required and not required & set(got.values()):
        return None if "?" in got.values() else "/".join(sorted(set(got.values())))
    return ""


class Dmoj:
    def __init__(self, folder):
        self.folder = folder

    def has_tests(self):
        return True

    def submissions(self):
        lists = [(read_yaml(path), path.parent) for path in sorted(self.folder.glob("tests/*/test*.yml")) if path.name in ("test.yml", "test.posix.yml", "test.linux.yml")]
        lists += [(it, self.folder) for it in (read_yaml(self.folder / "init.yml") or {}).get("tests") or []]
        for test, folder in lists:
            if not isinstance(test, dict) or test.get("skip"):
                continue
            everywhere = test.get("expect", "AC")
            cases = test.get("cases") or {}
            cases = dict(enumerate(cases, 1)) if isinstance(cases, list) else cases
            read = lambda codes: set().union(*(verdicts_of(code) for code in (codes if isinstance(codes, list) else [codes])))
            if everywhere == "*":
                continue
            of_case = {str(number): read(codes) | {"PC"} for number, codes in cases.items()}
            for source in words(test.get("source")):
                says = f"{everywhere}" + (f" {list(cases.values())}" if cases else "")
                declared = Declared(folder / source, says, lambda found, a=read(everywhere), b=of_case: within(found, a, None, b))
                declared.is_old = str(test.get("language")).startswith("PY2")
                declared.is_broken = everywhere == "IE"
                yield declared


class LibraryChecker:
    def __init__(self, folder):
        self.folder = folder
        self.head = tomllib.loads((folder / "info.toml").read_text())

    def has_tests(self):
        return bool(self.head.get("tests"))

    def submissions(self):
        yield Declared(self.folder / "sol/correct.cpp", "AC", lambda found: within(found, {"AC"}))
        for solution in self.head.get("solutions", []):
            if solution["name"] == "correct.cpp":
                continue
            expect = verdicts_of(solution.get("expect") or ("WA" if solution.get("wrong") else "")) or set()
            allowed = {"AC"} | expect
            for code in ("wa", "tle", "re"):
                allowed |= verdicts_of("rte" if code == "re" else code) if solution.get(f"allow_{code}") else set()
            says = "/".join(sorted(expect or allowed))
            yield Declared(self.folder / "sol" / solution["name"], says, lambda found, a=allowed, e=expect: within(found, a, e))


class Polygon:
    TAGS = {
        "main": {"AC"}, "accepted": {"AC"}, "wrong-answer": {"WA"}, "presentation-error": {"WA"}, "time-limit-exceeded": {"TLE"},
        "memory-limit-exceeded": {"MLE", "RE"}, "rejected": REJECTED, "failed": REJECTED,
        "time-limit-exceeded-or-accepted": {"TLE", "AC"}, "time-limit-exceeded-or-memory-limit-exceeded": {"TLE", "MLE", "RE"},
    }  # fmt: skip

    def __init__(self, folder):
        self.folder = folder
        self.root = xml.etree.ElementTree.parse(folder / "problem.xml").getroot()

    def has_tests(self):
        return self.root.find("judging/testset/tests/test") is not None

    def submissions(self):
        for solution in self.root.findall("assets/solutions/solution"):
            verdicts, source = self.TAGS.get(solution.get("tag")), solution.find("source")
            if verdicts and source is not None:
                allowed = {"AC"} | verdicts
                required = None if "AC" in verdicts else verdicts
                yield Declared(self.folder / source.get("path"), solution.get("tag"), lambda found, a=allowed, r=required: within(found, a, r))


class Cms:
    def __init__(self, folder):
        self.folder = folder

    def has_tests(self):
        return (self.folder / "gen/GEN").exists() or any(self.folder.glob("input/input*.txt"))

    def submissions(self):
        for path in sorted(self.folder.glob("sol/*")):
            if path.stem in ("soluzione", "solution") and path.suffix[1:] in PROGRAMS:
                yield Declared(path, "official", lambda found: within(found, {"AC"}))
                break


FORMATS = dict(zip(PACKAGE_FILES, [Kattis, Dmoj, Polygon, LibraryChecker, Cms]))


def packages_in(folder):
    found = [path for name in PACKAGE_FILES for path in sorted(folder.rglob(name))]
    roots = {path.parent for path in found}
    for path in found:
        # A submission may have a file with such a name.
        is_inside = not roots.isdisjoint(path.parent.parents)
        if not is_inside and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def run(command, timeout):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", f"still running after {timeout} s"


def verified(room, options, more):
    """The results of `verify` by sample, or the reason why there are none."""
    status, out, error = run([options.grader, "verify", room, "--json", "-", "--jobs", str(options.jobs), *more], options.timeout)
    try:
        document = json.loads(out)
        if status == 2 or document["mistakes"]:
            first = document["mistakes"][0]["message"] if document["mistakes"] else error.strip()
            return {}, f"verify refuses it: {first[:200]}"
        samples = document["assignments"][0]["problems"][0]["samples"]
    except (ValueError, LookupError):
        return {}, f"verify: {error.strip()[:200] or status}"
    return {it["path"]: {key: it[key] for key in ("found", "mismatches")} for it in samples}, None


def slim(results):
    """Only what is needed, to be kept."""
    for result in results.values():
        found = result["found"]
        first = found.get("message") or next((c["message"] for s in found["subtasks"] for c in s["cases"] if c["verdict"] == "JE"), None)
        subtasks = [
            {"name": s["name"], "cases": [{key: c.get(key) for key in ("name", "verdict", "skipped")} for c in s["cases"]]}
            for s in found["subtasks"]
        ]
        result["found"] = {key: found[key] for key in ("verdict", "points", "max-points", "status")} | {"subtasks": subtasks, "message": first}
        result["mismatches"] = [f"{it['place']}: {it['message']}"[:200] for it in result["mismatches"]][:5]
    return results


def measure(path, options, more=()):
    """What became of a package, with these options of `verify`."""
    folder = path.parent
    key = re.sub(r"[^\w.-]", "+", str(folder).strip("/"))
    kept, room = options.keep / f"{key}.json", options.keep / key
    if kept.exists() and not more:
        return json.loads(kept.read_text()) | {"room": room}
    shutil.rmtree(room, ignore_errors=True)
    real = folder.resolve()
    root = options.repositories and next((it for it in [real, *real.parents] if it.parent == options.repositories.resolve()), None)
    within = ["--root", root] if root and options.can_name_root else []
    status, out, error = run([options.grader, "import", folder, "-o", room, *within], 300)
    result = {"refused": None, "notes": out.splitlines(), "samples": {}, "last-word": bool(more)}
    if status:
        lines = [line for line in error.strip().split("`: ", 1)[-1].splitlines() if line]
        # A list of mistakes begins in the next line.
        reason = " ".join(lines[: 2 if lines[0].endswith(":") else 1]) if lines else f"exit status {status}"
        result["refused"] = reason[:200]
    else:
        found, result["refused"] = verified(room, options, more)
        result["samples"] = slim(found)
    for inner in room.iterdir() if room.is_dir() else []:
        # Only the samples are compared with the package later.
        if inner.is_dir() and inner.name != "submissions":
            shutil.rmtree(inner)
    if not str(result["refused"]).startswith("verify:"):
        # Anything else may be due to the machine.
        kept.write_text(json.dumps(result))
    return result | {"room": room}


def message_of(found):
    text = found.get("message") or ""
    return text.get("en", "") if isinstance(text, dict) else str(text)


def judged(package, result):
    """(submission, cause, details) of each submission with a declared verdict; no cause: it agrees."""
    declared = list(package.submissions())
    if result["refused"]:
        is_empty = not package.has_tests()
        for it in declared:
            cause = "" if getattr(it, "is_broken", False) else "no tests in the package" if is_empty else "import refused"
            yield it, cause, result["refused"]
        return
    root = result["room"] / "submissions"
    # Another one may have the same text.
    left_out = lambda it: any(f"`{it.path.relative_to(package.folder).as_posix()}` is not used" in note for note in result["notes"])
    imported = [it for it in declared if not left_out(it)]
    pairs = [(it.same(root / sample), it, sample) for it in imported for sample in result["samples"] if (root / sample).exists()]
    chosen, taken = {}, set()
    for score, it, sample in sorted(pairs, key=lambda pair: -pair[0]):
        if score and it not in chosen and sample not in taken:
            chosen[it] = sample
            taken.add(sample)
    for it in declared:
        relative = it.path.relative_to(package.folder).as_posix()
        if it not in chosen:
            note = next((note.strip() for note in result["notes"] if f"`{relative}`" in note), "it is not among the samples")
            yield it, "language missing" if "language" in note or getattr(it, "is_old", False) else "not imported", note
            continue
        sample = result["samples"][chosen[it]]
        found, why = sample["found"], message_of(sample["found"])
        if found["verdict"] == "JE" and (found["status"] == "not-judged" or re.search("not installed|not known", why)):
            yield it, "language missing", why
            continue
        if getattr(it, "is_old", False):
            yield it, "language missing", "Python 2"
            continue
        got = it.judge(found | {"last-word": result["last-word"]})
        if got is None:
            yield it, "open", ""
        elif got:
            cause = f"judge error: {why[:80]}" if got == "JE" else f"declared {it.says}, got {got}"
            yield it, cause, "; ".join(sample["mismatches"]) or "verify is content"
        else:
            yield it, "", "" if not sample["mismatches"] else "verify differs: " + "; ".join(sample["mismatches"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--grader", type=pathlib.Path, default=GRADER)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for results, which a later call reuses")
    parser.add_argument("--repositories", type=pathlib.Path, help="folder of repositories: a link may lead anywhere in its own one")
    parser.add_argument("--every", type=int, default=1, help="verify only each n-th package, sorted by path")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one package")
    options = parser.parse_args()
    can_run_all = "--all" in run([options.grader, "verify", "--help"], 60)[1]
    options.can_name_root = "--root" in run([options.grader, "import", "--help"], 60)[1]
    with tempfile.TemporaryDirectory() as room:
        options.keep = options.keep or pathlib.Path(room)
        options.keep.mkdir(parents=True, exist_ok=True)
        rows, details = [], []
        for folder in options.folders:
            count = collections.Counter()
            for path in sorted(packages_in(folder))[:: options.every]:
                name = path.parent.relative_to(folder).as_posix()
                package = FORMATS[path.name](path.parent)
                result = measure(path, options)
                outcome = list(judged(package, result))
                if any(cause == "open" for _, cause, _ in outcome):
                    result = measure(path, options, ["--all"]) if can_run_all else result | {"last-word": True}
                    outcome = list(judged(package, result))
                count["packages"] += 1
                count["refused"] += bool(result["refused"])
                if result["refused"]:
                    details.append((folder.name, name, "", "refused", result["refused"]))
                for it, cause, why in outcome:
                    count["declared"] += 1
                    kind = cause if cause in ("language missing", "no tests in the package", "import refused") else "differs" if cause else "agrees"
                    count[kind] += 1
                    if kind == "differs" or kind == "agrees" and why.startswith("verify differs"):
                        details.append((folder.name, name, it.path.relative_to(package.folder).as_posix(), cause or "verify differs", why))
                done = f"{sum(not cause for _, cause, _ in outcome)} of {len(outcome)}"
                print(f"{folder.name}/{name}: {result['refused'] or done}", flush=True)
            rows.append((folder.name, count))
        write(rows, details)


def write(rows, details):
    total = collections.Counter()
    for _, count in rows:
        total.update(count)
    print("\n| collection | packages | refused | submissions | without tests | no compiler | import refused | differ | agree | of those that ran |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, count in [*rows, ("all", total)]:
        ran = count["agrees"] + count["differs"] + count["import refused"]
        share = f"{100 * count['agrees'] / ran:.1f} %" if ran else "–"
        keys = ["packages", "refused", "declared", "no tests in the package", "language missing", "import refused", "differs", "agrees"]
        print(f"| {name} | {' | '.join(str(count[key]) for key in keys)} | {share} |")
    for title, is_meant in [
        ("Refused packages", lambda cause: cause == "refused"),
        ("Disagreements", lambda cause: cause not in ("refused", "verify differs")),
        ("Agreements that `verify` sees differently", lambda cause: cause == "verify differs"),
    ]:
        causes = collections.defaultdict(list)
        for collection, package, submission, cause, why in details:
            if is_meant(cause):
                causes[why if cause == "refused" else cause].append((f"{collection}/{package}", submission, why))
        if causes:
            print(f"\n{title}\n")
        for cause, places in sorted(causes.items(), key=lambda it: -len(it[1])):
            print(f"- {cause}: {len(places)}")
            for package, submission, why in places:
                print(f"  - {package} {submission}" + (f": {why}" if submission and why else ""))


if __name__ == "__main__":
    main()
