//! What a correction must not be.

use grader_language::source_text;
use grader_model::{
    Points, ProblemId, Results, RunSummary, SourceFile, StudentId, counted, escaped,
};
use toml_edit::{Item, Table, Value};

use super::asked::{AskedCorrection, Way};
use super::edit::{Change, Corrected, GIVES_POINTS, Keys, Target, submission};
use crate::error::Result;
use crate::exit::Failure;
use crate::stored::StoredRuns;
use crate::suggest::did_you_mean;

/// What a correction is checked against.
pub(super) struct Checks<'a> {
    pub(super) asked: &'a AskedCorrection,
    pub(super) stored: &'a StoredRuns,
    pub(super) run: &'a RunSummary,
    pub(super) results: &'a Results,
    /// The same with the corrections that are there, and the attempts that count.
    pub(super) counted: &'a Results,
}

impl Checks<'_> {
    /// Whether a row of a table is in the file as it is, for the submission that counts now.
    pub(super) fn is_there(&self, change: &Change, corrected: &Corrected<'_>) -> bool {
        let same = |table: &Table| {
            change.keys.iter().all(|(key, new)| {
                let old = table.get(key).and_then(Item::as_value);
                old.is_some_and(|old| plain(old) == plain(new))
            })
        };
        let mut live = corrected.of(&change.target);
        change.place.is_some()
            && live.any(|it| is_live(it, &change.target, self.counted) && same(it))
    }

    /// Refuses points that would replace others without a word: rows of a table, and items in the place of a number.
    pub(super) fn second_points(
        &self,
        change: &Change,
        corrected: &Corrected<'_>,
    ) -> Result<(), Failure> {
        let Change {
            target,
            keys,
            place,
        } = change;
        let gives = |key| keys.iter().any(|(it, _)| *it == key);
        let clashing: &[&str] = match place {
            Some(_) if gives_points(keys) => &GIVES_POINTS,
            None if gives("items") => &["points"],
            Some(_) | None => return Ok(()),
        };
        let mut live = corrected
            .of(target)
            .filter(|it| is_live(it, target, self.counted));
        let old = live.find_map(|table| {
            let mut keys = clashing.iter();
            keys.find_map(|key| Some(format!("{key} = {}", plain(table.get(key)?.as_value()?))))
        });
        let Some(old) = old else {
            return Ok(());
        };
        let place = place
            .as_ref()
            .map_or_else(String::new, |it| format!("{it}: "));
        let (whose, old) = (target.text(), escaped(old.as_bytes()));
        let whose = escaped(whose.as_bytes());
        Err(Failure::usage(format!(
            "{place}`{whose}` has points by hand already (`{old}`): replace them with `--replace`"
        )))
    }

    /// Refuses more points than a problem is worth, which may be a slip.
    pub(super) fn maximum(&self, change: &Change) -> Result<(), Failure> {
        let target = &change.target;
        let points = change.keys.iter().find(|(key, _)| *key == "points");
        let points =
            points.and_then(|(_, it)| it.as_float().or(it.as_integer().map(|it| it as f64)));
        let points = points.and_then(|it| Points::try_from(it).ok());
        let mut problems = self.results.assignment.problems.iter();
        let problem = problems.find(|it| Some(it.id.as_str()) == target.problem.as_deref());
        let (Some(points), Some(problem), None) = (points, problem, &target.subtask) else {
            return Ok(());
        };
        if points <= problem.points || self.asked.bonus {
            return Ok(());
        }
        let place = change
            .place
            .as_ref()
            .map_or_else(String::new, |it| format!("{it}: "));
        let (id, most) = (&problem.id, problem.points);
        Err(Failure::usage(format!(
            "{place}{points} points are more than `{id}` is worth, which is {most}: add `--bonus` if more is meant"
        )))
    }

    /// Refuses a file that the student did not submit alone.
    pub(super) fn file(&self, change: &Change) -> Result<(), Failure> {
        let Some(file) = change.key("file").and_then(Value::as_str) else {
            return Ok(());
        };
        let student = &*change.target.student;
        let students = self.results.students.iter();
        let own = students.filter(|it| it.id.as_str() == student);
        let known = own.flat_map(|student| {
            let judged = student.problems.iter().flat_map(|it| &it.files);
            let unused = student.unused.iter().map(|it| &it.path);
            unused.chain(judged).map(String::as_str)
        });
        let is_folder_of = |known: &str| file.ends_with('/') && known.starts_with(file);
        if known
            .clone()
            .any(|known| known == file || is_folder_of(known))
        {
            return Ok(());
        }
        let (near, known) = (
            did_you_mean(file, known.clone()).en,
            known.collect::<Vec<_>>(),
        );
        let known = known.join("`, `");
        let message = format!("`{student}` has no file `{file}`{near}\nthe files are `{known}`");
        Err(Failure::usage(message))
    }

    /// Refuses a line that the submission does not have.
    pub(super) fn line(&self, target: &Target) -> Result<()> {
        let (Some(at), student, Some(id)) = (&target.at, &target.student, &target.problem) else {
            return Ok(());
        };
        // What is no file with a line is refused as in a file of corrections.
        let parts = at.rsplit_once(':');
        let Some((file, Ok(line))) = parts.map(|(file, line)| (file, line.parse::<usize>())) else {
            return Ok(());
        };
        let (student, id) = (StudentId::new(student), ProblemId::new(id));
        let found = self.counted.students.iter().find(|it| it.id == student);
        let sources = found.map(|it| self.stored.sources(self.counted, it, &id));
        let sources = sources.transpose()?.unwrap_or_default();
        // An earlier correction of a line that is gone can still be removed.
        if self.asked.way == Way::Remove || sources.is_empty() {
            return Ok(());
        }
        let named = |it: &&SourceFile| it.path == file || it.name() == file;
        let Some(source) = sources.iter().find(named) else {
            let known = sources.iter().map(|it| it.path.as_str());
            let near = did_you_mean(file, known.clone()).en;
            let known = known.map(|it| escaped(it.as_bytes())).collect::<Vec<_>>();
            let (file, known) = (escaped(file.as_bytes()), known.join("`, `"));
            let message = format!(
                "the submission for `{id}` has no file `{file}`{near}\nthe files are `{known}`"
            );
            return Err(Failure::usage(message).into());
        };
        let lines = source_text(source).lines().count();
        if (1..=lines).contains(&line) {
            return Ok(());
        }
        let (name, has) = (
            escaped(source.path.as_bytes()),
            counted(lines, "line", "lines"),
        );
        let message = format!("there is no line {line}: `{name}` has {has}");
        Err(Failure::usage(message).into())
    }

    /// The submission of the attempt that is named. Refuses one that the ledger does not have.
    pub(super) fn attempt(&self, change: &Change) -> Result<Option<String>> {
        let attempt = change.key("attempt").and_then(Value::as_integer);
        let (Some(attempt), Some(id)) = (attempt, &change.target.problem) else {
            return Ok(None);
        };
        let student = &change.target.student;
        let target = (StudentId::new(student), ProblemId::new(id));
        let mut all = self.stored.attempts(self.run.id)?;
        let all = all.remove(&target).unwrap_or_default();
        let Some(named) = all.get((attempt as usize).wrapping_sub(1)) else {
            let all = all.len();
            let message = format!(
                "there is no attempt {attempt}: the ledger has only {all} by this student for `{id}`"
            );
            return Err(Failure::usage(message).into());
        };
        Ok(match &named.result {
            Some(result) => result.submission.clone(),
            None => submission(&change.target, self.results).map(str::to_owned),
        })
    }
}

pub(super) fn plain(value: &Value) -> String {
    value.clone().decorated("", "").to_string()
}

/// Whether a correction is for the submission that counts now, or for any.
fn is_live(table: &Table, target: &Target, results: &Results) -> bool {
    let of = table.get("submission").and_then(Item::as_str);
    of.is_none() || of == submission(target, results)
}

pub(super) fn gives_points(keys: &Keys) -> bool {
    keys.iter().any(|(key, _)| GIVES_POINTS.contains(key))
}
