#!/usr/bin/env python3
"""Writes a synthetic assignment and a class for it: what `scale.py` grades.

    python3 grader/examples/synthetic-class.py --students 500 --seed 1 OUT

OUT must not exist, or be empty. It gets `assignment/`, five small problems of twelve cases each, and `class/`, a
folder for each student. All five are deterministic and have a right answer; nothing is run several times or
measured for growth. The same options give the same bytes, on every machine.

What students submit is drawn by `--seed`, about as it comes in a course: most programs are right (C in the main, one in
eight Python), some of these several times as slow as they need be; others are wrong, crash, print words around the answer, do
not compile, never end in the largest case, or are missing. Files lie directly in the folder, or in one below it, with
names of several kinds, in several encodings, beside what editors and systems leave behind.

`--cpu-ms N` is about how long a right C program takes in each case. No program knows the time: the sizes of the cases
are N times a fixed number for each problem, the work of one millisecond on one core of an AMD EPYC (Zen 5), with which
the time of all five grows in proportion. On another machine a case takes a fixed multiple of N there; `scale.py` says
what the runs took. Python programs use better methods and take from half to three times as long.
"""

import argparse
import pathlib
import random
import sys

ASSIGNMENT = """\
format = 1
id = "synthetic"
title = { zh = "合成作业", en = "Synthetic assignment" }
"""

PROBLEM = """\
format = 1
id = "%(id)s"
title = { zh = "%(zh)s", en = "%(en)s" }

[submission]
files = ["%(id)s.*", "%(id)s", "*%(id)s*", "*%(zh)s*"]
languages = ["c", "python"]

[run]
arguments = ["{n}"]

[limits]
time = "%(limit)d ms"
output = "4 KiB"

[limits.languages.python]
time-factor = 3

[reference]
path = "reference.c"

[checker.tokens]
case-sensitive = true

[[subtask]]
name = "ordinary"
points = 12
cases = { n = [%(ordinary)s] }

[[subtask]]
name = "large"
points = 8
hidden = true
cases = { n = [%(large)s] }
"""

# One student in so many submits nothing at all.
ABSENT = 60
CASES_ORDINARY = 7
CASES_LARGE = 5

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n\n"
MAIN = "int main(int argc, char **argv)\n{\n"
C = HEAD + MAIN + "    long long n = atoll(argv[1]);\n"

