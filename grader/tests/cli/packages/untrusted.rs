//! What packages of strangers cannot do: lead out of their folder, grow without end, or leave something half-written.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use crate::harness::{Room, zip};

/// Imports `evil`, and expects one message and nothing written.
pub(super) fn refused(room: &Room, message: &str) {
    refused_as(room, &["import", "evil", "-o", "out"], message);
    assert!(!room.path("out").exists());
}

pub(super) fn refused_as(room: &Room, command: &[&str], message: &str) {
    let ran = room.run(command);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(message), "{message}: {}", ran.stderr);
    let mut left: Vec<String> = fs::read_dir(room.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert!(
        !left.iter().any(|name| name.starts_with(".grader-")),
        "{left:?}"
    );
}

/// A package with one test and one accepted sample, in a repository with other files.
fn in_repository() -> Room {
    Room::new()
        .folder("repository/.git")
        .file("repository/.git/config", "secret")
        .file("repository/shared/validation.h", "#define LIMIT 9\n")
        .file("repository/shared/hello.pdf", "%PDF")
        .file("secret.txt", "secret")
        .file(
            "repository/hello/problem.yaml",
            "limits: {time_limit: 1}\nvalidation: default\nvalidation: default\n",
        )
        .file("repository/hello/data/secret/1.in", "1\n")
        .file("repository/hello/data/secret/1.ans", "1\n")
        .file(
            "repository/hello/input_validators/check/check.c",
            "#include \"validation.h\"\nint main(void) { return 42; }\n",
        )
        .file("repository/hello/submissions/accepted/a.py", "print(1)\n")
        .file("repository/hello/submissions/wrong_answer/b/c\\d.py", "")
}

