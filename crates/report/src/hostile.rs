//! No renderer lets anything through that moves a cursor, colours a terminal or hides text, even where the one
//! who made an id or a message forgot to escape it.

use grader_model::{Lang, Results, Sink as _, Verification};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::style::{Style, safe};
use crate::{TestView, sample, terminal, verification};

const HOSTILE: &str = " \u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{2060}\u{206f}\u{9b}31m\r\n\t\u{200b}é皇";

/// The same value with hostile text at the end of every text that may come from outside.
pub(crate) fn poisoned<T: Serialize + DeserializeOwned>(value: &T) -> T {
    fn walk(value: &mut Value) {
        match value {
            Value::String(text) => {
                // Words of enums, not texts.
                let fixed = [
                    "bitcraft-results/2",
                    "judged",
                    "not-judged",
                    "not-submitted",
                    "grader",
                    "unreadable",
                    "ran",
                    "reused",
                    "checked",
                    "plain",
                    "faint",
                    "good",
                    "bad",
                    "cpu",
                    "basic",
                    "strict",
                    "c",
                    "cpp",
                    "java",
                    "python",
                    "measured",
                    "too-fast",
                    "stopped",
                    "within",
                    "unresolved",
                    "sources",
                    "seconds",
                    "reference",
                    "own",
                    "judging",
                ];
                let is_verdict = grader_model::Verdict::ALL
                    .iter()
                    .any(|it| it.code() == text);
                if !fixed.contains(&text.as_str()) && !is_verdict {
                    text.push_str(HOSTILE);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::Object(fields) => fields.values_mut().for_each(walk),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut json = serde_json::to_value(value).unwrap();
    walk(&mut json);
    serde_json::from_value(json).unwrap()
}

fn styles() -> Vec<Style> {
    let mut styles = Vec::new();
    for lang in [Lang::En, Lang::Zh] {
        for (color, unicode, width) in [(false, true, 80), (true, true, 120), (false, false, 40)] {
            styles.push(Style {
                color,
                lang,
                width,
                unicode,
            });
        }
    }
    styles
}

fn everything(results: &Results, verified: &Verification, style: &Style) -> Vec<String> {
    let mut texts = vec![
        terminal::class(results, style),
        verification(verified, style, true),
    ];
    let mut view = TestView::new(style, Vec::new());
    for event in sample::events(results) {
        view.event(&event).unwrap();
    }
    texts.push(String::from_utf8(view.into_inner()).unwrap());
    for student in &results.students {
        texts.push(terminal::student(student, &results.assignment, style));
    }
    texts
}

/// The text without the colours of our palette.
pub(crate) fn uncoloured(text: &str) -> String {
    ["0", "1", "2", "31", "32", "33"]
        .iter()
        .fold(text.to_owned(), |text, code| {
            text.replace(&format!("\x1b[{code}m"), "")
        })
}

#[test]
fn hostile_ids_names_and_messages_are_spelled_out_in_every_view() {
    let results = poisoned(&sample::results());
    let verified = poisoned(&sample::verification());
    for style in styles() {
        for text in everything(&results, &verified, &style) {
            for line in uncoloured(&text).split('\n') {
                assert_eq!(safe(line), line);
            }
        }
    }
}

#[test]
fn colour_is_only_used_where_it_is_wanted_and_changes_no_text() {
    let (results, verified) = (sample::results(), sample::verification());
    let plain = Style::default();
    let coloured = Style {
        color: true,
        ..plain
    };
    let plain = everything(&results, &verified, &plain);
    let coloured = everything(&results, &verified, &coloured);
    for (plain, coloured) in plain.iter().zip(&coloured) {
        assert!(!plain.contains('\x1b'));
        assert!(coloured.contains('\x1b'));
        assert_eq!(uncoloured(coloured), *plain);
    }
}

#[test]
fn lines_keep_to_the_width_of_the_terminal() {
    let (results, verified) = (sample::results(), sample::verification());
    for lang in [Lang::En, Lang::Zh] {
        for width in [80, 120] {
            let style = Style {
                lang,
                width,
                ..Style::default()
            };
            for text in everything(&results, &verified, &style) {
                for line in text.lines() {
                    assert!(crate::layout::width(line) <= width, "{line}");
                }
            }
        }
    }
}

#[test]
fn without_unicode_english_output_is_ascii_but_for_what_students_wrote() {
    let style = Style {
        unicode: false,
        ..Style::default()
    };
    for text in everything(&sample::results(), &sample::verification(), &style) {
        let text = ["李雷", "韩梅梅"]
            .iter()
            .fold(text, |text, name| text.replace(name, ""));
        assert!(text.is_ascii(), "{text}");
    }
}
