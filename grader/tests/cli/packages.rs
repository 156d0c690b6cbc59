//! `import` from outside: what it prints, and that the problems that it writes are judged as the packages say.
//!
//! What each package is read as is tested in `crates/package/tests`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;

use crate::harness::{Room, have, is_nightly, names, problem, repository, student, zip};

/// One package of each format, with programs of its own where the format has them, and those to which the import adds a
/// program, arguments or files. `.ci/nightly` verifies the others, too.
const PACKAGES: [&str; 10] = [
    "dmoj-cases",
    "dmoj-function",
    "dmoj-lines",
    "domjudge-tags",
    "icpc-arguments",
    "icpc-rules",
    "legacy-custom",
    "library-checker",
    "polygon-groups",
    "polygon-interactive",
];

fn packages() -> PathBuf {
    repository().join("crates/package/tests/packages")
}

#[test]
fn packages_become_problems_whose_samples_get_their_verdicts() {
    if !have(&["gcc", "g++", "python3"]) {
        return;
    }
    let room = Room::new();
    let all = names(&packages());
    let chosen = |name: &&str| is_nightly() || PACKAGES.contains(name);
    let chosen: Vec<&str> = all.iter().map(String::as_str).filter(chosen).collect();
    for name in &chosen {
        let package = packages().join(name);
        let ran = room.run(&["import", package.to_str().unwrap()]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{name}");
    }
    let ran = room.run(&[&["verify"], &chosen[..]].concat());
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_import_says_what_it_wrote_and_what_changed() {
    let room = Room::new();
    let import = |package: &str, output: &str| {
        let package = packages().join(package);
        room.assert(&["import", package.to_str().unwrap(), "-o", output])
    };
    let changes = "
Changes from the package:
  submissions must not define `main`
  the package has no limits: `[limits]` gets the largest of its tests, 1 s and 64 MiB
";
    let wrote = format!("wrote 8 files to out/function\n{changes}");
    let ran = import("dmoj-function", "out/function").code(0);
    ran.stdout(wrote).stderr("");
    let ran = import("icpc-default", "default").code(0);
    let changes = "
Changes from the package:
  Python runs in PyPy, as in the authors' judge: `tools.python` in `[build]`; where PyPy is not installed, it runs in CPython, and a \
        program that is too slow is not scored yet
";
    ran.stdout(format!("wrote 6 files to default\n{changes}"))
        .stderr("");
}

#[test]
fn a_problem_beside_an_assignment_that_does_not_list_it_is_not_part_of_it() {
    let room = echo().file("assignment.toml", assignment("./two/"));
    for (output, said) in [
        (
            "one",
            "not part of `assignment.toml` yet: add `[[problem]]` with `path = \"one\"` and `points`\n",
        ),
        ("two", ""),
        ("far/three", ""),
    ] {
        let ran = room.assert(&["import", "echo", "-o", output]);
        ran.code(0).stderr(said);
    }
}

#[test]
fn a_sample_that_solves_one_group_is_accepted_and_times_what_it_solves() {
    let data = "grader_flags: accept_if_any_accepted\non_reject: continue\naccept_score: 50\n";
    let room = Room::new()
        .file("any/problem.yaml", "name: Any\ntype: scoring\n")
        .file("any/data/testdata.yaml", data)
        .file("any/data/secret/testdata.yaml", data)
        .file(
            "any/submissions/accepted/one.py",
            "print({'1': 1}[input()])\n",
        );
    let room = ["1", "2"].into_iter().fold(room, |room, name| {
        let path = format!("any/data/secret/g{name}/{name}");
        let line = format!("{name}\n");
        room.file(&format!("{path}.in"), &line)
            .file(&format!("{path}.ans"), &line)
    });
    assert_eq!(room.run(&["import", "any", "-o", "out"]).status, 0);
    let report = "\
any
    sample           language  expected  found           points
  ✓ accepted/one.py  Python    AC        AC, PC overall      50
  cases that no wrong sample fails: g1/1, g2/2
  slowest pass:     TIME times its limit: accepted/one.py, g1/1

any: 1 sample, all as expected
";
    let ran = room.run(&["verify", "out"]);
    let time = ran.stdout.split("slowest pass:     ").nth(1);
    let time = time.and_then(|it| it.split(' ').next()).unwrap_or_default();
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, &*report.replace("TIME", time))
    );
    // The limit of the other group is not known.
    let room = room.file("assignment.toml", assignment("out")).file(
        "class/ann/any.py",
        "n = input()\nwhile n == '2':\n    pass\nprint(n)\n",
    );
    let (status, results) = room.json(&["grade", "class", "--json", "-"]);
    let found = problem(student(&results, "ann"), "any");
    let subtasks = found["subtasks"].as_array().unwrap().iter();
    let verdicts = subtasks.map(|it| it["verdict"].as_str().unwrap());
    assert_eq!(
        (status, verdicts.collect(), &found["points"]),
        (3, vec!["AC", "JE"], &json!(null)),
        "{found}"
    );
}

