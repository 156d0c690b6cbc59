//! Commands that run no student's program, and wrong command lines.

use crate::harness::{Room, strict};

#[test]
fn a_reference_runs_as_a_program_of_its_own_would() {
    let room = Room::new();
    for (arguments, status, stdout, stderr) in [
        (&["count", "8", "--method", "array"][..], 0, "92\n", ""),
        (&["count", "99"], 2, "", "count: "),
        (&["count", "--help"], 0, "--method", ""),
        (&["--help"], 0, "Usage: grader reference", ""),
        (&["-h"], 0, "queens-table", ""),
        (
            &["cuont"],
            2,
            "",
            "error: there is no reference `cuont`; known are annealing, binomial-parity, board, count, ",
        ),
    ] {
        let ran = room.run(&[&["reference"], arguments].concat());
        assert_eq!(ran.status, status, "{arguments:?}");
        assert!(ran.stdout.contains(stdout), "{}", ran.stdout);
        assert!(ran.stderr.starts_with(stderr), "{}", ran.stderr);
    }
}

#[test]
fn every_command_explains_its_defaults_and_gives_an_example() {
    let room = Room::new();
    for (command, words) in [
        ("grade", "nearest above the class"),
        ("report", "3 if some"),
        (
            "test",
            "[default: the one in this folder or above it, else all bundled ones]",
        ),
        ("correct", "--comment"),
        ("merge", "--class"),
        ("init", "--template interactive"),
        ("bundle", "the nearest one above it]"),
        ("verify", "--verbose"),
        ("check", "the id of a bundled assignment"),
        ("history", "[env: `GRADER_LEDGER`]"),
        ("diff", "the last two of one class"),
        ("gradescope-bundle", "docs/ci.md"),
        ("doctor", "3 if not"),
        ("schema", "grader schema"),
        ("reference", "grader reference count 8"),
    ] {
        let ran = room.run(&["help", command]);
        assert_eq!(ran.status, 0);
        let example = format!("  grader {command}");
        assert!(ran.stdout.contains(&example), "{}", ran.stdout);
        let help = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{words}:\n{}", ran.stdout);
    }
}

#[test]
fn a_file_that_matches_no_problem_is_answered_with_all_problems_and_the_nearest() {
    let room = Room::new().file("bord.c", "int main(void) { return 0; }\n");
    let test = |lang: &str, more: &[&str]| {
        let ran = room.run(&[&["--lang", lang, "test", "bord.c"], more].concat());
        assert_eq!(ran.status, 2);
        ran.stderr
    };
    assert_eq!(
        test("en", &[]),
        "error: `bord.c` matches no problem; did you mean `board`?\n\
         specify the problem with `--problem`:\n  \
         n-queens: count, board, polynomial, annealing, first-three\n  \
         bit-practice: eight-queens, queens-table, gray-code, gray-grid, hanoi, binomial-parity\n"
    );
    let first = |text: String| text.lines().next().map(str::to_owned).unwrap();
    assert_eq!(
        first(test("zh", &["-p", "bord"])),
        "错误：没有题目 `bord`；是不是 `board`？"
    );
}

#[test]
fn prints_valid_json_schemas() {
    for name in ["assignment", "problem", "results"] {
        let ran = Room::new().run(&["schema", name]);
        assert_eq!(ran.status, 0);
        let schema = serde_json::from_str(&ran.stdout).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
    }
}

#[test]
fn every_command_has_a_manual_page_and_every_shell_a_completion_script() {
    let room = Room::new();
    let ran = room.run(&["generate", "made"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    let help = room.run(&["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty());
    let mut pages: Vec<String> = names.map(|name| format!("grader-{name}.1")).collect();
    pages.push("grader.1".to_owned());
    pages.sort();
    let list = |folder: &str| {
        let entries = std::fs::read_dir(room.path(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(list("made/man/man1"), pages);
    assert_eq!(
        list("made/completions"),
        [
            "_grader",
            "_grader.ps1",
            "grader.bash",
            "grader.elv",
            "grader.fish"
        ]
    );
    let page = std::fs::read_to_string(room.path("made/man/man1/grader-grade.1")).unwrap();
    assert!(
        page.contains(".TH grader\\-grade 1") || page.contains(".TH grader-grade 1"),
        "{page}"
    );
}

#[test]
fn the_bundled_assignments_have_no_mistakes_wherever_one_stands() {
    for (id, counts) in [
        (
            "bit-practice",
            "6 problems, 88 cases, 100 points and 0 bonus points",
        ),
        (
            "n-queens",
            "5 problems, 78 cases, 100 points and 10 bonus points",
        ),
    ] {
        let ran = Room::new().run(&["check", id]);
        assert_eq!(
            (ran.status, ran.stdout, ran.stderr.as_str()),
            (0, format!("{id}: {counts}: no mistakes\n"), "")
        );
    }
}

#[test]
fn a_wrong_command_line_is_exit_status_2() {
    let room = Room::new().folder("empty").file("file", "");
    for (line, message) in [
        ("grade nowhere", "`nowhere` does not exist"),
        (
            "grade file -a n-queens",
            "expected a folder of student folders, or an archive of it, but `file` is neither",
        ),
        (
            "grade empty --assignment nothing",
            "there is no assignment `nothing`",
        ),
        (
            "grade empty -a empty",
            "there is no assignment `empty`: expected the path of a folder, such as `./mine`, or one of \
             `bit-practice`, `n-queens`; did you mean `./empty`?\n",
        ),
        ("grade empty -a n-queens", ""),
        ("grade empty -a n-queens --output no/such/report.json", ""),
        ("grade empty --jobs 0", ""),
        ("test nothing.c", ""),
        ("test file --problem tetris", "there is no problem `tetris`"),
        (
            "verify empty",
            "there is no `assignment.toml` or `problem.toml` in `empty`",
        ),
        ("check nowhere", "cannot read the folder"),
        ("grad", ""),
    ] {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        let begins = format!("error: {message}");
        assert!(ran.stderr.starts_with(&begins), "{line}: {}", ran.stderr);
    }
}

#[test]
fn doctor_reports_every_layer_and_toolchain_and_its_status_is_the_verdict() {
    let room = Room::new();
    let (status, diagnosis) = room.json(&["doctor", "--format", "json"]);
    let (expected, verdict) = if strict() {
        (0, "Strict isolation is available here.")
    } else {
        (3, "Strict isolation is not available here.")
    };
    assert_eq!(status, expected);
    assert_eq!(diagnosis["toolchains"].as_array().unwrap().len(), 8);
    let page = room.run(&["doctor"]);
    assert_eq!((page.status, page.stderr.as_str()), (expected, ""));
    assert_eq!(page.stdout.lines().last(), Some(verdict), "{}", page.stdout);
    let layers = diagnosis["layers"].as_array().unwrap();
    assert!(layers.len() > 10, "{layers:?}");
    for layer in layers {
        let name = layer["name"].as_str().unwrap();
        assert!(page.stdout.contains(name), "{name}:\n{}", page.stdout);
    }
}
