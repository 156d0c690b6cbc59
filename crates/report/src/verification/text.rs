//! The verification as people read it on a terminal.

use grader_model::{
    CaseResult, Lang, Mismatch, ProblemVerification, SampleResult, Verdict, Verification,
};

use super::grid::table_lines;
use crate::layout::{Page, left, right, width};
use crate::style::{Style, Tone, safe};
use crate::terminal::{Explanations, submission_lines, subtask_lines};
use crate::words::Phrase;

/// Number of places of one sample or problem that are named unless everything is.
const PLACES: usize = 3;

/// Tells which samples got what they must get, and why not where they did not.
///
/// With `verbose` the samples that are as expected also say why they got their verdict, and every place that is
/// not as expected is named, not only the first few. Where every mutant was run on every case, the table of the tests
/// follows.
pub fn verification(verification: &Verification, style: &Style, verbose: bool) -> String {
    let mut page = Page::new(style);
    for problem in &verification.problems {
        page.gap();
        problem_lines(&mut page, problem, style, verbose);
        if verification.every_case {
            table_lines(&mut page, problem, style);
        }
    }
    page.gap();
    closing(&mut page, verification, style);
    page.finish()
}

fn problem_lines(page: &mut Page, problem: &ProblemVerification, style: &Style, verbose: bool) {
    let words = style.words();
    page.line(0, &Tone::Strong.on(safe(problem.id.as_str())));
    mismatches(page, 2, &problem.mismatches, style, verbose);
    let columns = Columns::of(problem, style);
    if !problem.samples.is_empty() {
        page.raw(2, &Tone::Faint.on(columns.head(style)));
    }
    for sample in &problem.samples {
        page.raw(2, &columns.row(sample));
        if !sample.holds() || verbose {
            sample_details(page, 6, sample, style, verbose);
        }
    }
    if !problem.idle_cases.is_empty() {
        let cases: Vec<String> = problem.idle_cases.iter().map(|case| safe(case)).collect();
        let label = format!(
            "{}{}",
            words.say(Phrase::IdleCases),
            words.say(Phrase::Colon)
        );
        let cases = cases.join(words.say(Phrase::ListComma));
        page.line(2, &format!("{}{cases}", Tone::Partial.on(label)));
    }
    margins(page, problem, style);
}

/// How near the samples come to the time limits.
fn margins(page: &mut Page, problem: &ProblemVerification, style: &Style) {
    let (slowest, fastest) = problem.margins();
    let labels = [
        style.lang.pick("slowest that passes", "通过的最慢运行"),
        style.lang.pick("fastest over time", "超时的最快运行"),
    ];
    let widest = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    for (label, margin) in labels.into_iter().zip([slowest, fastest]) {
        let Some(margin) = margin else { continue };
        let ratio = format!("{:.2}", margin.ratio);
        // A program that was stopped would have taken longer.
        let ratio = match (margin.stopped, style.lang) {
            (false, Lang::En) => format!("{ratio} times its limit"),
            (true, Lang::En) => format!("more than {ratio} times its limit"),
            (false, Lang::Zh) => format!("时限的 {ratio} 倍"),
            (true, Lang::Zh) => format!("至少为时限的 {ratio} 倍（被终止）"),
        };
        let run = format!("{}, {}", safe(&margin.sample), safe(&margin.case));
        page.hang(
            2,
            &format!("{}  ", Tone::Faint.on(left(label, widest))),
            &format!("{ratio}: {run}"),
        );
    }
}

/// The columns of the samples of one problem: path, language, expected, found, points.
struct Columns {
    path: usize,
    language: usize,
    expected: usize,
    points: usize,
}

impl Columns {
    fn of(problem: &ProblemVerification, style: &Style) -> Self {
        let words = style.words();
        let widest = |head: &str, part: &dyn Fn(&SampleResult) -> usize| {
            let widths = problem.samples.iter().map(part);
            widths.chain([width(head)]).max().unwrap_or(0)
        };
        Self {
            path: widest(words.say(Phrase::Sample), &|s| width(&safe(&s.path))),
            language: widest(words.say(Phrase::Language), &|s| width(language(s))),
            expected: widest(words.say(Phrase::Expected), &|s| width(s.expected.code())),
            points: widest("", &|s| width(&points(s))),
        }
    }

    fn head(&self, style: &Style) -> String {
        let words = style.words();
        format!(
            "  {}  {}  {}  {}",
            left(words.say(Phrase::Sample), self.path),
            left(words.say(Phrase::Language), self.language),
            left(words.say(Phrase::Expected), self.expected),
            words.say(Phrase::Found),
        )
    }

