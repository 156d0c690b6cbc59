//! `grader review`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_lms::{MAX_TEXT, read_regular_text};
use grader_model::{Lang, ProblemResult, StudentId, counted, escaped};
use grader_problem::Correction;
use grader_publish::{atomic_write, create_folders};
use grader_report::document::Remarked;
use grader_report::{Accepted, document as draw};
use grader_session::{Exit, Failure, Graded, IfSeveral, did_you_mean, known_problem, shown};
use grader_view::{GroupView, ProblemView, Visible, reduced_problem};
use toml_edit::{Array, ArrayOfTables, Value};

use crate::args::RunArgs;
use crate::pages::sources;
use crate::terminal::Terminal;

/// The file for remarks, beside those of other people in the folder of corrections.
const FILE: &str = "review.toml";

#[derive(Debug, Args)]
#[command(after_long_help = "\
Submissions that print the same in the same failed cases, or have the same compiler error, are one group. `--save` adds an entry for \
each group without a remark to `corrections/review.toml`: fill in its `comment`, and `add = -1` if it costs points. It applies \
to the submissions that the group has then. Whoever comes into it later is shown as new, and gets the remark with `--confirm`.

Examples:
  grader review
  grader review submissions/ --save
  grader review --join 4d5ac522 99a55ba4
  grader review --confirm 4d5ac522")]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Only this problem (repeatable).
    #[arg(long, short, value_name = "ID")]
    problem: Vec<String>,
    /// Add an entry for each group to `corrections/review.toml`.
    #[arg(long)]
    save: bool,
    /// Give the remark of a group to those who are new in it (repeatable).
    #[arg(long, value_name = "GROUP", conflicts_with = "save")]
    confirm: Vec<String>,
    /// Make two groups one, because they are the same mistake.
    #[arg(long, value_names = ["GROUP", "OTHER"], num_args = 2, conflicts_with_all = ["save", "confirm"])]
    join: Vec<String>,
    /// Take back what was joined with a group.
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["save", "confirm", "join"])]
    split: Option<String>,
}

impl ReviewArgs {
    /// Whether it changes what a person said.
    fn writes(&self) -> bool {
        self.save || !self.confirm.is_empty() || !self.join.is_empty() || self.split.is_some()
    }
}

pub(crate) fn run(args: &ReviewArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let if_several = if args.writes() {
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
    let asked: Vec<_> = class
        .groups
        .iter()
        .filter(|it| is_asked(it.problem.as_str()))
        .collect();
    if args.writes() && !args.save {
        return change(args, &graded, &asked, terminal);
    }
    let asked = asked.into_iter();
    let (reviewed, groups): (Vec<_>, Vec<_>) = asked.partition(|it| it.has_remark);
    if args.save {
        return write(&graded, &groups, terminal);
    }
    let sources = sources(&graded.results, Some(&graded.stored));
    let beside = |group: &GroupView<'_>| {
        let accepted = Accepted::read(&class, group.problem, &sources);
        accepted.and_then(|it| it.beside(group)).unwrap_or_default()
    };
    let remarked = |group: &GroupView<'_>| Remarked {
        joined: graded.corrections.joined_with(group.id, group.problem),
        new: new_in(&graded, group),
    };
    let text = draw::review(&groups, remarked, beside, &terminal.style());
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
    let is_new = |it: &&&GroupView<'_>| corrections.of_group(it.id, it.problem).next().is_none();
    let new = groups.iter().filter(is_new);
    let new: Vec<_> = new.map(|it| entry(graded, &[it], terminal.lang)).collect();
    let path = append(graded, &new)?;
    let (count, path) = (new.len(), shown(&path));
    terminal.note(
        format!("{} added to {path}", counted(count, "entry", "entries")),
        format!("已向 {path} 添加 {count} 个条目"),
    );
    Ok(Exit::Done)
}

/// Adds entries to the file for remarks.
fn append(graded: &Graded, entries: &[String]) -> anyhow::Result<PathBuf> {
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
    text.extend(entries.iter().map(String::as_str));
    if let Some(folder) = path.parent() {
        create_folders(folder).with_context(|| format!("cannot create `{}`", shown(folder)))?;
    }
    atomic_write(&path, |out| out.write_all(text.as_bytes()))?;
    Ok(path)
}

