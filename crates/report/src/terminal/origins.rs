//! What was taken from earlier runs, and why the rest was not.

use grader_model::{Change, Origin, ProblemResult, Results, RunInfo};

use crate::layout::Page;
use crate::style::{Style, Tone, safe};
use crate::words::{Phrase, Words};

/// How the submissions of a run came to their results.
#[derive(Default)]
struct Count<'r> {
    reused: Took,
    ran: usize,
    /// By what was different, the most frequent first; new submissions have nothing.
    because: Vec<(&'r [Change], usize)>,
}

/// Results that come from other runs.
#[derive(Default)]
struct Took {
    count: usize,
    runs: Vec<u64>,
}

impl Took {
    fn add(&mut self, run: u64) {
        self.count += 1;
        if let Err(at) = self.runs.binary_search(&run) {
            self.runs.insert(at, run);
        }
    }
}

impl<'r> Count<'r> {
    fn of(results: &'r Results) -> Self {
        let mut count = Self::default();
        let problems = results.students.iter().flat_map(|it| &it.problems);
        for origin in problems.filter_map(|problem| problem.origin.as_ref()) {
            match origin {
                Origin::Reused { run } => count.reused.add(*run),
                Origin::Ran { because } => {
                    count.ran += 1;
                    match count.because.iter_mut().find(|(it, _)| it == because) {
                        Some((_, same)) => *same += 1,
                        None => count.because.push((because, 1)),
                    }
                }
            }
        }
        // Of two that are as frequent the one that the first student has.
        count
            .because
            .sort_by_key(|(_, same)| std::cmp::Reverse(*same));
        count
    }

    fn is_of_interest(&self) -> bool {
        let known = |(because, _): &(&[Change], usize)| !because.is_empty();
        self.reused.count > 0 || self.because.iter().any(known)
    }
}

/// One line: what was taken from which runs, and why the rest was judged. Nothing if no earlier run knew any of the
/// submissions.
pub(super) fn origins(page: &mut Page, results: &Results, style: &Style) {
    let words = style.words();
    let count = Count::of(results);
    if !count.is_of_interest() {
        return;
    }
    let all = count.reused.count + count.ran;
    let mut parts = vec![words.taken(count.reused.count, all, &count.reused.runs)];
    if count.ran > 0 {
        let judged = words.judged(count.ran);
        parts.push(format!(
            "{judged}{}{}",
            words.say(Phrase::Colon),
            reasons(&count, words)
        ));
    }
    page.hang(0, "", &parts.join(words.say(Phrase::Semicolon)));
}

fn reasons(count: &Count<'_>, words: Words) -> String {
    let reasons = count.because.iter().map(|(because, same)| {
        let because = if because.is_empty() {
            words.new_ones().to_owned()
        } else {
            words.changes(because)
        };
        format!("{same} {because}")
    });
    let reasons: Vec<String> = reasons.collect();
    reasons.join(words.say(Phrase::Comma))
}

/// Which run of the ledger these results are.
pub(super) fn run(info: &RunInfo, style: &Style) -> String {
    // `2026-11-22T05:23:47Z` is for programs.
    let began = safe(&info.began);
    let began = began
        .split_once('T')
        .and_then(|(day, time)| Some(format!("{day} {} UTC", time.strip_suffix('Z')?)))
        .unwrap_or(began);
    style.words().run(info.id, &began)
}

/// Where the result of one submission comes from, where that is not this run as a matter of course.
pub(super) fn origin_line(page: &mut Page, indent: usize, problem: &ProblemResult, style: &Style) {
    let words = style.words();
    let line = match &problem.origin {
        Some(Origin::Reused { run }) => words.taken_from(*run),
        Some(Origin::Ran { because }) if !because.is_empty() => words.judged_because(because),
        Some(Origin::Ran { .. }) | None => return,
    };
    page.line(indent, &Tone::Faint.on(line));
}
