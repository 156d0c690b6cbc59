//! What `grader verify` found, for people and for programs. In English only: authors of problems read it.

use grader_language::Languages;
use grader_model::{Lang, Mismatch, SampleOutcome, Verification};
use grader_view::{SampleView, SampledProblem, SamplesView};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Mistake;
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};
use crate::terminal::{case_group_lines, submission_lines, subtask_lines};

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
    let style = &Style {
        lang: Lang::En,
        ..*style
    };
    let view = SamplesView::of(verification);
    let mut page = Page::new(style);
    for problem in &view.problems {
        page.gap();
        problem_lines(&mut page, problem, languages, verbose);
    }
    page.gap();
    let holds = verification.holds();
    let tone = if holds { Tone::Pass } else { Tone::Fail };
    page.line(0, &tone.on(summary(&view, style)));
    page.finish()
}

fn problem_lines(
    page: &mut Page,
    problem: &SampledProblem<'_>,
    languages: &Languages,
    verbose: bool,
) {
    let style = &page.style();
    page.line(0, &Tone::Strong.on(safe(problem.id.as_str())));
    mismatches(page, 2, problem.mismatches, verbose);
    if problem.unchanged {
        page.line(2, &Tone::Faint.on("unchanged since it was verified"));
    }
    let head = ["  sample", "language", "expected", "found", "points"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(problem.samples.iter().map(|sample| row(sample, languages)));
    let lines = table(&rows, &[4]);
    if !problem.samples.is_empty() {
        page.raw(2, &Tone::Faint.on(lines[0].trim_end()));
    }
    for (sample, line) in problem.samples.iter().zip(&lines[1..]) {
        page.raw(2, line);
        if sample.outcome != SampleOutcome::AsExpected || verbose {
            mismatches(page, INDENT, sample.mismatches, verbose);
            sample_details(page, INDENT, sample);
        }
        if let Some(warning) = sample.warning {
            page.hang(INDENT, &Tone::Partial.on("warning: "), &safe(warning));
        }
    }
    if !problem.idle_cases.is_empty() {
        let cases = style.list(problem.idle_cases.iter().map(|case| safe(case)));
        let label = if problem.stopped_early {
            "cases that no wrong sample failed (some stopped early; `--all` runs every case): "
        } else {
            "cases that no wrong sample fails: "
        };
        let label = Tone::Partial.on(label);
        page.line(2, &format!("{label}{cases}"));
    }
    // How near the samples come to the time limits.
    for (label, margin) in [
        ("slowest pass:     ", &problem.slowest_pass),
        ("fastest time-out: ", &problem.fastest_time_out),
    ] {
        let Some(margin) = margin else { continue };
        let more_than = if margin.stopped { "more than " } else { "" };
        let (sample, case) = (safe(margin.sample), safe(&margin.case));
        let text = format!(
            "{more_than}{:.2} times its limit: {sample}, {case}",
            margin.ratio
        );
        page.hang(2, &Tone::Faint.on(label), &text);
    }
}

fn row(sample: &SampleView<'_>, languages: &Languages) -> Vec<String> {
    let found = &sample.found;
    let (mark, tone) = match sample.outcome {
        SampleOutcome::NotRun => ("-", Tone::Faint),
        SampleOutcome::AsExpected => ("✓", Tone::Pass),
        SampleOutcome::Unexpected | SampleOutcome::Fault => ("✗", Tone::Fail),
    };
    let language = found.language.map_or("", |id| languages.name(id));
    let (code, expected) = (found.verdict.code(), sample.expected.code());
    let verdict = if !sample.has_run() {
        "not run".to_owned()
    } else if sample.is_met_in_a_case() {
        format!("{expected}, {code} overall")
    } else {
        code.to_owned()
    };
    vec![
        format!("{} {}", tone.on(mark), safe(sample.path)),
        safe(language),
        expected.to_owned(),
        tone.on(verdict),
        found.standing.to_string(),
    ]
}

fn mismatches(page: &mut Page, indent: usize, mismatches: &[Mismatch], verbose: bool) {
    let shown = if verbose { usize::MAX } else { MAX_MISMATCHES };
    for mismatch in mismatches.iter().take(shown) {
        let place = Tone::Fail.on(format!("{}: ", safe(&mismatch.place)));
        let mut lines = mismatch.message.splitn(2, '\n');
        let message = safe(lines.next().unwrap_or_default());
        page.line(indent, &format!("{place}{message}"));
        if let Some(rest) = lines.next() {
            page.block(indent + 2, rest);
        }
    }
    if mismatches.len() > shown {
        let more = mismatches.len() - shown;
        page.line(indent, &Tone::Faint.on(format!("… and {more} more")));
    }
}

/// Blanks before the details of a sample.
const INDENT: usize = 6;

/// Why a sample got its verdict, as for a student: the author's reason, the build, and the cases of one subtask.
pub(crate) fn sample_details(page: &mut Page, indent: usize, sample: &SampleView<'_>) {
    let style = &page.style();
    if let Some(because) = sample.because {
        page.hang(indent, &Tone::Faint.on("because: "), &safe(because));
    }
    let found = &sample.found;
    if found.is_unbuilt() {
        return submission_lines(page, indent, found);
    }
    let whole = !found.has_run || !sample.has_run();
    if let Some(message) = found.message.filter(|_| whole) {
        page.line(indent, &style.text(message));
    }
    if !sample.has_run() {
        return;
    }
    if let Some(subtask) = sample.explaining() {
        page.line(indent, &Tone::Faint.on(safe(subtask.name.as_str())));
        subtask_lines(page, indent + 2, subtask);
        for group in subtask.groups() {
            case_group_lines(page, indent + 2, &group);
        }
    }
}

/// `n-queens: 4 samples, 3 as expected, 1 not; 1 problem has errors of its own`.
fn summary(view: &SamplesView<'_>, style: &Style) -> String {
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
    let samples = style.counted(held + absent + not, ["sample", "samples"], "");
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