# For each problem: the title in Chinese and English; the n of so many milliseconds; right programs in
# C; right ones in Python; wrong ones in C. `@` stands for the variable that holds the result.
PROBLEMS = {
    "remainders": {
        "zh": "余数之和",
        "en": "Sum of remainders",
        "size": lambda ms: 1_500_000 * ms,
        "c": [
            C + "    long long @ = 0;\n    for (long long i = 1; i <= n; i++)\n        @ += i * i % 100003;\n"
            "    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
            HEAD + "static long long square(long long i) { return i * i % 100003; }\n\n" + MAIN
            + "    long long n = strtoll(argv[1], NULL, 10), @ = 0, i = 0;\n    while (i < n) {\n        i++;\n"
            "        @ = @ + square(i);\n    }\n    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
        ],
        "py": [
            "import sys\n\nn = int(sys.argv[1])\np = 100003\nwhole, rest = divmod(n, p)\n"
            "@ = whole * sum(i * i % p for i in range(p))\n@ += sum(i * i % p for i in range(1, rest + 1))\nprint(@)\n",
        ],
        "wrong": [
            C + "    long long @ = 0;\n    for (long long i = 1; i < n; i++)\n        @ += i * i % 100003;\n"
            "    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
            HEAD + MAIN + "    unsigned n = atoi(argv[1]), @ = 0;\n    for (unsigned i = 1; i <= n; i++)\n"
            "        @ += i * i % 100003;\n    printf(\"%u\\n\", @);\n    return 0;\n}\n",
        ],
    },
    "digits": {
        "zh": "数字之和",
        "en": "Sum of digits",
        "size": lambda ms: 200_000 * ms,
        "c": [
            C + "    long long @ = 0;\n    for (long long i = 1; i <= n; i++)\n        for (long long x = i; x > 0; x /= 10)\n"
            "            @ += x % 10;\n    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
            HEAD + "static int digits(long long x)\n{\n    int sum = 0;\n    do {\n        sum += x % 10;\n        x /= 10;\n"
            "    } while (x);\n    return sum;\n}\n\n" + MAIN
            + "    long long n = atoll(argv[1]), @ = 0;\n    for (long long i = n; i; i--)\n        @ += digits(i);\n"
            "    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
        ],
        "py": [
            "import sys\n\n\ndef digits(x):\n    return sum(map(int, str(x)))\n\n\nn = int(sys.argv[1])\n"
            "low = sum(digits(i) for i in range(100))\n@ = 0\nfor block in range((n + 1) // 100):\n"
            "    @ += 100 * digits(block) + low\nfor i in range((n + 1) // 100 * 100, n + 1):\n    @ += digits(i)\nprint(@)\n",
        ],
        "wrong": [
            C + "    long long @ = 0;\n    for (long long i = 1; i <= n; i++)\n        for (long long x = i; x > 9; x /= 10)\n"
            "            @ += x % 10;\n    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
            C + "    short @ = 0;\n    for (long long i = 1; i <= n; i++)\n        for (long long x = i; x > 0; x /= 10)\n"
            "            @ += x % 10;\n    printf(\"%d\\n\", @);\n    return 0;\n}\n",
        ],
    },
    "primes": {
        "zh": "素数个数",
        "en": "Number of primes",
        "size": lambda ms: 340_000 * ms,
        "c": [
            C + "    char *crossed = calloc(n + 1, 1);\n    long long @ = 0;\n    for (long long i = 2; i <= n; i++) {\n"
            "        if (crossed[i])\n            continue;\n        @++;\n        for (long long j = i * i; j <= n; j += i)\n"
            "            crossed[j] = 1;\n    }\n    printf(\"%lld\\n\", @);\n    free(crossed);\n    return 0;\n}\n",
            C + "    unsigned char *is = malloc(n + 1);\n    long long @ = 0;\n    for (long long i = 0; i <= n; i++)\n"
            "        is[i] = i > 1;\n    for (long long i = 2; i * i <= n; i++)\n        if (is[i])\n"
            "            for (long long j = i * i; j <= n; j += i)\n                is[j] = 0;\n"
            "    for (long long i = 0; i <= n; i++)\n        @ += is[i];\n    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
        ],
        "py": [
            "import sys\n\nn = int(sys.argv[1])\nis_prime = bytearray(b\"\\1\") * (n + 1)\nis_prime[0] = is_prime[1] = 0\ni = 2\n"
            "while i * i <= n:\n    if is_prime[i]:\n        is_prime[i * i :: i] = bytes(len(range(i * i, n + 1, i)))\n    i += 1\n"
            "@ = sum(is_prime)\nprint(@)\n",
        ],
        "wrong": [
            C + "    char *crossed = calloc(n + 1, 1);\n    long long @ = 0;\n    for (long long i = 1; i <= n; i++) {\n"
            "        if (crossed[i])\n            continue;\n        @++;\n        for (long long j = i * i; i > 1 && j <= n; j += i)\n"
            "            crossed[j] = 1;\n    }\n    printf(\"%lld\\n\", @);\n    return 0;\n}\n",
            C + "    char *crossed = calloc(n + 1, 1);\n    long long @ = 0;\n    for (long long i = 2; i <= n; i++) {\n"
            "        if (crossed[i])\n            continue;\n        @++;\n        for (long long j = i * i; j <= n && i < 1000; j += i)\n"
            "            crossed[j] = 1;\n    }\n    printf(\"%lld \\n\", @ + n % 2);\n    return 0;\n}\n",
        ],
    },
    "collatz": {
        "zh": "最长的链",
        "en": "The longest chain",
        "size": lambda ms: 5_000 * ms,
        "c": [
            C + "    long long best = 0, @ = 0;\n    for (long long i = 1; i <= n; i++) {\n        long long x = i, length = 1;\n"
            "        while (x != 1) {\n            x = x % 2 ? 3 * x + 1 : x / 2;\n            length++;\n        }\n"
            "        if (length > best)\n            best = length, @ = i;\n    }\n"
            "    printf(\"%lld %lld\\n\", @, best);\n    return 0;\n}\n",
            HEAD + "static int chain(long long x)\n{\n    int length = 1;\n    for (; x > 1; length++) {\n"
            "        if (x & 1)\n            x += (x << 1) | 1;\n        else\n            x >>= 1;\n    }\n    return length;\n}\n\n" + MAIN
            + "    int n = atoi(argv[1]), best = 0, @ = 0;\n    for (int i = n; i > 0; i--) {\n        int length = chain(i);\n"
            "        if (length >= best) {\n            best = length;\n            @ = i;\n        }\n    }\n"
            "    printf(\"%d %d\\n\", @, best);\n    return 0;\n}\n",
        ],
        "py": [
            "import sys\n\nn = int(sys.argv[1])\nsteps = [0] * (n + 1)\nsteps[1] = 1\n@ = 1\nfor i in range(2, n + 1):\n"
            "    x = i\n    k = 0\n    while x >= i:\n        if x & 1:\n            x = (3 * x + 1) >> 1\n            k += 2\n"
            "        else:\n            x >>= 1\n            k += 1\n    steps[i] = k + steps[x]\n    if steps[i] > steps[@]:\n"
            "        @ = i\nprint(@, steps[@])\n",
        ],
        "wrong": [
            C + "    long long best = 0, @ = 0;\n    for (long long i = 1; i <= n; i++) {\n        long long x = i, length = 0;\n"
            "        while (x != 1) {\n            x = x % 2 ? 3 * x + 1 : x / 2;\n            length++;\n        }\n"
            "        if (length > best)\n            best = length, @ = i;\n    }\n"
            "    printf(\"%lld %lld\\n\", @, best);\n    return 0;\n}\n",
            C + "    long long best = 0, @ = 0;\n    for (long long i = 1; i <= n; i++) {\n        long long x = i, length = 1;\n"
            "        while (x != 1 && length < 200) {\n            x = x % 2 ? 3 * x + 1 : x / 2;\n            length++;\n        }\n"
            "        if (length >= best)\n            best = length, @ = i;\n    }\n"
            "    printf(\"%lld %lld\\n\", @, best);\n    return 0;\n}\n",
        ],
    },
    "paths": {
        "zh": "路径条数",
        "en": "Number of paths",
        "size": lambda ms: round((500_000 * ms) ** 0.5),
        "c": [
            HEAD + MAIN + "    int n = atoi(argv[1]);\n    unsigned *@ = calloc(n + 1, sizeof *@);\n    @[1] = 1;\n"
            "    for (int i = 1; i <= n; i++)\n        for (int j = 1; j <= n; j++)\n"
            "            @[j] = i * j % 11 == 7 ? 0 : (@[j] + @[j - 1]) % 1000000007u;\n"
            "    printf(\"%u\\n\", @[n]);\n    return 0;\n}\n",
            HEAD + "#define MOD 1000000007\n\nstatic int @[2][100000];\n\n" + MAIN
            + "    int n = atoi(argv[1]);\n    @[0][1] = 1;\n    for (int i = 1; i <= n; i++) {\n"
            "        int *last = @[(i + 1) & 1], *row = @[i & 1];\n        for (int j = 1; j <= n; j++) {\n"
            "            row[j] = last[j] + row[j - 1];\n            if (row[j] >= MOD)\n                row[j] -= MOD;\n"
            "            if (i * j % 11 == 7)\n                row[j] = 0;\n        }\n    }\n"
            "    printf(\"%d\\n\", @[n & 1][n]);\n    return 0;\n}\n",
        ],
        "py": [],
        "wrong": [
            HEAD + MAIN + "    int n = atoi(argv[1]);\n    unsigned *@ = calloc(n + 1, sizeof *@);\n    @[1] = 1;\n"
            "    for (int i = 1; i <= n; i++)\n        for (int j = 1; j <= n; j++)\n"
            "            @[j] = (@[j] + @[j - 1]) % 1000000007u;\n    printf(\"%u\\n\", @[n]);\n    return 0;\n}\n",
            HEAD + MAIN + "    int n = atoi(argv[1]);\n    unsigned *@ = calloc(n + 1, sizeof *@);\n    @[1] = 1;\n"
            "    for (int i = 1; i <= n; i++)\n        for (int j = 1; j <= n; j++)\n"
            "            @[j] = i * j % 11 == 7 ? 0 : @[j] + @[j - 1];\n    printf(\"%u\\n\", @[n] % 1000000007u);\n    return 0;\n}\n",
        ],
    },
}

