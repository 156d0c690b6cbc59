//! Tests that students submit, and what hostile ones do.

use crate::harness::Room;

const ASSIGNMENT: &str =
    "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"sum\"\npoints = 4\n";

const PROBLEM: &str = r#"format = 1
id = "sum"
title = "Sum"
[submission]
tests = 3
[limits]
time = "0.3 s"
output = "1 MiB"
[reference]
path = "sum.py"
[validator]
source = "valid.py"
[checker.tokens]
[[subtask]]
name = "found"
points = 3
[[subtask.case]]
name = "loop"
mutant = "loop.py"
[[subtask.case]]
name = "flood"
mutant = "flood.py"
[[subtask.case]]
name = "broken"
mutant = "broken.c"
[[subtask]]
name = "secret"
points = 1
hidden = true
[[subtask.case]]
name = "sign"
mutant = "sign.py"
hint = { en = "negative numbers", zh = "负数" }
"#;

/// A program that adds numbers, after this line.
fn sum(line: &str) -> String {
    format!("a = [int(it) for it in input().split()]\n{line}\nprint(sum(a))\n")
}

fn room() -> Room {
    Room::new()
        .file("week/assignment.toml", ASSIGNMENT)
        .file("week/sum/problem.toml", PROBLEM)
        .file("week/sum/sum.py", sum(""))
        .file("week/sum/loop.py", sum("while 1 in a: pass"))
        .file("week/sum/flood.py", sum("while 2 in a: print(a)"))
        .file("week/sum/sign.py", sum("a = [abs(it) for it in a]"))
        .file("week/sum/broken.c", "#error broken\n")
        .file(
            "week/sum/valid.py",
            "import os, signal\na = input()\nif a == 'kill':\n    os.kill(os.getpid(), signal.SIGSEGV)\n\
             exit(0 if all(it.lstrip('-').isdigit() for it in a.split()) else 1)\n",
        )
}

const FOUND: &str = r"sum · Sum · 4 points
  found
    ✓ loop
        found by `1.in`
    ✓ flood
        found by `1.in`
    ✗ broken  JE
        the problem's wrong program `broken.c` does not compile: broken.c:1: #error broken
  secret
    ✗ #1  WA

  mine/1.in, mine/a\x1b[31m.in, mine/b.ans, mine/b.in
  hint: 2 of 4 wrong programs found; not found: negative numbers
  hint: `a\x1b[31m.in` does not count: the validator `valid.py` rejected the input (exit status 1)
  hint: `b.in` does not count: the answer that is submitted with it is wrong
  found   ? of 3  JE  2 of 3 cases
  secret  0 of 1  WA  0 of 1 case
  sum: not scored yet (of 4 points)  JE judge error
";

const FOUND_ZH: &str = r"sum · Sum · 4 分
  found
    ✓ loop
        由`1.in`找出
    ✓ flood
        由`1.in`找出
    ✗ broken  JE
        评测系统故障：the problem's wrong program `broken.c` does not compile: broken.c:1: #error
        broken
  secret
    ✗ #1  WA

  mine/1.in、mine/a\x1b[31m.in、mine/b.ans、mine/b.in
  提示：找出了 4 个错误程序中的 2 个；未找出：负数
  提示：`a\x1b[31m.in` 不计入：输入不符合题目要求（the validator `valid.py` rejected the input (exit
        status 1)）
  提示：`b.in` 不计入：一同提交的答案不正确
  found   ? / 3 分  JE  3 个测试点中 2 个通过
  secret  0 / 1 分  WA  1 个测试点中 0 个通过
  sum：尚未评分（满分 4 分）  JE 评测故障
";

const KILLED: &str = r"sum · Sum · 4 points
  found
    ✗ loop  JE
        the problem's validator `valid.py` was killed by signal 11 (SIGSEGV)
    ✗ flood  JE  the problem's validator `valid.py` was killed by signal 11 (SIGSEGV)
    ✗ broken  JE
        the problem's wrong program `broken.c` does not compile: broken.c:1: #error broken
  secret
    ✗ #1  JE

  mine/1.in, mine/2.in
  found   ? of 3  JE  grading failed: not your program's fault, and not scored yet
  secret  ? of 1  JE  0 of 1 case
  sum: not scored yet (of 4 points)  JE judge error
";

/// What a student reads of the tests in a folder.
fn read(room: &Room, options: &[&str]) -> String {
    let ran = room.run(&[&["test", "mine", "-a", "week"], options].concat());
    assert_eq!(ran.stderr, "");
    ran.stdout
}

#[test]
fn a_wrong_program_that_does_not_end_is_found_and_one_that_does_not_build_is_nobodys_fault() {
    let room = room()
        .file("mine/1.in", "1 2\n")
        .file("mine/a\u{1b}[31m.in", "$(touch /tmp/x)\n")
        .file("mine/b.in", "3\n")
        .file("mine/b.ans", "3 \u{202e}\n");
    assert_eq!(read(&room, &[]), FOUND);
    assert_eq!(read(&room, &["--lang", "zh"]), FOUND_ZH);
}

#[test]
fn what_kills_the_validator_is_not_scored() {
    let room = room().file("mine/1.in", "kill\n").file("mine/2.in", "-1\n");
    assert_eq!(read(&room, &[]), KILLED);
}

#[test]
fn too_many_tests_are_refused_with_what_to_do() {
    let names = ["1.in", "2.in", "3.in", "4.in"];
    let files = names.iter().fold(room(), |room, it| room.file(it, "1\n"));
    let ran = files.run(&[&["test", "-a", "week"], &names[..]].concat());
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: `1.in` is one of 4 tests, and at most 3 may be submitted: remove some\n"
        )
    );
}

