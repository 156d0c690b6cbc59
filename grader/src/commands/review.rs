//! `grader review`.

use std::fmt::Write as _;
use std::io;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use clap::Args;
use grader_lms::{MAX_TEXT, read_regular_text};
use grader_model::counted;
use grader_publish::{atomic_write, create_folders};
use grader_report::{Accepted, document as draw};
use grader_session::{Exit, Failure, Graded, IfSeveral, known_problem, shown};
use grader_view::{GroupView, Visible};
use toml_edit::Value;

use crate::args::RunArgs;
use crate::pages::sources;
use crate::terminal::Terminal;

/// The file for remarks, beside those of other people in the folder of corrections.
const FILE: &str = "review.toml";

#[derive(Debug, Args)]
#[command(after_long_help = "\
Submissions that fail the same cases with the same wrong output, or with the same compiler error, are one group. Everybody in a \
group sees the remark that you write for it, even after the next `grade`. `--save` adds an entry for each group without a \
remark to `corrections/review.toml`: fill in its `comment`, and `add = -1` if it costs points.

Examples:
  grader review
  grader review submissions/ --save")]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Only this problem (repeatable).
    #[arg(long, short, value_name = "ID")]
    problem: Vec<String>,
    /// Add an entry for each group to `corrections/review.toml`.
    #[arg(long)]
    save: bool,
}

pub(crate) fn run(args: &ReviewArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let if_several = if args.save {
        IfSeveral::Ask
    } else {
        IfSeveral::TakeLast
    };
    let graded = Graded::read(&args.source.asked(), if_several, terminal)?;
    graded.stored.say_choice(&graded.run, terminal)?;
    let visible = Visible::Staff(&graded.results);
    let class = visible.view();
    for id in &args.problem {
        known_problem(id, &graded.results.assignment)?;
    }
    let is_asked =
        |problem: &str| args.problem.is_empty() || args.problem.iter().any(|id| id == problem);
    let asked = class
        .groups
        .iter()
        .filter(|it| is_asked(it.problem.as_str()));
    let (reviewed, groups): (Vec<_>, Vec<_>) = asked.partition(|it| it.has_remark);
    if args.save {
        return write(&graded, &groups, terminal);
    }
    let sources = sources(&graded.results, Some(&graded.stored));
    let beside = |group: &GroupView<'_>| {
        let accepted = Accepted::read(&class, group.problem, &sources);
        accepted.and_then(|it| it.beside(group)).unwrap_or_default()
    };
    let text = draw::review(&groups, beside, &terminal.style());
    write!(terminal.stdout(), "{text}")?;
    let (reviewed, open) = (reviewed.len(), groups.len());
    let groups = counted(open, "group", "groups");
    terminal.note(
        format!(
            "{groups} without a remark, {reviewed} with one; `--save` adds the missing entries"
        ),
        format!("{open} 类没有评语，{reviewed} 类已有评语；`--save` 会添加缺少的条目"),
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
    let mut text = match read_regular_text(&path, MAX_TEXT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "# Remarks for everybody who made the same mistake: see `grader review --help`.\nformat = 1\n".to_owned()
        }
        text => text.with_context(|| format!("cannot read `{}`", shown(&path)))?,
    };
    let is_new = |it: &&&GroupView<'_>| !corrections.has_group(it.id);
    let new: Vec<_> = groups.iter().filter(is_new).collect();
    let class = graded
        .sections
        .name(corrections.path.parent().unwrap_or(Path::new("")));
    for group in &new {
        text.push('\n');
        let lines = draw::group_lines(group, terminal.lang);
        // A line break would end the comment.
        for line in lines.iter().flat_map(|line| line.lines()) {
            let _ = writeln!(text, "# {line}");
        }
        let assignment = Value::from(graded.results.assignment.id.as_str());
        let class = Value::from(class.as_str());
        let (problem, id) = (Value::from(group.problem.as_str()), Value::from(group.id));
        let _ = write!(
            text,
            "[[correction]]\nassignment = {assignment}\nclass = {class}\nproblem = {problem}\ngroup = {id}\ncomment = \"\"\n"
        );
    }
    if let Some(folder) = path.parent() {
        create_folders(folder).with_context(|| format!("cannot create `{}`", shown(folder)))?;
    }
    atomic_write(&path, |out| out.write_all(text.as_bytes()))?;
    let (count, path) = (new.len(), shown(&path));
    terminal.note(
        format!("{} added to {path}", counted(count, "entry", "entries")),
        format!("已向 {path} 添加 {count} 个条目"),
    );
    Ok(Exit::Done)
}
