//! What there is to say once of all cases of a subtask that are run several times.

use std::collections::BTreeMap;

use grader_model::{Attempts, SubtaskResult, Verdict};

use super::explain::is_notable;
use crate::layout::Page;
use crate::style::{Style, safe};
use crate::words::Phrase;

/// The rates of the cases of which every attempt was accepted: those with as many attempts in one sentence.
pub(super) fn all_accepted(page: &mut Page, indent: usize, subtask: &SubtaskResult, style: &Style) {
    let words = style.words();
    let cases = subtask.cases.iter();
    let mut alike: BTreeMap<u32, (Attempts, Vec<String>)> = BTreeMap::new();
    for case in cases.filter(|case| case.verdict == Verdict::Accepted && !is_notable(case)) {
        if let Some(attempts) = case.attempts {
            let (_, names) = alike.entry(attempts.made).or_insert((attempts, Vec::new()));
            names.push(safe(case.name.as_str()));
        }
    }
    for (attempts, names) in alike.values() {
        let names = names.join(words.say(Phrase::ListComma));
        page.line(indent, &words.all_attempts(&names, attempts));
    }
}