# What is done to a right program in C, and how often in a thousand submissions. What is left is right as it is.
KINDS = [
    ("missing", 35),
    ("wrong", 120),
    ("crash", 40),
    ("compile-error", 30),
    ("words", 30),
    ("hangs", 8),
    ("slow", 80),
    ("python", 120),
]

CRASHES = [
    "    int *p = NULL;\n    if (argc > 1)\n        *(volatile int *)p = argc;\n",
    "    volatile int zero = argc - 2;\n    printf(\"%d\\n\", 7 / zero);\n",
    "    if (n > 10)\n        abort();\n",
    "    if (n > 10)\n        return 3;\n",
]
MISTAKES = [
    ("return 0;\n}\n", "return 0\n}\n"),
    ("atoi(argv[1])", "atoi(args[1])"),
    ("atoll(argv[1])", "atoll(args[1])"),
    ("\n}\n", "\n"),
]

FAMILY = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
GIVEN = ["伟", "芳", "娜", "秀英", "敏", "静", "丽", "强", "磊", "军", "洋", "勇", "艳", "杰", "娟", "涛", "明", "超", "子涵", "浩然"]
LATIN = ["Anna Müller", "José García", "Siobhán O'Brien", "Zoë \"Zo\" van Dijk", "Li Lei", "Han Meimei", "d'Artagnan", "Ben & Co",
         "Ana  (2)", "Łukasz Żak", "Иван Петров", "佐藤 さくら", "Kim [neu]", "50% Max", "$HOME", "; ls", "N. N.", "Eve #3", "O`Neil", "a=b"]
