//! What GitHub Actions and GitHub Classroom read of a run.
//!
//! Annotations are workflow commands (`::error file=…,line=…,title=…::message`, by GitHub's *Workflow commands for GitHub
//! Actions*): lines on standard output that the runner takes out of the log. A runner takes commands out of whatever is
//! printed, so a student's output that reaches a log can give them too. Nothing that this module writes lets it: texts are
//! escaped on one line and stand behind a command of ours, and [`defused`] makes any other text harmless.

mod defuse;
mod place;

use std::io::{self, Write};

use grader_model::{Lang, Points, ProblemResult, Results, StudentResult, Text, Verdict};

use crate::audience::only_student;
use crate::style::{Style, safe};
use crate::terminal::is_submitted;
use crate::{Audience, MarkdownOptions, write_markdown};

pub use defuse::defused;
use place::{Place, blamed};

/// GitHub shows so many annotations of a kind in a step, and drops the rest without a word.
const MOST: usize = 10;

/// GitHub refuses a summary that is larger: 1 MiB for all that one step writes. A little is left for others.
const SUMMARY: usize = (1 << 20) - (16 << 10);

/// Writes one annotation for each submission that is not accepted, the ten worst at most, as the audience may see them:
/// our failures first, then by the points that were lost, and last what was not handed in.
///
/// Of one student, files stand by their paths in what was handed in; of several, none is named, for a repository of a
/// class says nothing of where its students' folders lie.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_annotations(
    results: &Results,
    audience: Audience,
    lang: Lang,
    out: &mut dyn Write,
) -> io::Result<()> {
    let results = audience.report(results)?;
    let alone = results.students.len() == 1;
    let mut worst: Vec<(&StudentResult, &ProblemResult)> = results
        .students
        .iter()
        .flat_map(|student| {
            student
                .problems
                .iter()
                .map(move |problem| (student, problem))
        })
        .filter(|(_, problem)| problem.verdict != Verdict::Accepted)
        .collect();
    worst.sort_by_key(|(_, problem)| rank(problem));
    let left_out = worst.len().saturating_sub(MOST);
    let shown = worst.len() - left_out;
    for (index, (student, problem)) in worst.into_iter().take(MOST).enumerate() {
        let owner = (!alone).then_some(student);
        let mut annotation = annotation(problem, owner, lang);
        if left_out > 0 && index + 1 == shown {
            let style = style(lang);
            annotation
                .lines
                .push(style.words().more_annotations(left_out));
        }
        annotation.write(out)?;
    }
    Ok(())
}

/// By what the worst comes first: the sort is stable, so the order of the class decides between equals.
fn rank(problem: &ProblemResult) -> (u8, u64) {
    let lost = problem.points.map(|points| problem.max_points - points);
    let lost = u64::MAX - lost.unwrap_or(problem.max_points).thousandths();
    let group = match problem.verdict {
        Verdict::JudgeError => 0,
        _ if !is_submitted(problem) => 2,
        _ => 1,
    };
    (group, lost)
}

/// One workflow command.
struct Annotation {
    command: &'static str,
    place: Option<Place>,
    title: String,
    lines: Vec<String>,
}

impl Annotation {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut properties = Vec::new();
        if let Some(Place { file, line, column }) = &self.place {
            properties.push(("file", file.clone()));
            properties.extend(line.map(|line| ("line", line.to_string())));
            properties.extend(column.map(|column| ("col", column.to_string())));
        }
        properties.push(("title", self.title.clone()));
        let properties: Vec<String> = properties
            .into_iter()
            .map(|(key, value)| format!("{key}={}", property(&value)))
            .collect();
        let lines: Vec<String> = self.lines.iter().map(|line| defused(line)).collect();
        let message = data(&lines.join("\n"));
        writeln!(
            out,
            "::{} {}::{message}",
            self.command,
            properties.join(",")
        )
    }
}

