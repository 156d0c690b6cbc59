//! `corrections.toml`: corrections by hand of the results of a class.

use std::collections::BTreeMap;
use std::ops::Range;

use grader_model::{
    AssignmentInfo, ManualSubtask, Points, ProblemId, ProblemInfo, ProblemResult, StudentId,
    SubtaskName, Text, escaped,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::deadline::Moment;
use crate::diagnostic::{Loaded, Log, loaded};
use crate::exclusive::{self, Excludes, Key, keys, table};
use crate::library::Library;
use crate::parse::parse;
use crate::suggest::unknown;
use crate::value::{At, Count, Prose, value};

/// Corrections by hand, applied after judging. The file lies beside the class; `grader correct` writes it too.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "corrections.toml")]
pub(crate) struct CorrectionsFile {
    /// Version of this format: 1.
    #[serde(rename = "format")]
    _format: Count<1, 1>,
    /// The corrections.
    #[serde(default)]
    correction: Vec<At<CorrectionFile>>,
}

/// One correction. It needs at least one key besides `student`, `problem` and `submission`. Several for the same student and
/// problem apply in their order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CorrectionFile {
    /// The assignment that it is for, as `grader correct` writes it: one file can serve several. Default: any.
    assignment: Option<String>,
    /// The class that it is for, as `grader correct` writes it: the name of its folder or archive, or the end of its path.
    /// Default: the only one of the assignment that has the student.
    class: Option<At<String>>,
    /// The student, by the id in results. Either this or `group`.
    student: Option<Prose>,
    /// Everybody with the same mistake, by the hash from `grader review`. It needs a `problem`.
    group: Option<At<String>>,
    /// Other groups that are the same mistake, as `grader review --join` writes them.
    joined: Option<At<Vec<String>>>,
    /// The submissions in the group that it is for, as `grader review` writes them. Default: all, also those that come later.
    submissions: Option<At<Vec<String>>>,
    /// What the mistake of the group looks like. It stands before the comment.
    condition: Option<At<String>>,
    /// The condition that the group had alone: `grader review --split` makes it the condition again.
    alone: Option<At<String>>,
    /// The problem. Default: all problems. `points`, `add`, `attempt` and `file` need one.
    problem: Option<At<String>>,
    /// The subtask, if it is graded by hand: `points` or `items` are what it earns, before late penalties.
    subtask: Option<At<String>>,
    /// The items of its rubric that are given.
    items: Option<At<Vec<String>>>,
    /// The points, whatever was judged and however late it is.
    points: Option<At<Number>>,
    /// Added to the points after the late penalty; negative to take points away. Several are added up.
    add: Option<At<Number>>,
    /// Lets `points` and `add` give more than the problem is worth.
    #[serde(default)]
    bonus: bool,
    /// The reason. The student reads it. A blank one says nothing.
    comment: Option<String>,
    /// The line of the source that the comment is about: `count.c:12`.
    at: Option<At<String>>,
    /// Leaves the problem out: it earns the same percentage as the student's other problems.
    #[serde(default)]
    excused: bool,
    /// Replaces `due` of the assignment's deadline.
    deadline: Option<At<Moment>>,
    /// The attempt that counts, from 1: different submissions in the order in which they were graded.
    attempt: Option<At<Count<1, 1000>>>,
    /// The file or folder that is graded as this problem, by its path in reports. A folder ends in `/`.
    file: Option<At<String>>,
    /// The submission for which `points` and `add` were given, as `grader correct` writes it. They do not apply to any
    /// other, and the report says so.
    submission: Option<String>,
}

/// Keys that cannot be used together.
const EXCLUSIVE: &[Excludes<CorrectionFile>] = table! {
    points: add, items;
    subtask: add, attempt, file, deadline;
};
/// Keys that need `problem`.
const NEED_PROBLEM: &[Key<CorrectionFile>] =
    keys!(group, at, subtask, items, points, add, attempt, file);