#[test]
fn a_sample_that_does_not_build_here_leaves_the_limit_to_the_others() {
    if !have(&["gcc"]) {
        return;
    }
    let room = Room::new()
        .file("old/problem.yaml", "name: Old\n")
        .file("old/data/secret/1.in", "1\n")
        .file("old/data/secret/1.ans", "1\n")
        .file(
            "old/submissions/accepted/a.c",
            "int main(void) { return vector; }\n",
        )
        .file("old/submissions/accepted/b.py", "print(input())\n");
    assert_eq!(room.run(&["import", "old", "-o", "out"]).status, 0);
    let one = assignment("out").replace("100", "1");
    let room = room.file("assignment.toml", one);
    let room = room
        .file("class/ann/old.py", "print(input())\n")
        .file("class/bob/old.py", "while True: pass\n");
    let (status, results) = room.json(&["grade", "class", "--json", "-"]);
    let points = |id| &problem(student(&results, id), "old")["points"];
    // Nobody knows how long the reference takes.
    assert_eq!(
        (status, points("ann"), points("bob")),
        (3, &json!(1), &json!(null)),
        "{results}"
    );
    let ran = room.run(&["verify", "out"]);
    let said = "\
old
  reference, case secret/1: the reference does not build: a.c:1: ‘vector’ undeclared (first use in
  this function)
    │ a.c: In function ‘main’:
    │ a.c:1:25: error: ‘vector’ undeclared (first use in this function)
";
    let said = (ran.status, ran.stdout.starts_with(said));
    assert_eq!(said, (3, true), "{}", ran.stdout);
}

/// An assignment of one problem.
fn assignment(path: &str) -> String {
    format!("format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"{path}\"\npoints = 100\n")
}

/// Runs the command, and expects this message, exit status 2 and no new file.
fn refused(room: &Room, command: &[&str], message: &str) {
    let before = names(&room.path(""));
    let ran = room.assert(command).code(2);
    ran.stdout("").stderr(format!("error: {message}\n"));
    assert_eq!(names(&room.path("")), before);
}

/// A package with one secret test.
fn echo() -> Room {
    Room::new()
        .file("echo/problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n")
        .file("echo/data/secret/1.in", "1\n")
        .file("echo/data/secret/1.ans", "1\n")
}

