//! New assignments, and kits for students.

use std::fs;
use std::path::Path;

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::{Room, have, names, problem, student};

#[test]
fn every_template_is_an_assignment_that_holds() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    // `course` makes and verifies the others.
    for (template, failing) in [
        ("classic", "double/submissions/wrong-answer/overflow.c"),
        ("checker", "pair/submissions/wrong-answer/halves.py"),
    ] {
        let room = Room::new();
        let ran = room.run(&["init", "week-3", "--template", template]);
        let written = format!(
            "wrote 8 files to week-3\n  grader check week-3\n  grader verify week-3\n  grader test week-3/{failing} -a week-3\n"
        );
        assert_eq!((ran.status, &ran.stdout), (0, &written));
        let next = written
            .lines()
            .filter_map(|line| line.strip_prefix("  grader "));
        let next = next.map(|line| room.run(&line.split(' ').collect::<Vec<_>>()));
        let [checked, verified, tested] = next.collect::<Vec<_>>().try_into().unwrap();
        assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
        assert_eq!(
            (verified.status, verified.stdout.lines().last()),
            (0, Some("week-3: 2 samples, all as expected"))
        );
        assert_eq!((tested.status, tested.stderr.as_str()), (1, ""));
        assert!(tested.stdout.contains("WA"), "{}", tested.stdout);
    }
    let room = Room::new().folder("week-1");
    let refused = room.run(&["init", "week-1"]);
    assert_eq!(
        (refused.status, refused.stderr.as_str()),
        (2, "error: `week-1` already exists\n")
    );
    std::os::unix::fs::symlink("nowhere", room.path("week-2")).unwrap();
    let refused = room.run(&["init", "week-2"]);
    assert_eq!(
        (refused.status, refused.stderr.as_str()),
        (2, "error: `week-2` already exists\n")
    );
    assert_eq!(names(&room.path(".")), ["week-1", "week-2"]);
    let unknown = room.run(&["init", "--from", "n-quens", "queens"]);
    assert_eq!(
        (unknown.status, unknown.stderr.as_str()),
        (
            2,
            "error: there is no bundled assignment `n-quens`; did you mean `n-queens`?; known are `bit-practice`, `n-queens`\n"
        )
    );
    assert_eq!(
        room.run(&["init", "--from", "n-queens", "queens"]).status,
        0
    );
    let checked = room.run(&["check", "queens"]);
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
    // An assignment, then a problem of it.
    for path in ["quiet", "quiet/two"] {
        let quiet = room.run(&["init", path, "-q"]);
        assert_eq!(
            (quiet.status, quiet.stdout + &quiet.stderr),
            (0, String::new())
        );
        assert!(room.path(path).is_dir());
    }
}

#[test]
fn a_problem_is_added_with_its_languages_schemas_and_names() {
    let room = Room::new();
    room.run(&["init", "week"]);
    for name in ["int", "for", "main"] {
        let path = format!("week/{name}");
        let refused = room.run(&["init", &path, "--template", "function"]);
        let message =
            format!("error: `{name}` cannot be the name of a function in C, Java and Python\n");
        assert_eq!((refused.status, refused.stderr), (2, message));
    }
    for (path, template) in [("week/two-piles", "junit"), ("week/hcf", "pytest-separate")] {
        let made = room.run(&["init", path, "--template", template]);
        assert_eq!((made.status, made.stderr.as_str()), (0, ""));
        let next = match template {
            "junit" => "week/two-piles/submissions/partially-correct/TwoPiles.java -p two-piles",
            _ => "week/hcf/submissions/wrong-answer/hcf.py -p hcf",
        };
        let next = format!("  grader verify {path}\n  grader test {next} -a week\n");
        assert!(made.stdout.ends_with(&next), "{}", made.stdout);
    }
    let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    let assignment = read("week/assignment.toml");
    let begins = "#:schema ./assignment.schema.json\nformat = 1\nid = \"week\"\n";
    assert!(assignment.starts_with(begins), "{assignment}");
    assert!(assignment.contains("\n[languages.java]\nflags = ["));
    let begins = "#:schema ../problem.schema.json\nformat = 1\nid = \"two-piles\"\n";
    assert!(read("week/two-piles/problem.toml").starts_with(begins));
    assert!(read("week/problem.schema.json").contains("\"hidden\""));
    let files = [
        "Main.java",
        "TwoPilesTest.java",
        "problem.toml",
        "statement.md",
        "submissions",
    ];
    assert_eq!(names(&room.path("week/two-piles")), files);
    let files = ["main.py", "program.py", "test_hcf.py", "test_hidden.py"];
    assert_eq!(names(&room.path("week/hcf/tests")), files);
    let checked = room.run(&["check", "week"]);
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
}