#[test]
fn links_into_the_repository_are_followed_and_statements_stop_no_import() {
    let room = in_repository();
    let package = room.path("repository/hello");
    for (to, from) in [
        (
            "../../../shared/validation.h",
            "input_validators/check/validation.h",
        ),
        ("../shared/hello.pdf", "problem.pdf"),
        ("../../secret.txt", "problem.en.pdf"),
        ("../.git/config", "problem.sv.pdf"),
        ("none", "problem.de.pdf"),
    ] {
        symlink(to, package.join(from)).unwrap();
    }
    let ran = room.run(&["import", "repository/hello"]);
    let notes = "\
        Changes from the package:\n  \
        `problem.yaml`: duplicate key: the last value is used\n  \
        `submissions/wrong_answer/b` is not used: `submissions/wrong_answer/b/c\\d.py`: \
        the path must have `/` between its parts, not `\\`\n  \
        copied 2 files from outside the package through links, such as `input_validators/check/validation.h`\n  \
        skipped a statement: `problem.de.pdf`: No such file or directory (os error 2)\n  \
        skipped a statement: `problem.en.pdf`: the path leads out of its folder\n  \
        skipped a statement: `problem.sv.pdf`: the path leads to a hidden file\n";
    assert_eq!(
        (ran.status, &*ran.stderr, &*ran.stdout),
        (0, "", &*format!("wrote 7 files to hello\n\n{notes}"))
    );
    let text = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    assert_eq!(text("hello/statement/problem.pdf"), "%PDF");
    let header = text("hello/input-validator/check/validation.h");
    assert_eq!(header, "#define LIMIT 9\n");
    assert!(text("hello/problem.toml").contains("title = \"hello\"\n"));
    // A sample that is not used sets no time limit either.
    let room = room
        .file("repository/hello/problem.yaml", "name: hello\n")
        .file("repository/hello/submissions/accepted/b/c\\d.py", "");
    let ran = room.run(&["import", "repository/hello", "-o", "derived"]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let derived = fs::read_to_string(room.path("derived/problem.toml")).unwrap();
    assert!(derived.contains("submissions/accepted/a.py"), "{derived}");
    assert!(!derived.contains("accepted/b"), "{derived}");
    // Without the repository, its folder must be named.
    fs::remove_dir_all(room.path("repository/.git")).unwrap();
    let ran = room.run(&["import", "repository/hello", "-o", "out"]);
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    let message = "`input_validators/check/validation.h`: the path leads out of its folder; to follow it, pass \
                   `--root FOLDER`";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    let ran = room.run(&[
        "import",
        "repository/hello",
        "-o",
        "out",
        "--root",
        "repository",
    ]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let ran = room.run(&["import", "repository/hello", "-o", "new", "--root", "out"]);
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(
        ran.stderr.contains("`--root`: the package is not in `out`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn links_out_of_the_package_are_noted_whatever_is_done_with_the_text() {
    let room = Room::new()
        .folder("repository/.git")
        .file("repository/shared/limit.h", "#define LIMIT {{limit}}\n")
        .file(
            "repository/hello/problem.yaml",
            "problem_format_version: 2025-09\nname: hello\nlimits: {time_limit: 1}\nconstants: {limit: 9}\n",
        )
        .file("repository/hello/data/secret/1.in", "1\n")
        .file("repository/hello/data/secret/1.ans", "1\n")
        .file(
            "repository/hello/input_validators/check/check.c",
            "#include \"limit.h\"\nint main(void) { return 42; }\n",
        );
    let link = room.path("repository/hello/input_validators/check/limit.h");
    symlink("../../../shared/limit.h", link).unwrap();
    let ran = room.run(&["import", "repository/hello"]);
    assert_eq!(
        (ran.status, &*ran.stderr, &*ran.stdout),
        (
            0,
            "",
            "wrote 5 files to hello\n\nChanges from the package:\n  copied 1 file from outside the package through links, such \
             as `input_validators/check/limit.h`\n"
        )
    );
    let header = fs::read_to_string(room.path("hello/input-validator/check/limit.h")).unwrap();
    assert_eq!(header, "#define LIMIT 9\n");
}

#[test]
fn packages_that_grow_without_end_are_refused() {
    let evil = |generators: &str| {
        Room::new()
            .file("evil/problem.yaml", "name: x\nlimits: {time_limit: 1}\n")
            .file("evil/generators/generators.yaml", generators)
            .file("evil/generators/gen.py", "print(1)\n")
            .file("secret.txt", "secret")
    };
    let secret = |data: &str| format!("data: {{secret: {{data: {data}}}}}\n");
    let many = "gen.py, ".repeat(10_001);
    let long = "x".repeat(5000);
    for (yaml, message) in [
        (
            secret("[a: {generate: gen.py, count: 1000000}]"),
            "more than 10000 tests",
        ),
        (
            secret("[a: {generate: gen.py, count: -9..=9223372036854775807}]"),
            "more than 10000 tests",
        ),
        (
            secret("[a: {generate: gen.py, count: 6000}, b: {generate: gen.py, count: 6000}]"),
            "more than 10000 tests",
        ),
        (
            secret(
                "[a: {generate: gen.py, count: [9223372036854775807, 1]}, b: {generate: gen.py, count: 9999}]",
            ),
            "more than 10000 tests",
        ),
        (
            secret(&format!("[a: gen.py {long}]")),
            "a command is longer than 4096 bytes",
        ),
        (
            secret(&"{d: {data: ".repeat(20)),
            "`generators/generators.yaml`: ",
        ),
        (
            secret("{../../out: gen.py}"),
            "expected a name of letters, digits, `_`, `-`, `.` and `+`, found `../../out`",
        ),
        (
            secret("{a: {include: [none], data: {b: gen.py}}}"),
            "`include` of \"none\": expected an earlier test or folder",
        ),
        (
            secret("{a: {include: [a]}}"),
            "`include` of \"a\": expected an earlier test or folder",
        ),
        (
            secret("[a: {generate: gen.py, count: 5..=4}]"),
            "`count`: expected numbers or a range, found `\"5..=4\"`",
        ),
        (
            secret(&format!("{{{}: gen.py}}", &long[..300])),
            "expected a name of letters, digits, `_`, `-`, `.` and `+`, found `xxxx",
        ),
        (
            format!("a: &a [{many}]\nb: &b [{}]\n", "*a, ".repeat(100)),
            "`generators/generators.yaml`: ",
        ),
        // Neither leads out, and neither is a test.
        (
            secret("{a: {copy: ../../secret}, b: ../../secret.txt, c: generators.yaml}"),
            "there are no tests",
        ),
    ] {
        refused(&evil(&yaml), message);
    }
    let loops = Room::new()
        .file("evil/problem.yaml", "name: x\n")
        .folder("evil/data/secret/loop");
    symlink(".", loops.path("evil/data/secret/loop/again")).unwrap();
    refused(&loops, "groups are nested more than 8 deep");
    let loops = loops.folder("evil/statement");
    for number in 0..10 {
        let link = loops.path("evil/statement").join(number.to_string());
        symlink(".", link).unwrap();
    }
    fs::remove_file(loops.path("evil/data/secret/loop/again")).unwrap();
    let loops = loops.file("evil/data/secret/1.in", "");
    refused(
        &loops,
        "the package has more than 100000 files, or circular links",
    );
    let room = in_repository();
    let accepted = room.path("repository/hello/submissions/accepted");
    for (link, to, message) in [
        ("all", "/", "the path leads out of its folder"),
        ("up", "../../..", "the path leads out of its folder"),
        ("self", "self", "`submissions/accepted/self`: "),
        ("here", ".", "folders are nested more than 16 deep"),
    ] {
        symlink(to, accepted.join(link)).unwrap();
        refused_as(&room, &["import", "repository/hello", "-o", "out"], message);
        fs::remove_file(accepted.join(link)).unwrap();
    }
}

#[test]
fn hostile_packages_of_library_checker_are_refused_and_nothing_is_written() {
    let evil = |text: &str| {
        Room::new()
            .file("evil/info.toml", text)
            .file("evil/checker.cpp", "")
            .file("evil/sol/correct.cpp", "")
    };
    let tests = |name: &str, number: u64| {
        evil(&format!(
            "timelimit = 1\n[[tests]]\nname = \"{name}\"\nnumber = {number}\n"
        ))
    };
    for (room, message) in [
        (evil("timelimit = ["), "`info.toml`: "),
        (
            evil("timelimit = nan\ntests = []"),
            "`timelimit` must be above 0 and at most 600, found NaN",
        ),
        (
            evil("timelimit = 1\ntests = []"),
            "there must be 1 to 10000 tests, found 0",
        ),
        (
            tests("a.in", 1_000_000_000),
            "there must be 1 to 10000 tests, found 1000000000",
        ),
        (
            tests("../a.cpp", 1),
            "expected a name of letters, digits, `_`, `-`, `.` and `+`, found `../a.cpp`",
        ),
        (
            tests("a b.cpp", 1),
            "expected a name of letters, digits, `_`, `-`, `.` and `+`, found `a b.cpp`",
        ),
        (
            tests("a.py", 1),
            "`a.py`: a test must be a `.cpp` generator or `.in` files",
        ),
        (tests("a.cpp", 1), "`gen/a.cpp`"),
        (tests("a.in", 1), "`gen/a_00.in`"),
        (
            evil("timelimit = 1\ntests = []\nparams = { A = [1] }"),
            "`A` must be a number or a plain text, found `[1]`",
        ),
        (
            evil("timelimit = 1\nchecker = \"../out\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n"),
            "`../out`",
        ),
    ] {
        refused(&room, message);
    }
    let import = ["import", "set/evil", "-o", "out"];
    let room = Room::new()
        .folder("set/common")
        .file("set/.git/config", "secret")
        .file("set/evil/checker.cpp", "")
        .file("set/evil/sol/correct.cpp", "")
        .file("set/evil/gen/a_00.in", "1\n")
        .file(
            "set/evil/info.toml",
            "timelimit = 1\n[[tests]]\nname = \"a.in\"\nnumber = 1\n",
        );
    let hidden = room.path("set/common/x.h");
    symlink("../.git/config", &hidden).unwrap();
    refused_as(
        &room,
        &import,
        "`common/x.h`: the path leads to a hidden file",
    );
    fs::remove_file(hidden).unwrap();
    for number in 0..10 {
        symlink(".", room.path("set/common").join(number.to_string())).unwrap();
    }
    let message = "the package has more than 100000 files, or circular links";
    refused_as(&room, &import, message);
    // A repository of its own, and a file that is named instead of linked to.
    let room =
        evil("timelimit = 1\nchecker = \".git/config\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n")
            .file("evil/.git/config", "secret")
            .file("evil/gen/a_00.in", "1\n");
    refused(&room, "`.git/config`: the path leads to a hidden file");
}

#[test]
fn hostile_packages_are_refused_and_nothing_is_written() {
    let evil = |yaml: &str| {
        Room::new()
            .file("evil/problem.yaml", yaml)
            .file("evil/data/secret/1.in", "1\n")
            .file("secret.txt", "secret")
    };
    refused(&Room::new().folder("evil"), "there is no `problem.yaml`");
    refused(&evil("name: [a\n"), "`problem.yaml`: ");
    refused(
        &evil("limits: 7\n"),
        "`problem.yaml: limits`: expected a mapping, found `7`",
    );
    refused(
        &evil("limits: {memory: much}\n"),
        "memory`: expected a number, found `\"much\"`",
    );
    refused(
        &evil("type: submit-answer\n"),
        "`submit-answer` is not supported",
    );
    refused(
        &evil("validation: custom interactive\n"),
        "`problem.yaml`: `custom` needs an output validator, and `output_validators/` has none",
    );
    refused(
        &evil("validator_flags: fuzzy\n"),
        "the default output validator has no option `fuzzy`",
    );
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    refused(&evil(&bomb), "`problem.yaml`: ");
    let room = evil("name: x\n");
    symlink(room.path("secret.txt"), room.path("evil/data/secret/2.in")).unwrap();
    refused(&room, "the path leads out of its folder");
    let room = evil("name: x\n").folder("evil/submissions/accepted");
    symlink("/etc", room.path("evil/submissions/accepted/all")).unwrap();
    refused(&room, "the path leads out of its folder");
    let mut room = evil("name: x\n");
    for number in 0..10_001 {
        room = room.file(&format!("evil/data/secret/{number}.in"), "");
    }
    refused(
        &room,
        "`data/secret`: a group may have at most 10000 tests, found 10001",
    );
    let room = evil("name: x\n").file("evil/graders/grader.py", "");
    refused(
        &room,
        "custom graders (`graders/`, `grading: custom`) are not supported",
    );
    let room = evil("name: x\n").file("evil/data/testdata.yaml", "grading: custom\n");
    refused(&room, "custom graders (`graders/`");
    let room = evil("problem_format_version: 2025-09\ntype: scoring\nlimits: {time_limit: 1}\n")
        .file("evil/data/secret/a/1.in", "1\n")
        .file("evil/data/secret/a/test_group.yaml", "max_score: 1e300\n");
    refused(&room, "is worth more than 1000000 points, the maximum");
    let room = evil("name: x\n");
    let ran = room.run(&["import", "evil"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("`evil` already exists"),
        "{}",
        ran.stderr
    );
}

#[test]
fn hostile_dmoj_packages_are_refused_and_nothing_is_written() {
    let evil = |yaml: &str| {
        Room::new()
            .file("evil/init.yml", yaml)
            .file("evil/1.in", "1\n")
            .file("evil/check.py", "")
            .file("secret.txt", "secret")
    };
    let cases = [
        ("", "there is no list `test_cases`, and no `archive`"),
        ("test_cases: []", "there are no cases"),
        ("test_cases: [7]", "expected a mapping, found `7`"),
        ("test_cases++: node", "`test_cases++` is Python code"),
        ("custom_judge: check.py", "`custom_judge` is Python code"),
        ("archive: q.zip", "`q.zip`: "),
        ("archive: ../q.zip", "expected a path inside the package"),
        (
            "test_cases: [{in: ../secret.txt}]",
            "expected a path inside",
        ),
        ("test_cases: [{in: /etc/passwd}]", "expected a path inside"),
        ("test_cases: [{in: 2.in}]", "`2.in`: "),
        ("test_cases: [{points: many}]", "expected a number"),
        (
            "test_cases: [{in: 1.in, points: 1.0e19}]",
            "`case-1` is worth more than 1000000 points, the maximum",
        ),
        (
            "test_cases: [{in: 1.in, points: 600000}, {in: 1.in, points: 600000}]",
            "`cases-1-2` is worth more than 1000000 points, the maximum",
        ),
        ("test_cases: [{batched: 7}]", "`batched` must be a list"),
        (
            "test_cases: [{batched: [{in: 1.in}], dependencies: [1]}]",
            "there is no earlier batch `1`",
        ),
        (
            "test_cases: [{generator_args: [a b]}]",
            "must not be empty or have blanks, found \"a b\"",
        ),
        ("test_cases: [{generator_in: 1.in}]", "`generator_in`"),
        ("checker: check.py", "only the judge of DMOJ can call it"),
        (
            "checker: linematches",
            "the checker `linematches` is not supported",
        ),
        (
            "checker: {name: bridged, args: {files: check.py, type: peg}}",
            "a `bridged` checker of the type `peg` is not supported",
        ),
        (
            "checker: {name: bridged, args: {files: ../check.py}}",
            "expected a path inside the package",
        ),
        (
            "checker: {name: floats, args: {precision: 1e9}}",
            "a whole number",
        ),
        (
            "interactive: {files: check.py}",
            "an interactor of the type `default` is not supported",
        ),
    ];
    for (yaml, message) in cases {
        refused(&evil(&format!("{yaml}\n")), message);
    }
    let many = format!("test_cases: [{}]\n", "{in: 1.in}, ".repeat(10_001));
    refused(&evil(&many), "may have at most 10000 cases");
    let room = evil("archive: q.zip\ntest_cases: {input_format: '(?=x)(?P<case>.)'}\n").file(
        "evil/q.zip",
        zip(&[("../../out.in", "1\n"), ("2.in", "2\n")]),
    );
    refused(&room, "the pattern `(?=x)(?P<case>.)` is not supported");
    let room = room.file(
        "evil/init.yml",
        "archive: q.zip\ntest_cases: {input_format: '.*out(?P<case>.*)'}\n",
    );
    refused(&room, "expected a path inside the package");
    let room = room.file("evil/q.zip", "PK");
    refused(&room, "`q.zip`: ");
}

#[test]
fn an_element_of_many_attributes_is_refused_before_it_is_parsed() {
    let attributes: Vec<String> = (0..200_000).map(|it| format!("a{it}='>'")).collect();
    let xml = format!("<problem>\n<a {}/></problem>", attributes.join(" "));
    refused(
        &Room::new().file("evil/problem.xml", xml),
        "`problem.xml`: line 2: an element has more than 1000 attributes",
    );
}

/// A package of Polygon.
fn evil(xml: &str) -> Room {
    Room::new()
        .file("evil/problem.xml", xml)
        .file("evil/tests/01", "1\n")
        .file("evil/files/check.py", "")
        .file("secret.txt", "secret")
}

/// Nested elements, each with a namespace of its own.
fn namespaces() -> String {
    let open: Vec<_> = (0..101).map(|at| format!("<a xmlns:n{at}='n'>")).collect();
    format!("<problem>{}{}</problem>", open.concat(), "</a>".repeat(101))
}

#[test]
fn hostile_packages_of_polygon_are_refused_and_nothing_is_written() {
    let package = |pattern: &str, tests: &str, assets: &str| {
        evil(&format!(
            "<problem><judging><testset><input-path-pattern>{pattern}</input-path-pattern>{tests}\
             </testset></judging><assets>{assets}</assets></problem>"
        ))
    };
    let checker = r#"<checker name="std::wcmp.cpp"/>"#;
    let one = "<tests><test/></tests>";
    refused(&evil("<problem>"), "`problem.xml`: ");
    refused(&evil("<html/>"), "the root element must be `<problem>`");
    refused(&evil("<problem/>"), "there is no `<testset>`");
    let bomb = "<!DOCTYPE p [<!ENTITY a 'xx'><!ENTITY b '&a;&a;&a;'>]><problem>&b;</problem>";
    refused(&evil(bomb), "`problem.xml`: XML with DTD detected");
    refused(&evil(&"<a>".repeat(2_000_000)), "`problem.xml`: ");
    refused(&evil(&" ".repeat((8 << 20) + 1)), "larger than 8 MiB");
    refused(&evil(&namespaces()), "it declares more than 100 namespaces");
    refused(
        &package("../secret.txt%d", one, checker),
        "`../secret.txt1`: the path must not contain `..`",
    );
    refused(
        &package("/etc/%d", one, checker),
        "the path must be relative",
    );
    refused(&package("tests/%s", one, checker), "expected a path with");
    refused(
        &package("tests/%099d", one, checker),
        "expected a path with one `%d`",
    );
    refused(
        &package("tests/%d", one, checker),
        "`tests/1`: test 1 is not in the package, and it has no generator",
    );
    refused(
        &package("tests/%02d", one, checker),
        "there are tests without answers, and no main solution",
    );
    for (cmd, message) in [
        ("gen 1", "there is no generator `gen`"),
        ("../gen 1", "there is no generator `../gen`"),
        ("gen 'a b'", "the command `gen 'a b'` is not a plain one"),
    ] {
        let test = format!(r#"<tests><test cmd="{cmd}"/></tests>"#);
        refused(&package("tests/%d", &test, checker), message);
    }
    refused(
        &package(
            "tests/%d",
            &format!("<tests>{}</tests>", "<test/>".repeat(10_001)),
            checker,
        ),
        "a problem must have 1 to 10000 tests in `<tests>`, found 10001",
    );
    let circle = r#"<tests><test points="1" group="a"/></tests><groups><group name="a"><dependencies><dependency
        group="a"/></dependencies></group></groups>"#;
    refused(
        &package("tests/%02d", circle, checker),
        "groups depend on each other in a circle",
    );
    refused(
        &package(
            "tests/%02d",
            r#"<tests><test points="-1"/></tests>"#,
            checker,
        ),
        "`points`: expected a number, found `-1`",
    );
    for (path, message) in [
        (
            "../secret.py",
            "`../secret.py`: the path must not contain `..`",
        ),
        (
            "files/none.py",
            "`files/none.py`: the file is not in the package",
        ),
        ("tests/01", "`tests/01`: its language is not known"),
    ] {
        let checker = format!(r#"<checker><source path="{path}"/></checker>"#);
        refused(&package("tests/%02d", one, &checker), message);
    }
    refused(
        &package("tests/%02d", one, r#"<checker type="testlib4j"/>"#),
        "checkers of the type `testlib4j` are not supported",
    );
    refused(
        &evil(r#"<problem><judging run-count="2"><testset/></judging></problem>"#),
        "`run-count` is 2: only one run for each test is supported",
    );
    let main =
        r#"<solutions><solution tag="main"><source path="files/check.py"/></solution></solutions>"#;
    let room = package("tests/a%d", one, &format!("{checker}{main}"));
    symlink(room.path("secret.txt"), room.path("evil/tests/a1")).unwrap();
    refused(&room, "the path leads out of its folder");
}
