//! What `grader verify` found, for people and for programs. In English only: authors of problems read it.

use std::io::{self, Write};

use grader_model::{Lang, Mismatch, ProblemVerification, SampleResult, Verdict, Verification};
use serde_json::{Value, json};

use crate::json::write_value;
use crate::layout::{Page, left, right, width};
use crate::style::{Style, Tone, safe};
use crate::terminal::{Explanations, submission_lines, subtask_lines};

/// Mismatches of one sample or problem that are shown unless `verbose`.
const MAX_MISMATCHES: usize = 3;

/// Shows which samples are as expected, and how the others differ.
///
/// With `verbose`, also explains the verdicts of samples that are as expected, and shows all mismatches.
pub fn verification(verification: &Verification, style: &Style, verbose: bool) -> String {
    let style = &Style {
        lang: Lang::En,
        ..*style
    };
    let mut page = Page::new(style);
    for problem in &verification.problems {
        page.gap();
        problem_lines(&mut page, problem, style, verbose);
    }
    page.gap();
    let tone = if verification.holds() {
        Tone::Pass
    } else {
        Tone::Fail
    };
    page.line(0, &tone.on(summary(verification)));
    page.finish()
}

fn problem_lines(page: &mut Page, problem: &ProblemVerification, style: &Style, verbose: bool) {
    page.line(0, &Tone::Strong.on(safe(problem.id.as_str())));
    mismatches(page, 2, &problem.mismatches, verbose);
    let samples = &problem.samples;
    let widest = |head: &str, cell: &dyn Fn(&SampleResult) -> usize| {
        let widths = samples.iter().map(cell);
        widths.max().unwrap_or(0).max(width(head))
    };
    let path = widest("sample", &|sample| width(&safe(&sample.path)));
    let lang = widest("language", &|sample| width(language(sample)));
    let most_points = widest("", &|sample| width(&points(sample)));
    if !samples.is_empty() {
        let (sample, language) = (left("sample", path), left("language", lang));
        let head = format!("  {sample}  {language}  expected  found");
        page.raw(2, &Tone::Faint.on(head));
    }
    for sample in samples {
        let (mark, tone) = if sample.holds() {
            ("✓", Tone::Pass)
        } else {
            ("✗", Tone::Fail)
        };
        let row = format!(
            "{} {}  {}  {}  {} {}",
            tone.on(mark),
            left(&safe(&sample.path), path),
            left(language(sample), lang),
            left(sample.expected.code(), "expected".len()),
            tone.on(left(sample.found.verdict.code(), 3)),
            right(&points(sample), most_points),
        );
        page.raw(2, &row);
        if !sample.holds() || verbose {
            sample_details(page, sample, style, verbose);
        }
    }
    if !problem.idle_cases.is_empty() {
        let cases: Vec<String> = problem.idle_cases.iter().map(|case| safe(case)).collect();
        let label = Tone::Partial.on("cases that no wrong sample fails: ");
        page.line(2, &format!("{label}{}", cases.join(", ")));
    }
    margins(page, problem);
}

/// How near the samples come to the time limits.
fn margins(page: &mut Page, problem: &ProblemVerification) {
    let (slowest, fastest) = problem.margins();
    for (label, margin) in [
        ("slowest that passes  ", slowest),
        ("fastest over time    ", fastest),
    ] {
        let Some(margin) = margin else { continue };
        let more_than = if margin.stopped { "more than " } else { "" };
        let text = format!(
            "{more_than}{:.2} times its limit: {}, {}",
            margin.ratio,
            safe(&margin.sample),
            safe(&margin.case)
        );
        page.hang(2, &Tone::Faint.on(label), &text);
    }
}

fn language(sample: &SampleResult) -> &'static str {
    sample.found.language.map_or("", |language| {
        grader_language::language(language).name.as_str()
    })
}

fn points(sample: &SampleResult) -> String {
    let points = sample.found.points;
    points.map_or_else(|| "?".to_owned(), |points| points.to_string())
}

fn mismatches(page: &mut Page, indent: usize, mismatches: &[Mismatch], verbose: bool) {
    let shown = if verbose { usize::MAX } else { MAX_MISMATCHES };
    for mismatch in mismatches.iter().take(shown) {
        let place = Tone::Fail.on(format!("{}: ", safe(&mismatch.place)));
        page.line(indent, &format!("{place}{}", safe(&mismatch.message)));
    }
    if mismatches.len() > shown {
        let more = counted(mismatches.len() - shown, "more place", "more places");
        page.line(indent, &Tone::Faint.on(format!("… and {more}")));
    }
}

