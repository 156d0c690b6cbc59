//! What needs human attention: the same program twice first, then faults, then what is worth a look.

use std::collections::BTreeMap;

use grader_model::listed;
use grader_view::{ClassView, NeedKind};

use crate::layout::{Page, table, whole};
use crate::style::{Style, Tone};

/// One line: who, for what, why.
struct Entry {
    student: String,
    about: String,
    reason: String,
}

pub(super) fn attention(page: &mut Page, class: &ClassView<'_>) {
    let style = &page.style();
    if class.needs.is_empty() {
        let line = style.pick("Nothing needs attention.", "没有需要人工处理的情况。");
        if !class.interrupted {
            page.line(0, &Tone::Pass.on(line));
        }
        return;
    }
    let title = style.pick("Needs human attention", "需要人工处理");
    page.line(0, &Tone::Strong.on(title));
    for kind in NeedKind::ALL {
        let needs = class.needs.iter().filter(|need| need.kind == kind);
        let needs: Vec<_> = needs.collect();
        let entries = needs.iter().map(|need| Entry {
            student: Style::student(need),
            about: style.about(&need.about),
            reason: style.why(need),
        });
        let entries: Vec<Entry> = entries.collect();
        if !entries.is_empty() {
            page.gap();
            let heading = style.need_title(kind).to_owned();
            page.line(2, &(heading + &style.in_heading(entries.len())));
            list(page, &entries);
        }
        if let Some((label, command)) = style.advice(&needs, &class.students) {
            page.line(4, &Tone::Faint.on(label));
            // A line break would change the command.
            page.raw(6, &command);
        }
    }
}

/// At least so many entries with the same reason share it.
const MIN_SHARED: usize = 3;

/// Each entry on a line, except that entries with a common reason, or without one, share it.
fn list(page: &mut Page, entries: &[Entry]) {
    let style = &page.style();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(&entry.reason).or_default() += 1;
    }
    let is_shared =
        |entry: &&Entry| entry.reason.is_empty() || counts[entry.reason.as_str()] >= MIN_SHARED;
    let (mut shared, alone): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_shared);
    let (alone, more) = listed(&alone);
    let rows = alone
        .iter()
        .map(|it| vec![it.student.clone(), it.about.clone()]);
    for (label, entry) in table(&rows.collect::<Vec<_>>(), &[]).iter().zip(alone) {
        page.hang(4, label, &entry.reason);
    }
    if let Some(more) = more {
        page.line(4, &style.text(&more));
    }
    while let Some(reason) = shared.first().map(|entry| &entry.reason) {
        let (same, others): (Vec<&Entry>, Vec<&Entry>) =
            shared.iter().partition(|entry| entry.reason == *reason);
        let who = same.chunk_by(|one, two| one.student == two.student);
        let who = who.map(|entries| {
            let about: Vec<&str> = entries.iter().map(|entry| entry.about.as_str()).collect();
            match about.join(style.pick(", ", "、")).as_str() {
                "" => whole(&entries[0].student),
                about => whole(&style.pick(
                    format!("{} ({about})", entries[0].student),
                    format!("{}（{about}）", entries[0].student),
                )),
            }
        });
        let who = who.collect::<Vec<_>>();
        if reason.is_empty() {
            page.line(4, &who.join("  "));
        } else {
            page.line(4, &format!("{reason}{}", style.colon().trim_end()));
            page.line(6, &who.join(style.comma()));
        }
        shared = others;
    }
}

#[cfg(test)]
mod tests {
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
        let style = Style::default();
        let mut page = Page::new(&style);
        list(&mut page, &entries);
        assert_eq!(
            page.finish(),
            "    s02  count  a table
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
