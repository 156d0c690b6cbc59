//! What `grader verify` found, for people and for programs. In English only: authors of problems read it.

use std::iter;

use grader_language::Languages;
use grader_model::{Lang, Mismatch, SampleOutcome, Verification};
use grader_view::{SampleView, SampledProblem, SamplesView};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Mistake;
use crate::document::{Block, Document, Row, submission, subtask_sentence, told_group};
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// Mismatches of one sample or problem that are shown unless `verbose`.
const MAX_MISMATCHES: usize = 3;

/// Shows which samples are as expected, and how the others differ. `languages` are those of the assignment.
///
/// With `verbose`, also explains the verdicts of samples that are as expected, and shows all mismatches.
pub fn verification(
    verification: &Verification,
    languages: &Languages,
    style: &Style,
    verbose: bool,
) -> String {
    let view = SamplesView::of(verification);
    let mut document = Document::default();
    for problem in &view.problems {
        document.gap();
        document.append(of_problem(problem, languages, verbose));
    }
    document.gap();
    let holds = verification.holds();
    let tone = if holds { Tone::Pass } else { Tone::Fail };
    document.line(tone.on(summary(&view)));
    document.text(style)
}

/// Authors of problems read English.
const WORDS: Words = Words::of(Lang::En);

fn of_problem(view: &SampledProblem<'_>, languages: &Languages, verbose: bool) -> Document {
    let problem = view.problem;
    let mut document = Document::default();
    document.line(Tone::Strong.on(safe(problem.id.as_str())));
    let mut found = mismatches(&problem.mismatches, verbose);
    if problem.unchanged {
        found.line(Tone::Faint.on("unchanged since it was verified"));
    }
    if !problem.samples.is_empty() {
        let heads = ["  sample", "language", "expected", "found", "points"];
        let heads = Row::of(heads.map(|head| Tone::Faint.on(head)));
        let samples = view.samples.iter();
        let samples = samples.map(|sample| row(sample, languages, verbose));
        found.append(Document::of_rows(iter::once(heads).chain(samples), &[4]));
    }
    if !problem.idle_cases.is_empty() {
        let cases = WORDS.list(problem.idle_cases.iter().map(|case| safe(case)));
        let label = if problem.stopped_early {
            "cases that no wrong sample failed (some stopped early; `--all` runs every case): "
        } else {
            "cases that no wrong sample fails: "
        };
        let label = Tone::Partial.on(label);
        found.line(format!("{label}{cases}"));
    }
    // How near the samples come to the time limits.
    for (label, margin) in [
        ("slowest pass:     ", &view.slowest_pass),
        ("fastest time-out: ", &view.fastest_time_out),
    ] {
        let Some(margin) = margin else { continue };
        let more_than = if margin.stopped { "more than " } else { "" };
        let (sample, case) = (safe(margin.sample), safe(&margin.case));
        let text = format!(
            "{more_than}{:.2} times its limit: {sample}, {case}",
            margin.ratio
        );
        found.item(Tone::Faint.on(label), text);
    }
    document.under(2, found);
    document
}

fn row(view: &SampleView<'_>, languages: &Languages, verbose: bool) -> Row {
    let (sample, found) = (view.sample, &view.found);
    let (mark, tone) = match view.outcome {
        SampleOutcome::NotRun => ("-", Tone::Faint),
        SampleOutcome::AsExpected => ("✓", Tone::Pass),
        SampleOutcome::Unexpected | SampleOutcome::Fault => ("✗", Tone::Fail),
    };
    let language = found.language.map_or("", |id| languages.name(id));
    let (code, expected) = (found.verdict.code(), sample.expected.code());
    let verdict = if !sample.has_run() {
        "not run".to_owned()
    } else if view.is_met_in_a_case() {
        format!("{expected}, {code} overall")
    } else {
        code.to_owned()
    };
    let mut details = Document::default();
    if view.outcome != SampleOutcome::AsExpected || verbose {
        details.append(mismatches(&sample.mismatches, verbose));
        details.append(sample_details(view));
    }
    if let Some(warning) = &sample.warning {
        details.item(Tone::Partial.on("warning: "), safe(warning));
    }
    let mut below = Document::default();
    below.under(2, details);
    Row {
        below,
        ..Row::of([
            format!("{} {}", tone.on(mark), safe(&sample.path)),
            safe(language),
            expected.to_owned(),
            tone.on(verdict),
            found.standing.to_string(),
        ])
    }
}