/// Changes what a person said of groups.
fn change(
    args: &ReviewArgs,
    graded: &Graded,
    groups: &[&GroupView<'_>],
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    if let [one, other] = &args.join[..] {
        return join(graded, [find(one, groups)?, find(other, groups)?], terminal);
    }
    if let Some(id) = &args.split {
        let is_part = |it: &GroupView<'_>| {
            let joined = graded.corrections.joined_with(it.id, it.problem);
            joined.contains(id)
        };
        let of_part = groups.iter().find(|it| is_part(it)).map(|it| it.id);
        let group = find(of_part.unwrap_or(id), groups)?;
        let joined = graded.corrections.joined_with(group.id, group.problem);
        if joined.is_empty() {
            return Err(Failure::usage(format!("nothing is joined with `{id}`")).into());
        }
        for entry in graded.corrections.of_group(group.id, group.problem) {
            let split = |all: &mut ArrayOfTables, at: usize, _: &[usize]| {
                let Some(entry) = all.get_mut(at) else { return };
                entry.remove("joined");
                if let Some(condition) = entry.remove("alone") {
                    entry.insert("condition", condition);
                }
            };
            write_file(graded.corrections.edited(entry, &[], split)?)?;
        }
        let all = |comma: &str| {
            let all = joined
                .iter()
                .map(|it| format!("`{}`", escaped(it.as_bytes())));
            all.collect::<Vec<_>>().join(comma)
        };
        terminal.note(
            format!("`{id}` and {} are groups of their own again", all(", ")),
            format!("`{id}` 与 {} 又是各自独立的类", all("、")),
        );
        return Ok(Exit::Done);
    }
    // All are known before the first is changed.
    let confirmed = args.confirm.iter().map(|id| find(id, groups));
    for group in confirmed.collect::<anyhow::Result<Vec<_>>>()? {
        confirm(graded, group, terminal)?;
    }
    Ok(Exit::Done)
}

/// The group with this id.
fn find<'a, 'b>(id: &str, groups: &[&'b GroupView<'a>]) -> anyhow::Result<&'b GroupView<'a>> {
    let own: Vec<_> = groups.iter().filter(|it| it.id == id).collect();
    match own[..] {
        [group] => Ok(group),
        [] => {
            let near = did_you_mean(id, groups.iter().map(|it| it.id)).en;
            let id = escaped(id.as_bytes());
            let message = format!(
                "there is no group `{id}`{near}\n`grader review` and the class page list the groups"
            );
            Err(Failure::usage(message).into())
        }
        _ => {
            let message =
                format!("several problems have a group `{id}`: name one with `--problem`");
            Err(Failure::usage(message).into())
        }
    }
}

/// Gives the remark of a group to those who are new in it.
fn confirm(graded: &Graded, group: &GroupView<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    let corrections = &graded.corrections;
    let new = members(graded, group).filter(|it| corrections.new_in(it).is_some());
    let new: BTreeSet<_> = new.filter_map(|it| it.submission.as_deref()).collect();
    if !new.is_empty() {
        for entry in corrections.of_group(group.id, group.problem) {
            let add =
                |all: &mut ArrayOfTables, at: usize, _: &[usize]| add(all, at, "submissions", &new);
            write_file(corrections.edited(entry, &[], add)?)?;
        }
    }
    let (id, count) = (group.id, new.len());
    terminal.note(
        format!(
            "`{id}`: {} confirmed",
            counted(count, "submission", "submissions")
        ),
        format!("`{id}`：已确认 {count} 份提交"),
    );
    Ok(())
}

/// Makes two groups one. It has the id of the one that has a remark or an entry, else of the first.
fn join(graded: &Graded, groups: [&GroupView<'_>; 2], terminal: &Terminal) -> anyhow::Result<Exit> {
    let corrections = &graded.corrections;
    let has_remark = |it: &GroupView<'_>| {
        let mut entries = corrections.of_group(it.id, it.problem);
        entries.any(Correction::says_something)
    };
    let [one, other] = groups;
    if one.problem != other.problem || one.id == other.id {
        return Err(Failure::usage("expected two groups of one problem").into());
    }
    if has_remark(one) && has_remark(other) {
        let message = format!(
            "`{}` and `{}` both have a remark: remove one of them first",
            one.id, other.id
        );
        return Err(Failure::usage(message).into());
    }
    let has_entry = |it: &GroupView<'_>| corrections.of_group(it.id, it.problem).next().is_some();
    let is_first = has_remark(one) || !has_remark(other) && (has_entry(one) || !has_entry(other));
    let (one, other) = if is_first { (one, other) } else { (other, one) };
    let joined = corrections.joined_with(other.id, other.problem);
    let joined: Vec<_> = joined
        .iter()
        .map(String::as_str)
        .chain([other.id])
        .collect();
    let submissions = members(graded, other).filter_map(|it| it.submission.as_deref());
    let submissions: Vec<_> = submissions.collect();
    if !has_entry(one) {
        append(graded, &[entry(graded, &[one, other], terminal.lang)])?;
    }
    // What is written for the other group is blank.
    let blank: Vec<_> = corrections.of_group(other.id, other.problem).collect();
    for entry in corrections.of_group(one.id, one.problem).take(1) {
        let join = |all: &mut ArrayOfTables, at: usize, blank: &[usize]| {
            add(all, at, "joined", &joined);
            add(all, at, "submissions", &submissions);
            // It is true of one of the groups only.
            if let Some(entry) = all.get_mut(at)
                && let Some(condition) = entry.remove("condition")
                && !entry.contains_key("alone")
            {
                entry.insert("alone", condition);
            }
            for at in blank.iter().rev() {
                all.remove(*at);
            }
        };
        write_file(corrections.edited(entry, &blank, join)?)?;
    }
    let (one, other) = (one.id, other.id);
    terminal.note(
        format!("`{other}` is one group with `{one}` now; `--split {one}` takes that back"),
        format!("`{other}` 已并入 `{one}`；`--split {one}` 可撤销"),
    );
    Ok(Exit::Done)
}