/// Keys that need `student`; `excused` does, too.
const NEED_STUDENT: &[Key<CorrectionFile>] = keys!(subtask, attempt, file, deadline, at);
/// Keys that need `group`.
const NEED_GROUP: &[Key<CorrectionFile>] = keys!(joined, submissions, condition, alone);
/// Keys that change something, as `excused` and `comment` do: not those that say for whom and for what it is.
const CHANGE: &[Key<CorrectionFile>] = keys!(subtask, items, points, add, attempt, file, deadline);

/// Thousandths of a point, of either sign.
struct Number(i64);

impl TryFrom<f64> for Number {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let points = Points::try_from(value.abs());
        let points = points.map_err(|error| format!("{error}, found `{value}`"))?;
        let thousandths = points.thousandths() as i64;
        Ok(Self(if value < 0.0 {
            -thousandths
        } else {
            thousandths
        }))
    }
}

value! { Number, "a number", { "type": "number", "minimum": -1_000_000, "maximum": 1_000_000 }, float: f64 }

/// One correction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Correction {
    /// Where it is: `corrections.toml:5`.
    pub place: String,
    /// The class that it is for, as written in the file; `None` if that is not said.
    pub class: Option<String>,
    /// Why it is not certain that it is for this class: then the points stay open.
    pub unclear: Option<Text>,
    /// The student's id, as written in the file; empty if it is for a group.
    pub student: String,
    /// Everybody with the same mistake, by its hash.
    pub group: Option<String>,
    /// Other groups that are the same mistake.
    pub joined: Vec<String>,
    /// The submissions in the group that it is for; `None` for all.
    pub submissions: Option<Vec<String>>,
    /// The problem; `None` for all.
    pub problem: Option<ProblemId>,
    /// What it gives in a subtask that is graded by hand.
    pub manual: Option<ManualPoints>,
    /// Points that replace those from judging.
    pub points: Option<Points>,
    /// Thousandths of a point to add.
    pub add: Option<i64>,
    /// Whether the points may be more than the problem is worth.
    pub bonus: bool,
    /// The reason, for the student, after the line of the source that it is about.
    pub comment: Option<String>,
    /// That line: `count.c:12`.
    pub at: Option<String>,
    /// Whether the student is excused from the problem.
    pub excused: bool,
    /// The student's own deadline.
    pub deadline: Option<Timestamp>,
    /// The attempt that counts, from 1.
    pub attempt: Option<u32>,
    /// The file or folder that is graded as this problem.
    pub file: Option<String>,
    /// The submission to which points apply; `None` for any.
    pub submission: Option<String>,
}

/// What a person gives in a subtask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualPoints {
    /// The subtask.
    pub subtask: SubtaskName,
    /// Its points.
    pub points: Points,
    /// The ids of the rubric's items, in the order of the rubric; empty if the points are a number.
    pub items: Vec<String>,
}

impl Correction {
    /// Whether it applies to this student. People copy ids from reports, where they are escaped.
    pub fn is_for(&self, student: &StudentId) -> bool {
        self.student == student.as_str() || self.student == escaped(student.as_str().as_bytes())
    }

    /// Whether it is about the mistake of this submission, as this or an earlier version of the grader names it.
    pub fn is_about(&self, problem: &ProblemResult) -> bool {
        let mut ids = self.group.iter().chain(&self.joined);
        let is_of = |id: &String| {
            problem.behaviour.as_ref() == Some(id) || problem.former_behaviours.contains(id)
        };
        ids.any(is_of) && self.covers(&problem.id)
    }

    /// Whether it applies to this submission because of its mistake.
    pub fn is_for_group_of(&self, problem: &ProblemResult) -> bool {
        let submission = problem.submission.as_ref();
        let is_named = |named: &Vec<String>| submission.is_some_and(|it| named.contains(it));
        self.is_about(problem) && self.submissions.as_ref().is_none_or(is_named)
    }

    /// Whether somebody reads it, or it changes something: that of a group may still be blank.
    pub const fn says_something(&self) -> bool {
        self.changes_points() || self.comment.is_some()
    }

