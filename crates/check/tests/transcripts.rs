//! Complete texts for students: each file in `transcripts/` has cases and the checkers' messages for them. Read them as
//! the checkers' documentation. If a text changes, the new file is written to Cargo's temporary folder.

#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use std::fmt::Write as _;
use std::path::Path;

use grader_check::check;
use grader_model::Judgement;
use grader_problem::{Checker, Contains, Sought, TokenOptions, Wanted};

/// `tokens`, `numbers 1e-6 1e-9`, `queens-board 8 Q #`, `queens-columns 8 1`.
fn checker(line: &str) -> Checker {
    let words: Vec<&str> = line.split(' ').collect();
    let tokens = TokenOptions {
        case_sensitive: true,
        space_change_sensitive: false,
    };
    match words[..] {
        ["exact"] => Checker::Exact,
        ["lines"] => Checker::Lines,
        ["any-order"] => Checker::AnyOrder,
        ["tokens"] => Checker::Tokens(tokens),
        ["tokens", "spaces"] => Checker::Tokens(TokenOptions {
            case_sensitive: false,
            space_change_sensitive: true,
        }),
        ["numbers", absolute, relative] => Checker::Numbers {
            absolute: absolute.parse().unwrap(),
            relative: relative.parse().unwrap(),
            tokens,
        },
        ["only-numbers", absolute, relative] => Checker::OnlyNumbers {
            absolute: absolute.parse().unwrap(),
            relative: relative.parse().unwrap(),
        },
        ["contains", ..] => Checker::Contains(contains(line["contains".len()..].trim())),
        ["queens-board", size, queen, blank] => Checker::QueensBoard {
            size: size.parse().unwrap(),
            queen: queen.to_owned(),
            blank: blank.to_owned(),
            separator: String::new(),
        },
        ["queens-columns", size, base] => Checker::QueensColumns {
            size: size.parse().unwrap(),
            base: base.parse().unwrap(),
        },
        _ => panic!("{line}"),
    }
}

/// `text: a | b; pattern: c; never: d; any case`, or `dialogue: > 3 | Name? | > Ada | Hello, Ada`.
fn contains(options: &str) -> Contains {
    let mut rule = Contains {
        has_answer: options.is_empty(),
        case_sensitive: true,
        ..Contains::default()
    };
    let options = options.split(';').map(str::trim);
    for option in options.filter(|it| !it.is_empty()) {
        let (name, list) = option.split_once(": ").unwrap_or((option, ""));
        let list = list.split(" | ").map(str::to_owned);
        let what: fn(String) -> Wanted = match name {
            "text" | "dialogue" => Wanted::Text,
            "pattern" => Wanted::Pattern,
            "never" => {
                rule.never = list.collect();
                continue;
            }
            "any case" => {
                rule.case_sensitive = false;
                continue;
            }
            _ => panic!("{option}"),
        };
        let mut after = None;
        let list = list.filter_map(|it| {
            if let Some(input) = it.strip_prefix("> ") {
                after = Some(input.to_owned());
                return None;
            }
            let after = after.clone();
            Some(Sought {
                after,
                ..Sought::new(what(it))
            })
        });
        rule.lists.push(list.collect());
    }
    rule
}

/// A complete judgement as plain text.
fn rendered(judgement: &Judgement) -> String {
    let mut text = format!("=> {:?}\n", judgement.mark);
    for evidence in &judgement.evidence {
        writeln!(text, "{}: {}", evidence.code, evidence.message.en).unwrap();
        writeln!(text, "  {}", evidence.message.zh).unwrap();
        for (name, excerpt) in [("expected", &evidence.expected), ("found", &evidence.found)] {
            if let Some(excerpt) = excerpt {
                writeln!(text, "  {name}: {excerpt}").unwrap();
            }
        }
        for line in evidence.figure.iter().flat_map(|it| it.lines.iter()) {
            let spans: String = line.spans.iter().map(|it| it.text.as_str()).collect();
            writeln!(text, "    {}", spans.trim_end()).unwrap();
        }
    }
    text
}

#[test]
fn checkers_say_what_their_transcripts_say() {
    let mut changed = Vec::new();
    for name in [
        "exact", "lines", "tokens", "numbers", "contains", "board", "columns",
    ] {
        let file = format!(
            "{}/tests/transcripts/{name}.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(&file).unwrap();
        let mut new = String::new();
        let (mut checked_by, mut expected) = (String::new(), None);
        for line in text.lines() {
            let json = |text: &str| serde_json::from_str::<String>(text).unwrap();
            if let Some(rest) = line.strip_prefix("checker ") {
                rest.clone_into(&mut checked_by);
            } else if let Some(rest) = line.strip_prefix("expected ") {
                expected = Some(json(rest));
            } else if let Some(rest) = line.strip_prefix("output ") {
                let answer = expected.as_ref().map(String::as_bytes);
                let judgement = check(&checker(&checked_by), json(rest).as_bytes(), answer);
                writeln!(new, "{line}\n{}", rendered(&judgement.unwrap())).unwrap();
                continue;
            } else {
                continue;
            }
            writeln!(new, "{line}").unwrap();
        }
        if new != text {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.txt"));
            std::fs::write(&path, &new).unwrap();
            changed.push(path);
        }
    }
    assert!(changed.is_empty(), "new texts: {changed:?}");
}