#[test]
fn a_package_that_cannot_be_imported_leaves_one_message_and_no_file() {
    let import = ["import", "echo", "-o", "out"];
    let room = echo();
    refused(&room, &["import", "echo"], "`echo` already exists");
    // While the package is read.
    let room = room.replace("echo/problem.yaml", "limits", "type: submit-answer\nlimits");
    refused(
        &room,
        &import,
        "cannot import `echo`: the type `submit-answer` is not supported: students submit programs",
    );
    // While the problem is written.
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    let room = echo().file("echo/data/secret/1.ans", pointer);
    refused(
        &room,
        &import,
        "cannot import `echo`: `data/secret/1.ans` is not in this copy: run `git lfs pull` there first",
    );
    // When it is checked.
    let room = echo()
        .file("echo/data/secret/2.ans", "1\n")
        .file("echo/data/secret/3.in", "1\n");
    let mistakes = r#"cannot import `echo`: the problem would have 2 mistakes:

error: the checker `tokens` needs an answer, but case `3` of subtask `secret` has none and there is no `[reference]`
  --> problem.toml:22:2
   |
22 | [checker.tokens]
   |  ^^^^^^^
   |
   = help: add a `[reference]`, or `answer` or `answer-file` to the case

error: `2.ans` has no matching `2.in`
  --> problem.toml:30:10
   |
30 | folder = "data/secret"
   |          ^^^^^^^^^^^^^"#;
    refused(&room, &import, mistakes);
}

/// What is in an archive is tested in `crates/intake/tests`.
#[test]
fn an_archive_is_a_package_and_what_is_none_is_named() {
    let files = [
        ("echo/problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n"),
        ("echo/data/secret/1.in", "1\n"),
        ("echo/data/secret/1.ans", "1\n"),
    ];
    let slip = [&files[..], &[("../slip", "")]].concat();
    let names: Vec<String> = (0..=100_000).map(|it| format!("{it}.in")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), "")).collect();
    let zeros = "0".repeat(65 << 20);
    let laughs = "<!DOCTYPE fps [<!ENTITY a 'x'>]><fps><item>&a;</item></fps>";
    let room = Room::new()
        .file("many.zip", zip(&many))
        .file("bomb.zip", zip(&[("1.in", &zeros), ("1.out", "0")]))
        .file("laughs.zip", zip(&[("set.xml", laughs)]))
        .file("mine.zip", zip(&files))
        .file("slip.zip", zip(&slip))
        .file("notes.txt", "1\n")
        .folder("empty");
    let ran = room.assert(&["import", "mine.zip"]).code(0);
    ran.stdout("wrote 3 files to mine\n").stderr("");
    let problem = fs::read_to_string(room.path("mine/problem.toml")).unwrap();
    assert!(
        problem.contains("id = \"mine\"\ntitle = \"Echo\"\n"),
        "{problem}"
    );
    refused(
        &room,
        &["import", "mine.zip", "-o", "out", "--root", "."],
        "`--root` is for folders, not archives",
    );
    for (package, message) in [
        (
            "slip.zip",
            "`slip.zip` is not unpacked: `../slip`: its path contains `..`",
        ),
        (
            "notes.txt",
            "`notes.txt` is not unpacked: it is neither a zip nor a tar archive",
        ),
        ("nothing.zip", "`nothing.zip` does not exist"),
        (
            "many.zip",
            "`many.zip` is not unpacked: it holds more than 100000 files and folders",
        ),
        (
            "bomb.zip",
            "`bomb.zip` is not unpacked: `1.in`: it is more than 200 times as large as it is packed",
        ),
        (
            "laughs.zip",
            "cannot import `laughs.zip`: `set.xml`: XML with DTD detected",
        ),
    ] {
        refused(&room, &["import", package], message);
    }
    let expected = "expected a problem package (`problem.yaml`: Kattis, ICPC, DOMjudge, Hydro; `task.yaml`: CMS; `init.yml`: DMOJ; \
                    `problem.xml`: Polygon; `info.toml`: Library Checker; `problem.conf`: UOJ; \
                    `problem.json`: QDUOJ; an XML file: FPS) or tests (`1.in` with `1.out`)";
    refused(
        &room,
        &["import", "empty", "-o", "out"],
        &format!("cannot import `empty`: {expected}"),
    );
}