    /// Whether it can change points, or what is judged.
    pub const fn changes_points(&self) -> bool {
        self.points.is_some()
            || self.add.is_some()
            || self.excused
            || self.manual.is_some()
            || self.deadline.is_some()
            || self.attempt.is_some()
            || self.file.is_some()
    }

    /// Whether it applies to this problem.
    pub fn covers(&self, problem: &ProblemId) -> bool {
        self.problem.as_ref().is_none_or(|id| id == problem)
    }
}

/// Reads the corrections to an assignment's results, in one or several files.
///
/// # Errors
/// The mistakes in the files, or that one does not exist.
pub fn load_corrections<'a>(
    library: &dyn Library,
    paths: impl IntoIterator<Item = &'a str>,
    info: &AssignmentInfo,
) -> Loaded<Vec<Correction>> {
    let (mut corrections, mut mistakes) = (Vec::new(), Vec::new());
    let mut said = BTreeMap::new();
    for path in paths {
        match in_file(library, path, info, &mut said) {
            Ok(own) => corrections.extend(own),
            Err(own) => mistakes.extend(own),
        }
    }
    loaded(Some(corrections), mistakes)
}

/// What corrections of several people must not contradict each other in: the kind of a key, the student or group, the
/// problem and the subtask.
type Subject = (&'static str, String, Option<ProblemId>, Option<SubtaskName>);

/// What a correction says of a [`Subject`].
struct Said {
    path: String,
    place: String,
    class: Option<String>,
    what: What,
}

#[derive(PartialEq, Eq)]
enum What {
    /// Exactly this, whatever was before.
    Exactly(String),
    /// Some more: what several people add is added up.
    More,
}

/// The corrections in one file; `said` has what files before it say. Those in one file apply in their order, but what several
/// people say in files of their own has none.
fn in_file(
    library: &dyn Library,
    path: &str,
    info: &AssignmentInfo,
    said: &mut BTreeMap<Subject, Vec<Said>>,
) -> Loaded<Vec<Correction>> {
    let (mut log, file) = parse::<CorrectionsFile>(library, path)?;
    let mut corrections = Vec::new();
    let is_ours = |it: &CorrectionFile| {
        let named = it.assignment.as_deref();
        named.is_none_or(|id| id == info.id.as_str())
    };
    for At { value, span } in file.correction.into_iter().filter(|it| is_ours(it)) {
        let line = log.file.line_and_column(span.start);
        let line = line.map_or(1, |(line, _)| line);
        let correction = Correction {
            place: format!("{path}:{line}"),
            ..correction(value, &span, info, &mut log)
        };
        for (key, what) in statements(&correction) {
            let (student, problem) = (correction.student.clone(), correction.problem.clone());
            // A student's id is never that of a group.
            let student = correction.group.clone().unwrap_or(student);
            let subtask = correction.manual.as_ref().map(|it| it.subtask.clone());
            let new = Said {
                path: path.to_owned(),
                place: correction.place.clone(),
                class: correction.class.clone(),
                what,
            };
            let before = said.entry((key, student, problem, subtask)).or_default();
            if let Some(other) = before.iter().find(|other| other.contradicts(&new)) {
                let place = &other.place;
                let message = format!("`{key}` is given twice for this student: at {place} too");
                log.report(&span, &message);
            }
            before.push(new);
        }
        corrections.push(correction);
    }
    loaded(Some(corrections), log.mistakes)
}

impl Said {
    /// Whether two people say what cannot both be true.
    fn contradicts(&self, other: &Self) -> bool {
        let is_same_class = match (&self.class, &other.class) {
            (Some(one), Some(two)) => one == two,
            (None, _) | (_, None) => true,
        };
        self.path != other.path && is_same_class && self.what != other.what
    }
}

/// What a correction says, each with the name of its key.
fn statements(correction: &Correction) -> Vec<(&'static str, What)> {
    let exactly = |key, what: Option<String>| what.map(|it| (key, What::Exactly(it)));
    let manual = correction.manual.as_ref();
    let manual = manual.map(|it| format!("{} {:?}", it.points, it.items));
    let points = correction.points.map(|it| it.to_string());
    let excused = correction.excused.then(|| "excused".to_owned());
    let deadline = correction.deadline.map(|it| it.to_string());
    let attempt = correction.attempt.map(|it| it.to_string());
    let more = correction.add.map(|_| ("points` or `add", What::More));
    let said = [
        exactly("points` or `items", manual),
        exactly("points` or `add", points),
        more,
        exactly("excused", excused),
        exactly("deadline", deadline),
        exactly("attempt", attempt),
        exactly("file", correction.file.clone()),
    ];
    said.into_iter().flatten().collect()
}

fn correction(
    file: CorrectionFile,
    span: &Range<usize>,
    info: &AssignmentInfo,
    log: &mut Log,
) -> Correction {
    exclusive::check(EXCLUSIVE, &file, &file, log);
    for (key, number) in [("points", &file.points), ("add", &file.add)] {
        if let Some(number) = number.as_ref().filter(|_| file.excused) {
            let message = format!("`{key}` and `excused` cannot be used together");
            log.report(&number.span, &message);
        }
    }
    if let Some(class) = file.class.as_ref().filter(|it| it.trim().is_empty()) {
        log.report(&class.span, "expected the name of a class");
    }
    if let Some(points) = file.points.as_ref().filter(|points| points.0 < 0) {
        let message = "points must not be negative\nto take points away, use `add`";
        log.report(&points.span, message);
    }
    check_keys(&file, span, log);
    let found = file.problem.as_ref().and_then(|id| {
        let mut problems = info.problems.iter();
        let found = problems.find(|problem| problem.id.as_str() == id.value);
        if found.is_none() {
            let known = info.problems.iter().map(|problem| problem.id.as_str());
            log.report(&id.span, &unknown("problem", id, known));
        } else if file.excused && found.is_some_and(|problem| problem.bonus) {
            let message = "a bonus problem cannot be excused: without it no points are lost";
            log.report(&id.span, message);
        }
        found
    });
    let manual = found.and_then(|problem| manual(&file, problem, log));
    let deadline = file.deadline.and_then(|moment| {
        let Some(deadline) = &info.deadline else {
            let message = "the assignment has no deadline\nadd `[deadline]` to its `assignment.toml`, then run `grader grade` again";
            log.report(&moment.span, message);
            return None;
        };
        // The zone existed when the assignment was read, but another machine may not know it.
        let zone = TimeZone::get(&deadline.zone).unwrap_or(TimeZone::UTC);
        Some(moment.timestamp(&zone, log))
    });
    // Those of a subtask are not those of the problem.
    let points = file.points.filter(|_| file.subtask.is_none());
    let points = points.map(|it| it.0.unsigned_abs());
    let changes = points.is_some() || file.add.is_some();
    let said = file.comment.as_deref().unwrap_or_default();
    let said = match file.condition.as_ref().map(|it| it.value.trim()) {
        None | Some("") => said.to_owned(),
        Some(condition) if !said.trim().is_empty() => format!("{condition}: {said}"),
        // A condition alone is no remark.
        Some(condition) if changes => condition.to_owned(),
        Some(_) => String::new(),
    };
    Correction {
        place: String::new(),
        class: file.class.map(|it| it.value),
        unclear: None,
        student: file.student.map(|it| it.0).unwrap_or_default(),
        group: file.group.map(|it| it.value),
        joined: file.joined.map(|it| it.value).unwrap_or_default(),
        submissions: file.submissions.map(|it| it.value),
        problem: found.map(|problem| problem.id.clone()),
        manual,
        points: points.map(Points::from_thousandths),
        add: file.add.map(|it| it.0),
        bonus: file.bonus,
        comment: comment(&said, file.at.as_deref()),
        at: file.at.map(|it| it.value),
        excused: file.excused,
        deadline,
        attempt: file.attempt.map(|it| it.get()),
        file: file.file.map(|it| it.value),
        submission: file.submission,
    }
}

/// Reports keys without those that they need.
fn check_keys(file: &CorrectionFile, span: &Range<usize>, log: &mut Log) {
    let needs = |keys: &[Key<CorrectionFile>], needed: &str, log: &mut Log| {
        for key in keys {
            if let Some(place) = (key.place)(file) {
                log.report(place, &format!("`{}` needs a `{needed}`", key.name()));
            }
        }
    };
    if file.problem.is_none() {
        needs(NEED_PROBLEM, "problem", log);
    }
    match (&file.student, &file.group) {
        (None, None) => log.report(span, "expected `student` or `group`, found none"),
        (Some(_), Some(group)) => {
            log.report(&group.span, "`student` and `group` cannot be used together");
        }
        (Some(_), None) | (None, Some(_)) => {}
    }
    if file.group.is_none() {
        needs(NEED_GROUP, "group", log);
    } else {
        needs(NEED_STUDENT, "student", log);
        if file.excused {
            log.report(span, "`excused` needs a `student`");
        }
    }
    if let Some(at) = file.at.as_ref().filter(|it| !is_line(it)) {
        log.report(&at.span, "expected a file and a line, such as `count.c:12`");
    }
    let is_there = |key: &Key<CorrectionFile>| (key.place)(file).is_some();
    if !file.excused && file.comment.is_none() && !CHANGE.iter().any(is_there) {
        let message = "expected `points`, `add`, `comment`, `excused`, `deadline`, `attempt` or `file`, found none";
        log.report(span, message);
    }
}

/// Whether this is a file and a line in it.
fn is_line(at: &str) -> bool {
    let line = at.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    line.is_some_and(|(_, line)| line.parse().is_ok_and(|line: usize| line > 0))
}

/// The comment in one line, after the place that it is about; `None` if it is blank.
fn comment(text: &str, at: Option<&String>) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let text = lines.collect::<Vec<_>>().join(" ");
    let place = at.map_or_else(String::new, |at| format!("{at}: "));
    (!text.is_empty()).then(|| place + &text)
}

