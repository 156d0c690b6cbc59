//! The problems that files are for.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_intake::{IntakeError, Submission, read_files};
use grader_language::recognise;
use grader_model::{ProblemId, Text};
use grader_problem::{Assignment, Problem};

use super::TestArgs;
use crate::assignment::{self, did_you_mean};
use crate::exit::Mistake;
use crate::terminal::Terminal;

type Submissions = BTreeMap<ProblemId, Submission>;

/// The assignment that the files belong to: the one named, else the first that has a problem for them.
pub(super) fn choose(
    args: &TestArgs,
    terminal: &Terminal,
) -> anyhow::Result<(Assignment, Submissions)> {
    let mut places = match &args.assignment {
        Some(name) => vec![assignment::find(name)?],
        None => assignment::all_bundled(),
    };
    places.sort_by_key(|place| place.folder != assignment::USUAL);
    let mut assignments = Vec::new();
    for place in &places {
        assignments.push(place.load_whole(terminal)?);
    }
    let known = Known(assignments.iter().map(known).collect());
    let problem = args.problem.as_ref().map(ProblemId::new);
    if let Some(problem) = &problem {
        assignments.retain(|it| it.problems.iter().any(|it| it.problem.id == *problem));
        if assignments.is_empty() {
            return Err(known.no_problem(problem.as_str()).into());
        }
    }
    let (mut failed, mut unknown) = (None, None);
    for assignment in assignments {
        match read_files(&args.files, &assignment, problem.as_ref(), &recognise) {
            Ok(submissions) => return Ok((assignment, submissions)),
            Err(IntakeError::NoProblem { path, .. }) => unknown = Some(path),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(match (failed, unknown) {
        (Some(error), _) => error.into(),
        (None, path) => known.no_problem_for(&path.unwrap_or_default()).into(),
    })
}

/// Warnings about files whose problem `grade` would not find by their names.
pub(super) fn unrecognised(
    args: &TestArgs,
    assignment: &Assignment,
    submissions: &Submissions,
) -> Vec<Text> {
    let mut assignment = assignment.clone();
    // Beside a problem that fits no name, the name decides even if there is only one problem.
    if let Some(mut other) = assignment.problems.first().cloned() {
        let mut problem = Problem::clone(&other.problem);
        problem.id = ProblemId::new("");
        problem.submission.files = vec!["no file is called so".to_owned()];
        other.problem = Arc::new(problem);
        assignment.problems.push(other);
    }
    let found = read_files(&args.files, &assignment, None, &recognise).unwrap_or_default();
    let missing = submissions
        .iter()
        .filter(|(id, _)| !found.contains_key(*id));
    let texts = missing.map(|(id, submission)| {
        let path = submission.shown.first().map_or("", String::as_str);
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        Text::new(
            format!("`grade` would not recognise `{path}` as `{id}`: name it `{id}.{extension}`"),
            format!("`grade` 无法识别 `{path}` 是 `{id}` 的程序：请改名为 `{id}.{extension}`"),
        )
    });
    texts.collect()
}

/// The id of an assignment and of its problems.
fn known(assignment: &Assignment) -> (String, Vec<String>) {
    let ids = assignment.problems.iter();
    let ids = ids.map(|entry| entry.problem.id.to_string());
    (assignment.id.to_string(), ids.collect())
}

/// The problems that there are, by assignment.
struct Known(Vec<(String, Vec<String>)>);

impl Known {
    fn no_problem(&self, id: &str) -> Mistake {
        let near = did_you_mean(id, self.ids());
        let id = grader_model::escaped(id.as_bytes());
        let list = self.list();
        Mistake::new(
            format!(
                "there is no problem `{id}`{}\nknown problems:\n{list}",
                near.en
            ),
            format!("没有题目 `{id}`{}\n已有的题目：\n{list}", near.zh),
        )
    }

    /// There is no problem for a file of this path, which is escaped already.
    fn no_problem_for(&self, path: &str) -> Mistake {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let near = did_you_mean(stem, self.ids());
        let list = self.list();
        Mistake::new(
            format!(
                "`{path}` matches no problem{}\nname the problem with `--problem`:\n{list}",
                near.en
            ),
            format!(
                "`{path}` 不属于任何题目{}\n请用 `--problem` 指定题目：\n{list}",
                near.zh
            ),
        )
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|(_, ids)| ids).map(String::as_str)
    }

    /// `  n-queens: count, board`, a line for each assignment.
    fn list(&self) -> String {
        let line = |(assignment, ids): &(String, Vec<String>)| {
            format!("  {assignment}: {}", ids.join(", "))
        };
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
