//! No file makes the loader panic.

use crate::common::{ASSIGNMENT, BUILTINS, COLUMNS, COUNT, TIMES, files};
use grader_language::Languages;
use grader_problem::{Loaded, MemoryLibrary, load_assignment, load_problem, load_samples, render};
use proptest::prelude::*;

/// Loads a problem file with these bytes and checks the result's guarantees.
fn load(bytes: &[u8]) {
    let mut library = MemoryLibrary::new("p", files());
    library.insert("count/problem.toml", bytes);
    library.insert("count/submissions/expected.toml", bytes);
    let loaded = load_problem(&library, "count", BUILTINS, &Languages::built_in());
    hold(&loaded);
    if let Ok(problem) = loaded {
        hold(&load_samples(&library, &problem));
    }
    library.insert("assignment.toml", bytes);
    hold(&load_assignment(&library, "", BUILTINS));
}

fn hold<T>(loaded: &Loaded<T>) {
    if let Err(mistakes) = loaded {
        let text = render(mistakes, false, 80);
        assert!(!text.is_empty());
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    }
}

#[test]
fn files_that_end_anywhere_are_refused_or_read() {
    for text in [COUNT, ASSIGNMENT, COLUMNS, TIMES] {
        for end in (0..=text.len()).step_by(11) {
            load(&text.as_bytes()[..end]);
        }
    }
}

#[test]
fn every_value_may_be_of_every_type() {
    let values = [
        "-1",
        "nan",
        "\"x\"",
        "true",
        "1979-05-27",
        "[]",
        "{}",
        "[[]]",
    ];
    for text in [COUNT, TIMES] {
        for (number, line) in text.lines().enumerate() {
            let Some((key, _)) = line.split_once(" = ") else {
                continue;
            };
            for value in values {
                let lines: Vec<String> = text
                    .lines()
                    .enumerate()
                    .map(|(other, line)| {
                        if other == number {
                            format!("{key} = {value}")
                        } else {
                            line.to_owned()
                        }
                    })
                    .collect();
                load(lines.join("\n").as_bytes());
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    load("[".repeat(100_000).as_bytes());
    load(format!("x = {}", "[".repeat(100_000)).as_bytes());
    load(format!("x = {}", "{a=".repeat(100_000)).as_bytes());
    load(format!("{}x = 1", "a.".repeat(100_000)).as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
        load(&bytes);
    }

    #[test]
    fn any_text_in_a_value_is_refused_or_read(text in any::<String>(), quote in "[\"']|\"\"\"|'''") {
        load(COLUMNS.replace("\"{n}\"", &format!("{quote}{text}{quote}")).as_bytes());
        load(COLUMNS.replace("{ n = 3 }", &format!("{{ n = {quote}{text}{quote} }}")).as_bytes());
        load(COLUMNS.replace("columns.*", &text).as_bytes());
    }

    #[test]
    fn any_bytes_in_the_middle_of_a_right_file_are_refused_or_read(
        at in 0..COUNT.len(), gone in 0usize..20, bytes: Vec<u8>,
    ) {
        for text in [COUNT, TIMES] {
            let mut file = text.as_bytes().to_vec();
            let start = at.min(file.len());
            let end = (start + gone).min(file.len());
            file.splice(start..end, bytes.iter().copied());
            load(&file);
        }
    }
}
