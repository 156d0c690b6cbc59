//! Every mutant takes what its reference takes, ends well, and prints something else at least once.

use reference_mutants::{find, of};

const TASKS: [&str; 11] = [
    "annealing",
    "binomial-parity",
    "board",
    "count",
    "eight-queens",
    "first-three",
    "gray-code",
    "gray-grid",
    "hanoi",
    "polynomial",
    "queens-table",
];

/// What a mutant prints for arguments with blanks between them.
fn printed(task: &str, name: &str, arguments: &str, mut input: &[u8]) -> String {
    let mutant = find(task, name).expect("the mutant is there");
    let arguments = arguments.split_whitespace().map(Into::into);
    let mut output = Vec::new();
    mutant
        .run(arguments, &mut input, &mut output)
        .expect("the mutant takes it");
    String::from_utf8(output).expect("what mutants print is UTF-8")
}

#[test]
fn every_task_has_several_mutants_whose_names_differ() {
    for task in TASKS {
        let mut names: Vec<_> = of(task).iter().map(|mutant| mutant.name).collect();
        assert!(names.len() >= 4, "{task}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), of(task).len(), "{task}");
    }
    assert!(of("unknown").is_empty());
}

#[test]
fn every_mutant_takes_a_question_of_its_task() {
    for task in TASKS {
        let (arguments, input) = match task {
            "binomial-parity" => ("", "4 2\n5 1\n"),
            "eight-queens" => ("", ""),
            "first-three" => ("", "6\n"),
            "gray-grid" => ("2 3", ""),
            "hanoi" => ("3 5", ""),
            "queens-table" => ("", "4\n8 4\n0\n"),
            _ => ("8", ""),
        };
        for mutant in of(task) {
            let text = printed(task, mutant.name, arguments, input.as_bytes());
            assert!(text.ends_with('\n'), "{task} {}: {text}", mutant.name);
        }
    }
}

#[test]
fn a_mistake_shows_where_it_is_made_and_nowhere_else() {
    let count = |name, n| printed("count", name, n, b"");
    assert_eq!(count("middle-column-doubled", "8"), "92\n");
    assert_eq!(count("middle-column-doubled", "5"), "12\n");
    assert_eq!(count("mirrored-half-lost", "8"), "46\n");
    assert_eq!(count("last-column-left-out", "8"), "88\n");
    assert_eq!(count("sixteen-bit-counter", "12"), "14200\n");
    assert_eq!(count("sixteen-bit-counter", "13"), "8176\n");
    let hanoi = |name, question| printed("hanoi", name, question, b"");
    assert_eq!(
        hanoi("thirty-two-bits", "34 4294967296").trim(),
        hanoi("thirty-two-bits", "34 0").trim()
    );
    assert_eq!(hanoi("one-move-too-few", "3 1"), "1 1 1\n");
    assert_eq!(hanoi("largest-first", "3 1"), "1 1 3\n");
}

#[test]
fn what_a_mutant_does_not_take_ends_with_status_2() {
    for arguments in [
        vec!["--method", "bitmask", "8"],
        vec![],
        vec!["8", "8"],
        vec!["99"],
    ] {
        let mutant = find("count", "one-diagonal-forgotten").unwrap();
        let words = arguments.iter().map(Into::into);
        let error = mutant
            .run(words, &mut &b""[..], &mut Vec::new())
            .unwrap_err();
        assert_eq!(error.exit_status(), 2, "{arguments:?}: {error}");
    }
}