/// The mismatches of a sample, and the first case that explains its verdict.
fn sample_details(page: &mut Page, sample: &SampleResult, style: &Style, verbose: bool) {
    const INDENT: usize = 6;
    mismatches(page, INDENT, &sample.mismatches, verbose);
    if let Some(because) = &sample.because {
        page.hang(INDENT, &Tone::Faint.on("because: "), &safe(because));
    }
    let found = &sample.found;
    let mut explanations = Explanations::default();
    if found.verdict == Verdict::CompileError {
        submission_lines(page, INDENT, found, &mut explanations, style);
    }
    let failing = found.subtasks.iter().find_map(|subtask| {
        let mut cases = subtask.cases.iter();
        let case = cases.find(|case| {
            !matches!(
                case.verdict,
                Verdict::Accepted | Verdict::CompileError | Verdict::Skipped
            )
        })?;
        Some((&subtask.name, case))
    });
    if let Some(message) = &found.message
        && found.verdict != Verdict::CompileError
        && failing.is_none_or(|(_, case)| case.message.as_ref() != Some(message))
    {
        page.line(INDENT, &safe(&message.en));
    }
    for subtask in &found.subtasks {
        let case = failing.filter(|(name, _)| **name == subtask.name);
        if case.is_none() && subtask.message.is_none() {
            continue;
        }
        page.line(INDENT, &Tone::Faint.on(safe(subtask.name.as_str())));
        subtask_lines(page, INDENT + 2, subtask, style);
        if let Some((_, case)) = case {
            explanations.case(page, INDENT + 2, case, style);
        }
    }
}

/// `n-queens: 4 samples, 3 as expected, 1 not, 1 problem is faulty by itself`.
fn summary(verification: &Verification) -> String {
    let problems = &verification.problems;
    let samples = || problems.iter().flat_map(|problem| &problem.samples);
    let (all, held) = (samples().count(), samples().filter(|it| it.holds()).count());
    let mut line = format!(
        "{}: {}, ",
        safe(verification.assignment.as_str()),
        counted(all, "sample", "samples")
    );
    match all - held {
        0 => line.push_str("all as expected"),
        not => line = format!("{line}{held} as expected, {not} not"),
    }
    let faulty = problems.iter().filter(|it| !it.mismatches.is_empty());
    match faulty.count() {
        0 => line,
        faulty => {
            let problems = counted(faulty, "problem is", "problems are");
            format!("{line}, {problems} faulty by itself")
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes verifications as one JSON document, indented, with a line feed at the end.
///
/// # Errors
/// When `out` cannot be written.
pub fn verification_json(verifications: &[Verification], out: &mut dyn Write) -> io::Result<()> {
    let assignments = verifications.iter().map(|verification| {
        json!({
            "id": verification.assignment.as_str(),
            "host": verification.host,
            "isolation": verification.isolation,
            "holds": verification.holds(),
            "problems": verification.problems.iter().map(problem_json).collect::<Vec<_>>(),
        })
    });
    let document = json!({
        "format": "bitcraft-verification/1",
        "holds": verifications.iter().all(Verification::holds),
        "assignments": assignments.collect::<Vec<_>>(),
    });
    write_value(&document, out)
}

fn problem_json(problem: &ProblemVerification) -> Value {
    let samples = problem.samples.iter().map(|sample| {
        json!({
            "path": sample.path,
            "expected": sample.expected.code(),
            "holds": sample.holds(),
            "mismatches": mismatches_json(&sample.mismatches),
            "because": sample.because,
            "found": sample.found.clone().in_language(Lang::En),
        })
    });
    json!({
        "id": problem.id.as_str(),
        "mismatches": mismatches_json(&problem.mismatches),
        "samples": samples.collect::<Vec<_>>(),
        "idle-cases": problem.idle_cases,
    })
}

fn mismatches_json(mismatches: &[Mismatch]) -> Vec<Value> {
    let mismatches = mismatches.iter();
    mismatches
        .map(|it| json!({ "place": it.place, "message": it.message }))
        .collect()
}

#[cfg(test)]
mod tests;