#[test]
fn a_problem_set_of_hustoj_becomes_an_assignment() {
    if !have(&["g++"]) {
        return;
    }
    let tests = "<time_limit>1</time_limit><test_input>1</test_input><test_output>2</test_output>";
    let twice = "<title>Twice</title><solution language='C++'><![CDATA[#include <iostream>
int main() { int n; std::cin >> n; std::cout << 2 * n << '\\n'; }]]></solution>";
    let judge = "<title>Any even number</title><spj language='C++'><![CDATA[#include <fstream>
int main(int, char **arguments) { std::ifstream user(arguments[3]); int n; return user >> n && n % 2 == 0 ? 0 : 1; }]]></spj>
<solution language='C++'><![CDATA[#include <cstdio>
int main() { puts(\"4\"); }]]></solution>";
    let set = format!(
        "<fps><item>{tests}{twice}</item><item>{tests}{judge}</item><item><title>Text</title></item></fps>"
    );
    let room = Room::new().file("set.xml", set);
    let ran = room.assert(&["import", "set.xml"]).code(0);
    ran.stdout("wrote 14 files to set\n\nChanges from the package:\n  `p3` Text: not imported: there are no tests\n");
    let ran = room.run(&["verify", "set"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.ends_with("set: 2 samples, all as expected\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_folder_of_tests_is_shown_as_it_is_paired() {
    if !have(&["python3"]) {
        return;
    }
    let files = ["1a", "1b", "2a", "sample"].map(|name| (name, format!("{name}\n")));
    let room = files.iter().fold(Room::new(), |room, (name, line)| {
        room.file(&format!("sums/{name}.in"), line)
            .file(&format!("sums/{name}.ans"), line)
    });
    let room = room
        .file("sums/std.py", "print(input())\n")
        .file("sums/3.out", "1\n");
    let import = [
        "import", "sums", "-o", "echo", "--time", "1s", "--memory", "64MiB", "--points", "40,60",
    ];
    let ran = room.assert(&import).code(0);
    ran.stdout(
        "subtask `sample`: 1 test, worth 0: sample.in with sample.ans
subtask `1`: 2 tests, worth 40: 1a.in with 1a.ans to 1b.in with 1b.ans
subtask `2`: 1 test, worth 60: 2a.in with 2a.ans
wrote 10 files to echo

Changes from the package:
  `3.out` is not used
  a subtask earns its points if all its tests pass
  outputs are compared by words: `[checker.tokens]`, for you to change
",
    )
    .stderr("");
    let ran = room.run(&["verify", "echo"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_task_of_cms_is_generated_checked_and_judged_by_its_subtasks() {
    if !have(&["g++", "python3"]) {
        return;
    }
    let solution = "#include <fstream>\n#ifdef EVAL\nint main() { std::ifstream in(\"input.txt\"); std::ofstream out(\"output.txt\"); int n; in >> n; out << 2 * n; }\n#endif\n";
    let checker = "#include <fstream>\n#include <iostream>\nint main(int, char **a) { std::ifstream x(a[2]), y(a[3]); int n, m; std::cout << (x >> n && y >> m && n == m ? 1.0 : 0.0); std::cerr << \"compared\"; }\n";
    let validator = "import sys\nn = int(open(sys.argv[1]).read())\nassert n <= [0, 10, 1000][int(sys.argv[2])]\n";
    let room = Room::new()
        .file(
            "double/task.yaml",
            "title: Double\ntime_limit: 1\nmemory_limit: 256\n",
        )
        .file("double/gen/GEN", "#ST: 40\n5\n#ST: 60\n999\n")
        .file(
            "double/gen/generatore.py",
            "import sys\nprint(sys.argv[1])\n",
        )
        .file("double/gen/valida.py", validator)
        .file("double/cor/correttore.cpp", checker)
        .file("double/sol/soluzione.cpp", solution);
    let ran = room.assert(&["import", "double", "-o", "out"]).code(0);
    ran.stdout("wrote 5 files to out\n");
    let ran = room.run(&["verify", "out"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("✓ accepted/soluzione.cpp"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_package_worth_nothing_is_imported_only_on_demand() {
    let room = Room::new()
        .file("echo/problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n")
        .file("echo/data/sample/1.in", "1\n")
        .file("echo/data/sample/1.ans", "1\n");
    refused(
        &room,
        &["import", "echo", "-o", "out"],
        "cannot import `echo`: there are no secret tests: expected `data/secret/*.in`; pass `--allow-empty` to import the samples, worth 0 points",
    );
    let ran = room
        .assert(&["import", "echo", "-o", "out", "--allow-empty"])
        .code(0);
    ran.stdout(
        "wrote 3 files to out\n\nChanges from the package:\n  there are no secret tests: the samples are worth 0 points\n",
    );
}

#[test]
fn links_lead_into_the_repository_or_a_folder_that_is_named() {
    let room = Room::new()
        .folder("repository/.git")
        .file("repository/shared/1.in", "1\n")
        .file(
            "repository/echo/problem.yaml",
            "name: Echo\nlimits: {time_limit: 1}\n",
        )
        .file("repository/echo/data/secret/1.ans", "1\n");
    let link = room.path("repository/echo/data/secret/1.in");
    symlink("../../../shared/1.in", link).unwrap();
    let import = ["import", "repository/echo", "-o", "out"];
    let wrote = "wrote 3 files to out\n\nChanges from the package:\n  copied 1 file from outside the package through links, such \
                 as `data/secret/1.in`\n";
    room.assert(&import).code(0).stdout(wrote).stderr("");
    fs::remove_dir_all(room.path("out")).unwrap();
    // Without the repository, its folder must be named.
    fs::remove_dir_all(room.path("repository/.git")).unwrap();
    refused(
        &room,
        &import,
        "cannot import `repository/echo`: `data/secret/1.in`: the path leads out of its folder; to follow it, pass `--root FOLDER`",
    );
    let named = |root| [&import[..], &["--root", root]].concat();
    room.assert(&named("repository"))
        .code(0)
        .stdout(wrote)
        .stderr("");
    fs::remove_dir_all(room.path("out")).unwrap();
    let room = room.folder("other");
    refused(
        &room,
        &named("other"),
        "`--root`: the package is not in `other`",
    );
}

/// A validator that accepts every output, with the number on the first line of the input as its score.
const SCORES: &str = "import sys\nscore = open(sys.argv[1]).readline()\nopen(sys.argv[3] + '/score.txt', 'w').write(score)\nsys.exit(42)\n";
const SCORING: &str = "name: Scores\ntype: scoring\nlimits: {time_limit: 1}\n";

/// The judge stops where the package says, which `earned` in the tests of `crates/package` takes for granted; and what its
/// validator accepts with 0 points is no wrong answer.
#[test]
fn groups_earn_what_the_package_says() {
    if !have(&["python3"]) {
        return;
    }
    let mut room = Room::new()
        .file("echo/problem.yaml", SCORING)
        .file("echo/data/sample/testdata.yaml", "accept_score: 0\n")
        .file(
            "scores/problem.yaml",
            format!("{SCORING}validation: custom score\n"),
        )
        .file("scores/output_validators/check/check.py", SCORES)
        .file("scores/data/testdata.yaml", "on_reject: continue\n");
    for group in ["g1", "g2"] {
        room = room
            .file(
                &format!("echo/data/secret/{group}/testdata.yaml"),
                "accept_score: 10\n",
            )
            .file(
                &format!("scores/data/secret/{group}/testdata.yaml"),
                "range: 0 50\n",
            );
    }
    for (path, line) in [
        ("echo/data/sample/0", "0"),
        ("echo/data/secret/g1/1", "1"),
        ("echo/data/secret/g1/2", "2"),
        ("echo/data/secret/g1/3", "3"),
        ("echo/data/secret/g2/1", "4"),
        ("echo/data/secret/g2/2", "5"),
        ("echo/data/secret/g2/3", "6"),
        ("scores/data/secret/g1/1", "0"),
        ("scores/data/secret/g2/1", "30"),
    ] {
        room = room
            .file(&format!("{path}.in"), format!("{line}\n"))
            .file(&format!("{path}.ans"), format!("{line}\n"));
    }
    let expected = [
        ("0", "WA 0"),
        ("2", "PC 10"),
        ("5", "PC 40"),
        ("none", "AC 60"),
    ];
    for (wrong_in, _) in expected {
        let program = format!("n = input()\nprint(-1 if n == '{wrong_in}' else n)\n");
        room = room.file(&format!("class/wrong-{wrong_in}/echo.py"), program);
    }
    let assignment = "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"echo\"\npoints = 60\n\
                      [[problem]]\npath = \"scores\"\npoints = 100\n";
    let room = room
        .file("class/wrong-none/scores.py", "print(1)\n")
        .file("out/assignment.toml", assignment);
    for name in ["echo", "scores"] {
        let output = format!("out/{name}");
        assert_eq!(room.run(&["import", name, "-o", &output]).status, 0);
    }
    let (_, results) = room.json(&["grade", "class", "-a", "./out", "--json", "-"]);
    let earned = |name: &str, index: usize| {
        let problem = &student(&results, name)["problems"][index];
        format!(
            "{} {}",
            problem["verdict"].as_str().unwrap(),
            problem["points"]
        )
    };
    for (wrong_in, expected) in expected {
        assert_eq!(
            earned(&format!("wrong-{wrong_in}"), 0),
            expected,
            "{wrong_in}"
        );
    }
    assert_eq!(earned("wrong-none", 1), "PC 30");
    let scores = &student(&results, "wrong-none")["problems"][1];
    assert_eq!(
        scores["subtasks"][0]["cases"][0]["message"],
        "the output is accepted, with 0 points"
    );
}

#[test]
fn imported_tests_are_hidden_unless_they_are_samples() {
    if !have(&["python3"]) {
        return;
    }
    let mut room = echo();
    for (path, line) in [
        ("sample/1", "11"),
        ("sample/2", "12"),
        ("secret/1", "777"),
        ("secret/2", "778"),
    ] {
        room = room
            .file(&format!("echo/data/{path}.in"), format!("{line}\n"))
            .file(&format!("echo/data/{path}.ans"), format!("{line}\n"));
    }
    let assignment =
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"echo\"\npoints = 1\n";
    for (options, count, has_secret) in
        [(&[][..], "2 of 4", false), (&["--public"], "4 of 4", true)]
    {
        let folder = format!("week-{has_secret}");
        room = room.file(&format!("{folder}/assignment.toml"), assignment);
        let output = format!("{folder}/echo");
        let import = [&["import", "echo", "-o", &output], options].concat();
        assert_eq!(room.run(&import).status, 0);
        let kit = format!("kit-{has_secret}");
        let ran = room.run(&["bundle", "-o", &kit, "-a", &format!("./{folder}")]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let (_, last) = ran.stdout.rsplit_once("\n\n").unwrap();
        assert_eq!(last, format!("echo: {count} cases are public\n"));
        let cases = room.path(&kit).join("echo/cases");
        let texts = fs::read_dir(cases)
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        assert_eq!(texts.collect::<String>().contains("777"), has_secret);
    }
    let room = room.file("mine/echo.py", "print(input())\n");
    let ran = room.run(&["test", "mine/echo.py", "-a", "./kit-false"]);
    let last = ran.stdout.lines().last();
    assert_eq!(
        (ran.status, last),
        (0, Some("echo: 1 of 1 points are in hidden cases")),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}
