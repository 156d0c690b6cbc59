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
        ("report", "--moodle-feedback feedback.zip"),
        ("report", "--dolos similar/"),
        (
            "test",
            "[default: the one in this folder or above it, else all bundled ones]",
        ),
        ("correct", "--comment"),
        ("merge", "--class"),
        ("gradebook", "--dry-run"),
        ("completions", "bash"),
        ("man", "grader man grade"),
        ("init", "--template interactive"),
        ("bundle", "the nearest one above it]"),
        ("bundle", "docs/ci.md"),
        ("verify", "--verbose"),
        ("check", "or the id of a bundled one"),
        ("history", "[env: GRADER_LEDGER]"),
        ("diff", "the one before, of the same class"),
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
    for name in [
        "assignment",
        "problem",
        "corrections",
        "course",
        "results",
        "check",
        "verification",
        "stress",
        "audit",
        "doctor",
        "history",
        "diff",
        "replay",
    ] {
        let ran = Room::new().run(&["schema", name]);
        assert_eq!(ran.status, 0);
        let schema = serde_json::from_str(&ran.stdout).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
    }
}

/// The names of all commands, as the help lists them.
fn commands(room: &Room) -> Vec<String> {
    let help = room.run(&["help"]).stdout;
    let (_, groups) = help.split_once("\n\n").unwrap();
    let (groups, _) = groups.split_once("\nOptions:").unwrap();
    let lines = groups.lines().filter_map(|line| line.strip_prefix("  "));
    lines
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_command_has_a_manual_page_and_every_shell_a_completion_script() {
    let room = Room::new();
    let all = commands(&room);
    assert_eq!(all.len(), 23, "{all:?}");
    for name in &all {
        let ran = room.run(&["man", name]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let title = format!(".TH grader-{name} 1 ");
        let page = ran.stdout.replace("\\-", "-");
        assert!(page.contains(&title), "{title}{page}");
    }
    assert!(room.run(&["man"]).stdout.contains(".TH grader 1 "));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = room.run(&["completions", shell]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("gradebook"), "{shell}: {}", ran.stdout);
    }
}

#[test]
fn help_fits_80_columns_and_its_short_form_one_screen() {
    let room = Room::new();
    for name in commands(&room) {
        for arguments in [[&*name, "--help"], [&*name, "-h"]] {
            let ran = room.run(&arguments);
            let longest = ran.stdout.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(80), "{arguments:?}:\n{}", ran.stdout);
            let lines = ran.stdout.lines().count();
            assert!(
                arguments[1] == "--help" || lines <= 24,
                "{arguments:?}:\n{}",
                ran.stdout
            );
        }
    }
    let help = room.run(&["help"]).stdout;
    assert!(
        help.lines().all(|line| line.chars().count() <= 80),
        "{help}"
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
            "expected a folder of student folders (with `--layout one`, of one student), or an archive of it, but `file` is neither",
        ),
        (
            "grade empty --assignment nothing",
            "there is no assignment `nothing`",
        ),
        (
            "grade empty -a empty",
            "there is no assignment `empty`: expected a folder that holds `assignment.toml`, or a bundled one: `bit-practice`, \
             `n-queens`\n",
        ),
        ("grade empty -a n-queens", ""),
        ("grade empty -a n-queens --json no/such/report.json", ""),
        ("grade empty --jobs 0", ""),
        ("test nothing.c", ""),
        ("test file --problem tetris", "there is no problem `tetris`"),
        (
            "verify empty",
            "there is no `assignment.toml` or `problem.toml` in `empty`",
        ),
        ("check nowhere", "cannot read the folder"),
        ("grad", ""),
        (
            "grade empty -a n-queens --html out/pages --feedback out",
            "two reports would go to `out`\n",
        ),
        (
            "report --feedback out --web https://example.org --student ann",
            "`--web` publishes the pages of a whole class, and removes all others: leave out `--student`\n",
        ),
        (
            "bundle -a n-queens -p count --gradescope -o a.zip",
            "the argument '--problem <ID>' cannot be used with '--gradescope'\n",
        ),
        (
            "grde",
            "unrecognized subcommand 'grde'\n\n  tip: some similar subcommands exist: 'grade', 'gradebook'\n",
        ),
        (
            "feedback",
            "unrecognized subcommand 'feedback'\n\n  tip: type `grader report --feedback FOLDER`, or `--moodle-feedback ZIP`\n",
        ),
        (
            "regrade empty",
            "unrecognized subcommand 'regrade'\n\n  tip: type `grader grade`: it judges what has changed; or `grader replay`\n",
        ),
        (
            "check empty --format junit",
            "unexpected argument '--format' found\n\n  tip: type `--json` or `--junit` or `--github`\n",
        ),
        (
            "report -o pages",
            "unexpected argument '-o' found\n\n  tip: type `--json` or `--csv` or `--junit` or `--github` or `--html`\n",
        ),
        (
            "report",
            "nothing was graded here: there is no `.grader/ledger.db` in this folder or above; `grader grade CLASS` grades a class\n",
        ),
        (
            "report empty",
            "`empty` was not graded yet: `grader grade empty` grades it\n",
        ),
        ("report --github --json -", "two reports would go to `-`\n"),
        (
            "report --dolos -",
            "`--dolos` writes files: expected a folder\n",
        ),
        (
            "grade empty -a n-queens --dolos sources",
            "`--dolos` needs what the ledger keeps: leave out `--no-ledger`\n",
        ),
        (
            "grade empty -a n-queens --problem count --feedback texts",
            "`--feedback` needs whole totals: leave out `--problem`\n",
        ),
        (
            "report --audience student --explain ann --jplag all",
            "`--jplag` is for staff: it holds everybody's programs\n",
        ),
    ] {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        let begins = format!("error: {message}");
        assert!(ran.stderr.starts_with(&begins), "{line}: {}", ran.stderr);
    }
}

#[test]
fn the_pages_of_a_shard_are_not_published() {
    let room = Room::new().keeping().folder("class");
    let line = "grade class -a n-queens --shard 1/2 --ledger one.db --feedback out --web https://example.org";
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    let message = "error: `--web` publishes the pages of a whole class: use it with `grader report`, once the shards are merged\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
}

#[test]
fn doctor_reports_every_layer_and_toolchain_and_its_status_is_the_verdict() {
    let room = Room::new();
    let (status, diagnosis) = room.json(&["doctor", "--json", "-"]);
    let (expected, verdict) = if strict() {
        (0, "Strict isolation is available here.")
    } else {
        (3, "Strict isolation is not available here.")
    };
    assert_eq!(status, expected);
    assert_eq!(diagnosis["toolchains"].as_array().unwrap().len(), 8);
    let frameworks = diagnosis["frameworks"].as_array().unwrap().iter();
    let names: Vec<_> = frameworks.map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pytest", "JUnit"]);
    let tools = diagnosis["tools"].as_array().unwrap().iter();
    let names: Vec<_> = tools.map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["make", "cmake", "pypy3"]);
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