/// Adds to a list of an entry what it does not have. A list of submissions that is not there stands for all.
fn add<'a>(
    all: &mut ArrayOfTables,
    at: usize,
    key: &str,
    new: impl IntoIterator<Item = &'a &'a str>,
) {
    let Some(entry) = all.get_mut(at) else { return };
    if key == "submissions" && !entry.contains_key(key) {
        return;
    }
    let list = entry.entry(key).or_insert_with(|| Array::new().into());
    if let Some(list) = list.as_array_mut() {
        for id in new {
            if !list.iter().any(|it| it.as_str() == Some(id)) {
                list.push(*id);
            }
        }
    }
}

fn write_file((path, text): (PathBuf, String)) -> anyhow::Result<()> {
    Ok(atomic_write(&path, |out| out.write_all(text.as_bytes()))?)
}

/// The text of an entry for groups that are one, with an empty remark.
fn entry(graded: &Graded, groups: &[&GroupView<'_>], lang: Lang) -> String {
    let corrections = &graded.corrections;
    let class = graded
        .sections
        .name(corrections.path.parent().unwrap_or(Path::new("")));
    let mut text = "\n".to_owned();
    let lines = groups.iter().flat_map(|it| draw::group_lines(it, lang));
    // A line break would end the comment.
    for line in lines.flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>()) {
        let _ = writeln!(text, "# {line}");
    }
    let [first, joined @ ..] = groups else {
        return text;
    };
    let members = || groups.iter().flat_map(|it| members(graded, it));
    // Whoever has a remark on this mistake already, from an earlier version of the grader, gets no second one.
    let new = members().filter(|it| !corrections.has_remark(it));
    let submissions: BTreeSet<_> = new.filter_map(|it| it.submission.as_deref()).collect();
    // That of several would be true of one only.
    let condition = if joined.is_empty() {
        "condition"
    } else {
        "alone"
    };
    let joined: Array = joined.iter().map(|it| it.id).collect();
    let keys = [
        (
            "assignment",
            Some(graded.results.assignment.id.as_str().into()),
        ),
        ("class", Some(class.into())),
        ("problem", Some(first.problem.as_str().into())),
        ("group", Some(first.id.into())),
        (
            "joined",
            Some(Value::Array(joined)).filter(|_| groups.len() > 1),
        ),
        (
            "submissions",
            Some(Value::Array(submissions.into_iter().collect())),
        ),
        (
            condition,
            members()
                .next()
                .and_then(|it| self::condition(it, lang))
                .map(Value::from),
        ),
        ("comment", Some("".into())),
    ];
    text.push_str("[[correction]]\n");
    for (key, value) in keys
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
    {
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}

/// What a mistake looks like in a case that its student sees.
fn condition(result: &ProblemResult, lang: Lang) -> Option<String> {
    let public = result.subtasks.iter().filter(|it| !it.hidden);
    let public: Vec<_> = public.map(|it| &it.name).collect();
    draw::condition(
        &ProblemView::of(&reduced_problem(result), None),
        &public,
        lang,
    )
}

/// The results of a group.
fn members<'a>(
    graded: &'a Graded,
    group: &'a GroupView<'_>,
) -> impl Iterator<Item = &'a ProblemResult> {
    let students = graded.results.students.iter();
    let own = students.filter(|it| group.students.contains(&&it.id));
    own.filter_map(|it| it.problem(group.problem))
}

/// Who came into a group after its remark was written.
fn new_in(graded: &Graded, group: &GroupView<'_>) -> Vec<String> {
    let students = &graded.results.students;
    let is_new = |id: &StudentId| {
        let mut own = students.iter().filter(|it| it.id == *id);
        let result = own.find_map(|it| it.problem(group.problem));
        result.is_some_and(|it| graded.corrections.new_in(it).is_some())
    };
    group.names(is_new)
}