    fn row(&self, sample: &SampleResult) -> String {
        let (mark, tone) = if sample.holds() {
            ("✓", Tone::Pass)
        } else {
            ("✗", Tone::Fail)
        };
        format!(
            "{} {}  {}  {}  {} {}",
            tone.on(mark),
            left(&safe(&sample.path), self.path),
            left(language(sample), self.language),
            left(sample.expected.code(), self.expected),
            tone.on(left(sample.found.verdict.code(), 3)),
            right(&points(sample), self.points),
        )
    }
}

fn language(sample: &SampleResult) -> &'static str {
    sample
        .found
        .language
        .map_or("", |language| grader_language::language(language).name())
}

fn points(sample: &SampleResult) -> String {
    let points = sample.found.points;
    points.map_or_else(|| "?".to_owned(), |points| points.to_string())
}

fn mismatches(
    page: &mut Page,
    indent: usize,
    mismatches: &[Mismatch],
    style: &Style,
    verbose: bool,
) {
    let most = if verbose { usize::MAX } else { PLACES };
    for mismatch in mismatches.iter().take(most) {
        let colon = style.words().say(Phrase::Colon);
        let label = format!("{}{colon}", safe(&mismatch.place));
        let message = safe(mismatch.message.get(style.lang));
        page.line(indent, &format!("{}{message}", Tone::Fail.on(label)));
    }
    if mismatches.len() > most {
        let more = style.words().more_places(mismatches.len() - most);
        page.line(indent, &Tone::Faint.on(more));
    }
}

fn sample_details(
    page: &mut Page,
    indent: usize,
    sample: &SampleResult,
    style: &Style,
    verbose: bool,
) {
    mismatches(page, indent, &sample.mismatches, style, verbose);
    if let Some(because) = &sample.because {
        let words = style.words();
        let label = format!("{}{}", words.say(Phrase::Because), words.say(Phrase::Colon));
        page.hang(indent, &Tone::Faint.on(label), &safe(because));
    }
    let found = &sample.found;
    let mut explanations = Explanations::default();
    if found.verdict == Verdict::CompileError {
        submission_lines(page, indent, found, &mut explanations, style);
    }
    let failing = found.subtasks.iter().find_map(|subtask| {
        let case = subtask.cases.iter().find(|case| explains(case))?;
        Some((subtask, case))
    });
    if let Some(message) = &found.message
        && found.verdict != Verdict::CompileError
        && failing.is_none_or(|(_, case)| case.message.as_ref() != Some(message))
    {
        page.line(indent, &safe(message.get(style.lang)));
    }
    let failing = failing.map(|(subtask, case)| (&subtask.name, case));
    for subtask in &found.subtasks {
        let case = failing.filter(|(name, _)| **name == subtask.name);
        if case.is_none() && subtask.message.is_none() {
            continue;
        }
        page.line(indent, &Tone::Faint.on(safe(subtask.name.as_str())));
        subtask_lines(page, indent + 2, subtask, style);
        if let Some((_, case)) = case {
            explanations.case(page, indent + 2, case, style);
        }
    }
}

/// Whether a case tells why a sample has its verdict.
fn explains(case: &CaseResult) -> bool {
    match case.verdict {
        Verdict::Accepted | Verdict::CompileError | Verdict::Skipped => false,
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::JudgeError => true,
    }
}

fn closing(page: &mut Page, verification: &Verification, style: &Style) {
    let words = style.words();
    let samples = || verification.problems.iter().flat_map(|p| &p.samples);
    let not = samples().filter(|sample| !sample.holds()).count();
    let broken = verification
        .problems
        .iter()
        .filter(|problem| !problem.mismatches.is_empty())
        .count();
    let tone = if verification.holds() {
        Tone::Pass
    } else {
        Tone::Fail
    };
    let mut line = format!(
        "{}{}{}",
        safe(verification.assignment.as_str()),
        words.say(Phrase::Colon),
        words.samples(samples().count(), not)
    );
    let mutants = || verification.problems.iter().flat_map(|p| &p.mutants);
    let survivors = mutants().filter(|mutant| mutant.survives()).count();
    if mutants().next().is_some() {
        line.push_str(words.say(Phrase::Comma));
        line.push_str(&words.mutants(mutants().count(), survivors));
    }
    if broken > 0 {
        line.push_str(words.say(Phrase::Comma));
        line.push_str(&words.broken_problems(broken));
    }
    page.line(0, &tone.on(line));
}