/// What a correction gives in a subtask that is graded by hand.
fn manual(file: &CorrectionFile, problem: &ProblemInfo, log: &mut Log) -> Option<ManualPoints> {
    let Some(name) = &file.subtask else {
        if let Some(items) = &file.items {
            log.report(&items.span, "`items` needs a `subtask`");
        }
        return None;
    };
    let mut subtasks = problem.manual.iter();
    let Some(subtask) = subtasks.find(|it| it.name.as_str() == name.value) else {
        let known = problem.manual.iter().map(|it| it.name.as_str());
        let message = unknown("subtask that is graded by hand", name, known);
        log.report(&name.span, &message);
        return None;
    };
    let (points, items) = match (&file.points, &file.items) {
        (Some(points), _) => {
            let given = Points::from_thousandths(points.0.unsigned_abs());
            if given > subtask.points {
                let most = subtask.points;
                let message = format!("subtask `{}` is worth {most} points", name.value);
                log.report(&points.span, &message);
            }
            (given, Vec::new())
        }
        (None, Some(items)) => given_items(items, subtask, log),
        (None, None) => {
            log.report(&name.span, "`subtask` needs `points` or `items`");
            return None;
        }
    };
    Some(ManualPoints {
        subtask: subtask.name.clone(),
        points,
        items,
    })
}

/// The points of these items of the rubric, and their ids in its order.
fn given_items(
    ids: &At<Vec<String>>,
    subtask: &ManualSubtask,
    log: &mut Log,
) -> (Points, Vec<String>) {
    let known = || subtask.items.iter().map(|item| item.id.as_str());
    for id in ids.iter().filter(|id| !known().any(|it| it == *id)) {
        log.report(&ids.span, &unknown("item", id, known()));
    }
    let items = subtask.items.iter().filter(|item| ids.contains(&item.id));
    let points = items.clone().map(|item| item.points).sum();
    (points, items.map(|item| item.id.clone()).collect())
}