fn annotation(problem: &ProblemResult, owner: Option<&StudentResult>, lang: Lang) -> Annotation {
    let style = style(lang);
    let words = style.words();
    let owner = owner.map(|student| format!("{} ", safe(student.id.as_str())));
    let title = format!(
        "{}{}: {}, {}",
        owner.as_deref().unwrap_or_default(),
        safe(problem.id.as_str()),
        problem.verdict,
        words.earned(problem.points, problem.max_points, problem.bonus)
    );
    let blamed = blamed(problem);
    let mut lines = reasons(problem, lang);
    if problem.verdict == Verdict::CompileError {
        lines.extend(blamed.as_ref().and_then(|(_, said)| said.clone()));
    }
    Annotation {
        command: if is_submitted(problem) {
            "error"
        } else {
            "warning"
        },
        place: blamed.map(|(place, _)| place).filter(|_| owner.is_none()),
        title,
        lines,
    }
}

/// Why a submission is not accepted: the reason of the whole, or else of each subtask that is not, by its first case.
fn reasons(problem: &ProblemResult, lang: Lang) -> Vec<String> {
    let said = |text: &Text| safe(text.get(lang));
    if let Some(message) = &problem.message {
        return vec![said(message)];
    }
    let mut lines = Vec::new();
    for subtask in &problem.subtasks {
        if matches!(subtask.verdict, Verdict::Accepted | Verdict::Skipped) {
            continue;
        }
        let failed = |verdict| !matches!(verdict, Verdict::Accepted | Verdict::Skipped);
        let first = subtask.cases.iter().find(|case| failed(case.verdict));
        let (name, why) = match (first, &subtask.message) {
            (Some(case), _) => (
                format!("{}/{}", subtask.name, case.name),
                case.message.as_ref(),
            ),
            (None, message) => (subtask.name.to_string(), message.as_ref()),
        };
        let verdict = first.map_or(subtask.verdict, |case| case.verdict);
        let why = why.map_or_else(|| said(&verdict.name()), said);
        lines.push(format!("{}: {verdict} {why}", safe(&name)));
    }
    if lines.is_empty() {
        lines.push(said(&problem.verdict.name()));
    }
    lines
}

/// The page that a step shows, in Markdown, as the audience may see it: for the file `$GITHUB_STEP_SUMMARY`, which is
/// added to. Below the 1 MiB that GitHub takes of a step; what is longer is cut, and says so.
///
/// # Errors
/// With [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student and there is not exactly
/// one.
pub fn step_summary(results: &Results, audience: Audience, lang: Lang) -> io::Result<String> {
    let options = MarkdownOptions {
        lang,
        most: Some(SUMMARY),
    };
    let mut page = Vec::new();
    write_markdown(results, audience, &options, &mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn style(lang: Lang) -> Style {
    Style {
        lang,
        ..Style::default()
    }
}

/// Writes the two notices by which GitHub Classroom's reporter says how many points the only student has: their titles
/// and texts are those of `classroom-resources/autograding-grading-reporter`.
///
/// Bonus points are in the total and not in the maximum. While points are open nothing is reported but an error that says
/// so: a part of a total would look like a grade.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when there is not
/// exactly one student.
pub fn write_classroom(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let student = only_student(results)?;
    let most = results.assignment.points;
    let Some(total) = total(student) else {
        let words = style(Lang::En);
        let why = data(words.words().no_score());
        return writeln!(out, "::error title=Autograding incomplete::{why}");
    };
    let report = format!("{{\"totalPoints\":{total},\"maxPoints\":{most}}}");
    writeln!(
        out,
        "::notice title=Autograding complete::{}",
        data(&format!("Points {total}/{most}"))
    )?;
    writeln!(out, "::notice title=Autograding report::{}", data(&report))
}

fn total(student: &StudentResult) -> Option<Points> {
    student
        .points()
        .zip(student.bonus())
        .map(|(points, bonus)| points + bonus)
}

/// The text as the message of a command, escaped as the toolkit of GitHub's actions does.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The text as a property of a command.
fn property(text: &str) -> String {
    data(&defused(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests;
