//! What `grader verify` found, for people and for programs. In English only: authors of problems read it.

use grader_language::Languages;
use grader_model::{Lang, Mismatch, ProblemVerification, SampleResult, Verdict, Verification};
use grader_view::{ProblemView, is_failing};
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
    let mut page = Page::new(style);
    for problem in &verification.problems {
        page.gap();
        problem_lines(&mut page, problem, languages, verbose);
    }
    page.gap();
    let holds = verification.holds();
    let tone = if holds { Tone::Pass } else { Tone::Fail };
    page.line(0, &tone.on(summary(verification, style)));
    page.finish()
}

fn problem_lines(
    page: &mut Page,
    problem: &ProblemVerification,
    languages: &Languages,
    verbose: bool,
) {
    let style = &page.style();
    page.line(0, &Tone::Strong.on(safe(problem.id.as_str())));
    mismatches(page, 2, &problem.mismatches, verbose);
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
        if !sample.holds() || !sample.has_run() || verbose {
            sample_details(page, sample, verbose);
        }
        if let Some(warning) = not_found(sample, languages) {
            page.hang(INDENT, &Tone::Partial.on("warning: "), &safe(&warning));
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
    let (slowest, fastest) = problem.margins();
    for (label, margin) in [
        ("slowest pass:     ", slowest),
        ("fastest time-out: ", fastest),
    ] {
        let Some(margin) = margin else { continue };
        let more_than = if margin.stopped { "more than " } else { "" };
        let (sample, case) = (safe(&margin.sample), safe(&margin.case));
        let text = format!(
            "{more_than}{:.2} times its limit: {sample}, {case}",
            margin.ratio
        );
        page.hang(2, &Tone::Faint.on(label), &text);
    }
}

fn row(sample: &SampleResult, languages: &Languages) -> Vec<String> {
    let found = &sample.found;
    let (mark, tone) = match (sample.has_run(), sample.holds()) {
        (false, _) => ("-", Tone::Faint),
        (true, true) => ("✓", Tone::Pass),
        (true, false) => ("✗", Tone::Fail),
    };
    let language = found.language.map_or("", |id| languages.name(id));
    let (code, expected) = (found.verdict.code(), sample.expected);
    let mut cases = found.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let verdict = if !sample.has_run() {
        "not run".to_owned()
    } else if found.verdict != expected && cases.any(|case| case.verdict == expected) {
        format!("{}, {code} overall", expected.code())
    } else {
        code.to_owned()
    };
    vec![
        format!("{} {}", tone.on(mark), safe(&sample.path)),
        safe(language),
        expected.code().to_owned(),
        tone.on(verdict),
        found.standing().to_string(),
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

/// The mismatches of a sample, and the first case that explains its verdict.
fn sample_details(page: &mut Page, sample: &SampleResult, verbose: bool) {
    let style = &page.style();
    mismatches(page, INDENT, &sample.mismatches, verbose);
    if let Some(because) = &sample.because {
        page.hang(INDENT, &Tone::Faint.on("because: "), &safe(because));
    }
    let found = ProblemView::of(&sample.found, None);
    if found.is_unbuilt() {
        return submission_lines(page, INDENT, &found);
    }
    if let Some(message) = found
        .message
        .filter(|_| !found.has_run || !sample.has_run())
    {
        page.line(INDENT, &style.text(message));
    }
    if !sample.has_run() {
        return;
    }
    let mut subtasks = found.subtasks.iter();
    if let Some(subtask) = subtasks.find(|subtask| is_failing(subtask.verdict)) {
        page.line(INDENT, &Tone::Faint.on(safe(subtask.name.as_str())));
        subtask_lines(page, INDENT + 2, subtask);
        for group in subtask.groups() {
            case_group_lines(page, INDENT + 2, &group);
        }
    }
}

/// What Python, linkers and `javac` say if a name is not there.
const NOT_FOUND: [&str; 4] = [
    "ModuleNotFoundError: No module named '",
    "ImportError: cannot import name ",
    "undefined reference to ",
    "error: cannot find symbol",
];

/// A warning about a sample that is as expected, but only because a file of the author's does not find its code.
fn not_found(sample: &SampleResult, languages: &Languages) -> Option<String> {
    let found = &sample.found;
    let view = ProblemView::of(found, None);
    let passes = view.cases().any(|(_, case)| case.has_passed());
    if passes || sample.expected == Verdict::Accepted || !sample.holds() {
        return None;
    }
    let cases = || found.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let build = view.compiler_messages().filter(|_| view.is_unbuilt());
    let output = build.or_else(|| cases().find_map(|case| case.stderr.as_deref()));
    let text = &output?.text;
    let at = NOT_FOUND.iter().find_map(|it| text.find(it))?;
    // The file stands before the message: `main.c:3:`, `File "main.py", line 1`.
    let parts = text[..at].rsplit(|c: char| c.is_whitespace() || "\"/(:".contains(c));
    let mut files = parts.filter(|it| languages.of_file_name(it).is_some());
    let file = files.next()?;
    let mut own = found.files.iter().map(|it| it.rsplit('/').next());
    if own.any(|name| name == Some(file)) {
        return None;
    }
    let message = text[at..].lines().next().unwrap_or_default();
    let module = message.strip_prefix(NOT_FOUND[0]);
    let advice = module.and_then(|it| it.strip_suffix('\''));
    let advice = advice.map_or_else(String::new, |it| format!("; name it `{it}.py`"));
    Some(format!(
        "fails only because `{file}` does not find its code: {message}{advice}"
    ))
}

/// `n-queens: 4 samples, 3 as expected, 1 not; 1 problem has errors of its own`.
fn summary(verification: &Verification, style: &Style) -> String {
    let problems = &verification.problems;
    let samples = || problems.iter().flat_map(|problem| &problem.samples);
    let run = || samples().filter(|it| it.has_run());
    let (all, held) = (samples().count(), run().filter(|it| it.holds()).count());
    let absent = all - run().count();
    let mut expected = match all - absent - held {
        0 if absent == 0 => "all as expected".to_owned(),
        0 => format!("{held} as expected"),
        not => format!("{held} as expected, {not} not"),
    };
    if absent > 0 {
        expected = format!("{expected}, {absent} not run");
    }
    let id = safe(verification.assignment.as_str());
    let samples = style.counted(all, ["sample", "samples"], "");
    let wrong = problems.iter().filter(|it| !it.mismatches.is_empty());
    let wrong = match wrong.count() {
        0 => String::new(),
        1 => "; 1 problem has errors of its own".to_owned(),
        count => format!("; {count} problems have errors of their own"),
    };
    format!("{id}: {samples}, {expected}{wrong}")
}

/// What `grader verify` found: `bitcraft-verification/3`.
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
    pub const FORMAT: &'static str = "bitcraft-verification/3";

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
