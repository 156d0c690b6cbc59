//! Commands that run no student's program, and wrong command lines.

use crate::harness::{Room, repository};

#[test]
fn a_reference_runs_as_a_program_of_its_own_would() {
    let room = Room::new();
    let ran = room.run(&["reference", "count", "8", "--method", "array"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "92\n", "")
    );
    let ran = room.run(&["reference", "count", "99"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("count: "), "{}", ran.stderr);
    let ran = room.run(&["reference", "count", "--help"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("--method"), "{}", ran.stdout);
}

#[test]
fn the_references_are_listed_where_no_task_is_named() {
    let room = Room::new();
    for arguments in [
        &["reference", "--help"][..],
        &["reference", "-h"],
        &["help", "reference"],
    ] {
        let ran = room.run(arguments);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        for words in ["Usage: grader reference", "binomial-parity", "queens-table"] {
            assert!(ran.stdout.contains(words), "{arguments:?}:\n{}", ran.stdout);
        }
    }
}

#[test]
fn every_command_says_what_it_does_by_itself_and_gives_an_example() {
    let room = Room::new();
    for (command, words) in [
        (
            "grade",
            &[
                "[default: n-queens]",
                "bit-practice, n-queens",
                "[env: `GRADER_LEDGER`]",
                "`.grader/ledger.db` beside the class",
            ][..],
        ),
        ("report", &["3 when some"]),
        (
            "test",
            &["[default: all bundled ones]", "bit-practice, n-queens"],
        ),
        ("verify", &["grader schema verification"]),
        ("check", &[]),
        (
            "history",
            &["[env: `GRADER_LEDGER`]", "grader schema history"],
        ),
        ("diff", &["the last two of one class", "grader schema diff"]),
        ("gradescope-bundle", &["docs/ci.md", "[default: n-queens]"]),
        ("run", &["--wall-time", "grader schema run"]),
        ("doctor", &["grader schema doctor", "3 when it cannot"]),
        ("schema", &[]),
        ("reference", &["grader reference count 8"]),
        ("completions", &["~/.config/fish/completions/grader.fish"]),
    ] {
        let ran = room.run(&["help", command]);
        assert_eq!(ran.status, 0);
        let example = format!("  grader {command}");
        let shown = ran.stdout.contains(&example) || command == "completions";
        assert!(shown, "{}", ran.stdout);
        let help = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in words {
            assert!(help.contains(words), "{words}:\n{}", ran.stdout);
        }
    }
}

#[test]
fn a_file_that_fits_no_problem_is_answered_with_all_problems_and_the_nearest() {
    let room = Room::new().file("bord.c", "int main(void) { return 0; }\n");
    let ran = room.run(&["test", "bord.c"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `bord.c` fits no problem; did you mean `board`?\n\
             name the problem with `--problem`:\n  \
             n-queens: count, board, polynomial, annealing, first-three\n  \
             bit-practice: eight-queens, queens-table, gray-code, gray-grid, hanoi, binomial-parity\n"
        )
    );
    let ran = room.run(&["test", "bord.c", "-p", "bord"]);
    assert_eq!(
        (ran.status, ran.stderr.lines().next()),
        (
            2,
            Some("error: there is no problem `bord`; did you mean `board`?")
        )
    );
}

#[test]
fn an_unknown_reference_is_answered_with_the_known_ones() {
    let ran = Room::new().run(&["reference", "cuont"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: there is no reference `cuont`; known are annealing, binomial-parity, board, count, \
             eight-queens, first-three, gray-code, gray-grid, hanoi, polynomial, queens-table\n"
        )
    );
}

#[test]
fn the_printed_schemas_are_the_committed_ones() {
    for (name, path) in [
        ("assignment", "crates/problem/schema/assignment.schema.json"),
        ("problem", "crates/problem/schema/problem.schema.json"),
        ("results", "crates/report/schema/results.schema.json"),
        ("history", "crates/report/schema/history.schema.json"),
        ("diff", "crates/report/schema/diff.schema.json"),
        (
            "verification",
            "crates/report/schema/verification.schema.json",
        ),
        ("doctor", "crates/report/schema/doctor.schema.json"),
        ("run", "crates/report/schema/run.schema.json"),
    ] {
        let ran = Room::new().run(&["schema", name]);
        assert_eq!(ran.status, 0);
        let committed = std::fs::read_to_string(repository().join(path)).unwrap();
        assert_eq!(ran.stdout.trim_end(), committed.trim_end(), "{path}");
    }
}

#[test]
fn every_shell_gets_a_completion_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = Room::new().run(&["completions", shell]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        for word in ["verify", "report", "worksheet"] {
            assert!(ran.stdout.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_bundled_assignments_have_no_mistakes_wherever_one_stands() {
    let ran = Room::new().run(&["check"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            0,
            "bit-practice: 6 problems, 88 cases, 100 points and 0 bonus: no mistakes\n\
             n-queens: 5 problems, 78 cases, 100 points and 10 bonus: no mistakes\n",
            ""
        )
    );
}

#[test]
fn a_wrong_command_line_is_exit_status_2() {
    let room = Room::new().folder("empty").file("file", "");
    for (arguments, message) in [
        (&["grade", "nowhere"][..], "error: there is no"),
        (
            &["grade", "file"][..],
            "error: expected a folder of student folders, or an archive of it, but `file` is neither",
        ),
        (
            &["grade", "empty", "--assignment", "nothing"][..],
            "error: there is no assignment `nothing`",
        ),
        (
            &["grade", "empty", "--output", "no/such/report.json"][..],
            "error: ",
        ),
        (&["test", "nothing.c"][..], "error: "),
        (
            &["test", "file", "--problem", "tetris"][..],
            "error: there is no problem `tetris`",
        ),
        (
            &["verify", "empty"][..],
            "error: there is no `assignment.toml` or `problem.toml` in `empty`",
        ),
        (&["check", "nowhere"][..], "error: there is no"),
        (&["grade", "--jobs", "0", "empty"][..], "error: "),
        (&["grad"][..], "error: "),
    ] {
        let ran = room.run(arguments);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.starts_with(message),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}
