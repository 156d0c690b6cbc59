//! What GitHub Actions reads of a run.
//!
//! Annotations are workflow commands (`::error file=…,line=…,title=…::message`): lines on standard output that the runner
//! takes out of the log. The runner takes commands out of whatever is printed, so a student's text in a log could give
//! them too: in our commands it is escaped, and [`defused`] breaks the commands in any other text.

use std::cmp::Reverse;
use std::io::{self, Write};

use grader_model::{Lang, Verdict, WhyOpen};
use grader_view::{CaseView, ClassView, Lost, ProblemView, Status, StudentView};

use crate::document;
use crate::markdown::markdown;
use crate::style::safe;
use crate::words::Words;

/// GitHub shows so many annotations of a kind in a step, and drops the rest silently.
const MAX_ANNOTATIONS: usize = 10;

/// GitHub refuses a larger summary: 1 MiB for all that one step writes. A little is left for others.
pub(crate) const MAX_SUMMARY_BYTES: usize = (1 << 20) - (16 << 10);

/// Writes one annotation for each submission without all points, the ten worst at most: what could not be judged first, then by the
/// points that were lost, then what waits for points by hand, and last what was not submitted. Errors are of programs that fail
/// and of what could not be judged. Points lost otherwise, or still missing, are notices.
///
/// Files are named only if there is one student: where a class keeps its students' folders is not known.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_annotations(class: &ClassView<'_>, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let words = Words::of(lang);
    let students = class.students.iter();
    let all = students.flat_map(|student| student.problems.iter().map(move |it| (student, it)));
    let failed = all.filter_map(|(student, it)| Some((student, it, command(it)?)));
    let mut failed: Vec<_> = failed.collect();
    // The worst comes first; between equals the order of the class decides.
    failed.sort_by_key(|(_, it, _)| {
        let lost = match it.status {
            Status::Short { lost, .. } => lost,
            _ => it.max_points,
        };
        let urgency = match it.status {
            Status::Waiting(why) if why.is_fault() => 0,
            Status::Waiting(_) => 2,
            Status::Absent => 3,
            Status::Short { .. } | Status::Failed(_) | Status::Full | Status::Excused => 1,
        };
        (urgency, Reverse(lost))
    });
    let more = |count| words.and_more_in_summary(count);
    let annotation = |&(student, problem, command): &(&StudentView<'_>, &ProblemView<'_>, _)| {
        let earned = words.earned(problem);
        let (id, (code, name)) = (safe(problem.id.as_str()), words.outcome(problem));
        let mut title = format!("{id}: {}, {earned}", code.unwrap_or(&name));
        let (spot, error) = Spot::of(problem);
        let mut properties = spot.properties();
        if class.students.len() > 1 {
            properties.clear();
            title = format!("{} {title}", safe(student.id.as_str()));
        }
        properties.push(("title", title));
        let reasons = problem.reasons.iter().map(|it| words.reason(it));
        let lines = reasons.chain(error).chain(reproduction(problem, words));
        Annotation {
            command,
            properties,
            lines: lines.collect(),
        }
    };
    write_first(&failed, annotation, more, out)
}

/// What one annotation says.
pub(crate) struct Annotation {
    pub(crate) command: &'static str,
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) lines: Vec<String>,
}

/// Writes as many annotations as GitHub shows. The last says how many `more` there are.
pub(crate) fn write_first<T>(
    all: &[T],
    annotation: impl Fn(&T) -> Annotation,
    more: impl Fn(usize) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let left_out = all.len().saturating_sub(MAX_ANNOTATIONS);
    for (index, it) in all.iter().take(MAX_ANNOTATIONS).enumerate() {
        let Annotation {
            command,
            properties,
            mut lines,
        } = annotation(it);
        if left_out > 0 && index + 1 == MAX_ANNOTATIONS {
            lines.push(more(left_out));
        }
        let properties = properties.iter();
        let properties = properties.map(|(key, value)| format!("{key}={}", property(value)));
        let properties = properties.collect::<Vec<_>>().join(",");
        writeln!(out, "::{command} {properties}::{}", data(&lines.join("\n")))?;
    }
    Ok(())
}