fn mismatches(mismatches: &[Mismatch], verbose: bool) -> Document {
    let mut document = Document::default();
    let shown = if verbose { usize::MAX } else { MAX_MISMATCHES };
    for mismatch in mismatches.iter().take(shown) {
        let place = Tone::Fail.on(format!("{}: ", safe(&mismatch.place)));
        let mut lines = mismatch.message.splitn(2, '\n');
        let message = safe(lines.next().unwrap_or_default());
        document.line(format!("{place}{message}"));
        if let Some(rest) = lines.next() {
            document.under(2, Block::Quote(rest.to_owned()));
        }
    }
    if mismatches.len() > shown {
        let more = mismatches.len() - shown;
        document.line(Tone::Faint.on(format!("… and {more} more")));
    }
    document
}

/// Why a sample got its verdict, as for a student: the author's reason, the build, and the cases of one subtask.
pub(crate) fn sample_details(view: &SampleView<'_>) -> Document {
    let (sample, found) = (view.sample, &view.found);
    let mut document = Document::default();
    if let Some(because) = &sample.because {
        document.item(Tone::Faint.on("because: "), safe(because));
    }
    let whole = !found.has_run || !sample.has_run();
    if let Some(message) = found.message.filter(|_| whole) {
        document.line(WORDS.text(message));
    }
    if found.is_unbuilt() {
        document.append(submission(found, WORDS));
        return document;
    }
    if let Some(subtask) = view.explaining().filter(|_| sample.has_run()) {
        document.line(Tone::Faint.on(safe(subtask.name.as_str())));
        let mut cases = subtask_sentence(subtask, WORDS);
        for group in subtask.groups() {
            cases.append(told_group(&group, WORDS));
        }
        document.under(2, cases);
    }
    document
}

/// `n-queens: 4 samples, 3 as expected, 1 not; 1 problem has errors of its own`.
fn summary(view: &SamplesView<'_>) -> String {
    let held = view.count(SampleOutcome::AsExpected);
    let absent = view.count(SampleOutcome::NotRun);
    let not = view.count(SampleOutcome::Unexpected) + view.count(SampleOutcome::Fault);
    let mut expected = match not {
        0 if absent == 0 => "all as expected".to_owned(),
        0 => format!("{held} as expected"),
        not => format!("{held} as expected, {not} not"),
    };
    if absent > 0 {
        expected = format!("{expected}, {absent} not run");
    }
    let id = safe(view.assignment.as_str());
    let samples = WORDS.counted(held + absent + not, ["sample", "samples"], "");
    let wrong = match view.wrong_problems() {
        0 => String::new(),
        1 => "; 1 problem has errors of its own".to_owned(),
        count => format!("; {count} problems have errors of their own"),
    };
    format!("{id}: {samples}, {expected}{wrong}")
}

/// What `grader verify` found: `bitcraft-verification/4`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct VerificationDocument {
    /// Name and version of this format.
    #[schemars(extend("const" = VerificationDocument::FORMAT))]
    format: &'static str,
    /// Whether everything is as expected.
    holds: bool,
    /// Whether it was stopped before the end: samples are missing.
    interrupted: bool,
    /// The assignments, with texts in English.
    assignments: Vec<Verification>,
    /// The mistakes in problem files. If there are any, nothing was verified.
    mistakes: Vec<Mistake>,
}

impl VerificationDocument {
    /// Name and version of this format.
    pub const FORMAT: &'static str = "bitcraft-verification/4";

    /// What was found of some assignments.
    pub fn of(verifications: &[Verification], interrupted: bool) -> Self {
        let mut assignments = verifications.to_vec();
        let problems = assignments.iter_mut().flat_map(|it| &mut it.problems);
        for sample in problems.flat_map(|problem| &mut problem.samples) {
            sample.found = sample.found.clone().in_language(Lang::En);
        }
        Self {
            format: Self::FORMAT,
            holds: !interrupted && verifications.iter().all(Verification::holds),
            interrupted,
            assignments,
            mistakes: Vec::new(),
        }
    }

    /// Mistakes because of which nothing was verified.
    pub const fn unread(mistakes: Vec<Mistake>) -> Self {
        Self {
            format: Self::FORMAT,
            holds: false,
            interrupted: false,
            assignments: Vec::new(),
            mistakes,
        }
    }
}

#[cfg(test)]
mod tests;
