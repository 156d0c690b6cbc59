//! A class: what an instructor sees when grading ends.

use std::collections::BTreeMap;

use grader_model::IsolationLevel;
use grader_view::{ClassView, Reuse};

use super::Document;
use super::attention::attention;
use super::points::points;
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// The class on one page: where it was graded and how safely, a table of points, and what needs a human.
pub fn class(class: &ClassView<'_>, style: &Style) -> String {
    let words = style.words();
    let mut document = heading(class, words);
    if !class.students.is_empty() {
        document.gap();
        document.append(points(class, words).into());
    }
    if let Some(legend) = words.legend(class) {
        document.line(Tone::Faint.on(legend));
    }
    document.gap();
    document.line(words.statistics(&class.statistics, class.students.len()));
    if let Some(reuse) = &class.reuse {
        document.line(reused(reuse, words));
    }
    document.gap();
    document.append(attention(class, words));
    document.text(style)
}

/// The title of the assignment.
pub(super) fn title(class: &ClassView<'_>, words: Words) -> String {
    let (title, id) = (&class.assignment.title, &class.assignment.id);
    format!(
        "{} ({})",
        Tone::Strong.on(words.text(title)),
        safe(id.as_str())
    )
}

fn heading(class: &ClassView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    document.line(title(class, words));
    let students = words.students(class.students.len());
    let worth = words.assignment_worth(class.assignment);
    document.line(format!("{students} · {worth}"));
    document.line(words.host(class.host).join(" · "));
    if let Some(run) = class.run {
        document.line(words.run(run));
    }
    document.append(isolation(class, words));
    if class.interrupted {
        document.line(Tone::Fail.on(words.interrupted()));
    }
    document
}

/// How safely it was graded.
pub(super) fn isolation(class: &ClassView<'_>, words: Words) -> Document {
    let mut text = match class.isolation.level {
        IsolationLevel::Strict => words.strict().to_owned(),
        IsolationLevel::Basic => words.basic(Tone::Fail.on(words.not_a_sandbox())),
    };
    let missing = class.isolation.missing.iter().map(|layer| safe(layer));
    let missing = words.list(missing);
    if !missing.is_empty() {
        text = format!("{text} · {}", Tone::Fail.on(words.missing_layers(missing)));
    }
    let mut document = Document::default();
    document.item(words.isolation(), text);
    document
}

/// How much was reused, and why the rest was judged.
fn reused(reuse: &Reuse<'_>, words: Words) -> String {
    let mut judged: BTreeMap<String, usize> = BTreeMap::new();
    for (because, count) in &reuse.judged {
        let why = if because.is_empty() {
            words.new_submission().to_owned()
        } else {
            words.changes(because)
        };
        *judged.entry(why).or_default() += count;
    }
    let graded = judged.values().sum::<usize>();
    let line = words.reused_of(reuse.reused, reuse.reused + graded);
    if graded == 0 {
        return line;
    }
    let reasons = judged
        .iter()
        .rev()
        .map(|(why, count)| words.with_note(why, count));
    let reasons = reasons.collect::<Vec<_>>().join(words.comma());
    line + &words.judged_because(graded, reasons)
}
