//! What needs human attention: the same program twice first, then faults, then what is worth a look.

use std::collections::BTreeMap;

use grader_model::listed;
use grader_view::{ClassView, NeedKind};

use super::{Block, Document, Row};
use crate::style::Tone;
use crate::words::Words;
use crate::wrap::whole;

/// One line: who, for what, why.
struct Entry {
    student: String,
    about: String,
    reason: String,
}

pub(super) fn attention(class: &ClassView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    if class.needs.is_empty() {
        if !class.interrupted {
            document.line(Tone::Pass.on(words.nothing_needs_attention()));
        }
        return document;
    }
    document.line(Tone::Strong.on(words.needs_attention()));
    for kind in NeedKind::ALL {
        let needs = class.needs.iter().filter(|need| need.kind == kind);
        let needs: Vec<_> = needs.collect();
        let entries = needs.iter().map(|need| Entry {
            student: Words::student_of(need),
            about: words.about(&need.about),
            reason: words.why(need),
        });
        let entries: Vec<Entry> = entries.collect();
        let mut of_kind = Document::default();
        if !entries.is_empty() {
            document.gap();
            of_kind.line(words.need_title(kind).to_owned() + &words.note(entries.len()));
            of_kind.under(2, list(&entries, words));
        }
        if let Some((label, command)) = words.advice(&needs, &class.students) {
            let mut advice = Document::default();
            advice.line(Tone::Faint.on(label));
            // A line break would change the command.
            advice.under(2, Block::Exact(command));
            of_kind.under(2, advice);
        }
        document.under(2, of_kind);
    }
    document
}

/// At least so many entries with the same reason share it.
const MIN_SHARED: usize = 3;

/// Each entry on a line, except that entries with a common reason, or without one, share it.
fn list(entries: &[Entry], words: Words) -> Document {
    let mut document = Document::default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(&entry.reason).or_default() += 1;
    }
    let is_shared =
        |entry: &&Entry| entry.reason.is_empty() || counts[entry.reason.as_str()] >= MIN_SHARED;
    let (mut shared, alone): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_shared);
    let (alone, more) = listed(&alone);
    let row = |it: &&Entry| Row::of([it.student.clone(), it.about.clone()]).with(&it.reason);
    document.append(Document::of_rows(alone.iter().map(row), &[]));
    if let Some(more) = more {
        document.line(words.text(&more));
    }
    while let Some(reason) = shared.first().map(|entry| &entry.reason) {
        let (same, others): (Vec<&Entry>, Vec<&Entry>) =
            shared.iter().partition(|entry| entry.reason == *reason);
        let who = same.chunk_by(|one, two| one.student == two.student);
        let who = who.map(|entries| {
            let about = words.list(entries.iter().map(|entry| entry.about.clone()));
            let student = &entries[0].student;
            whole(&match about.as_str() {
                "" => student.clone(),
                about => words.with_note(student, about),
            })
        });
        let who = who.collect::<Vec<_>>();
        if reason.is_empty() {
            document.line(who.join("  "));
        } else {
            document.line(format!("{reason}{}", words.colon().trim_end()));
            document.under(2, Block::Line(who.join(words.comma())));
        }
        shared = others;
    }
    document
}

#[cfg(test)]
mod tests {
    use grader_model::Lang;

    use super::*;

    #[test]
    fn many_entries_share_a_reason() {
        let refused = "`s1.zip` is not unpacked";
        let entries = [
            ("s01", "polynomial", "the same output"),
            ("s01", "annealing", "the same output"),
            ("s02", "count", "a table"),
            ("王 小明", "annealing", "the same output"),
            ("s1", "count", refused),
            ("s1", "board", refused),
            ("s3", "count", "no `main`"),
            ("s4", "", ""),
            ("s5", "", ""),
        ]
        .map(|(student, about, reason)| Entry {
            student: student.to_owned(),
            about: about.to_owned(),
            reason: reason.to_owned(),
        });
        assert_eq!(
            list(&entries, Words::of(Lang::En)).plain(),
            "s02  count  a table
s1   count  `s1.zip` is not unpacked
s1   board  `s1.zip` is not unpacked
s3   count  no `main`
the same output:
  s01 (polynomial, annealing), 王 小明 (annealing)
s4  s5
"
        );
    }
}
