//! The default output validator of the Kattis problem format (2025-09), row by row: `tokens` and `numbers` follow its
//! specification. Each line of `kattis.tsv` has the validator's flags, the answer file, an output and the judgement.

#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use grader_check::check;
use grader_model::Mark;
use grader_problem::{Checker, TokenOptions};

/// The checker for the validator's flags.
fn checker(flags: &str) -> Checker {
    let mut tokens = TokenOptions {
        case_sensitive: false,
        space_change_sensitive: false,
    };
    let (mut absolute, mut relative) = (None, None);
    let mut flags = flags.split_whitespace().filter(|flag| *flag != "-");
    while let Some(flag) = flags.next() {
        let mut number = || flags.next().unwrap().parse::<f64>().unwrap();
        match flag {
            "case_sensitive" => tokens.case_sensitive = true,
            "space_change_sensitive" => tokens.space_change_sensitive = true,
            "float_absolute_tolerance" => absolute = Some(number()),
            "float_relative_tolerance" => relative = Some(number()),
            "float_tolerance" => {
                absolute = Some(number());
                relative = absolute;
            }
            other => panic!("{other}"),
        }
    }
    if absolute.is_none() && relative.is_none() {
        return Checker::Tokens(tokens);
    }
    Checker::Numbers {
        absolute: absolute.unwrap_or(0.0),
        relative: relative.unwrap_or(0.0),
        tokens,
    }
}

#[test]
fn every_row_of_the_specification_is_decided_so() {
    let mut rows = 0;
    for row in include_str!("kattis.tsv").lines() {
        let [flags, answer, output, judgement] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let text = |json: &str| serde_json::from_str::<String>(json).unwrap();
        let found = check(
            &checker(flags),
            text(output).as_bytes(),
            Some(text(answer).as_bytes()),
        );
        let accepts = found.unwrap().mark == Mark::Right;
        assert_eq!(accepts, judgement == "accept", "{row}");
        rows += 1;
    }
    assert!(rows >= 150);
}