/// Runs the functions of the student's tests.
const MAIN: &str = "import os, tests
out = os.open('report.xml', os.O_WRONLY)
report = ''
for name, test in vars(tests).items():
    if name.startswith('test_'):
        failed = '' if test() else '<failure/>'
        report += f'<testcase classname=\"tests\" name=\"{name}\">{failed}</testcase>'
os.write(out, f'<testsuite>{report}</testsuite>'.encode())
";

fn units(tests: &str) -> String {
    let problem = "format = 1\nid = \"sum\"\ntitle = \"Sum\"\n[submission]\nfile = \"tests.py\"\n\
         include = [\"main.py\", \"sums.py\"]\n[run]\nreport = \"junit\"\n[[subtask]]\nname = \"found\"\npoints = 4\n\
         [[subtask.case]]\nname = \"sign\"\nmutant = \"wrong\"\n";
    let room = Room::new()
        .file("week/assignment.toml", ASSIGNMENT)
        .file("week/sum/problem.toml", problem)
        .file("week/sum/main.py", MAIN)
        .file("week/sum/sums.py", "def add(a, b):\n    return a + b\n")
        .file(
            "week/sum/wrong/sums.py",
            "def add(a, b):\n    return abs(a) + b\n",
        )
        .file("mine/tests.py", tests);
    let read = read(&room, &[]);
    let (before, after) = read.split_once("Python 3.").unwrap();
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    format!("{before}Python VERSION{after}")
}

const RANDOM: &str = r"sum · Sum · 4 points
  found
    ✗ sign  WA
        no test finds it
  Python · mine/tests.py · Python VERSION
  hint: 0 of 1 wrong programs found; not found: `sign`
  hint: a test does not count: it does not pass with the right program
  hint: no test counts: a test and others do not always pass with the right program
  sum: 0 of 4 points  WA wrong answer
";

const ADD: &str = r"sum · Sum · 4 points
  found
    ✓ sign
        found by `test_add`
  Python · mine/tests.py · Python VERSION
  sum: 4 of 4 points  AC accepted
";

const UNNAMED: &str = r"sum · Sum · 4 points
  found
    ✓ sign
        found by a test
  Python · mine/tests.py · Python VERSION
  hint: a test does not count: it does not pass with the right program
  sum: 4 of 4 points  AC accepted
";

#[test]
fn tests_that_fail_at_random_find_nothing() {
    let tests = "import random\nfor i in range(100):\n    globals()[f'test_{i}'] = lambda: random.random() < 0.5\n";
    assert_eq!(units(tests), RANDOM);
    let tests = "import sums\ndef test_add(): return sums.add(-1, 1) == 0\n";
    assert_eq!(units(tests), ADD);
}

#[test]
fn names_of_tests_do_not_tell_what_they_have_read() {
    let tests = "import sums\ntext = open(sums.__file__).read()\nglobals()['test_' + text] = lambda: False\n\
         globals()['test_' + text.split()[1]] = lambda: sums.add(-1, 1) == 0\n";
    assert_eq!(units(tests), UNNAMED);
}