#[test]
fn a_problem_that_is_listed_before_it_exists_is_not_listed_twice() {
    for path in ["minmax", "./minmax", "minmax/"] {
        let assignment = format!(
            "format = 1\nid = \"hw3\"\ntitle = \"Homework 3\"\n\n[[problem]]\npath = \"{path}\"\npoints = 4\n"
        );
        let room = Room::new().file("hw3/assignment.toml", &*assignment);
        let ran = room.run(&["init", "hw3/minmax"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let text = fs::read_to_string(room.path("hw3/assignment.toml")).unwrap();
        assert_eq!(text.matches("[[problem]]").count(), 1, "{text}");
    }
}

/// An assignment in which everything that students must not get has `CANARY` in it.
fn secrets() -> Room {
    let problem = "# CANARY comment\nformat = 1\nid = \"sum\"\ntitle = \"notes.md\"\n[submission]\nfiles = [\"sum.*\"]\ninclude = [\"help.h\"]\n\
        [source]\nforbid = [{ any = [\"CANARYTOKEN\"], because = \"CANARY\" }]\n[run]\nstdin = \"{a} 1\\n\"\n\
        [limits]\ntime = { reference = 50 }\n[reference]\npath = \"CANARY.py\"\n[validator]\nsource = \"validator.py\"\n\
        [checker.program]\nsource = \"checker\"\n\
        [[subtask]]\nname = \"小\"\npoints = 4\ncases = { a = \"1, 2\" }\nvalidator.source = \"validator.py\"\n\
        [[subtask]]\nname = \"大\"\npoints = 2\n[[subtask.case]]\nname = \"seven\"\ngenerate = \"gen.py 7\"\n\
        [[subtask.case]]\nname = \"empty\"\nstdin = \"\"\nanswer = \"\"\n\
        [[subtask]]\nname = \"CANARY\"\nhidden = true\npoints = 3\nrequire = [\"小\"]\n\
        [[subtask.case]]\nname = \"CANARY\"\nstdin-file = \"hidden.in\"\nanswer-file = \"hidden.ans\"\n";
    let checker = "import sys\nanswer = open(sys.argv[2]).read().split()\nsys.exit(42 if sys.stdin.read().split() == answer else 43)\n";
    let reference = "# CANARY\nprint(sum(map(int, input().split())))\n";
    Room::new()
        .file("week/assignment.toml", "# CANARY\nformat = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"sum\"\npoints = 9\n")
        .file("week/sum/problem.toml", problem)
        .file("week/sum/statement.en.md", "Add two numbers.\n\n{{samples}}\n")
        .file("week/sum/statement-solution.md", "CANARY\n")
        .file("week/sum/notes.md", "CANARY\n")
        .file("week/sum/help.h", "#define PLUS +\n")
        .file("week/sum/CANARY.py", reference)
        .file("week/sum/validator.py", "# CANARY\nimport sys\nsys.exit(42)\n")
        .file("week/sum/gen.py", "# CANARY\nimport sys\nprint(sys.argv[1], 1)\n")
        .file("week/sum/checker/check.py", checker)
        .file("week/corrections/review.toml", "format = 1\n# CANARY\n")
        .file("week/objections/s07.md", "CANARY\n")
        .file("week/sum/hidden.in", "777 1\n")
        .file("week/sum/hidden.ans", "778 CANARY\n")
        .file("week/sum/submissions/accepted/sum.py", reference)
}

pub(crate) fn files(folder: &Path, below: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, below, found);
        } else {
            let bytes = fs::read(&path).unwrap();
            assert!(
                !String::from_utf8_lossy(&bytes).contains("CANARY"),
                "{}",
                path.display()
            );
            assert!(
                !String::from_utf8_lossy(&bytes).contains("777"),
                "{}",
                path.display()
            );
            found.push(path.strip_prefix(below).unwrap().display().to_string());
        }
    }
}

