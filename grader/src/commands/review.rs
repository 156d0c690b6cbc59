//! `grader review`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::{fs, io};

use anyhow::Context as _;
use clap::Args;
use grader_language::source_text;
use grader_model::{ProblemId, Results, StudentId, Verdict, counted, escaped};
use grader_publish::atomic_write;
use grader_report::terminal as draw;
use grader_view::{GroupView, Visible};
use similar::TextDiff;
use toml_edit::Value;

use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::stored::StoredRuns;
use crate::terminal::{Terminal, shown};

/// The file for remarks, beside those of other people in the folder of corrections.
const FILE: &str = "review.toml";
/// Accepted programs that a wrong one is compared with.
const MAX_COMPARED: usize = 100;
/// Lines of a difference that are shown.
const MAX_LINES: usize = 24;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Submissions that fail the same cases with the same wrong output, or with the same error of the compiler, are one group. What you \
write for a group reaches everybody in it, also after the next `grade`. `--write` adds an entry for each group without a \
remark to `corrections/review.toml`: fill in its `comment`, and `add = -1` if it costs points.

Examples:
  grader review
  grader review submissions/ --write")]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Add an entry for each group to `corrections/review.toml`.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(args: &ReviewArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let graded = Graded::read(&args.source, terminal)?;
    let visible = Visible::Staff(&graded.results);
    let class = visible.view();
    let groups: Vec<_> = class.groups.iter().filter(|it| !it.has_remark).collect();
    if args.write {
        return write(&graded, &groups, terminal);
    }
    let beside = |group: &GroupView<'_>| {
        beside(group, &graded.stored, &graded.results)
            .ok()
            .flatten()
    };
    let text = draw::review(&groups, beside, &terminal.style());
    write!(terminal.stdout(), "{text}")?;
    let (reviewed, open) = (class.groups.len() - groups.len(), groups.len());
    let groups = counted(open, "group", "groups");
    terminal.note(
        format!(
            "{groups} without a remark, {reviewed} with one; `--write` adds the missing entries"
        ),
        format!("{open} 类没有评语，{reviewed} 类已有；`--write` 可为其添加条目"),
    );
    Ok(Exit::Done)
}

/// Adds an entry for each group that has none.
fn write(graded: &Graded, groups: &[&GroupView<'_>], terminal: &Terminal) -> anyhow::Result<Exit> {
    let corrections = &graded.corrections;
    if corrections.path.as_os_str().is_empty() {
        return Err(Failure::usage("name a file of corrections with `--corrections`").into());
    }
    let path = corrections.path.with_extension("").join(FILE);
    let mut text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "# Remarks for everybody who made the same mistake: see `grader review --help`.\nformat = 1\n".to_owned()
        }
        text => text.with_context(|| format!("cannot read `{}`", shown(&path)))?,
    };
    let is_new = |it: &&&GroupView<'_>| !corrections.has_group(it.id);
    let new: Vec<_> = groups.iter().filter(is_new).collect();
    for group in &new {
        text.push('\n');
        let lines = draw::group_lines(group, terminal.lang);
        // A line break would end the comment.
        for line in lines.iter().flat_map(|line| line.lines()) {
            let _ = writeln!(text, "# {line}");
        }
        let assignment = Value::from(graded.results.assignment.id.as_str());
        let (problem, id) = (Value::from(group.problem.as_str()), Value::from(group.id));
        let _ = write!(
            text,
            "[[correction]]\nassignment = {assignment}\nproblem = {problem}\ngroup = {id}\ncomment = \"\"\n"
        );
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", shown(folder)))?;
    }
    atomic_write(&path, |out| out.write_all(text.as_bytes()))?;
    let (count, path) = (new.len(), shown(&path));
    terminal.note(
        format!("{} added to {path}", counted(count, "entry", "entries")),
        format!("已向 {path} 添加 {count} 个条目"),
    );
    Ok(Exit::Done)
}

/// The program of the first student of a group beside the accepted one that differs least from it.
fn beside(
    group: &GroupView<'_>,
    stored: &StoredRuns,
    results: &Results,
) -> anyhow::Result<Option<String>> {
    let Some(first) = group.students.first() else {
        return Ok(None);
    };
    let Some(own) = program(stored, results, first, group.problem)? else {
        return Ok(None);
    };
    let mut students = results.students.iter();
    let student = students.find(|it| it.id == **first);
    let language = student.and_then(|it| it.problem(group.problem)?.language);
    let accepted = results.students.iter().filter(|student| {
        let problem = student.problem(group.problem);
        problem.is_some_and(|it| it.verdict == Verdict::Accepted && it.language == language)
    });
    let mut nearest: Option<(f32, &StudentId, String)> = None;
    for student in accepted.take(MAX_COMPARED) {
        let Some(other) = program(stored, results, &student.id, group.problem)? else {
            continue;
        };
        let ratio = TextDiff::from_lines(&own, &other).ratio();
        if nearest.as_ref().is_none_or(|(best, ..)| ratio > *best) {
            nearest = Some((ratio, &student.id, other));
        }
    }
    let Some((_, student, other)) = nearest else {
        return Ok(None);
    };
    let (mine, theirs) = (
        escaped(first.as_str().as_bytes()),
        escaped(student.as_str().as_bytes()),
    );
    let diff = TextDiff::from_lines(&own, &other);
    let diff = diff
        .unified_diff()
        .context_radius(1)
        .missing_newline_hint(false)
        .header(&mine, &format!("{theirs}, accepted"))
        .to_string();
    let lines = diff.lines().take(MAX_LINES);
    Ok(Some(lines.collect::<Vec<_>>().join("\n")))
}

/// The only source file of a submission.
fn program(
    stored: &StoredRuns,
    results: &Results,
    student: &StudentId,
    problem: &ProblemId,
) -> anyhow::Result<Option<String>> {
    let sources = stored.sources(results, student, problem)?;
    Ok(match sources.as_slice() {
        [source] => Some(source_text(source).into_owned()),
        _ => None,
    })
}