VARIABLES = ["result", "answer", "total", "res", "ans", "r", "count", "value", "out"]
WORDS = ["Answer: ", "The result is ", "答案是 ", "n = %lld: "]
LEFT = [(".DS_Store", b"\0\0\0\1Bud1"), ("a.out", b"\x7fELF\2\1\1"), ("__MACOSX/._main.c", b"\0\5\x16\7"), ("notes.txt", "想了很久\n".encode()),
        ("readme.md", b"# homework\n"), ("primes.c~", b"int main"), ("screenshot.png", b"\x89PNG\r\n\x1a\n"), ("report.docx", b"PK\3\4")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, metavar="OUT")
    parser.add_argument("--students", type=positive, default=500, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument("--cpu-ms", type=positive, default=60, metavar="N",
                        help="CPU time of a right program in a case, in ms, about (default: %(default)s)")
    return parser.parse_args()


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, not `{text}`")
    return int(text)


class Draw:
    """Draws that stay the same from one version of Python to the next: only `random()` is promised to."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, bound):
        return int(self.random() * bound)

    def one(self, items):
        return items[self.below(len(items))]

    def weighted(self, kinds):
        at = self.below(1000)
        for name, weight in kinds:
            if at < weight:
                return name
            at -= weight
        return None


def sizes(problem, cpu_ms):
    """The n of each case: within a tenth of the nominal work, all different."""
    count = CASES_ORDINARY + CASES_LARGE
    return [round(problem["size"](cpu_ms * (0.91 + 0.18 * k / (count - 1)))) for k in range(count)]


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def write_assignment(folder, cases, cpu_ms):
    entries = [ASSIGNMENT]
    for name, problem in PROBLEMS.items():
        all_sizes = list(map(str, cases[name]))
        if len(set(all_sizes)) < len(all_sizes):
            sys.exit(f"`--cpu-ms {cpu_ms}` is too small for twelve different cases of `{name}`")
        text = PROBLEM % {
            "id": name,
            "zh": problem["zh"],
            "en": problem["en"],
            # Far above all programs that end, and what one that does not end costs.
            "limit": max(1000, 12 * cpu_ms),
            "ordinary": ", ".join(all_sizes[:CASES_ORDINARY]),
            "large": ", ".join(all_sizes[CASES_ORDINARY:]),
        }
        write(folder / name / "problem.toml", text)
        write(folder / name / "reference.c", problem["c"][0].replace("@", "result"))
        entries.append(f'\n[[problem]]\npath = "{name}"\npoints = 20\n')
    write(folder / "assignment.toml", "".join(entries))


def student_name(draw, number):
    """A name of a folder, unlike all others for its number."""
    chinese = draw.one(FAMILY) + draw.one(GIVEN)
    latin = draw.one(LATIN)
    return draw.one([
        f"{20260000 + number}{chinese}",
        f"{20260000 + number} {chinese}",
        f"{chinese}_{20260000 + number}",
        f"s{number:03}",
        f"{latin} {number}",
        f"{number:03}-{latin}",
    ])


def program(draw, problem, largest):
    """The extension and the text of a submission; nothing if it is missing."""
    kind = draw.weighted(KINDS)
    if kind == "missing":
        return None
    variable = draw.one(VARIABLES)
    if kind == "python" and problem["py"]:
        return "py", draw.one(problem["py"]).replace("@", variable)
    if kind == "wrong":
        return "c", draw.one(problem["wrong"]).replace("@", variable)
    text = draw.one(problem["c"]).replace("@", variable)
    start = text.index("\n", text.index("argv[1]")) + 1
    if kind == "crash":
        text = text[:start] + draw.one(CRASHES) + text[start:]
    elif kind == "compile-error":
        old, new = draw.one([mistake for mistake in MISTAKES if mistake[0] in text])
        text = new.join(text.rsplit(old, 1))
    elif kind == "words":
        words = draw.one(WORDS)
        said = f'    printf("{words}"' + (", (long long)n" if "%" in words else "") + ");\n"
        text = text[:start] + said + text[start:]
    elif kind == "hangs":
        text = text[:start] + f"    volatile int found = 0;\n    while (n >= {largest} && !found)\n        ;\n" + text[start:]
    elif kind == "slow":
        # What is volatile is written to memory and read back each time.
        text = text.replace("long long ", "volatile long long ").replace("unsigned *", "volatile unsigned *")
    return "c", text


def dressed(draw, extension, text, student):
    """The bytes as an editor may have left them."""
    comment = {"c": "/* {} */\n", "py": "# {}\n"}[extension]
    owner = student.replace("*/", "")
    manner = draw.below(20)
    if manner == 0 and extension == "c":
        return (comment.format("作者：" + owner) + text).encode("gb18030")
    if manner == 1:
        return b"\xef\xbb\xbf" + (comment.format(owner) + text).encode()
    if manner == 2:
        return (comment.format(owner) + text).replace("\n", "\r\n").encode()
    if manner < 12:
        return (comment.format(draw.one(["第一版", "作业", "version 2", "homework", "改了很多次"]) + " " + owner) + text).encode()
    return (comment.format(f"{owner}, {draw.below(1 << 30)}") + text).encode()


def write_student(draw, folder, student, cases):
    folder.mkdir(parents=True)
    if draw.below(ABSENT) == 0:
        return
    below = draw.one(["", "", "", "", "", "作业/", "homework 1/", "src/"])
    names = draw.below(8)
    for name, problem in PROBLEMS.items():
        handed = program(draw, problem, cases[name][-1])
        if handed is None:
            continue
        extension, text = handed
        file = {0: f"{name.capitalize()}.{extension}", 1: f"{problem['zh']}.{extension}", 2: f"{name}/main.{extension}",
                3: f"my_{name}_final (1).{extension}"}.get(names, f"{name}.{extension}")
        write(folder / f"{below}{file}", dressed(draw, extension, text, student))
    if draw.below(4) == 0:
        for _ in range(1 + draw.below(3)):
            path, content = draw.one(LEFT)
            write(folder / path, content)


def main():
    options = arguments()
    if options.out.exists() and any(options.out.iterdir()):
        sys.exit(f"`{options.out}` is not empty")
    cases = {name: sizes(problem, options.cpu_ms) for name, problem in PROBLEMS.items()}
    write_assignment(options.out / "assignment", cases, options.cpu_ms)
    draw = Draw(options.seed)
    for number in range(1, options.students + 1):
        student = student_name(draw, number)
        write_student(draw, options.out / "class" / student, student, cases)


if __name__ == "__main__":
    main()
