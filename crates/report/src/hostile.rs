//! No view lets anything through that moves a cursor, colours a terminal or hides text, even if whoever made an id or a
//! message forgot to escape it.

use grader_language::Languages;
use grader_model::{Lang, Results, Sink as _, StudentId, Verdict, Verification};
use grader_view::{Compared, Comparison, Own, Visible};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::markdown::markdown;
use crate::style::{Style, safe};
use crate::{TestView, diff, document, sample, verification, write_csv};

const HOSTILE: &str = " \u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{2060}\u{206f}\u{9b}31m\r\n\t\u{200b}é皇";

/// The words of enums, which are no texts.
const WORDS: &str = "bitcraft-results/3 judged not-judged not-submitted grader unreadable ran reused checked plain faint \
    good bad cpu basic strict c cpp java python measured too-fast stopped within unresolved sources seconds reference own \
    judging bytes tokens";

/// The same value with hostile text at the end of every text that may come from outside.
pub(crate) fn poisoned<T: Serialize + DeserializeOwned>(value: &T) -> T {
    fn walk(value: &mut Value) {
        match value {
            Value::String(text) => {
                let is_word = WORDS.split_whitespace().any(|word| word == text.as_str());
                if !is_word && !Verdict::ALL.iter().any(|it| it.code() == text) {
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

fn everything(results: &Results, verified: &Verification, style: &Style) -> Vec<String> {
    let mut view = TestView::new(style, Vec::new(), false, Vec::new());
    for event in sample::events(results) {
        view.event(&event).unwrap();
    }
    let visible = Visible::Staff(results);
    let class = visible.view();
    let mut texts = vec![
        String::from_utf8(view.into_inner()).unwrap(),
        document::class(&class, style),
        verification(verified, &Languages::built_in(), style, true),
        diff(
            &Comparison::of(&renamed(results), results, Compared::Judged),
            style,
        ),
    ];
    for (student, view) in results.students.iter().zip(&class.students) {
        texts.push(document::student(view, style));
        texts.push(document::personal(&Own::of(results, student).view(), style));
    }
    texts
}

/// The class in another run, with nobody of the same id.
fn renamed(results: &Results) -> Results {
    let mut results = results.clone();
    for student in &mut results.students {
        student.id = StudentId::new(format!("{}x", student.id));
    }
    results
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
fn hostile_ids_names_and_messages_are_escaped_in_every_view() {
    let results = poisoned(&sample::results());
    let verified = poisoned(&sample::verification());
    for lang in [Lang::En, Lang::Zh] {
        for (color, width) in [(false, 80), (true, 120), (false, 40)] {
            let style = Style { color, lang, width };
            let visible = Visible::Staff(&results);
            let mut csv = Vec::new();
            write_csv(&visible.view(), lang, &mut csv).unwrap();
            let csv = String::from_utf8(csv).unwrap().replace("\r\n", "\n");
            let page = markdown(&visible.view(), lang, usize::MAX);
            let tables = [csv.replace('\u{feff}', ""), page];
            for text in everything(&results, &verified, &style)
                .into_iter()
                .chain(tables)
            {
                for line in uncoloured(&text).split('\n') {
                    assert_eq!(safe(line), line);
                }
            }
        }
    }
}

#[test]
fn colour_changes_no_text_and_lines_keep_to_the_width_of_the_terminal() {
    let (results, verified) = (sample::results(), sample::verification());
    for (lang, width) in [(Lang::En, 80), (Lang::En, 120), (Lang::Zh, 80)] {
        let plain = Style {
            lang,
            width,
            ..Style::default()
        };
        let coloured = Style {
            color: true,
            ..plain
        };
        let plain = everything(&results, &verified, &plain);
        let coloured = everything(&results, &verified, &coloured);
        for (plain, coloured) in plain.iter().zip(&coloured) {
            assert!(coloured.contains('\x1b'));
            assert_eq!(uncoloured(coloured), *plain);
            for line in plain.lines() {
                assert!(crate::wrap::width(line) <= width, "{line}");
            }
        }
    }
}