/// The command that an annotation of a submission is; `None` if it needs none.
fn command(problem: &ProblemView<'_>) -> Option<&'static str> {
    let judged = |verdict: Option<Verdict>| verdict.map_or("notice", |_| "error");
    match problem.status {
        Status::Failed(_)
        | Status::Short {
            why: Lost::Judged(_),
            ..
        }
        | Status::Waiting(WhyOpen::Fault(_) | WhyOpen::NotJudged) => Some("error"),
        Status::Short { .. } => Some("notice"),
        Status::Waiting(WhyOpen::ByHand(_)) => Some(judged(problem.failing_verdict())),
        Status::Waiting(WhyOpen::SomeCases) => problem.failing_verdict().map(|_| "error"),
        Status::Absent => Some("warning"),
        Status::Full | Status::Excused => None,
    }
}

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

impl Spot {
    /// Where a submission fails, and the compiler's message there: its first error in one of the student's files, else only
    /// the first file.
    pub(crate) fn of(problem: &ProblemView<'_>) -> (Self, Option<String>) {
        // A compiler may know only a part of the path.
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let mut files = problem.files.iter();
        let known = |called: &str| files.clone().find(|file| name(file) == name(called));
        let build = problem.build.filter(|_| problem.is_unbuilt());
        let messages = build.and_then(|build| build.messages.as_ref());
        let error = messages.and_then(|messages| {
            grader_language::first_error(&messages.text, |file| known(file).is_some())
        });
        let file = error.as_ref().and_then(|error| known(&error.file));
        let spot = Self {
            file: file.or_else(|| files.next()).map(|file| safe(file)),
            line: error.as_ref().map(|error| error.line),
            column: error.as_ref().and_then(|error| error.column),
        };
        (spot, error.map(|error| safe(&error.message)))
    }

    /// As properties of a command.
    pub(crate) fn properties(&self) -> Vec<(&'static str, String)> {
        let file = self.file.clone().map(|it| ("file", it));
        let line = self.line.map(|it| ("line", it.to_string()));
        let column = self.column.map(|it| ("col", it.to_string()));
        [file, line, column].into_iter().flatten().collect()
    }
}

/// The input of the case that the first reason is about, and the command that reproduces it.
fn reproduction(problem: &ProblemView<'_>, words: Words) -> Option<String> {
    let reason = problem.reasons.first()?;
    let place = (reason.subtask?, reason.case?);
    let mut cases = problem.cases();
    let (_, case) = cases.find(|(subtask, case)| (subtask.name, case.name()) == place)?;
    reproduction_of(case, words)
}

/// The input of a case, and the command that reproduces it.
pub(crate) fn reproduction_of(case: &CaseView<'_>, words: Words) -> Option<String> {
    let text = document::reproduction(case, words).plain();
    (!text.is_empty()).then(|| text.trim_end().to_owned())
}

/// The page that a step adds to `$GITHUB_STEP_SUMMARY`, in Markdown; cut if it is larger than GitHub takes.
pub fn step_summary(class: &ClassView<'_>, lang: Lang) -> String {
    markdown(class, lang, MAX_SUMMARY_BYTES)
}

/// The text as the message of a command, escaped as GitHub's toolkit does.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// The text as a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The text with a backslash in whatever the runner of GitHub Actions would take for a command: `::` at the beginning of
/// a line, behind any blanks, and the older `##[` anywhere.
///
/// `::stop-commands::` would not do: the runner reads standard output and standard error side by side, and both share
/// one switch. A token on one of them would stop commands too late, or swallow our annotations on the other.
///
/// The runner compares by the rules of a language, to which invisible characters count for nothing: here only printable
/// ASCII counts.
pub fn defused(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let (mut begun, mut hashes) = (false, 0);
    for c in text.chars() {
        if c == '\n' || c == '\r' {
            (begun, hashes) = (false, 0);
        } else if c.is_ascii_graphic() {
            if (c == ':' && !begun) || (c == '[' && hashes >= 2) {
                harmless.push('\\');
            }
            begun = true;
            hashes = if c == '#' { hashes + 1 } else { 0 };
        }
        harmless.push(c);
    }
    harmless
}

#[cfg(test)]
mod tests;