#[test]
fn a_kit_has_what_students_need_and_no_secret() {
    if !have(&["python3"]) {
        return;
    }
    let room = secrets();
    let ran = room.run(&["bundle", "-o", "kit", "-a", "./week"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "wrote 14 files to kit\n\nDifferences from the assignment:\n  sum: the time limit is 10 s per case, because what sets it is not in the kit\n\nsum: 4 of 5 cases are public\n"
    );
    let mut found = Vec::new();
    files(&room.path("kit"), &room.path("kit"), &mut found);
    found.sort();
    assert_eq!(
        found,
        [
            "README.md",
            "assignment.toml",
            "sum/cases/1-1.ans",
            "sum/cases/1-1.in",
            "sum/cases/1-2.ans",
            "sum/cases/1-2.in",
            "sum/cases/2-1.ans",
            "sum/cases/2-1.in",
            "sum/cases/2-2.ans",
            "sum/checker/check.py",
            "sum/help.h",
            "sum/problem.toml",
            "sum/statement.en.html",
            "sum/statement.en.md",
        ]
    );

    // With the search, students get what it needs, and no more.
    let search = "[search]\nkit = true\ncases = { a = \"1..=9\" }\n[[subtask]]\nname = \"小\"";
    let room = room.replace(
        "week/sum/problem.toml",
        "[[subtask]]\nname = \"小\"",
        search,
    );
    let room = room.file(
        "sum.py",
        "a, b = map(int, input().split())\nprint(a + b - (a == 7))\n",
    );
    let room = room.file(
        "week/sum/validator.py",
        "import sys\nsys.exit(42 if len(input().split()) == 2 else 43)\n",
    );
    let ran = room.run(&["bundle", "-o", "searched", "-a", "./week"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let more = "  sum: students get the reference, because `[search]` has `kit = true`\n";
    assert!(ran.stdout.contains(more), "{}", ran.stdout);
    let of_search = ["CANARY.py", "validator.py"].map(str::to_owned);
    let mut expected = names(&room.path("kit/sum"));
    expected.extend(of_search);
    expected.sort();
    assert_eq!(names(&room.path("searched/sum")), expected);
    let ran = room.run(&["stress", "sum.py", "-a", "./searched", "--time", "600"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("✗ 7 0  WA"), "{}", ran.stdout);
}

#[test]
fn a_kit_whose_grader_is_a_wheel_says_how_to_install_it() {
    if !have(&["python3"]) {
        return;
    }
    let wheel = "https://example.org/bitcraft_grader-0.1.0-py3-none-manylinux2014_x86_64.whl";
    let room = secrets().replace(
        "week/assignment.toml",
        "[[problem]]",
        &format!("[kit]\ngrader = \"{wheel}\"\n[[problem]]"),
    );
    let ran = room.run(&["bundle", "-o", "kit", "-a", "./week"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let readme = fs::read_to_string(room.path("kit/README.md")).unwrap();
    let pipx = "`sudo apt update && sudo apt install pipx && pipx ensurepath`";
    let lines: Vec<&str> = readme.lines().filter(|it| it.contains("pipx")).collect();
    assert_eq!(
        lines,
        [
            format!(
                "2. `grader`: {pipx}, then `pipx install {wheel}` or `uv tool install {wheel}`"
            ),
            format!(
                "2. `grader`：{pipx}，然后 `pipx install {wheel}` 或 `uv tool install {wheel}`"
            ),
        ]
    );
}

/// The end of the `README.md` of [`secrets`], if the assignment says where to get `grader`.
const END_OF_README: &str = "
## What you need

1. Linux. On Windows, run `wsl --install -d Debian` in PowerShell as administrator, restart, and go on in Debian. On a Mac, go
   on in a Linux virtual machine: `brew install lima`, `limactl start --name=grader --mount-writable template:debian`, then
   `limactl shell grader`.
2. `grader`: https://example.org/grader
   If it is a file that ends in `x86_64.whl` (on ARM: `aarch64.whl`): `sudo apt update && sudo apt install pipx && pipx ensurepath`,
   then `pipx install ./FILE` (or, with uv, `uv tool install ./FILE`).
   If it ends in `linux.tar.gz`: `mkdir -p ~/.local && tar -xzf FILE -C ~/.local --strip-components=1`.
   Then open a new terminal: `grader` must be in a folder of `PATH`, such as `~/.local/bin`.
3. The compiler or interpreter of your language, on Debian and Ubuntu:
   - for the tests: `sudo apt install python3`

`grader doctor` says what is missing, and how to install it.

The other points are in hidden cases, which run when your work is graded:

- `sum`: 3 of 9 points

# 自测

进入本文件夹（或把程序复制到这里），运行 `grader test 你的程序`，即可在自己的电脑上得到公开测试点的评测结果，判定与教师
评测时相同。`grader` 根据文件名判断是哪道题。各题的题面在相应的文件夹中。判定源程序不合要求的规则也在这里；取决于教师机器的
时间限制，只在正式评测时才起作用，这里的限制为 10 s。

## 准备

1. Linux。Windows：以管理员身份打开 PowerShell，运行 `wsl --install -d Debian`，重启后在 Debian 中继续。Mac：先运行
   `brew install lima`、`limactl start --name=grader --mount-writable template:debian` 和 `limactl shell grader`，
   再在这个 Linux 虚拟机中继续。
2. `grader`：https://example.org/grader
   如果拿到的是以 `x86_64.whl`（ARM 为 `aarch64.whl`）结尾的文件：先运行 `sudo apt update && sudo apt install pipx && pipx ensurepath`，
   再运行 `pipx install ./文件名`（装有 uv 的也可以用 `uv tool install ./文件名`）。
   如果以 `linux.tar.gz` 结尾：`mkdir -p ~/.local && tar -xzf 文件名 -C ~/.local --strip-components=1`。
   然后打开新的终端；`grader` 须在 `PATH` 的某个文件夹中，例如 `~/.local/bin`。
3. 所用语言的编译器或解释器，在 Debian、Ubuntu 上：
   - 评测程序：`sudo apt install python3`

`grader doctor` 会指出还缺什么、怎样安装。

其余分数在隐藏的测试点中，正式评测时才会运行：

- `sum`：9 分中的 3 分
";

#[test]
fn a_kit_says_which_points_are_hidden_and_has_the_pictures_of_statements() {
    if !have(&["python3"]) {
        return;
    }
    let statement = "Add two numbers.\n\n![sum](sum.png) ![](img/none.svg)\n\n[PDF](sum.pdf) ![](large.png) $\\fraction{1}$\n";
    let room = secrets()
        .file("week/sum/statement.en.md", statement)
        .file("week/sum/sum.png", "picture")
        .file("week/sum/sum.pdf", "PDF")
        .file("week/sum/large.png", vec![0; (256 << 10) + 1])
        .replace(
            "week/assignment.toml",
            "[[problem]]",
            "[kit]\ngrader = \"https://example.org/grader\"\n[[problem]]",
        );
    let checked = room.run(&["check", "week"]);
    let expected = "week: 1 problem, 5 cases, 9 points and 0 bonus points: no mistakes\n  \
                    week/sum/statement.en.md:3: `img/none.svg` does not exist\n  \
                    week/sum/statement.en.md:5: `large.png` is larger than 256 KiB, so pages do not show it\n  \
                    week/sum/statement.en.md:5: formula `\\fraction{1}`: unknown primitive command found\n";
    assert_eq!((checked.status, checked.stdout.as_str()), (0, expected));
    let ran = room.run(&["bundle", "-o", "kit", "-a", "./week"]);
    assert_eq!(
        ran.stdout,
        "wrote 17 files to kit\n\nDifferences from the assignment:\n  \
         sum: statement.en.md shows `img/none.svg`, which does not exist\n  \
         sum: the time limit is 10 s per case, because what sets it is not in the kit\n\nsum: 4 of 5 cases are public\n"
    );
    let page = fs::read_to_string(room.path("kit/sum/statement.en.html")).unwrap();
    let (_, statement) = page.split_once("<main class=\"statement\">\n").unwrap();
    let expected = "<p>Add two numbers.</p>\n<p><img src=\"data:image/png;base64,cGljdHVyZQ==\" alt=\"sum\" /> </p>\n\
                    <p><a href=\"sum.pdf\">PDF</a>  <code>\\fraction{1}</code></p>\n\
                    </main>\n</body>\n</html>";
    assert_eq!(statement, expected);
    let readme = fs::read_to_string(room.path("kit/README.md")).unwrap();
    let (_, end) = readme.split_once("here the limit is 10 s.\n").unwrap();
    assert_eq!(end, END_OF_README);
    // A program in the problem's folder is tested without the files of the kit.
    let room = room.file("kit/sum/sum.py", "print(sum(map(int, input().split())))\n");
    let ran = room.run(&["test", "kit/sum", "-a", "./kit"]);
    let last: Vec<&str> = ran.stdout.lines().rev().take(2).collect();
    assert_eq!(
        (ran.status, last),
        (
            1,
            vec![
                "sum: 3 of 9 points are in hidden cases",
                "  sum: 5 of 6 points  PC partially correct"
            ]
        ),
        "{}",
        ran.stderr
    );
    // So is one beside that folder, which is not a program of its own.
    for whole in ["kit", "class/ada"] {
        let room = secrets();
        assert_eq!(room.run(&["bundle", "-o", whole, "-a", "./week"]).status, 0);
        let right = "print(sum(map(int, input().split())))\n";
        let program = format!("{whole}/sum.py");
        let room = room.file(&program, right);
        let ran = room.run(&["test", whole, "-a", "./week"]);
        let expected = format!("  Python · {program} · ");
        let is_it = |line: &str| line.starts_with(&expected);
        assert!(
            ran.stdout.lines().any(is_it),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
        // Without it, the kit is nobody's work.
        fs::remove_file(room.path(&program)).unwrap();
        let ran = room.run(&["test", whole, "-a", "./week"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    }
    let expected = "  Python · kit/sum/sum.py · ";
    assert!(
        ran.stdout.lines().any(|line| line.starts_with(expected)),
        "{}",
        ran.stdout
    );
}

/// A harness without a framework: it reports that the test `right` passed, and whether `x` of the submission is 1.
const HARNESS: &str = "import os\nreport = open(\"report.xml\", \"w\")\nos.remove(\"report.xml\")\nimport one\n\
    failed = \"\" if one.x == 1 else '<failure message=\"not 1\"/>'\n\
    report.write(f'<testsuite><testcase name=\"right\"/><testcase name=\"one\">{failed}</testcase></testsuite>')\nreport.close()\n";

#[test]
fn a_kit_has_unit_tests_unless_some_are_hidden() {
    if !have(&["python3"]) {
        return;
    }
    let file = |id: &str, hidden: &str| {
        format!(
            "format = 1\nid = \"{id}\"\ntitle = \"One\"\n[submission]\nfile = \"one.py\"\ninclude = [\"main.py\"]\n[run]\nreport = \"junit\"\n\
             [[subtask]]\nname = \"a\"\npoints = 1\ntests = [\"right\"]\n\
             [[subtask]]\nname = \"b\"\npoints = 2\n{hidden}[[subtask.case]]\nname = \"c\"\ntest = \"on*\"\ncount = 1\n"
        )
    };
    let assignment = "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"open\"\npoints = 3\n[[problem]]\npath = \"secret\"\npoints = 3\n";
    let room = Room::new()
        .file("week/assignment.toml", assignment)
        .file("week/open/problem.toml", file("open", ""))
        .file("week/open/main.py", HARNESS)
        .file(
            "week/secret/problem.toml",
            file("secret", "hidden = true\n"),
        )
        .file("week/secret/main.py", HARNESS)
        .file("week/secret/statement.md", "One.\n")
        .file("class/ada/one.py", "x = 2\n");
    let ran = room.run(&["bundle", "-o", "kit", "-a", "./week"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "wrote 6 files to kit\n\nDifferences from the assignment:\n  secret: its harness contains the hidden tests, and no `test-files` name their files, so only its statement is in the kit\n\nopen: 2 of 2 cases are public\nsecret: 0 of 2 cases are public\n"
    );
    let mut found = Vec::new();
    files(&room.path("kit"), &room.path("kit"), &mut found);
    found.sort();
    let expected = [
        "README.md",
        "assignment.toml",
        "open/main.py",
        "open/problem.toml",
        "secret/statement.html",
        "secret/statement.md",
    ];
    assert_eq!(found, expected);
    let (_, results) = room.json(&["grade", "class", "-a", "./kit", "--json", "-"]);
    let problem = problem(student(&results, "ada"), "open");
    let subtasks = problem["subtasks"].as_array().unwrap().iter();
    let verdicts: Vec<_> = subtasks.map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(
        (&problem["points"], verdicts),
        (&1.into(), vec!["AC", "WA"])
    );
}

#[test]
fn a_kit_keeps_a_builtin_reference_but_no_limit_that_needs_more() {
    let timed = "builtin = \"count\"\ntimed = [\"timed.c\"]";
    let hidden = "[[subtask]]\nname = \"large\"\nhidden = true\npoints = 0\ncases = { n = 7 }\n\n[[subtask]]";
    let note = "\nDifferences from the assignment:\n  count: the time limit is 10 s per case, because what sets it is not in the kit\n";
    for (from, to, is_kept) in [
        ("points = 3", "points = 3", true),
        ("builtin = \"count\"", timed, false),
        ("[[subtask]]", hidden, false),
    ] {
        let file = "boards/count/problem.toml";
        let room = Room::new()
            .fixture("boards", "boards")
            .file("boards/count/timed.c", SQUARE);
        let room = room
            .replace(file, "1000 }", "1000, slowest = true }")
            .replace(file, from, to);
        let ran = room.run(&["bundle", "-o", "kit", "-a", "./boards"]);
        let notes = if is_kept { "" } else { note };
        let all = if from == "[[subtask]]" { 4 } else { 3 };
        let counts = format!("\ncount: 3 of {all} cases are public\n");
        let written = format!("wrote 3 files to kit\n{notes}{counts}");
        assert_eq!((ran.status, ran.stdout), (0, written), "{}", ran.stderr);
        let kit = fs::read_to_string(room.path("kit/count/problem.toml")).unwrap();
        assert_eq!(kit.contains("slowest"), is_kept);
        assert!(kit.contains("builtin = \"count\"") && !kit.contains("timed"));
    }
}

/// The verdict of each public case.
fn verdicts(room: &Room, folder: &str, source: &str, more: &[&str]) -> String {
    fs::write(room.path(&format!("{folder}/square.c")), source).unwrap();
    let mut command = room.command(&[&["test", "square.c", "--all"], more].concat());
    let ran = command.current_dir(room.path(folder)).output().unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let cases = text.lines().filter_map(|line| {
        let (mark, rest) = line
            .trim()
            .split_once(' ')
            .filter(|(mark, _)| ["✓", "✗"].contains(mark))?;
        Some(format!("{mark} {}", rest.split("  ").next()?))
    });
    cases.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_kit_gives_the_verdicts_of_public_cases() {
    let room = squares();
    assert_eq!(
        room.run(&["bundle", "-o", "kit", "-a", "./squares"]).status,
        0
    );
    let room = room.folder("kit/mine").folder("whole");
    for (source, expected) in [
        (SQUARE, "✓ n=1, ✓ n=2, ✓ n=3"),
        (WRONG, "✗ n=1, ✓ n=2, ✗ n=3"),
    ] {
        // In a folder of the kit, without naming it.
        assert_eq!(verdicts(&room, "kit/mine", source, &[]), expected);
        assert_eq!(
            verdicts(&room, "whole", source, &["-a", "../squares"]),
            expected
        );
    }
}

#[test]
fn a_kit_rejects_the_sources_that_grading_rejects_and_keeps_the_other_rules_secret() {
    let rules = "[source]\nforbid = [\"printf\", { any = [\"goto\"], because = \"loops only\", verdict = \"CE\" }]\n\
                 require = [{ any = [\"atoi\"] }]\nanswers = { at-least = 3 }\n\n[run]";
    let room = squares().replace("squares/square/problem.toml", "[run]", rules);
    assert_eq!(
        room.run(&["bundle", "-o", "kit", "-a", "./squares"]).status,
        0
    );
    let kit = fs::read_to_string(room.path("kit/square/problem.toml")).unwrap();
    let kit: toml::Table = kit.parse().unwrap();
    let kept = "forbid = [{ any = [\"goto\"], because = \"loops only\", verdict = \"CE\" }]";
    assert_eq!(kit["source"], toml::Value::Table(kept.parse().unwrap()));
    let room = room.file(
        "kit/square.c",
        SQUARE.replace("return 0;", "goto end; end: return 0;"),
    );
    let reason = "CE source rejected: the source contains `goto`, which is not allowed: loops only (kit/square.c:3:81)";
    for assignment in ["./kit", "./squares"] {
        let ran = room.run(&["test", "kit/square.c", "-a", assignment]);
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        assert_eq!(ran.status, 1);
        assert!(words.join(" ").contains(reason), "{}", ran.stdout);
    }
}
